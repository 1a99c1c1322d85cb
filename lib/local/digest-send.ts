/** Sends a digest to a mail server, with the null sender, so that nothing answers it. */
import type { Digest } from '../desk/digest.ts';
import { ENVELOPE_SCHEMA, type Envelope } from '../gateway/envelope.ts';
import { DEFAULT_GATEWAY_LIMITS } from '../gateway/limits.ts';
import { connectNext } from '../gateway/next-connection.ts';
import type { NextSettings } from '../gateway/settings.ts';

/** Why the server did not take it; null when it did. */
export async function sendDigest(settings: NextSettings, digest: Digest, signal: AbortSignal): Promise<string | null> {
  const bytes = new TextEncoder().encode(digest.email);
  const envelope = envelopeOf(digest, bytes.length);
  try {
    const connection = await connectNext(settings, DEFAULT_GATEWAY_LIMITS, signal);
    try {
      const outgoing = { size: bytes.length, has8Bit: false, has8BitHeader: false };
      const { replies } = await connection.send(envelope, envelope.recipients, bytes, outgoing);
      const [reply] = replies;
      return reply?.code != null && reply.code >= 200 && reply.code < 300 ? null : (reply?.text ?? 'no answer came');
    } finally {
      connection.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function envelopeOf({ recipient, recipientHash }: Digest, size: number): Envelope {
  const unknown = { name: null, port: null, helo: null, protocol: null, source: 'LOCAL', ident: null };
  return {
    schema: ENVELOPE_SCHEMA,
    id: recipientHash.slice(0, 21),
    origin: 'notice',
    receivedAt: new Date().toISOString(),
    sender: '',
    recipients: [{ address: recipient, notify: null, orcpt: null }],
    parameters: { body: null, size: null, smtpUtf8: false, ret: null, envid: null },
    peer: { address: 'unknown', ...unknown },
    tls: null,
    user: null,
    passes: 0,
    message: { sha256: recipientHash, size },
  };
}

/** The Relay port over a mail server, for mail of ours such as digests. */
import { ENVELOPE_SCHEMA, type Envelope } from '../../gateway/envelope.ts';
import { DEFAULT_GATEWAY_LIMITS } from '../../gateway/limits.ts';
import { connectNext, type Reply } from '../../gateway/next-connection.ts';
import type { NextSettings } from '../../gateway/settings.ts';
import { sha256Hex } from '../../pipeline/keys.ts';
import type { Relay, RelayMessage, RelayReply } from '../../pipeline/results/relay-port.ts';

const MAX_TEXT_LENGTH = 200;
/** The length of the name that a message has on its way. */
const ID_CHARS = 21;

/**
 * Makes a relay to this mail server. It never rejects for an answer of the server. A server that does not answer may have taken the
 * message.
 */
export function nextRelay(settings: NextSettings, signal: AbortSignal): Relay {
  return {
    async send(message) {
      try {
        const connection = await connectNext(settings, DEFAULT_GATEWAY_LIMITS, signal);
        try {
          const { bytes } = message;
          const envelope = envelopeOf(message);
          const outgoing = { size: bytes.length, has8Bit: false, has8BitHeader: false };
          const { replies } = await connection.send(envelope, envelope.recipients, bytes, outgoing);
          return message.recipients.map((recipient, at) => replyTo(recipient, replies[at]));
        } finally {
          connection.close();
        }
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        return message.recipients.map((recipient) => replyTo(recipient, { code: null, text }));
      }
    },
  };
}

function replyTo(recipient: string, { code, text }: Reply = { code: null, text: 'no answer came' }): RelayReply {
  const isSent = code !== null && code >= 200 && code < 300;
  const isRefused = code !== null && code >= 500;
  return {
    recipient,
    outcome: isSent ? 'sent' : isRefused ? 'refused' : 'later',
    text: text.slice(0, MAX_TEXT_LENGTH),
  };
}

function envelopeOf({ sender, recipients, bytes }: RelayMessage): Envelope {
  const unknown = { name: null, port: null, helo: null, protocol: null, source: 'LOCAL', ident: null };
  const sha256 = sha256Hex(bytes);
  return {
    schema: ENVELOPE_SCHEMA,
    id: sha256.slice(0, ID_CHARS),
    origin: 'notice',
    receivedAt: new Date().toISOString(),
    sender,
    recipients: recipients.map((address) => ({ address, notify: null, orcpt: null })),
    parameters: { body: null, size: null, smtpUtf8: false, ret: null, envid: null },
    peer: { address: 'unknown', ...unknown },
    tls: null,
    user: null,
    passes: 0,
    message: { sha256, size: bytes.length },
  };
}

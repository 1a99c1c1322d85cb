/** The Relay port over SMTP: one message to one next hop, over a connection of its own. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { ConfigError } from '../pipeline/errors.ts';
import { sha256Hex } from '../pipeline/keys.ts';
import { type Relay, type RelayMessage, type RelayReply, SEND_SECONDS } from '../pipeline/results/relay-port.ts';
import { ENVELOPE_SCHEMA, type Envelope, type Recipient } from './envelope.ts';
import { DEFAULT_GATEWAY_LIMITS } from './limits.ts';
import { connectNext, type Reply } from './next-connection.ts';
import type { NextSettings } from './settings.ts';

const RelaySetting = z.strictObject({
  host: z.string().check(z.minLength(1)),
  port: z._default(z.int().check(z.minimum(1), z.maximum(65_535)), 587),
  /** Our name in EHLO. */
  name: z._default(z.string().check(z.regex(/^[A-Za-z0-9.-]{1,255}$/)), 'mail-airlock'),
  user: z.optional(z.string()),
  password: z.optional(z.string()),
  /** `required`: a certificate that verifies, or nothing is sent. */
  tls: z._default(z.enum(['required', 'off']), 'required'),
});

/** Returns the settings of the next server in a secret, as JSON. Throws ConfigError with a line for each fault. */
export function relaySettings(secret: string): NextSettings {
  const found = RelaySetting.safeParse(parsed(secret));
  if (!found.success)
    throw new ConfigError(
      'the secret of the relay',
      found.error.issues.map(({ path, message }) => `${path.join('.') || 'the secret'}: ${message}`),
    );
  const { user, password, ...next } = found.data;
  if ((user === undefined) !== (password === undefined))
    throw new ConfigError('the secret of the relay', ['user and password: one of them is missing']);
  const login = user !== undefined && password !== undefined ? { user: { name: user, password } } : {};
  return { ...next, protocol: 'smtp', ...login };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError('the secret of the relay', ['it is not JSON, such as {"host":"smtp.example.com"}']);
  }
}

const REPLY_SECONDS = 60;
const MAX_TEXT_LENGTH = 200;

/** Sends over a new connection each time. It never rejects for any answer or act of the next server. */
export function createSmtpRelay(settings: () => Promise<NextSettings>): Relay {
  return {
    async send(message) {
      const next = await settings();
      if (hasBareLineEnd(message.bytes))
        return message.recipients.map((recipient) => refused(recipient, 'a line of it ends in a bare CR or LF'));
      return over(next, message);
    },
  };
}

async function over(next: NextSettings, message: RelayMessage): Promise<RelayReply[]> {
  const signal = AbortSignal.timeout(1_000 * SEND_SECONDS);
  const limits = { ...DEFAULT_GATEWAY_LIMITS, replySeconds: REPLY_SECONDS };
  const all = (reply: Reply) => message.recipients.map((recipient) => replied(recipient, reply));
  try {
    const connection = await connectNext(next, limits, signal);
    const close = () => connection.close();
    signal.addEventListener('abort', close, { once: true });
    const recipients = message.recipients.map((address): Recipient => ({ address, notify: null, orcpt: null }));
    try {
      const sent = await connection.send(envelopeOf(message, recipients), recipients, message.bytes, factsOf(message));
      return message.recipients.map((recipient, index) => replied(recipient, sent.replies[index] ?? UNKNOWN));
    } finally {
      signal.removeEventListener('abort', close);
      connection.close();
    }
  } catch (error) {
    return all({ code: null, text: error instanceof Error ? error.message : String(error) });
  }
}

const UNKNOWN: Reply = { code: null, text: 'the next server said nothing of it' };

function replied(recipient: string, { code, text }: Reply): RelayReply {
  const said = `${code ?? ''} ${text}`.trim().slice(0, MAX_TEXT_LENGTH);
  if (code !== null && code < 300) return { recipient, outcome: 'sent', text: said };
  return code !== null && code >= 500 ? refused(recipient, said) : { recipient, outcome: 'later', text: said };
}

const refused = (recipient: string, text: string): RelayReply => ({ recipient, outcome: 'refused', text });

/** Returns the parameters of a message that came without any. */
function envelopeOf({ sender, bytes }: RelayMessage, recipients: readonly Recipient[]): Envelope {
  return {
    schema: ENVELOPE_SCHEMA,
    id: randomBytes(11).toString('hex').slice(0, 21),
    origin: 'smtp',
    receivedAt: new Date().toISOString(),
    sender,
    recipients: [...recipients],
    parameters: { body: null, size: null, smtpUtf8: false, ret: null, envid: null },
    peer: { address: '', name: null, port: null, helo: null, protocol: null, source: null, ident: null },
    tls: null,
    user: null,
    passes: 0,
    message: { sha256: sha256Hex(bytes), size: bytes.length },
  };
}

function factsOf({ bytes }: RelayMessage) {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const header = text.slice(0, text.indexOf('\r\n\r\n') + 1 || text.length);
  const has8Bit = (part: string) => /[\u0080-\u00ff]/.test(part);
  return { size: bytes.length, has8Bit: has8Bit(text), has8BitHeader: has8Bit(header) };
}

/**
 * Returns whether the message has a single CR or LF. Careless servers take one for a line end, and a message in the message would begin
 * there.
 */
function hasBareLineEnd(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return /\r(?!\n)|(?<!\r)\n/.test(text);
}

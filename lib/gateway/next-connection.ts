/**
 * One connection to the next hop. nodemailer runs the dialogue (TLS, AUTH, pipelining, dot-stuffing, LMTP). The lines of MAIL and RCPT are
 * ours (own-lines.ts).
 */
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { asBuffer } from '../formats/byte-scan.ts';
import { certificatesOf } from './certificates.ts';
import type { Envelope, Recipient } from './envelope.ts';
import type { GatewayLimits } from './limits.ts';
import { ask, type Connection, extensionsOf, withOwnLines, xforwardOf } from './own-lines.ts';
import type { NextSettings } from './settings.ts';
import { type Extensions, isInternational, mailLine, type Outgoing, rcptLine, xforwardLines } from './wire-lines.ts';

/** The reply of the next hop. `code` is null when there was none: the connection failed. */
export interface Reply {
  readonly code: number | null;
  readonly text: string;
}

export interface Sent {
  /** The reply about each recipient that was sent, in its order. */
  readonly replies: readonly Reply[];
  /** True when the whole message was sent and its answer was lost: nobody knows whether the next hop took it. */
  readonly mayHaveArrived: boolean;
}

export interface NextConnection {
  /** Returns the number of messages that were sent over it. */
  readonly count: () => number;
  /** Returns true while another message can be sent over it. */
  readonly isUsable: () => boolean;
  /** Never rejects. */
  send(envelope: Envelope, recipients: readonly Recipient[], bytes: Uint8Array, outgoing: Outgoing): Promise<Sent>;
  /** Can be the listener of an event. */
  readonly close: () => void;
}

/**
 * Connects, and greets, until `signal` is aborted. Rejects when the next hop cannot be reached, when TLS or AUTH fail, or when our certificate
 * cannot be read.
 */
export async function connectNext(
  settings: NextSettings,
  limits: GatewayLimits,
  signal: AbortSignal,
): Promise<NextConnection> {
  const open = new OpenConnection(newConnection(settings, limits));
  signal.addEventListener('abort', open.close, { once: true });
  try {
    signal.throwIfAborted();
    await open.greet(settings);
    return open;
  } catch (error) {
    open.close();
    throw error;
  } finally {
    signal.removeEventListener('abort', open.close);
  }
}

function newConnection(settings: NextSettings, limits: GatewayLimits): Connection {
  return withOwnLines(
    new SMTPConnection({
      host: settings.host,
      port: settings.port,
      name: settings.name,
      secure: false,
      lmtp: settings.protocol === 'lmtp',
      allowInternalNetworkInterfaces: true,
      socketTimeout: limits.replySeconds * 1000,
      ...tlsOptions(settings),
      logger: false,
    }),
  );
}

class OpenConnection implements NextConnection {
  private isOpen = true;
  private transactions = 0;
  /** The end of an accepted message leaves nothing behind (RFC 5321, 4.1.1.4). */
  private isClean = true;
  private onEnd: (error: Error) => void = () => undefined;
  /** Rejects when the connection ends. */
  private readonly ended = new Promise<never>((_, reject) => {
    this.onEnd = reject;
  });

  constructor(private readonly connection: Connection) {
    this.ended.catch(() => undefined);
    connection.on('error', (error) => this.fail(error));
    connection.once('end', () => this.fail(new Error('the next hop closed the connection')));
  }

  async greet({ user }: NextSettings): Promise<void> {
    const { connection } = this;
    await this.unlessEnded(called<void>((done) => connection.connect((error) => done(error ?? null))));
    if (user)
      await this.unlessEnded(called((done) => connection.login({ user: user.name, pass: user.password }, done)));
  }

  count(): number {
    return this.transactions;
  }

  isUsable(): boolean {
    return this.isOpen;
  }

  readonly close = (): void => {
    this.fail(new Error('the connection was given up'));
    this.connection.close();
  };

  async send(
    envelope: Envelope,
    recipients: readonly Recipient[],
    bytes: Uint8Array,
    outgoing: Outgoing,
  ): Promise<Sent> {
    const { connection } = this;
    const obstacle = obstacleTo(extensionsOf(connection), envelope, recipients, outgoing);
    if (obstacle !== null) return { replies: recipients.map(() => obstacle), mayHaveArrived: false };
    this.transactions += 1;
    connection.answered.clear();
    try {
      if (!this.isClean) await this.unlessEnded(called((done) => connection.reset(done)));
      for (const line of xforwardLines(envelope, xforwardOf(connection))) await this.unlessEnded(ask(connection, line));
      const replies = await transaction(connection, this.ended, envelope, recipients, bytes, outgoing);
      // An answer in the middle of the message leaves the rest of it in the connection.
      if (connection.isSending) this.close();
      connection.awaitsAnswer = false;
      this.isClean = replies.every(({ code }) => code === 250);
      return { replies, mayHaveArrived: false };
    } catch (error) {
      this.close();
      const replies = recipients.map((_, index) => answeredOf(connection, index) ?? replyOf(error));
      return { replies, mayHaveArrived: connection.awaitsAnswer };
    }
  }

  private fail(error: Error): void {
    this.isOpen = false;
    this.onEnd(error);
  }

  private unlessEnded<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.ended]);
  }
}

/** Throws the errors of the file system when our certificate cannot be read. */
function tlsOptions({ tls, ca, certificate }: NextSettings) {
  const own = certificate === undefined ? null : certificatesOf(certificate).read();
  const verified = {
    tls: { minVersion: 'TLSv1.2' as const, ...own, ...(ca !== undefined && { ca }) },
    requireTLS: true,
  };
  if (tls === 'required') return verified;
  return tls === 'off' ? { ignoreTLS: true } : { opportunisticTLS: true, tls: { rejectUnauthorized: false } };
}

/** Returns the property of a message that the next hop cannot take, for any answer. */
function obstacleTo(
  known: Extensions,
  envelope: Envelope,
  recipients: readonly Recipient[],
  outgoing: Outgoing,
): Reply | null {
  if (isInternational(envelope, recipients, outgoing) && !known.has('SMTPUTF8'))
    return { code: 550, text: '5.6.7 the next hop does not know SMTPUTF8' };
  return null;
}

const nameOf = (index: number): string => `r${index}@recipient.invalid`;

/** Returns what LMTP said about a recipient before the connection ended, or null. It must not get the message twice. */
function answeredOf({ answered }: Connection, index: number): Reply | null {
  const reply = answered.get(nameOf(index));
  return reply === undefined ? null : replyIn(reply);
}

async function transaction(
  connection: Connection,
  ended: Promise<never>,
  envelope: Envelope,
  recipients: readonly Recipient[],
  bytes: Uint8Array,
  outgoing: Outgoing,
): Promise<Reply[]> {
  const known = extensionsOf(connection);
  connection.lines = {
    mail: mailLine(envelope, recipients, outgoing, known),
    rcpt: recipients.map((recipient) => rcptLine(recipient, known)),
  };
  // nodemailer changes addresses, so it gets our own names, with which its answers are found again.
  const names = recipients.map((_, index) => nameOf(index));
  const refused = new Map<string, Reply>();
  const note = (error: Refused) => refused.set(error.recipient ?? '', replyToRecipient(error));
  let others: Reply;
  try {
    const info = await Promise.race([
      called<{ response: string; rejectedErrors?: Refused[] }>((done) =>
        connection.send({ from: 'sender@sender.invalid', to: names }, asBuffer(bytes), done as never),
      ),
      ended,
    ]);
    for (const error of info.rejectedErrors ?? []) note(error);
    // With LMTP, the response is for the last recipient, which may be the only refused one.
    others = info.response.startsWith('2') ? replyIn(info.response) : { code: 250, text: '' };
  } catch (error) {
    // Refused as a whole, or for each recipient.
    for (const each of (error as { rejectedErrors?: Refused[] }).rejectedErrors ?? []) note(each);
    others = replyOf(error);
    if (others.code === null) throw error;
  }
  return names.map((name) => refused.get(name) ?? others);
}

/** An error of nodemailer about one recipient. */
interface Refused {
  readonly recipient?: string;
  readonly command?: string;
}

/** Returns the reply. 552 to RCPT means too many recipients in one message: they get it in another one (RFC 5321, 4.5.3.1.10). */
function replyToRecipient(error: Refused): Reply {
  const reply = replyOf(error);
  return reply.code === 552 && error.command === 'RCPT TO' ? { ...reply, code: 452 } : reply;
}

function replyOf(error: unknown): Reply {
  const { response, message } = error as { response?: unknown; message?: unknown };
  return typeof response === 'string' && /^[2-5]\d\d/.test(response)
    ? replyIn(response)
    : { code: null, text: String(message ?? error) };
}

function replyIn(response: string): Reply {
  return { code: Number(response.slice(0, 3)), text: response.slice(4) };
}

function called<T>(call: (done: (error: Error | null, result?: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, result) => (error ? reject(error) : resolve(result as T)));
  });
}

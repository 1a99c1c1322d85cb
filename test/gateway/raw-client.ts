/** A client that says exactly the bytes it is told, and reads the replies of a mail server. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, TLSSocket } from 'node:tls';

export interface RawClient {
  /** Sends bytes as one segment, as far as the system allows. */
  say(text: string | Uint8Array): Promise<void>;
  /** The next whole reply with its lines joined by LF; `closed` when the server has closed the connection. */
  reply(): Promise<string>;
  /** Says one line and returns its reply. */
  ask(line: string): Promise<string>;
  /** With a certificate of the client, or without; a session of an earlier connection can be resumed. */
  startTls(own?: ConnectionOptions): Promise<void>;
  /** The newest session of TLS that can be resumed. */
  session(): Buffer | undefined;
  isResumed(): boolean;
  /** The certificate of the server, once there is TLS. */
  fingerprint(): string;
  /** Cuts the connection. */
  end(): void;
  /** Cuts it with a reset, as a machine that was started again does. */
  reset(): void;
  /** Says that nothing more will come, and still listens. */
  finish(): void;
}

export async function rawClient(port: number): Promise<RawClient> {
  let socket: Socket = connect(port, '127.0.0.1');
  let received = '';
  let isClosed = false;
  let wake: () => void = () => undefined;
  let fingerprint = '';
  const sessions: Buffer[] = [];
  const listen = () => {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      isClosed = true;
      wake();
    });
  };
  listen();
  await once(socket, 'connect');
  const client: RawClient = {
    async say(text) {
      if (isClosed) return;
      await new Promise<void>((resolve) => socket.write(text, () => resolve()));
    },
    async reply() {
      for (;;) {
        const found = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\r\n/.exec(received);
        if (found) {
          received = received.slice(found[0].length);
          return found[0].trimEnd().replaceAll('\r', '');
        }
        if (isClosed) return 'closed';
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async ask(line) {
      await client.say(`${line}\r\n`);
      return client.reply();
    },
    async startTls(own = {}) {
      socket.removeAllListeners('data');
      received = '';
      const secure = connectTls({ ...own, socket, rejectUnauthorized: false });
      secure.on('session', (session) => {
        sessions.push(session);
      });
      socket = secure;
      listen();
      await once(secure, 'secureConnect');
      fingerprint = secure.getPeerCertificate().fingerprint256 ?? '';
    },
    session: () => sessions.at(-1),
    isResumed: () => socket instanceof TLSSocket && socket.isSessionReused(),
    fingerprint: () => fingerprint,
    end: () => socket.destroy(),
    reset: () => void socket.resetAndDestroy(),
    finish: () => void socket.end(),
  };
  return client;
}

/** A client behind greeting and EHLO. */
export async function greeted(port: number, hello = 'EHLO client.example'): Promise<RawClient> {
  const client = await rawClient(port);
  await client.reply();
  await client.ask(hello);
  return client;
}

export interface Sending {
  readonly from?: string;
  readonly to?: readonly string[];
  /** The message with its dots stuffed and without the final dot. */
  readonly data?: string;
}

export const PLAIN = 'From: a@sender.example\r\nTo: b@rcpt.example\r\nSubject: Hello\r\n\r\nHello.\r\n';

/** Sends one message and returns the reply to its final dot. */
export async function sendWith(
  client: RawClient,
  { from = 'a@sender.example', to = ['b@rcpt.example'], data = PLAIN }: Sending = {},
): Promise<string> {
  const replies = [await client.ask(`MAIL FROM:<${from}>`)];
  for (const address of to) replies.push(await client.ask(`RCPT TO:<${address}>`));
  replies.push(await client.ask('DATA'));
  const bad = replies.find((reply) => !/^[23]/.test(reply));
  if (bad !== undefined) return bad;
  await client.say(`${data}.\r\n`);
  return client.reply();
}

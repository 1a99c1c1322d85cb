/** A mail server behind the gateway whose every answer a test chooses. It is written by hand: nothing of it is code of the gateway. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  /** With the dots as they came. */
  readonly data: string;
  /** Commands of the connection so far. */
  readonly commands: readonly string[];
  readonly isSecure: boolean;
  /** The name in the certificate that the client has shown, if an authority of the stub issued it. */
  readonly client: string | null;
}

export interface StubOptions {
  readonly port?: number;
  /** Takes bare CR and bare LF for line ends, as careless servers do. */
  readonly isLenient?: boolean;
  readonly isLmtp?: boolean;
  /** Lines of the answer to EHLO. */
  readonly extensions?: readonly string[];
  /** With `ca`, clients are asked for a certificate of that authority. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca?: string };
  /**
   * The answer to a command line, or to `.` behind a message. `null`: the usual one. `'stall'`: none. `'drop'`: the connection is cut.
   * For LMTP, several replies to `.` are separated by CRLF. Behind `drop` as the last of them, the connection is cut.
   */
  readonly answer?: (command: string, received: readonly Received[]) => string | null | 'stall' | 'drop';
}

export interface Stub {
  readonly port: number;
  readonly received: readonly Received[];
  /** Connections that were made. */
  readonly connections: () => number;
  /** Resolves when so many messages were received. */
  until(count: number): Promise<void>;
  /** Resolves at the next command that begins so. */
  command(begin: string): Promise<void>;
  close(): Promise<void>;
}

const EXTENSIONS = [
  'PIPELINING',
  'SIZE 50000000',
  '8BITMIME',
  'SMTPUTF8',
  'DSN',
  'XFORWARD NAME ADDR PROTO HELO SOURCE PORT IDENT',
];

const DROP = '\r\ndrop';
const END = /(?:^|\r\n)\.\r\n/;
const CARELESS_END = /(?:^|\r\n|\r|\n)\.(?:\r\n|\r(?!\n)|\n)/;

/** The stub looks at a certificate, and refuses nobody for it. */
function clientOf(socket: Socket, authority: string | undefined): string | null {
  const shown = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  if (shown === undefined || authority === undefined) return null;
  return shown.verify(new X509Certificate(authority).publicKey) ? shown.subject : null;
}

export async function nextHopStub(options: StubOptions = {}): Promise<Stub> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const waiters = new Set<() => void>();
  const commandWaiters = new Set<{ readonly begin: string; readonly resolve: () => void }>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket.setNoDelay(true));
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    talk(socket, false);
  });

  function talk(socket: Socket, isSecure: boolean): void {
    const commands: string[] = [];
    let text = '';
    let from = '';
    let to: string[] = [];
    let inData = false;
    const say = (line: string) => socket.write(`${line}\r\n`);
    const answer = (command: string, usual: string): string | null => {
      for (const waiter of [...commandWaiters]) if (command.startsWith(waiter.begin)) waiter.resolve();
      const chosen = options.answer?.(command, received) ?? null;
      if (chosen === 'drop') socket.destroy();
      if (chosen === 'drop' || chosen === 'stall') return null;
      if (chosen?.endsWith(DROP)) {
        socket.end(chosen.slice(0, -DROP.length + 2));
        return null;
      }
      say(chosen ?? usual);
      return chosen ?? usual;
    };
    const greet = (line: string) => {
      const words = [...(options.extensions ?? EXTENSIONS), ...(options.tls && !isSecure ? ['STARTTLS'] : [])];
      const lines = words.map((word, index) => `250${index === words.length - 1 ? ' ' : '-'}${word}`);
      answer(line, ['250-stub.example', ...lines].join('\r\n'));
    };
    const isSaid = (line: string, usual: string) => answer(line, usual)?.startsWith(usual.slice(0, 3)) === true;
    const verbs: Readonly<Record<string, (line: string) => void>> = {
      EHLO: greet,
      LHLO: greet,
      STARTTLS: (line) => {
        if (isSaid(line, '220 go ahead')) secure();
      },
      MAIL: (line) => {
        if (from !== '') return void say('503 5.5.1 nested MAIL');
        to = [];
        if (isSaid(line, '250 2.1.0 ok')) from = line;
      },
      RSET: (line) => {
        [from, to] = ['', []];
        answer(line, '250 2.0.0 ok');
      },
      RCPT: (line) => {
        if (from === '') say('503 5.5.1 MAIL first');
        else if (isSaid(line, '250 2.1.5 ok')) to.push(line);
      },
      DATA: (line) => {
        if (to.length === 0) say('554 5.5.1 no recipients');
        else inData = isSaid(line, '354 go ahead');
      },
      QUIT: (line) => {
        answer(line, '221 bye');
        socket.end();
      },
    };
    const command = (line: string) => {
      commands.push(line);
      const verb = line.split(/[ :]/, 1)[0]?.toUpperCase() ?? '';
      const known = verb === 'STARTTLS' && !options.tls ? undefined : verbs[verb];
      if (known) known(line);
      else answer(line, verb === 'STARTTLS' ? '502 5.5.1 not known' : '250 ok');
    };
    const secure = () => {
      socket.removeAllListeners('data');
      const upgraded = new TLSSocket(socket, {
        ...{ isServer: true, requestCert: options.tls?.ca !== undefined },
        ...options.tls,
      });
      upgraded.on('error', () => socket.destroy());
      talk(upgraded, true);
    };
    const takeData = (): boolean => {
      const end = (options.isLenient ? CARELESS_END : END).exec(text);
      if (!end) return false;
      const data = text.slice(0, end.index + (end[0].length - end[0].trimStart().length));
      text = text.slice(end.index + end[0].length);
      inData = false;
      const message = { from, to, data, commands: [...commands], isSecure, client: clientOf(socket, options.tls?.ca) };
      [from, to] = ['', []];
      const usual = Array.from({ length: options.isLmtp ? message.to.length : 1 }, () => '250 2.0.0 taken').join(
        '\r\n',
      );
      if (answer('.', usual)?.includes('250')) received.push(message);
      for (const waiter of waiters) waiter();
      return true;
    };
    const step = (): boolean => {
      if (inData) return takeData();
      const line = options.isLenient ? /^([^\r\n]*)(?:\r\n|\n)/.exec(text) : /^([^\r\n]*)\r\n/.exec(text);
      if (!line) return false;
      text = text.slice(line[0].length);
      command(line[1] ?? '');
      return true;
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      while (step());
    });
    if (!isSecure) answer('CONNECT', '220 stub.example ESMTP');
  }

  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    received,
    connections: () => connections,
    async until(count) {
      while (received.length < count)
        await new Promise<void>((resolve) => {
          waiters.add(resolve);
        });
    },
    command: (begin) => new Promise((resolve) => commandWaiters.add({ begin, resolve })),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

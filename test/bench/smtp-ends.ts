/** Both ends of a mail path, for the bench: what sends by SMTP, and what everything arrives at. Each message has a recipient of its own. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface Sink {
  readonly port: number;
  /** When each recipient's message arrived, as often as it did; milliseconds of performance.now(). */
  readonly arrivals: ReadonlyMap<string, readonly number[]>;
  /** Resolves when a message for the recipient has arrived. */
  arrived(recipient: string): Promise<void>;
  close(): Promise<void>;
}

const END = '\r\n.\r\n';

/** A mail server that takes everything at once and keeps only times. */
export async function openSink(): Promise<Sink> {
  const arrivals = new Map<string, number[]>();
  const waiting = new Map<string, () => void>();
  const sockets = new Set<Socket>();
  const take = (recipient: string) => {
    arrivals.set(recipient, [...(arrivals.get(recipient) ?? []), performance.now()]);
    waiting.get(recipient)?.();
    waiting.delete(recipient);
  };
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay(true));
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    talk(socket, take);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    arrivals,
    async arrived(recipient) {
      if (!arrivals.has(recipient)) await new Promise<void>((resolve) => waiting.set(recipient, resolve));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function talk(socket: Socket, take: (recipient: string) => void): void {
  let recipients: string[] = [];
  let inData = false;
  let text = '';
  const say = (line: string) => socket.write(`${line}\r\n`);
  const command = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'EHLO') return say('250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 0');
    if (verb === 'MAIL') recipients = [];
    if (verb === 'RCPT') recipients.push(/<([^>]*)>/.exec(line)?.[1] ?? '');
    if (verb === 'QUIT') return socket.end('221 bye\r\n');
    inData = verb === 'DATA';
    return say(inData ? '354 go' : '250 ok');
  };
  say('220 sink ESMTP');
  const step = (): boolean => {
    const mark = inData ? END : '\r\n';
    const end = text.indexOf(mark);
    // Of a message only its last bytes can be the begin of its end.
    if (end < 0 && inData) text = text.slice(-END.length);
    if (end < 0) return false;
    const line = text.slice(0, end);
    text = text.slice(end + mark.length);
    if (!inData) command(line);
    else {
      inData = false;
      for (const recipient of recipients) take(recipient);
      say('250 ok');
    }
    return true;
  };
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    while (step());
  });
}

export interface Sender {
  /** Sends one message. True when it was accepted; false when the connection or the server failed. */
  send(recipient: string, message: Uint8Array): Promise<boolean>;
  end(): void;
}

/** A connection that is greeted; null when nobody answers. */
export async function openSender(port: number): Promise<Sender | null> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  let text = '';
  let isClosed = false;
  let wake: () => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    wake();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
    wake();
  });
  const reply = async (): Promise<string> => {
    for (;;) {
      const found = /^(?:\d{3}-[^\n]*\n)*\d{3} [^\n]*\n/.exec(text);
      if (found) {
        text = text.slice(found[0].length);
        return found[0];
      }
      if (isClosed) return '';
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const ask = async (words: string | Uint8Array, expected: string) => {
    socket.write(words);
    return (await reply()).startsWith(expected);
  };
  const isGreeted = (await reply()).startsWith('220') && (await ask('EHLO bench.example\r\n', '250'));
  if (!isGreeted) {
    socket.destroy();
    return null;
  }
  return {
    async send(recipient, message) {
      for (const line of ['MAIL FROM:<bench@sender.example>', `RCPT TO:<${recipient}>`])
        if (!(await ask(`${line}\r\n`, '250'))) return false;
      return (await ask('DATA\r\n', '354')) && (await ask(Buffer.concat([message, Buffer.from('.\r\n')]), '250'));
    },
    end: () => socket.destroy(),
  };
}

/**
 * A mail server that asks a milter, written by hand from the description of the protocol: nothing of it is code of the gateway. It applies what it
 * is told as Postfix does (a removed field counts no more) or as Sendmail does (it still counts).
 */
import { once } from 'node:events';
import { connect } from 'node:net';

export interface MilterEnd {
  /** What the sender is told: `accept`, `discard`, `tempfail`, `reject`, or the text of a reply. `closed`: the connection ended. */
  readonly said: string;
  /** The message that the mail server has then. */
  readonly message: string;
  readonly quarantine: string | null;
  /** The letters of all packets behind the end of the message, without signs of life. */
  readonly letters: string;
}

export interface MilterClient {
  readonly terms: { readonly actions: number; readonly steps: number } | null;
  /** Sends one message and applies the answer. `onSent` is called when all is said and the answer is waited for. */
  send(options: {
    readonly from?: string;
    readonly to?: readonly string[];
    readonly data: string;
    readonly style?: 'postfix' | 'sendmail';
    readonly onSent?: () => void;
  }): Promise<MilterEnd>;
  /** Sends the bytes of packets. */
  say(...packets: readonly Uint8Array[]): void;
  /** The next packet; null when the connection is closed. */
  next(): Promise<{ readonly letter: string; readonly data: Buffer } | null>;
  end(): void;
}

export const ALL_ACTIONS = 0x1ff;
export const ALL_STEPS = 0x1fffff;

export function milterPacket(letter: string, data: string | Uint8Array = ''): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data);
  const head = Buffer.alloc(5, letter, 'latin1');
  head.writeUInt32BE(bytes.length + 1);
  return Buffer.concat([head, bytes]);
}

export function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

/** Connects and agrees on the terms. */
export async function milterClient(
  place: number | string,
  { actions = ALL_ACTIONS, steps = ALL_STEPS, host = '127.0.0.1' } = {},
): Promise<MilterClient> {
  const socket = typeof place === 'number' ? connect(place, host) : connect(place);
  let held = Buffer.alloc(0);
  let isClosed = false;
  let wake: () => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    wake();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
    wake();
  });
  await once(socket, 'connect');
  const next = async () => {
    for (;;) {
      const length = held.length >= 4 ? held.readUInt32BE() : Number.POSITIVE_INFINITY;
      if (held.length >= 4 + length) {
        const [letter, data] = [String.fromCharCode(held[4] ?? 0), Buffer.from(held.subarray(5, 4 + length))];
        held = held.subarray(4 + length);
        return { letter, data };
      }
      if (isClosed) return null;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const say = (...packets: readonly Uint8Array[]) => void socket.write(Buffer.concat(packets));
  say(milterPacket('O', numbers(6, actions, steps)));
  const offer = await next();
  const terms = offer === null ? null : { actions: offer.data.readUInt32BE(4), steps: offer.data.readUInt32BE(8) };
  /** Says something, and reads the answer unless the terms say that there is none. */
  const ask = async (packet: Buffer, noReply = 0) => {
    say(packet);
    return ((terms?.steps ?? 0) & noReply) !== 0 ? 'c' : said(await next());
  };
  return {
    terms,
    say,
    next,
    end: () => void socket.destroy(),
    async send({ from = 'a@sender.example', to = ['b@rcpt.example'], data, style = 'postfix', onSent }) {
      const end = data.indexOf('\r\n\r\n');
      const fields = data.slice(0, end).split(/\r\n(?![ \t])/);
      const words = (...texts: string[]) => texts.map((text) => `${text}\0`).join('');
      const answers = [
        await ask(milterPacket('C', `client.example\x004\x30\x39192.0.2.1\0`), 0x1000),
        await ask(milterPacket('H', words('client.example')), 0x2000),
        await ask(milterPacket('M', words(`<${from}>`, `SIZE=${data.length}`, 'XODD=1'))),
      ];
      for (const address of to) answers.push(await ask(milterPacket('R', words(`<${address}>`))));
      for (const field of fields) {
        const colon = field.indexOf(':');
        const value = field.slice(colon + 1).replaceAll('\r\n', '\n');
        answers.push(await ask(milterPacket('L', words(field.slice(0, colon), value)), 0x80));
      }
      answers.push(await ask(milterPacket('N'), 0x40000));
      const body = Buffer.from(data.slice(end + 4), 'latin1');
      for (let at = 0; at < body.length; at += 65_535)
        answers.push(await ask(milterPacket('B', body.subarray(at, at + 65_535)), 0x80000));
      const bad = answers.find((answer) => answer !== 'c');
      if (bad !== undefined) return { said: bad, message: data, quarantine: null, letters: '' };
      say(milterPacket('E'));
      onSent?.();
      return await applied(next, { fields, body: data.slice(end + 4) }, style);
    },
  };
}

const KNOWN: Readonly<Record<string, string>> = { c: 'c', a: 'accept', d: 'discard', t: 'tempfail', r: 'reject' };
const said = (packet: { letter: string; data: Buffer } | null): string => {
  if (packet === null) return 'closed';
  return packet.letter === 'y'
    ? packet.data.toString('latin1').replace(/\0$/, '')
    : (KNOWN[packet.letter] ?? packet.letter);
};

/** What packets of changes, as they go over the wire, make of a message. */
export async function changed(
  message: string,
  packets: readonly Buffer[],
  style: 'postfix' | 'sendmail',
): Promise<string> {
  const end = message.indexOf('\r\n\r\n');
  const left = [...packets, milterPacket('c')];
  const next = async () => {
    const bytes = left.shift();
    return bytes === undefined ? null : { letter: String.fromCharCode(bytes[4] ?? 0), data: bytes.subarray(5) };
  };
  const parts = { fields: message.slice(0, end).split(/\r\n(?![ \t])/), body: message.slice(end + 4) };
  return (await applied(next, parts, style)).message;
}

interface Held {
  readonly name: string;
  text: string | null;
}

const stored = (name: string, value: string): Held => ({ name, text: `${name}:${value.replaceAll('\n', '\r\n')}` });

/** A field that is removed counts on in Sendmail. */
function changeField(header: Held[], data: Buffer, style: 'postfix' | 'sendmail'): void {
  const [name = '', value = ''] = data.subarray(4).toString('latin1').split('\0');
  const isCounted = (field: Held) =>
    field.name.toLowerCase() === name.toLowerCase() && (field.text !== null || style === 'sendmail');
  const field = header.filter(isCounted)[data.readUInt32BE() - 1];
  if (field === undefined) header.push(stored(name, value));
  else field.text = value === '' ? null : stored(name, value).text;
}

/** Applies every change until the mail server is told what to do with the message. */
async function applied(
  next: MilterClient['next'],
  { fields, body }: { fields: readonly string[]; body: string },
  style: 'postfix' | 'sendmail',
): Promise<MilterEnd> {
  const header: Held[] = fields.map((text) => ({ name: text.slice(0, text.indexOf(':')), text }));
  const pieces: string[] = [];
  let [quarantine, letters]: [string | null, string] = [null, ''];
  for (;;) {
    const packet = await next();
    if (packet?.letter === 'p') continue;
    letters += packet?.letter ?? '';
    const text = packet?.data.toString('latin1') ?? '';
    const [name = '', value = ''] = text.split('\0');
    if (packet?.letter === 'h') header.push(stored(name, value));
    else if (packet?.letter === 'm') changeField(header, packet.data, style);
    else if (packet?.letter === 'b') pieces.push(text);
    else if (packet?.letter === 'q') quarantine = name;
    else {
      const newBody = pieces.length > 0 ? pieces.join('') : body;
      const message = `${header.flatMap((field) => field.text ?? []).join('\r\n')}\r\n\r\n${newBody}`;
      const end = said(packet);
      return { said: end === 'c' ? 'accept' : end, message, quarantine, letters };
    }
  }
}

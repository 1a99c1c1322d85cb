/**
 * The packets of the milter protocol, version 6: a length of four bytes that counts the command, the command in one byte, and its data.
 * Strings end with NUL. The protocol is defined by libmilter of Sendmail (mfdef.h); Postfix speaks the same.
 */

/** The commands of the mail server and our answers, by the letter on the wire. */
export interface Packet {
  readonly command: string;
  readonly data: Uint8Array;
}

/** The actions that a filter asks to be allowed (SMFIF_*). */
export const ACTIONS = { addHeaders: 0x01, changeBody: 0x02, changeHeaders: 0x10, quarantine: 0x20 } as const;

/** The steps that the mail server may omit, or need not wait for (SMFIP_*). */
export const STEPS = {
  /** It sends no unknown commands, and no DATA. */
  noUnknown: 0x100,
  noData: 0x200,
  /** It waits for no answer to these. MAIL and RCPT may be refused, so it waits for the answers to them. */
  noReplyToHeader: 0x80,
  noReplyToConnect: 0x1000,
  noReplyToHelo: 0x2000,
  noReplyToEndOfHeader: 0x40000,
  noReplyToBody: 0x80000,
  /** A field has the blanks in front of its value. */
  leadingSpace: 0x100000,
} as const;

/** The most data of one packet that replaces the body. Older mail servers take no more. */
export const MAX_BODY = 65_535;
export const VERSION = 6;
/** The command with which a mail server ends the connection. It is not answered. */
export const QUIT = 'Q';

/** Thrown for bytes that are no packet of the protocol. The connection cannot be used any more. */
export class PacketError extends Error {
  override readonly name = 'PacketError';
}

/** Returns the packets in a stream of bytes. Throws PacketError when one has a length above `maxBytes`. */
export async function* packetsIn(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Packet> {
  let held = Buffer.alloc(0);
  for await (const chunk of stream) {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
    for (;;) {
      if (held.length < 4) break;
      const length = held.readUInt32BE(0);
      if (length < 1 || length > maxBytes) throw new PacketError(`a packet of ${length} bytes`);
      if (held.length < 4 + length) break;
      yield { command: String.fromCharCode(held[4] ?? 0), data: held.subarray(5, 4 + length) };
      held = held.subarray(4 + length);
    }
  }
}

/** Returns the bytes of a packet. Texts are bytes as latin1. */
export function packet(command: string, data: Uint8Array | string = ''): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length + 1, 0);
  head.write(command, 4, 'latin1');
  return Buffer.concat([head, bytes]);
}

/** Returns the strings of a packet, as latin1, without the NUL behind each. */
export function stringsOf(data: Uint8Array): string[] {
  const text = Buffer.from(data).toString('latin1');
  return (text.endsWith('\0') ? text.slice(0, -1) : text).split('\0');
}

/** The terms of both sides of a connection. */
export interface Terms {
  readonly version: number;
  readonly actions: number;
  readonly steps: number;
}

/** Throws PacketError. */
export function termsOf(data: Uint8Array): Terms {
  if (data.length < 12) throw new PacketError('an offer without its three numbers');
  const bytes = Buffer.from(data);
  return { version: bytes.readUInt32BE(0), actions: bytes.readUInt32BE(4), steps: bytes.readUInt32BE(8) };
}

export function termsPacket({ version, actions, steps }: Terms): Buffer {
  const data = Buffer.alloc(12);
  data.writeUInt32BE(version, 0);
  data.writeUInt32BE(actions, 4);
  data.writeUInt32BE(steps, 8);
  return packet('O', data);
}

/**
 * Returns our answer to the terms of a mail server. Returns null when it does not allow the things we need: the actions, and the blanks in
 * front of the value of a field. Without those blanks a signature over the header breaks (Postfix 2.6, Sendmail 8.14).
 */
export function agreedTerms(offered: Terms, actions: number): Terms | null {
  if ((offered.actions & actions) !== actions || (offered.steps & STEPS.leadingSpace) === 0) return null;
  const wanted = Object.values(STEPS).reduce((all, step) => all | step, 0);
  return { version: Math.min(offered.version, VERSION), actions, steps: offered.steps & wanted };
}

/** Pages of Ogg (RFC 3533, 6). */
import { oggSum } from './checksums.ts';

const HEAD_BYTES = 27;
const CONTINUED = 1;
const FIRST = 2;

export interface OggPage {
  /** The whole page. */
  readonly bytes: Buffer;
  readonly isContinued: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly serial: number;
  /** Sizes of the pieces of packets. A piece of 255 bytes continues in the next one. */
  readonly pieces: Uint8Array;
  readonly body: Buffer;
}

/** Returns the page at this place. Returns null when it is none, is not whole, or has a wrong checksum. */
export function oggPage(bytes: Buffer, at: number): OggPage | null {
  if (at + HEAD_BYTES > bytes.length || bytes.toString('latin1', at, at + 5) !== 'OggS\0') return null;
  const flags = bytes.readUInt8(at + 5);
  const bodyAt = at + HEAD_BYTES + bytes.readUInt8(at + 26);
  const pieces = bytes.subarray(at + HEAD_BYTES, bodyAt);
  const end = bodyAt + pieces.reduce((sum, piece) => sum + piece, 0);
  if (flags > 7 || end > bytes.length) return null;
  const page = bytes.subarray(at, end);
  if (oggSum(page) !== page.readUInt32LE(22)) return null;
  return {
    bytes: page,
    isContinued: (flags & CONTINUED) !== 0,
    isFirst: (flags & FIRST) !== 0,
    isLast: flags >= 4,
    serial: page.readUInt32LE(14),
    pieces,
    body: bytes.subarray(bodyAt, end),
  };
}

/** Returns whether the packet at the end of a page continues in the next one. */
export const goesOn = ({ pieces }: OggPage): boolean => pieces.at(-1) === 255;

/** Returns the packets that begin or continue in a page. */
export function packetsOf({ pieces, body }: OggPage): Buffer[] {
  const packets: Buffer[] = [];
  let [start, end] = [0, 0];
  for (const [index, piece] of pieces.entries()) {
    end += piece;
    if (piece === 255 && index < pieces.length - 1) continue;
    packets.push(body.subarray(start, end));
    start = end;
  }
  return packets;
}

/** Returns the page with this number in its stream, and with the resulting checksum. */
export function numbered(page: Uint8Array, number: number): Buffer {
  const bytes = Buffer.from(page);
  bytes.writeUInt32LE(number, 18);
  bytes.writeUInt32LE(oggSum(bytes), 22);
  return bytes;
}

const MAX_PIECES = 255;

/** Returns pages without numbers that contain packets of headers. The last packet ends the last page. */
export function headerPages(packets: readonly Buffer[], serial: number, isFirst: boolean): Buffer[] {
  const pieces = packets.flatMap(
    ({ length }) => [...Array(Math.floor(length / 255)).fill(255), length % 255] as number[],
  );
  const content = Buffer.concat(packets);
  const pages: Buffer[] = [];
  let at = 0;
  for (let from = 0; from < pieces.length; from += MAX_PIECES) {
    const held = pieces.slice(from, from + MAX_PIECES);
    const size = held.reduce((sum, piece) => sum + piece, 0);
    const head = Buffer.alloc(HEAD_BYTES);
    head.write('OggS');
    head.writeUInt8((isFirst ? FIRST : 0) | (pieces[from - 1] === 255 ? CONTINUED : 0), 5);
    // Where no packet ends, the place in the sound is -1.
    if (held.every((piece) => piece === 255)) head.fill(0xff, 6, 14);
    head.writeUInt32LE(serial, 14);
    head.writeUInt8(held.length, 26);
    pages.push(Buffer.concat([head, Buffer.from(held), content.subarray(at, at + size)]));
    at += size;
  }
  return pages;
}

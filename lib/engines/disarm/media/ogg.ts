/** Ogg with Opus (RFC 7845) or Vorbis: the headers are written anew without comments, and the pages of sound are copied. */
import { asBuffer } from '../../../formats/byte-scan.ts';
import { EngineError } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';
import { goesOn, headerPages, numbered, type OggPage, oggPage, packetsOf } from './ogg-pages.ts';

interface Codec {
  /** The number of packets in front of the sound: the introduction, the comments, and for Vorbis the tables. */
  readonly headers: number;
  readonly comments: Buffer;
  readonly isIntroduction: (packet: Buffer) => boolean;
  readonly isTables: (packet: Buffer) => boolean;
  /** Returns whether players treat a packet as sound, at any place. */
  readonly isSound: (packet: Buffer) => boolean;
}

const startsWith = (packet: Buffer, letters: string) => packet.toString('latin1', 0, letters.length) === letters;
const isOpusForm = (packet: Buffer) =>
  packet[18] === 0 ? packet.length === 19 : packet[18] === 1 && packet.length === 21 + (packet[9] ?? 0);

const CODECS: Readonly<Record<'opus' | 'vorbis', Codec>> = {
  opus: {
    headers: 2,
    comments: Buffer.from('OpusTags\0\0\0\0\0\0\0\0', 'latin1'),
    isIntroduction: (packet) => startsWith(packet, 'OpusHead') && packet[8] === 1 && isOpusForm(packet),
    isTables: () => false,
    isSound: (packet) => !startsWith(packet, 'OpusHead') && !startsWith(packet, 'OpusTags'),
  },
  vorbis: {
    headers: 3,
    comments: Buffer.from('\x03vorbis\0\0\0\0\0\0\0\0\x01', 'latin1'),
    isIntroduction: (packet) => startsWith(packet, '\x01vorbis\0\0\0\0') && packet.length === 30,
    isTables: (packet) => startsWith(packet, '\x05vorbis') && packet.toString('latin1', 8, 11) === 'BCV',
    isSound: (packet) => ((packet[0] ?? 0) & 1) === 0,
  },
};

/**
 * Returns the recording with its first stream, without comments and covers. Throws EngineError `unreadable` for damage, `unsupported` for
 * other codecs.
 */
export function rewriteOgg(untrusted: Uint8Array, log: RemovalLog): Uint8Array {
  const pages = pagesOf(asBuffer(untrusted), log);
  const introduction = pages[0]?.body ?? Buffer.of();
  const codec = Object.values(CODECS).find(({ isIntroduction }) => isIntroduction(introduction));
  if (codec === undefined || pages[0]?.pieces.length !== 1)
    throw new EngineError('unsupported', 'the recording has a codec that is not known here');
  const sound = firstOfSound(pages, codec);
  const tables = headersOf(pages.slice(0, sound))[2];
  if (tables !== undefined && !codec.isTables(tables)) throw damaged();
  checkSound(pages.slice(sound), codec);
  const { serial } = pages[0];
  const headers = tables === undefined ? [codec.comments] : [codec.comments, tables];
  const written = [...headerPages([introduction], serial, true), ...headerPages(headers, serial, false)];
  return Buffer.concat([...written, ...pages.slice(sound).map(({ bytes }) => bytes)].map(numbered));
}

/** Returns the pages of the first stream, up to its end. */
function pagesOf(bytes: Buffer, log: RemovalLog): OggPage[] {
  const pages: OggPage[] = [];
  let at = 0;
  let isOpen = true;
  for (let page = oggPage(bytes, 0); page !== null && isOpen; page = oggPage(bytes, at)) {
    at += page.bytes.length;
    if (pages[0] !== undefined && page.serial !== pages[0].serial) {
      log.note('media track', 'another stream');
      continue;
    }
    if (page.isFirst !== (pages.length === 0)) throw damaged();
    pages.push(page);
    isOpen = !page.isLast;
  }
  if (pages[0] !== undefined && holdsMore(bytes, at, pages[0].serial)) throw damaged();
  if (at < bytes.length) log.note('data behind the end', 'sound');
  return pages;
}

/** Returns whether a later page belongs to the stream. Otherwise a recording without its middle would be delivered as complete. */
function holdsMore(bytes: Buffer, from: number, serial: number): boolean {
  for (let at = bytes.indexOf('OggS', from); at !== -1; at = bytes.indexOf('OggS', at + 4))
    if (at + 18 <= bytes.length && bytes.readUInt32LE(at + 14) === serial) return true;
  return false;
}

/** Returns the index of the first page after the headers, which end with a page. */
function firstOfSound(pages: readonly OggPage[], { headers }: Codec): number {
  let ended = 0;
  for (const [index, { pieces }] of pages.entries()) {
    for (const piece of pieces) if (piece < 255) ended++;
    if (ended > headers) break;
    if (ended === headers && pieces.at(-1) !== 255) return index + 1;
  }
  throw damaged();
}

/** Returns the packets of the headers. */
function headersOf(pages: readonly OggPage[]): Buffer[] {
  const packets: Buffer[][] = [];
  let isWithin = false;
  for (const page of pages) {
    if (page.isContinued !== isWithin) throw damaged();
    for (const [index, packet] of packetsOf(page).entries()) {
      if (index === 0 && isWithin) packets.at(-1)?.push(packet);
      else packets.push([packet]);
    }
    if (page.pieces.length > 0) isWithin = goesOn(page);
  }
  return packets.map((pieces) => Buffer.concat(pieces));
}

function checkSound(pages: readonly OggPage[], { isSound }: Codec): void {
  let isWithin = false;
  let count = 0;
  for (const page of pages) {
    if (page.pieces.length === 0) continue;
    if (page.isContinued !== isWithin) throw damaged();
    const begun = packetsOf(page).slice(isWithin ? 1 : 0);
    if (!begun.every(isSound)) throw new EngineError('unsupported', 'the recording holds comments among its sound');
    count += begun.length;
    isWithin = goesOn(page);
  }
  if (count === 0) throw new EngineError('unreadable', 'the recording holds no sound');
}

const damaged = () => new EngineError('unreadable', 'the recording is damaged or cut off');

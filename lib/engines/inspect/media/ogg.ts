/** A second look at Ogg. It walks the pages from the first byte to the last and calculates their checksums anew. */
import type { Findings } from '../fact.ts';

/** The bytes behind the introduction: empty comments, and for Vorbis the beginning of the tables. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  OpusHead: ['OpusTags\0\0\0\0\0\0\0\0'],
  '\x01vorbis\0': ['\x03vorbis\0\0\0\0\0\0\0\0\x01\x05vorbis', 'BCV'],
};
const LENGTHS: Readonly<Record<string, readonly number[]>> = { OpusHead: [19], '\x01vorbis\0': [30] };

/** Checks for one stream with rising page numbers, empty comments, no header among the sound, and nothing behind it. */
export function inspectOgg(view: Buffer, findings: Findings): void {
  const first = pageAt(view, 0);
  const name = first?.body.toString('latin1', 0, 8) ?? '';
  if (!isIntroduction(first?.body ?? Buffer.of(), name)) findings.add('media-chunk', 'introduction');
  const second = first === null ? null : pageAt(view, first.end);
  if (!isEmptyOfComments(second?.body ?? Buffer.of(), HEADERS[name])) findings.add('media-chunk', 'comments');
  const headersEnded = second?.sizes.filter((size) => size < 255).length ?? 0;
  if (headersEnded > 2) findings.add('media-chunk', 'page of comments');
  inspectPages(view, first?.serial ?? 0, findings);
}

function inspectPages(view: Buffer, serial: number, findings: Findings): void {
  let [at, number, isWithin, isOver] = [0, 0, false, false];
  for (let page = pageAt(view, 0); page !== null && !isOver; page = pageAt(view, at)) {
    const flags = (number === 0 ? 2 : 0) | (isWithin && page.sizes.length > 0 ? 1 : 0);
    const isNext = page.serial === serial && page.number === number && (page.flags & 3) === flags;
    if (!isNext || !isSummed(view.subarray(at, page.end))) break;
    if (number > 1 && holdsHeader(page, isWithin)) findings.add('media-chunk', `page ${number}`);
    if (page.sizes.length > 0) isWithin = page.sizes.at(-1) === 255;
    isOver = page.flags > 3;
    at = page.end;
    number++;
  }
  if (at !== view.length) findings.add('media-left-over', `byte ${at}`);
  if (number < 3) findings.add('media-empty', 'file');
}

function isIntroduction(body: Buffer, name: string): boolean {
  const isMapped = name === 'OpusHead' && body[18] === 1;
  const lengths = isMapped ? [21 + (body[9] ?? 0)] : (LENGTHS[name] ?? []);
  return lengths.includes(body.length);
}

function isEmptyOfComments(body: Buffer, header: readonly string[] | undefined): boolean {
  const [start, tables] = header ?? [];
  if (start === undefined || body.toString('latin1', 0, start.length) !== start) return false;
  // One byte between them is the number of the tables.
  return tables === undefined
    ? body.length === start.length
    : body.toString('latin1', start.length + 1, start.length + 4) === tables;
}

/** Returns the number of packets, with the headers, of the stream that begins first. */
export function packetsOfOgg(view: Buffer): number {
  let count = 0;
  const first = pageAt(view, 0);
  for (let page = first; page !== null; page = pageAt(view, page.end))
    if (page.serial === first?.serial) for (const size of page.sizes) if (size < 255) count++;
  return count;
}

interface Page {
  readonly flags: number;
  readonly serial: number;
  readonly number: number;
  readonly sizes: Buffer;
  readonly body: Buffer;
  readonly end: number;
}

function pageAt(view: Buffer, at: number): Page | null {
  if (view.length < at + 27 || view.readUInt32BE(at) !== 0x4f67_6753 || view[at + 4] !== 0) return null;
  const start = at + 27 + view.readUInt8(at + 26);
  const sizes = view.subarray(at + 27, start);
  let end = start;
  for (const size of sizes) end += size;
  if (end > view.length) return null;
  const numbers = { serial: view.readUInt32LE(at + 14), number: view.readUInt32LE(at + 18) };
  return { flags: view.readUInt8(at + 5), ...numbers, sizes, body: view.subarray(start, end), end };
}

const STARTS = ['OpusHead', 'OpusTags', '\x01vorbis', '\x03vorbis', '\x05vorbis'];

/** Returns whether a packet of comments or of another header begins in a page of sound. */
function holdsHeader({ sizes, body }: Page, isWithin: boolean): boolean {
  let [at, isStart] = [0, !isWithin];
  for (const size of sizes) {
    const letters = body.toString('latin1', at, Math.min(at + 8, body.length));
    if (isStart && STARTS.some((start) => letters.startsWith(start))) return true;
    isStart = size < 255;
    at += size;
  }
  return false;
}

/** Remainders of half a byte by the polynomial of RFC 3533. */
const HALVES = Array.from({ length: 16 }, (_, half) => {
  let value = half << 28;
  for (let bit = 0; bit < 4; bit++) value = value < 0 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
  return value;
});

/** Returns whether the checksum of a page is right. */
function isSummed(page: Buffer): boolean {
  let sum = 0;
  for (const [at, byte] of page.entries()) {
    sum ^= at >= 22 && at < 26 ? 0 : byte << 24;
    sum = (sum << 4) ^ (HALVES[sum >>> 28] ?? 0);
    sum = (sum << 4) ^ (HALVES[sum >>> 28] ?? 0);
  }
  return sum >>> 0 === page.readUInt32LE(22);
}

/**
 * Reads animated PNG (PNG, Third Edition, 11.3.7): each frame as a separate PNG, with its place on the canvas. Programs that do not know
 * animations show one picture, which may or may not be a frame.
 */
import { crc32 } from 'node:zlib';
import { asBuffer } from '../byte-scan.ts';

const SIGNATURE = '89504e470d0a1a0a';
const SIGNATURE_BYTES = 8;
/** Chunks that tell a decoder the meaning of the samples of all frames. */
const OF_COLOURS: ReadonlySet<string> = new Set(['PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB']);
const CONTROL_BYTES = 26;
/** A limit against files of millions of empty chunks. Ordinary encoders write a chunk for each eight kilobytes. */
const MAX_CHUNKS = 500_000;

/** The treatment of a frame's place before the next frame is drawn. */
export type Disposal = 'keep' | 'clear' | 'restore';
const DISPOSALS: readonly Disposal[] = ['keep', 'clear', 'restore'];

export interface ApngFrame {
  /** The frame alone, as a still PNG. */
  readonly png: Buffer;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How long it is shown, as a fraction of a second. */
  readonly delay: readonly [numerator: number, denominator: number];
  readonly disposal: Disposal;
  /** Whether the earlier content shows through it. */
  readonly isBlended: boolean;
}

export interface Apng {
  readonly width: number;
  readonly height: number;
  /** How often it plays; 0 means forever. */
  readonly plays: number;
  readonly frames: readonly ApngFrame[];
  /** Whether programs without animations show a picture that is no frame. */
  readonly hasOtherPicture: boolean;
}

interface Chunk {
  readonly kind: string;
  readonly data: Buffer;
}

/** Returns the animation in a PNG. Returns null for a still picture, and for a broken animation, which programs show as a still picture. */
export function readApng(bytes: Uint8Array): Apng | null {
  const view = asBuffer(bytes);
  // Most pictures are still, and must not pay for animated ones.
  if (!announcesAnimation(bytes)) return null;
  const chunks = chunksOf(view);
  const [header, control] = [chunks[0], chunks.find(({ kind }) => kind === 'acTL')];
  const firstData = chunks.findIndex(({ kind }) => kind === 'IDAT');
  if (header?.kind !== 'IHDR' || header.data.length !== 13 || control?.data.length !== 8) return null;
  if (firstData === -1 || chunks.indexOf(control) > firstData || chunks.at(-1)?.kind !== 'IEND') return null;
  const size = { width: header.data.readUInt32BE(0), height: header.data.readUInt32BE(4) };
  const parts = partsOf(chunks);
  if (parts === null || parts.length === 0 || parts.length !== control.data.readUInt32BE(0)) return null;
  const colours = chunks.slice(1, firstData).filter(({ kind }) => OF_COLOURS.has(kind));
  const frames = parts.map((part) => frameOf(part, header.data, colours, size));
  if (!frames.every((frame) => frame !== null)) return null;
  const firstControl = chunks.findIndex(({ kind }) => kind === 'fcTL');
  return { ...size, plays: control.data.readUInt32BE(4), frames, hasOtherPicture: firstControl > firstData };
}

/** Returns whether a PNG claims to be animated, soundly or not. Some programs play a picture that others show still. */
export function announcesAnimation(bytes: Uint8Array): boolean {
  const view = asBuffer(bytes);
  if (view.toString('hex', 0, SIGNATURE_BYTES) !== SIGNATURE) return false;
  for (let at = SIGNATURE_BYTES; at + 8 <= view.length; at += 12 + view.readUInt32BE(at))
    if (view.toString('latin1', at + 4, at + 8) === 'acTL') return true;
  return false;
}

/** Returns the chunks up to and including the end, with right checksums; fewer when the file is damaged. */
function chunksOf(view: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE_BYTES; at + 12 <= view.length && chunks.length < MAX_CHUNKS; ) {
    const end = at + 8 + view.readUInt32BE(at);
    if (end + 4 > view.length || crc32(view.subarray(at + 4, end)) !== view.readUInt32BE(end)) break;
    const kind = view.toString('latin1', at + 4, at + 8);
    chunks.push({ kind, data: view.subarray(at + 8, end) });
    if (kind === 'IEND') break;
    at = end + 4;
  }
  return chunks;
}

interface Part {
  readonly control: Buffer;
  readonly data: Buffer[];
}

/** Returns the control of each frame with its compressed data; null when their numbers are not in order. */
function partsOf(chunks: readonly Chunk[]): Part[] | null {
  const numbered = chunks.filter(({ kind }) => kind === 'fcTL' || kind === 'fdAT');
  if (!numbered.every(({ data }, index) => data.length >= 4 && data.readUInt32BE(0) === index)) return null;
  const parts: Part[] = [];
  for (const { kind, data } of chunks) {
    const last = parts.at(-1);
    if (kind === 'fcTL') parts.push({ control: data, data: [] });
    else if (kind === 'fdAT' && last === undefined) return null;
    else if (kind === 'fdAT') last?.data.push(data.subarray(4));
    // The picture before the first control is no frame.
    else if (kind === 'IDAT') last?.data.push(data);
  }
  return parts.every(({ control, data }) => control.length === CONTROL_BYTES && data.length > 0) ? parts : null;
}

/** Returns null when the frame is not inside the canvas. */
function frameOf(
  { control, data }: Part,
  header: Buffer,
  colours: readonly Chunk[],
  canvas: { readonly width: number; readonly height: number },
): ApngFrame | null {
  const [width, height, x, y] = [4, 8, 12, 16].map((at) => control.readUInt32BE(at)) as [
    number,
    number,
    number,
    number,
  ];
  const disposal = DISPOSALS[control[24] ?? DISPOSALS.length];
  const blend = control[25] ?? 2;
  if (width < 1 || height < 1 || x + width > canvas.width || y + height > canvas.height) return null;
  if (disposal === undefined || blend > 1) return null;
  const own = Buffer.from(header);
  own.writeUInt32BE(width, 0);
  own.writeUInt32BE(height, 4);
  const png = writePng([
    { kind: 'IHDR', data: own },
    ...colours,
    { kind: 'IDAT', data: Buffer.concat(data) },
    { kind: 'IEND', data: Buffer.alloc(0) },
  ]);
  const delay = [control.readUInt16BE(20), control.readUInt16BE(22)] as const;
  return { png, x, y, width, height, delay, disposal, isBlended: blend === 1 };
}

/** Returns a PNG of these chunks. */
export function writePng(chunks: readonly Chunk[]): Buffer {
  const parts = chunks.map(({ kind, data }) => {
    const chunk = Buffer.alloc(data.length + 12);
    chunk.writeUInt32BE(data.length, 0);
    chunk.write(kind, 4, 'latin1');
    data.copy(chunk, 8);
    chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
    return chunk;
  });
  return Buffer.concat([Buffer.from(SIGNATURE, 'hex'), ...parts]);
}

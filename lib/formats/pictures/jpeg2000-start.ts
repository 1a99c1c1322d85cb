/**
 * Recognises JPEG 2000 (ITU-T T.800): a JP2 file, which consists of boxes, or the codestream alone. Describes the content of a file without
 * decoding it.
 */
import { asBuffer } from '../byte-scan.ts';

const SIGNATURE = Buffer.from('0000000c6a5020200d0a870a', 'hex');
/** SOC, followed by SIZ. */
const CODESTREAM = Buffer.from('ff4fff51', 'hex');
const SIZ_BYTES = 42;
/** A limit against files of millions of empty boxes. */
const MAX_BOXES = 1_000;
/** Boxes that the picture needs (T.800, annex I). Others have data about it, or other pictures. */
const OF_PICTURE = new Set(['jP  ', 'ftyp', 'jp2h', 'jp2c', 'rreq', 'free']);
const RESTRICTED_PROFILE = 2;
const ANY_PROFILE = 3;
/** COD follows SOC and SIZ before the first tile (SOT). It says how the picture is packed. */
const COD = 0x52;
const SOT = 0x90;
const EOC = 0xd9;
/** From the marker on: length, style, progression, and then levels, blocks and their style. */
const TRANSFORM_AT = 13;
const REVERSIBLE = 1;

export interface Jpeg2000 {
  readonly codestream: Buffer;
  readonly width: number;
  readonly height: number;
  readonly components: number;
  /** Whether the packing keeps each pixel exactly. */
  readonly isLossless: boolean;
  /** An ICC profile. */
  readonly profile: Buffer | null;
  readonly hasMetadata: boolean;
  /** The offset after the last box. */
  readonly end: number;
}

/** Films and documents of several layers begin like a picture. */
const OTHER_BRANDS = /^(?:jpm |mjp2|mj2s)$/;
const brandOf = (view: Buffer) => view.toString('latin1', 20, 24);

export function isJpeg2000(bytes: Uint8Array): boolean {
  const view = asBuffer(bytes);
  const isBoxed = view.subarray(0, SIGNATURE.length).equals(SIGNATURE);
  return isBoxed ? !OTHER_BRANDS.test(brandOf(view)) : view.subarray(0, CODESTREAM.length).equals(CODESTREAM);
}

/** Recognises a file. Returns null for other bytes, and for a file without a codestream. */
export function readJpeg2000(bytes: Uint8Array): Jpeg2000 | null {
  const view = asBuffer(bytes);
  if (!isJpeg2000(view)) return null;
  if (view[0] === 0xff) return sizedBy(view, { profile: null, hasMetadata: false, end: endOfStream(view) });
  const boxes = boxesOf(view, 0, view.length);
  const codestream = boxes.find(({ kind }) => kind === 'jp2c');
  if (codestream === undefined) return null;
  const header = boxes.find(({ kind }) => kind === 'jp2h');
  const colours = header === undefined ? [] : boxesOf(view, header.from, header.end);
  return sizedBy(view.subarray(codestream.from, codestream.end), {
    profile: colours.map((box) => profileIn(view, box)).find((found) => found !== null) ?? null,
    hasMetadata: boxes.some(({ kind }) => !OF_PICTURE.has(kind)),
    end: boxes.at(-1)?.end ?? view.length,
  });
}

interface Box {
  readonly kind: string;
  readonly from: number;
  readonly end: number;
}

function boxesOf(view: Buffer, from: number, end: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= end && boxes.length < MAX_BOXES; ) {
    const [size, kind] = [view.readUInt32BE(at), view.toString('latin1', at + 4, at + 8)];
    const isLong = size === 1 && at + 16 <= end;
    const next = size === 0 ? end : at + (isLong ? Number(view.readBigUInt64BE(at + 8)) : size);
    const start = at + (isLong ? 16 : 8);
    // The last box may be cut off. Bytes after an invalid box belong to no box.
    if (next < start || (next > end && kind !== 'jp2c')) break;
    boxes.push({ kind, from: start, end: Math.min(next, end) });
    at = next;
  }
  return boxes;
}

function profileIn(view: Buffer, { kind, from, end }: Box): Buffer | null {
  const method = view[from];
  if (kind !== 'colr' || (method !== RESTRICTED_PROFILE && method !== ANY_PROFILE)) return null;
  return view.subarray(from + 3, end);
}

function sizedBy(stream: Buffer, rest: Pick<Jpeg2000, 'profile' | 'hasMetadata' | 'end'>): Jpeg2000 | null {
  if (stream.length < SIZ_BYTES || !stream.subarray(0, CODESTREAM.length).equals(CODESTREAM)) return null;
  const at = (place: number) => stream.readUInt32BE(place);
  return {
    codestream: stream,
    width: at(8) - at(16),
    height: at(12) - at(20),
    components: stream.readUInt16BE(40),
    isLossless: isReversible(stream),
    ...rest,
  };
}

function isReversible(stream: Buffer): boolean {
  for (let at = 2; at + 4 <= stream.length && stream[at] === 0xff && stream[at + 1] !== SOT; ) {
    if (stream[at + 1] === COD) return stream[at + TRANSFORM_AT] === REVERSIBLE;
    at += 2 + stream.readUInt16BE(at + 2);
  }
  return false;
}

/**
 * Returns the offset after the last tile of a codestream. Each tile begins with its length, and EOC follows. A length of 0 reaches to the
 * end.
 */
function endOfStream(stream: Buffer): number {
  let at = 2;
  while (at + 4 <= stream.length && stream[at] === 0xff && stream[at + 1] !== SOT)
    at += 2 + stream.readUInt16BE(at + 2);
  while (at + 12 <= stream.length && stream[at] === 0xff && stream[at + 1] === SOT) {
    const length = stream.readUInt32BE(at + 6);
    if (length < 12) return stream.length;
    at += length;
  }
  return at + 2 <= stream.length && stream[at] === 0xff && stream[at + 1] === EOC ? at + 2 : stream.length;
}

/**
 * Decides whether a PDF may be delivered unchanged. The disarm copies only the content on its closed lists of actions, keys, filters and
 * operators. When its result holds the same objects as the original, nothing else was in the original. This reader compares them. It shares
 * no code with the disarm, and reads both files to the last byte.
 */
import { holdsAnother } from '../foreign-marks.ts';
import { isPlainJpeg } from '../picture/plain-jpeg.ts';
import { isPlainPacket } from '../picture/plain-packet.ts';
import { type PlainPdf, readPlainPdf } from './plain-pdf-file.ts';
import type { PdfDictEntries, PdfValue } from './plain-pdf-values.ts';

/** The beginning of a file. Its own mark is no other file. */
const MARK_BYTES = 5;
/** The properties of a document, with which the disarm does not deal. */
const INFO_KEYS = new Set(
  'Title Author Subject Keywords Creator Producer CreationDate ModDate Trapped PTEX.Fullbanner'.split(' '),
);
const MAX_INFO_TEXT = 2_000;
const FILTERS = new Set(['FlateDecode', 'DCTDecode']);
/** The disarm writes numbers with ten decimal places. */
const SMALLEST = 1e-9;

interface Pairs {
  readonly came: PlainPdf;
  readonly written: PlainPdf;
  /** The original of each object that was written. */
  readonly copies: Map<number, number>;
  readonly waiting: [number, number][];
  readonly seen: Set<number>;
}

/** Returns true when the original holds nothing but the objects of the disarmed file, and plain texts about the document. Never throws. */
export function isPlainPdf(original: Uint8Array, disarmed: Uint8Array): boolean {
  const [file, result] = [original, disarmed].map((each) =>
    Buffer.from(each.buffer, each.byteOffset, each.byteLength),
  ) as [Buffer, Buffer];
  if (holdsAnother(file, MARK_BYTES)) return false;
  const [came, written] = [readPlainPdf(file), readPlainPdf(result)];
  if (came === null || written === null) return false;
  const pairs: Pairs = { came, written, copies: new Map(), waiting: [], seen: new Set(came.ofFile) };
  const [root, copy] = [came.trailer.get('Root'), written.trailer.get('Root')];
  if (root?.kind !== 'ref' || copy?.kind !== 'ref' || !isSame(pairs, root, copy) || !isPlainTrailer(pairs))
    return false;
  // The list grows during the loop.
  for (const [number, copied] of pairs.waiting) if (!isSameObject(pairs, number, copied)) return false;
  return pairs.seen.size === came.objects.size;
}

/** Checks the two texts that name the file, and the data of the document about itself. */
function isPlainTrailer({ came, seen }: Pairs): boolean {
  const [id, info, sum] = ['ID', 'Info', 'DocChecksum'].map((key) => came.trailer.get(key));
  const isText = (value: PdfValue) => value.kind === 'string' && value.text.length <= MAX_INFO_TEXT;
  const isNamed = id === undefined || (id.kind === 'array' && id.items.length === 2 && id.items.every(isText));
  if (!isNamed || (sum !== undefined && !(sum.kind === 'name' && /^[0-9A-F]{32}$/.test(sum.text)))) return false;
  if (info === undefined) return true;
  if (info.kind !== 'ref') return false;
  seen.add(info.number);
  const { value, data } = came.objects.get(info.number) ?? { value: null, data: null };
  if (value?.kind !== 'dict' || data !== null) return false;
  return [...value.entries].every(([key, each]) => INFO_KEYS.has(key) && (isText(each) || each.kind === 'name'));
}

function isSameObject(pairs: Pairs, number: number, copy: number): boolean {
  const [one, other] = [pairs.came.objects.get(number), pairs.written.objects.get(copy)];
  if (one === undefined || other === undefined || (one.data === null) !== (other.data === null)) return false;
  if (one.data === null || other.data === null) return isSame(pairs, one.value, other.value);
  const isRead =
    one.data.equals(other.data) && one.value.kind === 'dict' && isPlainlyPacked(one.value.entries, one.data);
  return isRead && other.value.kind === 'dict' && isSameDict(pairs, one.value.entries, other.value.entries, true);
}

/** Compares streams that are packed by one filter. Every byte of a JPEG belongs to its picture. */
function isPlainlyPacked(entries: PdfDictEntries, data: Buffer): boolean {
  const filter = entries.get('Filter');
  const only = filter?.kind === 'array' && filter.items.length === 1 ? filter.items[0] : filter;
  if (only?.kind !== 'name' || !FILTERS.has(only.text)) return false;
  return only.text !== 'DCTDecode' || isPlainJpeg(data);
}

function isSame(pairs: Pairs, came: PdfValue, written: PdfValue): boolean {
  if (written.kind === 'ref') return came.kind === 'ref' && isSameReference(pairs, came.number, written.number);
  if (came.kind === 'ref') return isSameDirectly(pairs, came.number, written);
  if (came.kind === 'array' && written.kind === 'array') return areSame(pairs, came.items, written.items);
  if (came.kind === 'dict' && written.kind === 'dict') return isSameDict(pairs, came.entries, written.entries, false);
  if (came.kind === 'name' && written.kind === 'name') return came.text === written.text;
  if (came.kind === 'string' && written.kind === 'string') return came.text === written.text;
  if (came.kind === 'number' && written.kind === 'number') return Math.abs(came.value - written.value) <= SMALLEST;
  if (came.kind === 'bool' && written.kind === 'bool') return came.value === written.value;
  return came.kind === 'null' && written.kind === 'null';
}

const areSame = (pairs: Pairs, came: readonly PdfValue[], written: readonly PdfValue[]) =>
  came.length === written.length && came.every((item, at) => isSame(pairs, item, written[at] as PdfValue));

/** Records a copy. One object may be copied several times, and a copy is of one object. */
function isSameReference({ copies, waiting, seen }: Pairs, came: number, written: number): boolean {
  const known = copies.get(written);
  if (known !== undefined) return known === came;
  copies.set(written, came);
  seen.add(came);
  waiting.push([came, written]);
  return true;
}

/** Compares a value that the disarm wrote in the place of a reference to it. The value is no reference again, so the comparison ends. */
function isSameDirectly(pairs: Pairs, number: number, written: PdfValue): boolean {
  const { value, data } = pairs.came.objects.get(number) ?? { value: null, data: null };
  if (value === null || value.kind === 'ref' || data !== null) return false;
  pairs.seen.add(number);
  return isSame(pairs, value, written);
}

/** Compares the entries, except for the known length of a stream and the data of XMP about the document. */
function isSameDict(pairs: Pairs, came: PdfDictEntries, written: PdfDictEntries, isStream: boolean): boolean {
  const isKnown = (key: string) => isStream && key === 'Length';
  if (![...written.keys()].every((key) => came.has(key))) return false;
  return [...came].every(([key, value]) => {
    const copy = written.get(key);
    if (isKnown(key)) return true;
    return copy === undefined ? isLeftOut(pairs, key, value) : isSame(pairs, value, copy);
  });
}

/** Returns whether the disarm does not copy the content: XMP, and the order of links that LibreOffice writes as a text. */
function isLeftOut(pairs: Pairs, key: string, value: PdfValue): boolean {
  if (key === 'Tabs') return value.kind === 'string' && /^[RCSAW]$/.test(value.text);
  return key === 'Metadata' && isPlainMetadata(pairs, value);
}

const METADATA_KEYS = new Set(['Type', 'Subtype', 'Length']);

function isPlainMetadata({ came, seen }: Pairs, value: PdfValue): boolean {
  if (value.kind !== 'ref') return false;
  const { value: head, data } = came.objects.get(value.number) ?? { value: null, data: null };
  if (head?.kind !== 'dict' || data === null || ![...head.entries.keys()].every((key) => METADATA_KEYS.has(key)))
    return false;
  seen.add(value.number);
  return isPlainPacket(data);
}

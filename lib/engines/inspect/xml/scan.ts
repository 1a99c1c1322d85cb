/**
 * Makes one pass over the bytes of an XML document without a tree. It gives the caller the requested elements, attributes and texts by
 * their names without prefix, and counts words on the way. It is made for our own documents and tolerates anything else. Nearly all names
 * of a document do not matter, so no string and no object is made of them.
 */
import { countUpToMarkup, isCount, tallyMarkup, type WordTally } from '../word-tally.ts';
import { HASHES, KNOWN, SKIPPED, stepHash, TEXT, WATCHED, WORDS, type XmlPlan } from './plan.ts';
import { decodeXml, isLocalName, type TextSink, XmlText } from './text.ts';

const BANG = 0x21;
const QUOTE = 0x22;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const LOWER_C = 0x63;

/** The effect of a byte: 1 ends the name of an element, 2 the name of an attribute. */
const ENDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isBoth = byte <= 0x20 || byte === GREATER;
  return (isBoth || byte === SLASH ? 1 : 0) | (isBoth || byte === EQUALS ? 2 : 0);
});

export interface XmlSink extends TextSink {
  /** Null for a scan that looks for nothing but words. */
  readonly tally: WordTally | null;
  readonly element?: (name: string, attributes: ReadonlyMap<string, string>) => void;
  /** Returns true for an element whose content no program shows. It is not reported. */
  readonly isHidden?: (name: string, attributes: ReadonlyMap<string, string>) => boolean;
  readonly attribute?: (name: string, value: string) => void;
  /**
   * Skips elements at a `<c` that no caller has to see, counts their words, and returns the offset behind them. Returns the same offset
   * when they must be reported. `view` is of the same bytes.
   */
  readonly passCells?: (bytes: Uint8Array, from: number, view: DataView) => number;
  /** Called for a document type declaration, or a processing instruction other than the XML declaration. */
  readonly declaration?: (kind: 'doctype' | 'instruction') => void;
}

interface Scan {
  readonly bytes: Buffer;
  readonly view: DataView;
  readonly plan: XmlPlan;
  readonly sink: XmlSink;
  readonly text: XmlText;
  at: number;
  /** Flags of the element whose text comes next. */
  flags: number;
  name: string;
  /** Name of the element whose content is not shown. */
  skipping: string;
}

/** Scans a document in UTF-8, or in UTF-16 with a byte order mark. */
export function scanXml(untrustedBytes: Uint8Array, plan: XmlPlan, sink: XmlSink): void {
  const bytes = utf8Of(untrustedBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new XmlText(bytes, sink);
  const scan: Scan = { bytes, view, plan, sink, text, at: 0, flags: 0, name: '', skipping: '' };
  const { length } = bytes;
  const counted = sink.tally !== null && isCount(sink.tally) ? sink.tally : null;
  while (scan.at < length) {
    const from = scan.at;
    let at = from;
    if (counted !== null && (scan.flags & WORDS) !== 0 && scan.skipping === '' && !scan.text.isOpen) {
      at = countUpToMarkup(counted, bytes, from);
    } else {
      while (at < length && bytes[at] !== LESS) at++;
      if (at > from) takeText(scan, from, at);
    }
    scan.at = at + 1;
    if (at < length) takeMarkup(scan);
  }
  scan.text.end();
}

/** Finds the encoding. Every UTF-16 document of ours starts with a mark. Foreign ones without it start with `<` and a zero byte. */
function utf8Of(bytes: Uint8Array): Buffer {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === LESS && second === 0)) return transcoded(bytes, 'utf-16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === LESS)) return transcoded(bytes, 'utf-16be');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function transcoded(bytes: Uint8Array, encoding: string): Buffer {
  return Buffer.from(new TextDecoder(encoding).decode(bytes), 'utf8');
}

function takeText(scan: Scan, from: number, to: number): void {
  const { plan, sink } = scan;
  const isShown = plan.allText || (scan.flags & WORDS) !== 0;
  if (isShown && sink.tally !== null && scan.skipping === '') tallyMarkup(sink.tally, scan.bytes, from, to);
  if (scan.text.isOpen) scan.text.add(from, to);
}

/** Reads the markup behind a `<`. */
function takeMarkup(scan: Scan): void {
  const next = scan.bytes[scan.at];
  if (next === LOWER_C && scan.bytes[scan.at + 1] === 0x20 && hasPassedCells(scan)) return;
  if (next === SLASH) takeClosing(scan);
  else if (next === BANG) takeDeclaration(scan);
  else if (next === QUESTION) {
    if (scan.bytes.toString('latin1', scan.at, scan.at + 5) !== '?xml ') scan.sink.declaration?.('instruction');
    skipTo(scan, '?>');
  } else takeOpening(scan);
}

function hasPassedCells(scan: Scan): boolean {
  if (scan.sink.passCells === undefined || scan.text.isOpen || scan.skipping !== '') return false;
  const to = scan.sink.passCells(scan.bytes, scan.at - 1, scan.view);
  if (to < scan.at) return false;
  scan.at = to;
  scan.flags = 0;
  return true;
}

function takeClosing(scan: Scan): void {
  const { bytes } = scan;
  const { length } = bytes;
  const from = scan.at + 1;
  let at = from;
  // Names of one letter occur by the million.
  if (bytes[from + 1] === GREATER) at = from + 1;
  else while (at < length && bytes[at] !== GREATER) at++;
  scan.flags = 0;
  scan.at = at + 1;
  if (scan.skipping !== '' && isLocalName(bytes, from, at, scan.skipping)) scan.skipping = '';
  if (scan.text.isOpen) scan.text.close(from, at);
}

function takeDeclaration(scan: Scan): void {
  const { bytes, at } = scan;
  if (bytes.toString('latin1', at, at + 3) === '!--') skipTo(scan, '-->');
  else if (bytes.toString('latin1', at, at + 8) === '![CDATA[') {
    const from = at + 8;
    skipTo(scan, ']]>');
    takeText(scan, from, Math.max(from, scan.at - 3));
  } else {
    scan.sink.declaration?.('doctype');
    skipTo(scan, '>');
  }
}

function skipTo(scan: Scan, end: string): void {
  const at = scan.bytes.indexOf(end, scan.at, 'latin1');
  scan.at = at === -1 ? scan.bytes.length : at + end.length;
}

function takeOpening(scan: Scan): void {
  const { bytes, plan } = scan;
  const { length } = bytes;
  let at = scan.at;
  if (bytes[at + 1] === GREATER && plan.letters[bytes[at] as number] !== KNOWN) {
    scan.flags = plan.letters[bytes[at] as number] as number;
    scan.at = at + 2;
    return;
  }
  let start = at;
  let hash = 0;
  for (; at < length; at++) {
    const byte = bytes[at] as number;
    if (ENDS[byte] === 1 || ENDS[byte] === 3) break;
    if (byte === COLON) {
      start = at + 1;
      hash = 0;
    } else hash = stepHash(hash, byte);
  }
  scan.at = at;
  scan.flags = plan.elementBits[hash & (HASHES - 1)] === 0 ? 0 : flagsOf(scan, start, at, hash);
  if ((scan.flags & ~WORDS) !== 0) takeKnown(scan);
  else takeAttributes(scan, null);
  if (bytes[scan.at - 2] === SLASH) scan.flags = 0;
}

function flagsOf(scan: Scan, from: number, to: number, hash: number): number {
  for (const { name, flags } of scan.plan.slots[hash & (HASHES - 1)] ?? []) {
    if (to - from !== name.length || !isLocalName(scan.bytes, from, to, name)) continue;
    scan.name = name;
    return flags;
  }
  return 0;
}

/** Opens an element that is reported, whose text is reported, or in which nothing is shown. */
function takeKnown(scan: Scan): void {
  const { flags, name, sink } = scan;
  const collected = (flags & WATCHED) === 0 ? null : new Map<string, string>();
  takeAttributes(scan, collected);
  const isHidden = collected !== null && sink.isHidden?.(name, collected) === true;
  if (collected !== null && !isHidden) sink.element?.(name, collected);
  if (scan.bytes[scan.at - 2] === SLASH) return;
  if ((isHidden || (flags & SKIPPED) !== 0) && scan.skipping === '') scan.skipping = name;
  if ((flags & TEXT) !== 0) scan.text.open(name);
}

/** Reads from behind the name of the element to behind its `>`. */
function takeAttributes(scan: Scan, collected: Map<string, string> | null): void {
  const { bytes } = scan;
  const { length } = bytes;
  if (collected === null && scan.plan.attributes.size === 0) {
    scan.at = endOfTag(bytes, scan.at) + 1;
    return;
  }
  const isQuick = collected === null && !scan.plan.hasShortAttributes;
  let at = scan.at;
  while (at < length) {
    const byte = bytes[at] as number;
    if (byte === GREATER) break;
    if (byte <= 0x20 || byte === SLASH) at++;
    else if (isQuick && bytes[at + 1] === EQUALS && bytes[at + 2] === QUOTE) {
      at += 3;
      while (at < length && bytes[at] !== QUOTE) at++;
      at++;
    } else at = takeAttribute(scan, at, collected);
  }
  scan.at = at + 1;
}

/** Returns the offset of the `>`, for tags without any attribute that matters. A quoted `>` does not end the tag. */
function endOfTag(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let quote = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (quote !== 0) {
      if (byte === quote) quote = 0;
    } else if (byte === GREATER) break;
    else if (byte === QUOTE || byte === 0x27) quote = byte;
  }
  return at;
}

/** Reads one attribute from its name on, and returns the offset behind it. */
function takeAttribute(scan: Scan, from: number, collected: Map<string, string> | null): number {
  const { bytes } = scan;
  const { length } = bytes;
  let at = from;
  let start = from;
  let hash = 0;
  for (; at < length; at++) {
    const byte = bytes[at] as number;
    if ((ENDS[byte] as number) >= 2) break;
    if (byte === COLON) {
      start = at + 1;
      hash = 0;
    } else hash = stepHash(hash, byte);
  }
  const nameEnd = at;
  while (at < length && ((bytes[at] as number) <= 0x20 || bytes[at] === EQUALS)) at++;
  const quote = bytes[at];
  if (quote !== QUOTE && quote !== 0x27) return Math.max(at, from + 1);
  const valueStart = at + 1;
  at = valueStart;
  while (at < length && bytes[at] !== quote) at++;
  const isWatched = scan.plan.attributeBits[hash & (HASHES - 1)] !== 0;
  if (isWatched || collected !== null) {
    reportAttribute(scan, bytes.toString('utf8', start, nameEnd), bytes.toString('utf8', valueStart, at), collected);
  }
  return at + 1;
}

function reportAttribute(scan: Scan, name: string, value: string, collected: Map<string, string> | null): void {
  const lower = name.toLowerCase();
  const decoded = decodeXml(value);
  collected?.set(lower, decoded);
  if (scan.plan.attributes.has(lower)) scan.sink.attribute?.(lower, decoded);
}

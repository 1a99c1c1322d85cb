/** Finds the pages of a PDF and the words that their content shows. It reads the original and the output in the same way. */
import { createHash } from 'node:crypto';
import { endWord, keptWords, openCount, openTally, tallyPiece, type WordTally } from '../word-tally.ts';
import { inflated, liveObjects, type PdfFile, type PdfObjectText, readPdfObjects } from './objects.ts';

/** A limit against page trees that are rings. */
const MAX_NODES = 200_000;

interface PdfPages {
  readonly pages: number;
  /** Pictures that a page can show. */
  readonly pictures: number;
  /** Streams that may show text, by the digest of their packed bytes. */
  readonly streams: ReadonlyMap<string, { readonly stream: Uint8Array; readonly head: string; count: number }>;
}

export interface PdfComparison {
  readonly pages: { readonly before: number | null; readonly after: number };
  readonly words: { readonly before: number | null; readonly kept: number; readonly after: number };
  /** Pictures to which pages lead, each counted once. */
  readonly pictures: { readonly before: number | null; readonly after: number };
  /** True when the pages of the output show nothing: no words, no lines, no areas, and nothing else that is painted. */
  readonly isBlank: boolean;
}

/**
 * Compares two PDFs. The counts of the original are null when it cannot be read: it is encrypted, or has no page tree or no page that
 * inflates.
 */
export function comparePdf(original: Uint8Array | null, output: PdfFile, maxBytes: number): PdfComparison {
  const after = readPages(output, maxBytes);
  const before = original === null ? null : readPages(readPdfObjects(original), maxBytes);
  // For streams that both files have, the number of their words is enough.
  const shared = openCount();
  const [ownBefore, ownAfter] = [openTally(), openTally()];
  const budget = { left: maxBytes };
  const afterStreams: PdfPages['streams'] = after?.streams ?? new Map();
  let readable = 0;
  for (const [digest, each] of before?.streams ?? [])
    readable += Number(tallyStream(afterStreams.has(digest) ? shared : ownBefore, each, budget));
  for (const [digest, each] of afterStreams) {
    if (!before?.streams.has(digest)) tallyStream(ownAfter, each, budget);
  }
  // A page tree in plain sight says nothing when the pages themselves are noise, as in an encrypted file.
  const isRead = before !== null && (before.streams.size === 0 || readable > 0);
  return {
    pages: { before: before?.pages ?? null, after: after?.pages ?? 0 },
    words: {
      before: isRead ? shared.words + ownBefore.words : null,
      kept: shared.words + keptWords(ownBefore, ownAfter),
      after: shared.words + ownAfter.words,
    },
    pictures: { before: before?.pictures ?? null, after: after?.pictures ?? 0 },
    isBlank: ![...afterStreams.values()].some((each) => isPainted(each, maxBytes)),
  };
}

/** Reads the pages. Returns null when the file is encrypted or has no page tree that can be followed. */
function readPages(file: PdfFile, maxBytes: number): PdfPages | null {
  const heads = [
    ...file.gaps,
    ...file.objects.filter(({ head }) => /\/Type\s*\/XRef/.test(head)).map(({ head }) => head),
  ];
  const trailer = heads.filter((text) => /\/Root\s+\d+\s+\d+\s+R/.test(text));
  if (trailer.length === 0 || trailer.some((text) => /\/Encrypt\b/.test(text))) return null;
  const objects = liveObjects(file, maxBytes);
  const root = Number(/\/Root\s+(\d+)/.exec(trailer.at(-1) ?? '')?.[1]);
  const tree = Number(/\/Pages\s+(\d+)/.exec(objects.get(root)?.head ?? '')?.[1]);
  const pages = leavesOf(objects, tree);
  if (pages.length === 0) return null;
  return { pages: pages.length, ...contentOf(objects, pages) };
}

function leavesOf(objects: ReadonlyMap<number, PdfObjectText>, tree: number): readonly PdfObjectText[] {
  const leaves: PdfObjectText[] = [];
  const pending = [{ number: tree, depth: 0 }];
  // A node that is its own ancestor has its pages only once.
  const passed = new Set<number>();
  for (let next = pending.pop(), nodes = 0; next !== undefined && nodes < MAX_NODES; next = pending.pop(), nodes++) {
    const node = objects.get(next.number);
    if (node === undefined) continue;
    const kids = kidsOf(objects, node);
    if (kids === null) leaves.push(node);
    else if (next.depth < 50 && !passed.has(next.number)) {
      passed.add(next.number);
      for (const number of kids) pending.push({ number, depth: (next.depth as number) + 1 });
    }
  }
  return leaves;
}

function kidsOf(objects: ReadonlyMap<number, PdfObjectText>, node: PdfObjectText): readonly number[] | null {
  const value = /\/Kids\s*(\[[^\]]*\]|\d+\s+\d+\s+R)/.exec(node.head)?.[1];
  if (value === undefined) return /\/Type\s*\/Pages\b/.test(node.head) ? [] : null;
  const list = value.startsWith('[') ? value : (objects.get(Number.parseInt(value, 10))?.head ?? '');
  return referencesIn(list);
}

/** Keys behind which no page shows text: data about the file and its fonts, and content that a disarm removes with good reason. */
const BESIDE =
  /\/(?:Metadata|PieceInfo|PTEX\.[A-Za-z]+|OPI|AF|Alternates|Ref|Thumb|Annots|B|ToUnicode|FontFile[23]?|CIDToGIDMap|CIDSet)(?![\w.#-])\s*/g;

/** Returns a head without the values of such keys, so that no path leads from a page to them. */
function withoutBeside(head: string): string {
  let out = '';
  let from = 0;
  for (const match of head.matchAll(BESIDE)) {
    if (match.index < from) continue;
    out += head.slice(from, match.index);
    from = endOfValue(head, match.index + match[0].length);
  }
  return out + head.slice(from);
}

/** Returns the offset behind a reference, an array or a dictionary. A value of another kind is short and stays. */
function endOfValue(head: string, from: number): number {
  const reference = /^\d{1,10}\s+\d{1,5}\s+R\b/.exec(head.slice(from, from + 24));
  if (reference !== null) return from + reference[0].length;
  if (head[from] !== '[' && !head.startsWith('<<', from)) return from;
  let depth = 0;
  for (const match of head.slice(from).matchAll(/<<|>>|\[|\]/g)) {
    depth += match[0] === '<<' || match[0] === '[' ? 1 : -1;
    if (depth === 0) return from + match.index + match[0].length;
  }
  return head.length;
}

function referencesIn(text: string): readonly number[] {
  return [...text.matchAll(/(\d{1,10})\s+\d{1,5}\s+R\b/g)].map((match) => Number(match[1]));
}

/** Objects that lead to no content: other pages, annotations, outlines, structure. */
const ELSEWHERE =
  /\/Type\s*\/(?:Pages?|Annot|Catalog|Outlines|StructTreeRoot|StructElem|Action|Filespec|Bead|Thread)\b|\/Rect\s*\[/;
/** Streams without text: pictures, fonts, profiles, functions, tables of characters. */
const NO_TEXT =
  /\/Subtype\s*\/(?:Image|Type1C|CIDFontType0C|OpenType|XML)|\/Length[123]\b|\/Type\s*\/(?:Metadata|XRef|ObjStm|EmbeddedFile|CMap)|\/FunctionType|\/CMapName|\/Alternate\b/;

const PICTURE = /\/Subtype\s*\/Image\b/;

function contentOf(
  objects: ReadonlyMap<number, PdfObjectText>,
  pages: readonly PdfObjectText[],
): Pick<PdfPages, 'streams' | 'pictures'> {
  const streams = new Map<string, { stream: Uint8Array; head: string; count: number }>();
  let pictures = 0;
  const seen = new Set<number>(pages.map(({ number }) => number));
  const pending = [...pages];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const number of referencesIn(withoutBeside(next.head))) {
      const target = objects.get(number);
      if (target === undefined || seen.has(number) || ELSEWHERE.test(target.head)) continue;
      seen.add(number);
      pending.push(target);
      if (target.stream !== null && PICTURE.test(target.head)) pictures++;
      if (target.stream === null || NO_TEXT.test(target.head)) continue;
      const digest = createHash('sha1').update(target.stream).digest('base64');
      const known = streams.get(digest);
      if (known === undefined) streams.set(digest, { stream: target.stream, head: target.head, count: 1 });
      else known.count++;
    }
  }
  return { streams, pictures };
}

/** The operators that leave a mark on a page (ISO 32000-2, annex A). */
const PAINTS = /(?:^|[\s)\]>])(?:[fFsSBb]\*?|sh|Do|EI|Tj|TJ|['"])(?=$|\s)/;

function isPainted({ stream, head }: { stream: Uint8Array; head: string }, maxBytes: number): boolean {
  const content = inflated(stream, head, maxBytes);
  // Content that cannot be read here, such as a stream with other filters, may show something.
  return content === null || PAINTS.test(Buffer.from(content).toString('latin1'));
}

/** Returns false when the stream cannot be read, or is noise. */
function tallyStream(
  tally: WordTally,
  { stream, head }: { stream: Uint8Array; head: string },
  budget: { left: number },
): boolean {
  const content = inflated(stream, head, budget.left);
  if (content === null) return false;
  budget.left -= content.length;
  tallyContent(tally, content);
  return beginsWithOperators(content);
}

/**
 * Returns whether content looks like a page. A page begins with operators, numbers and names. Encrypted bytes are noise and have other
 * bytes among the first ones.
 */
function beginsWithOperators(content: Uint8Array): boolean {
  return content
    .subarray(0, 8)
    .every((byte) => byte === 0 || (byte >= 0x09 && byte <= 0x0d) || (byte >= 0x20 && byte <= 0x7e));
}

/** Pieces of one array of shown strings that are closer than this belong to one word, in thousandths of the size of the font. */
const WORD_GAP = -180;

/** Signs that begin or end something in content: brackets, and the minus of a gap. */
const IS_SIGN = Uint8Array.from({ length: 256 }, (_, byte) => Number('(<[]-'.includes(String.fromCharCode(byte))));

/** The reader's place in a piece of content: the offset of its last byte, and the hash of the word that ends there, or 0 between words. */
interface Read {
  readonly at: number;
  readonly hash: number;
}

/** Adds the words that a content stream shows (ISO 32000-2, 9.4.3): strings in the codes of their font, unchanged. */
function tallyContent(tally: WordTally, content: Uint8Array): void {
  const { length } = content;
  let isArray = false;
  let hash = 0;
  for (let at = 0; at < length; at++) {
    const byte = content[at] as number;
    if (IS_SIGN[byte] === 0) continue;
    if (byte === 0x28) ({ at, hash } = takeLiteral(tally, content, at + 1, hash));
    else if (byte === 0x3c) ({ at, hash } = takeAngle(tally, content, at, hash));
    else if (byte === 0x5b || byte === 0x5d) isArray = byte === 0x5b;
    else if (isArray) ({ at, hash } = takeGap(tally, content, at, hash));
    if (isArray) continue;
    endWord(tally, hash);
    hash = 0;
  }
  endWord(tally, hash);
}

/** Reads to the closing bracket. An escaped character separates words. */
function takeLiteral(tally: WordTally, content: Uint8Array, from: number, begun: number): Read {
  let depth = 1;
  let hash = begun;
  let start = from;
  let at = from;
  for (; at < content.length; at++) {
    const byte = content[at] as number;
    if (byte > 0x5c) continue;
    if (byte === 0x5c) {
      endWord(tally, tallyPiece(tally, content, start, at, hash));
      hash = 0;
      at++;
      start = at + 1;
    } else if (byte === 0x28) depth++;
    else if (byte === 0x29 && --depth === 0) break;
  }
  return { at, hash: tallyPiece(tally, content, start, Math.min(at, content.length), hash) };
}

/**
 * Reads a string in digits, or the opening of a dictionary, in which no text is shown. The digits represent the word, because only the font
 * knows their meaning.
 */
function takeAngle(tally: WordTally, content: Uint8Array, at: number, begun: number): Read {
  if (content[at + 1] === 0x3c) return { at: at + 1, hash: begun };
  const close = content.indexOf(0x3e, at + 1);
  const end = close === -1 ? content.length : close;
  return { at: end, hash: tallyPiece(tally, content, at + 1, end, begun) };
}

function takeGap(tally: WordTally, content: Uint8Array, from: number, begun: number): Read {
  let at = from + 1;
  let size = 0;
  for (; at < content.length; at++) {
    const digit = (content[at] as number) - 0x30;
    if (digit < 0 || digit > 9) break;
    size = size * 10 + digit;
  }
  const isApart = -size < WORD_GAP;
  if (isApart) endWord(tally, begun);
  return { at: at - 1, hash: isApart ? 0 : begun };
}

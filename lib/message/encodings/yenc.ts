/**
 * Reads yEnc files in text (yEnc draft 1.3). 42 is added to each byte, and another 64 to a byte behind `=`. Line breaks have no meaning.
 */
import { afterLineBreak, asBuffer, CR, LF, lineBreakAt, lineStartingWith } from '../../formats/byte-scan.ts';
import { STEP_BYTES, type Steps } from '../../formats/steps.ts';
import { MAX_FILES, type TextFile } from './uuencode.ts';

const BEGIN = Buffer.from('=ybegin');
const BEGIN_UPPER = Buffer.from('=YBEGIN');
const BEGIN_LINE = /^=ybegin\d*[ \t]/i;
const PART_LINE = /^=ypart[ \t]/i;
/** News servers double a dot at the start of a line, and not every program undoes it. */
const TWO_DOTS = Buffer.from('\n..');
const END = Buffer.from('=yend');
const KEYWORD = Buffer.from('=y');
const LINE_START = 1_000;
const PLAIN_SHIFT = 42;
const ESCAPED_SHIFT = 106;

/** Returns the files written into a text. Parts of one file (`=ypart`) are also joined. Linear in the length of the text. */
export function* yencSteps(bytes: Uint8Array): Steps<TextFile[]> {
  const text = asBuffer(bytes);
  const files = [...(yield* beginningSteps(text, BEGIN)), ...(yield* beginningSteps(text, BEGIN_UPPER))];
  return [...files, ...joined(files)];
}

function* beginningSteps(text: Buffer, word: Buffer): Steps<TextFile[]> {
  const files: TextFile[] = [];
  let at = yield* lineStartingWith(text, word, 0);
  while (at >= 0 && files.length < MAX_FILES) {
    const found = yield* fileSteps(text, at);
    files.push(...found);
    at = yield* lineStartingWith(text, word, found[0]?.end ?? at + word.length);
  }
  return files;
}

/**
 * Returns the file that begins at `start`, and a second form of it when lines begin with two dots. Returns nothing when its first line
 * gives neither a name nor a size.
 */
function* fileSteps(text: Buffer, start: number): Steps<TextFile[]> {
  const first = afterLine(text, start);
  const line = lineText(text, start, first);
  const name = /\sname=(.*)$/i.exec(line)?.[1];
  if (!BEGIN_LINE.test(line) || (name === undefined && !/\ssize=\d/i.test(line))) return [];
  let from = first;
  if (PART_LINE.test(lineText(text, from, afterLine(text, from)))) from = afterLine(text, from);
  const to = yield* dataEnd(text, from);
  const end = text.subarray(to, to + END.length).equals(END) ? afterLine(text, to) : to;
  const place = { name: (name ?? '').trim(), start, end };
  const data = text.subarray(Math.max(0, from - 1), to);
  const files = [{ ...place, bytes: yield* decodeSteps(text.subarray(from, to)) }];
  if (data.includes(TWO_DOTS)) files.push({ ...place, bytes: yield* decodeSteps(withoutDots(data)) });
  return files;
}

function withoutDots(data: Buffer): Buffer {
  return Buffer.from(data.toString('latin1').replaceAll('\n..', '\n.'), 'latin1');
}

/** Returns the offset where the data ends: its end line, or the start of the next file. `=y` at the start of a line is never data. */
function* dataEnd(text: Buffer, from: number): Steps<number> {
  let at = yield* lineStartingWith(text, KEYWORD, from);
  while (at >= 0) {
    const keyword = text.subarray(at, at + BEGIN.length);
    if (keyword.equals(BEGIN) || keyword.subarray(0, END.length).equals(END)) return at;
    at = yield* lineStartingWith(text, KEYWORD, at + KEYWORD.length);
  }
  return text.length;
}

/** Returns the offset after the line break, of any kind, that ends the line at `start`. */
function afterLine(text: Buffer, start: number): number {
  return afterLineBreak(text, lineBreakAt(text, start, text.length));
}

function lineText(text: Buffer, start: number, end: number): string {
  return text.toString('latin1', start, Math.min(end, start + LINE_START)).replace(/[\r\n]+$/, '');
}

interface Copy {
  readonly bytes: Buffer;
  written: number;
  shift: number;
}

function* decodeSteps(data: Buffer): Steps<Uint8Array> {
  const copy: Copy = { bytes: Buffer.allocUnsafe(data.length), written: 0, shift: PLAIN_SHIFT };
  for (let at = 0; at < data.length; at += STEP_BYTES) {
    if (at > 0) yield;
    decodePiece(data.subarray(at, at + STEP_BYTES), copy);
  }
  return copy.bytes.subarray(0, copy.written);
}

/** Decodes a piece. It is a loop over indexes, because iterating over the bytes takes ten times as long. */
function decodePiece(data: Buffer, copy: Copy): void {
  const { bytes } = copy;
  let { written, shift } = copy;
  for (let at = 0; at < data.length; at++) {
    const byte = data[at] as number;
    if (byte === CR || byte === LF) continue;
    if (byte === 0x3d && shift === PLAIN_SHIFT) shift = ESCAPED_SHIFT;
    else {
      bytes[written++] = byte - shift;
      shift = PLAIN_SHIFT;
    }
  }
  copy.written = written;
  copy.shift = shift;
}

function joined(files: readonly TextFile[]): TextFile[] {
  const byName = new Map<string, TextFile[]>();
  for (const file of files) byName.set(file.name, [...(byName.get(file.name) ?? []), file]);
  return [...byName.values()].flatMap((pieces) => {
    const [first] = pieces;
    if (first === undefined || pieces.length < 2) return [];
    return [{ ...first, bytes: Buffer.concat(pieces.map(({ bytes }) => bytes)), end: pieces.at(-1)?.end ?? first.end }];
  });
}

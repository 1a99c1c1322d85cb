/** Reads the objects of a PDF in file order. It follows no reference, skips streams, and keeps the bytes between objects. */
import { inflateSync } from 'node:zlib';

/** A limit against files of empty objects. */
const MAX_OBJECTS = 500_000;
/** A limit against objects without an end. */
const MAX_HEAD_BYTES = 16 * 1024 * 1024;

export interface PdfObjectText {
  readonly number: number;
  /** Everything before the stream, or the whole object: text with one character per byte. */
  readonly head: string;
  readonly stream: Uint8Array | null;
}

export interface PdfFile {
  /** In file order. Of several objects with one number, the last counts. */
  readonly objects: readonly PdfObjectText[];
  /** The bytes before, between and behind the objects. */
  readonly gaps: readonly string[];
}

/** Reads all objects. Never throws: a damaged object is read as far as possible. */
export function readPdfObjects(bytes: Uint8Array): PdfFile {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const objects: PdfObjectText[] = [];
  const gaps: string[] = [];
  const nextStream = openSearch(view, 'stream');
  let from = 0;
  for (let at = view.indexOf('obj', 0); at !== -1 && objects.length < MAX_OBJECTS; at = view.indexOf('obj', at)) {
    const header = /(\d{1,10})\s+\d{1,5}\s+$/.exec(view.toString('latin1', Math.max(from, at - 24), at));
    if (header === null) {
      at += 3;
      continue;
    }
    gaps.push(view.toString('latin1', from, at - header[0].length));
    const body = readBody(view, at + 3, nextStream);
    objects.push({ number: Number(header[1]), head: body.head, stream: body.stream });
    from = body.end;
    at = body.end;
  }
  gaps.push(view.toString('latin1', from));
  return { objects, gaps };
}

interface Body {
  readonly head: string;
  readonly stream: Uint8Array | null;
  readonly end: number;
}

/** Returns the next place of a word, for offsets that only grow. So a file of objects without it is not searched to its end for each. */
function openSearch(view: Buffer, word: string): (from: number) => number {
  let known = -1;
  return (from) => {
    if (known < from) {
      const at = view.indexOf(word, from, 'latin1');
      known = at === -1 ? view.length : at;
    }
    return known;
  };
}

function readBody(view: Buffer, from: number, nextStream: (from: number) => number): Body {
  const open = nextStream(from);
  const close = view.subarray(from, open).indexOf('endobj', 0, 'latin1');
  if (close !== -1 || open === view.length) {
    const end = close === -1 ? view.length : from + close;
    const last = Math.min(end, from + MAX_HEAD_BYTES);
    return { head: view.toString('latin1', from, last), stream: null, end: Math.min(view.length, end + 6) };
  }
  const head = view.toString('latin1', from, Math.min(open, from + MAX_HEAD_BYTES));
  const start =
    open + 6 + (view[open + 6] === 0x0d ? 1 : 0) + (view[open + 6] === 0x0a || view[open + 7] === 0x0a ? 1 : 0);
  const stop = endOfStream(view, start, head);
  const after = view.indexOf('endobj', stop);
  return { head, stream: view.subarray(start, stop), end: after === -1 ? view.length : after + 6 };
}

/** Returns the end of a stream: by the length, when an end mark follows there; else by the next end mark. */
function endOfStream(view: Buffer, start: number, head: string): number {
  const length = /\/Length\s+(\d{1,10})(?!\s+\d+\s+R)/.exec(head)?.[1];
  const claimed = start + Number(length ?? Number.NaN);
  if (claimed <= view.length && /^\s{0,2}endstream/.test(view.toString('latin1', claimed, claimed + 12)))
    return claimed;
  const found = view.indexOf('endstream', start);
  return found === -1 ? view.length : found;
}

/** Returns the objects by number, with those in object streams: a reader that repairs the file would see them. */
export function liveObjects({ objects }: PdfFile, maxBytes: number): ReadonlyMap<number, PdfObjectText> {
  const live = new Map<number, PdfObjectText>();
  let left = maxBytes;
  for (const object of objects) {
    live.set(object.number, object);
    if (object.stream === null || !/\/Type\s*\/ObjStm/.test(object.head)) continue;
    const content = inflated(object.stream, object.head, left);
    left -= content?.length ?? 0;
    for (const inner of packedObjects(object.head, content)) live.set(inner.number, inner);
  }
  return live;
}

function packedObjects(head: string, content: Uint8Array | null): readonly PdfObjectText[] {
  if (content === null) return [];
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  const first = Number(/\/First\s+(\d{1,9})/.exec(head)?.[1] ?? Number.NaN);
  const table = (text.slice(0, first).match(/\d+/g) ?? []).map(Number);
  const found: PdfObjectText[] = [];
  for (let at = 0; at + 1 < table.length; at += 2) {
    const start = first + (table[at + 1] ?? 0);
    const next = table[at + 3];
    const end = next === undefined ? text.length : first + next;
    found.push({ number: table[at] ?? 0, head: text.slice(start, Math.max(start, end)), stream: null });
  }
  return found;
}

/** Returns the content of a stream that is plain or plain Flate. Returns null for every other stream, and for a stream over `maxBytes`. */
export function inflated(stream: Uint8Array, head: string, maxBytes: number): Uint8Array | null {
  const filters = /\/Filter\s*(\[[^\]]*\]|\/[A-Za-z0-9]+)/.exec(head)?.[1] ?? '';
  const names = filters.match(/\/[A-Za-z0-9]+/g) ?? [];
  if (names.length === 0) return stream.length <= maxBytes ? stream : null;
  if (names.length > 1 || !/^\/(?:FlateDecode|Fl)$/.test(names[0] ?? '') || maxBytes < 1) return null;
  if (/\/Predictor\s+[2-9]/.test(head) || /\/Predictor\s+1\d/.test(head)) return null;
  try {
    // Half a stream is better than none, because the other file is cut off at the same place.
    return inflateSync(stream, { maxOutputLength: maxBytes, finishFlush: 2 });
  } catch {
    // The bytes are not packed as the dictionary says, so nothing in them can be counted.
    return null;
  }
}

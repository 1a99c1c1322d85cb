/** Extracts the parts of a PDF file in which objects are written: everything outside its streams, and streams with objects or forms. */
import { inflateRawSync, inflateSync } from 'node:zlib';

export interface PdfText {
  /** One character per byte. */
  readonly text: string;
  /** True for the XML of a form, which holds no PDF objects. */
  readonly isMarkup: boolean;
}
export interface PdfTexts {
  readonly texts: readonly PdfText[];
  readonly isEncrypted: boolean;
  readonly isOverLimit: boolean;
}

/** Bytes that all streams of one file may unpack to, and that one may. A deflated stream can unpack to a thousand times its size. */
const MAX_BYTES = 48 * 1024 * 1024;
const STREAM_BYTES = 16 * 1024 * 1024;
const MAX_STREAMS = 20_000;
/** How far in front of `stream` its dictionary may begin. */
const DICTIONARY_BYTES = 4_096;

/** Streams of pages, fonts, pictures and metadata. They hold no link that a reader follows. */
const NOT_OBJECTS =
  /\/Subtype\s*\/(?:Image|XML|Type1C|CIDFontType0C|OpenType|Form)|\/Type\s*\/(?:XRef|Metadata|EmbeddedFile)|\/Length[123]\s|\/FunctionType|\/(?:Shading|Pattern)Type/;
const HOLDS_OBJECTS = /\/Type\s*\/ObjStm/;
/** zlib's Z_SYNC_FLUSH. */
const SYNC_FLUSH = 2;
const FLATE = /\/(?:FlateDecode|Fl)(?![A-Za-z])/;
const OTHER_FILTER = /\/(?:ASCIIHexDecode|ASCII85Decode|LZWDecode|RunLengthDecode|AHx|A85|LZW|RL)(?![A-Za-z])/;

/** Takes a file apart. Linear in its length and in what it may unpack to. Never throws. */
export function pdfTexts(file: Buffer): PdfTexts {
  const outside: string[] = [];
  const texts: PdfText[] = [];
  let left = MAX_BYTES;
  let isOverLimit = false;
  let at = 0;
  for (const stream of streamsOf(file)) {
    outside.push(file.toString('latin1', at, stream.start));
    at = stream.end;
    const dictionary = namesDecoded(file.toString('latin1', stream.dictionary, stream.start));
    if (NOT_OBJECTS.test(dictionary) && !HOLDS_OBJECTS.test(dictionary)) continue;
    if (texts.length >= MAX_STREAMS || left <= 0) {
      isOverLimit = true;
      continue;
    }
    const content = contentOf(file.subarray(stream.start, stream.end), dictionary, Math.min(left, STREAM_BYTES));
    if (content === null) isOverLimit ||= HOLDS_OBJECTS.test(dictionary);
    else {
      left -= content.length;
      texts.push(textOf(content, dictionary));
    }
  }
  outside.push(file.toString('latin1', at));
  const main = outside.join('\n');
  return {
    texts: [{ text: main, isMarkup: false }, ...texts],
    isEncrypted: /\/Encrypt\s*(?:\d|<<)/.test(main),
    isOverLimit,
  };
}

interface Stream {
  readonly dictionary: number;
  readonly start: number;
  readonly end: number;
}

/** Returns the streams, found by their keywords. `/Length` is not trusted, because hostile files lie about it. */
function* streamsOf(file: Buffer): Generator<Stream> {
  let from = 0;
  for (let word = file.indexOf('stream', 0); word !== -1; word = file.indexOf('stream', from)) {
    from = word + 'stream'.length;
    if (file.toString('latin1', Math.max(0, word - 3), word) === 'end') continue;
    const next = file[from];
    if (next !== 0x0d && next !== 0x0a && next !== 0x20) continue;
    const start = from + (next === 0x0d && file[from + 1] === 0x0a ? 2 : 1);
    const close = file.indexOf('endstream', start);
    const end = close === -1 ? file.length : close;
    const object = file.lastIndexOf(' obj', word);
    yield { dictionary: Math.max(0, object, word - DICTIONARY_BYTES), start, end };
    from = end;
  }
}

function namesDecoded(dictionary: string): string {
  return dictionary.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Returns the decoded stream. Returns null when it needs another filter, is no deflated data, or is larger than `most`. */
function contentOf(raw: Buffer, dictionary: string, most: number): Buffer | null {
  if (OTHER_FILTER.test(dictionary)) return null;
  if (!FLATE.test(dictionary)) return raw.length <= most ? raw : null;
  // Readers use the readable beginning of a damaged stream.
  const options = { maxOutputLength: most, finishFlush: SYNC_FLUSH };
  for (const inflate of [() => inflateSync(raw, options), () => inflateRawSync(raw.subarray(2), options)]) {
    try {
      return inflate();
    } catch (error) {
      if (error instanceof RangeError) return null;
    }
  }
  return null;
}

function textOf(content: Buffer, dictionary: string): PdfText {
  const text = content.toString('latin1');
  const isMarkup =
    !HOLDS_OBJECTS.test(dictionary) && /^\s*(?:\xef\xbb\xbf)?</.test(text.slice(0, 20)) && !text.startsWith('<<');
  return { text, isMarkup };
}

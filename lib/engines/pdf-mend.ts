/**
 * Finds the encryption of a PDF whose table of references is damaged (ISO 32000-2, 7.5.4, 7.5.8, 7.6). A reader that searches the bytes
 * for objects then overlooks that they are encrypted, and shows blank pages.
 */
import { asBuffer } from '../formats/byte-scan.ts';

/** A limit against files of thousands of trailers, because each one is opened. The last ones are tried. */
const MAX_TRIES = 4;
/** A limit against floods of objects. */
const MAX_OBJECTS = 1_000_000;
/** The dictionary of a trailer or of a table of references is short. */
const MAX_TRAILER_BYTES = 4_096;

interface Trailer {
  /** Where the object of a stream of references begins; null for a trailer. */
  readonly streamAt: number | null;
  readonly text: string;
}

/** Returns the trailers that name an encryption, the last one first. Returns none for a file that seems not to be encrypted. */
function encryptedTrailers(view: Buffer): Trailer[] {
  const found: Trailer[] = [];
  for (
    let at = view.lastIndexOf('/Encrypt');
    at > 0 && found.length < MAX_TRIES;
    at = view.lastIndexOf('/Encrypt', at - 1)
  ) {
    const from = Math.max(0, at - MAX_TRAILER_BYTES);
    const before = view.toString('latin1', from, at);
    const trailerAt = before.lastIndexOf('trailer');
    const object = [...before.matchAll(/(?<=[\s>]|^)\d{1,10}\s+\d{1,5}\s+obj\b/g)].at(-1);
    const start = Math.max(trailerAt, object?.index ?? -1);
    if (start < 0) continue;
    const text =
      view.toString('latin1', from + start, at + MAX_TRAILER_BYTES).split(/\bstream\b|startxref/, 1)[0] ?? '';
    const isStream = start !== trailerAt;
    if (/\/Root\b/.test(text) && (!isStream || /\/Type\s*\/XRef\b/.test(text)))
      found.push({ streamAt: isStream ? from + start : null, text });
  }
  return found;
}

/** Returns whether the bytes say anywhere that the file is encrypted. */
export function announcesEncryption(bytes: Uint8Array): boolean {
  return encryptedTrailers(asBuffer(bytes)).length > 0;
}

/** The bytes of an encryption dictionary that are searched for its security handler, from the start of its object. */
const MAX_HANDLER_DISTANCE = 65_536;

/** Returns the security handler of the encryption (ISO 32000-2, 7.6.2), or null when the bytes name none. `Standard` means passwords. */
export function securityHandler(bytes: Uint8Array): string | null {
  const view = asBuffer(bytes);
  for (const { text } of encryptedTrailers(view)) {
    const object = /\/Encrypt\s*(\d{1,10})\s+(\d{1,5})\s+R/.exec(text);
    const at = object === null ? -1 : view.lastIndexOf(`${object[1]} ${object[2]} obj`);
    const found = at === -1 ? text : view.toString('latin1', at, at + MAX_HANDLER_DISTANCE).split('endobj', 1)[0];
    const name = /\/Filter\s*\/([\w.]{1,60})/.exec(found ?? '')?.[1];
    if (at !== -1 && name !== undefined) return name;
  }
  return null;
}

/**
 * Returns the file with another end, for each place that names its encryption: once with the table of references there, and once with a new
 * table of the objects in the bytes.
 */
export function* mended(bytes: Uint8Array): Generator<Uint8Array> {
  const view = asBuffer(bytes);
  const trailers = encryptedTrailers(view);
  for (const { streamAt } of trailers)
    if (streamAt !== null) yield Buffer.concat([view, Buffer.from(`\nstartxref\n${streamAt}\n%%EOF\n`)]);
  const table = trailers.length === 0 ? null : tableOf(view);
  for (const { text } of table === null ? [] : trailers) {
    const kept = ['Root', 'Encrypt', 'ID'].map((key) => entryOf(text, key)).join(' ');
    const start = view.length + 1;
    const end = `trailer\n<< /Size ${table?.size} ${kept} >>\nstartxref\n${start}\n%%EOF\n`;
    yield Buffer.concat([view, Buffer.from(`\n${table?.text}${end}`, 'latin1')]);
  }
}

/** Returns a table of the last object of each number, or null when there is none. */
function tableOf(view: Buffer): { readonly text: string; readonly size: number } | null {
  const places = new Map<number, { readonly at: number; readonly generation: number }>();
  const text = view.toString('latin1');
  for (const match of text.matchAll(/(?<=[\s>]|^)(\d{1,7})\s{1,9}(\d{1,5})\s{1,9}obj\b/g)) {
    places.set(Number(match[1]), { at: match.index, generation: Number(match[2]) });
    if (places.size > MAX_OBJECTS) return null;
  }
  if (places.size === 0) return null;
  const rows = [...places].sort(([one], [other]) => one - other);
  const lines = rows.map(([number, { at, generation }]) => {
    const place = `${String(at).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`;
    return `${number} 1\n${place}`;
  });
  return { text: `xref\n${lines.join('')}`, size: (rows.at(-1)?.[0] ?? 0) + 1 };
}

/** Returns a key of a dictionary with its unchanged value, or an empty text. */
function entryOf(text: string, key: string): string {
  const match = new RegExp(`/${key}(?![A-Za-z])\\s*`).exec(text);
  if (match === null) return '';
  const from = match.index + match[0].length;
  return `/${key} ${text.slice(from, endOfValue(text, from))}`;
}

/** Names and numbers, references, and the signs that open or close something. */
const TOKEN = /\s*(?:\d+\s+\d+\s+R\b|<<|>>|<[\da-fA-F\s]*>|\[|\]|\((?:[^()\\]|\\[\s\S])*\)|\/?[^\s()<>[\]{}/%]+)/y;

/** Returns the place behind the value that begins here. For a damaged value, it is the end of the readable part. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; ; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return at;
    at += token.length;
    const sign = token.trim();
    if (sign === '<<' || sign === '[') depth++;
    if (sign === '>>' || sign === ']') depth--;
    if (depth <= 0) return at;
  }
}

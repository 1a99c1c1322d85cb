/** The scripts of a PDF: strings in its actions, and the strings and streams to which an action refers. */

import { arePlainScripts } from './plain/plain-script.ts';
import type { PdfStream } from './streams.ts';
import { type PdfToken, readTokens } from './tokens.ts';
import type { NumberedObject } from './values.ts';

/** The values behind the keys of scripts. */
export interface ScriptsSeen {
  /** Scripts that are written as strings. */
  readonly texts: string[];
  /** The numbers of the objects that hold others. */
  readonly references: Set<number>;
  /** True for a script that is neither, or was not read completely. */
  hasOthers: boolean;
}

/** Notes the value of a key `JS`. */
export function observeScript(token: PdfToken, seen: ScriptsSeen): void {
  if (token.kind === 'string') {
    seen.texts.push(token.value);
    seen.hasOthers ||= token.isCut;
  } else if (/^\d{1,10}$/.test(token.value)) seen.references.add(Number(token.value));
  else seen.hasOthers = true;
}

/** Returns true when a document has scripts, all of them were read, and all are of the kind that forms need. */
export function hasOnlyPlainScripts(
  seen: ScriptsSeen,
  objects: readonly NumberedObject[],
  streams: readonly PdfStream[],
): boolean {
  const texts = [...seen.texts];
  for (const number of seen.references) {
    const found = [...stringsOf(number, objects), ...streams.filter((one) => one.number === number).map(textOf)];
    const read = found.filter((text) => text !== null);
    if (read.length === 0 || read.length < found.length) return false;
    texts.push(...read);
  }
  return !seen.hasOthers && texts.length > 0 && arePlainScripts(texts.map(decodeText));
}

/** Returns the strings that are an object as a whole. An object can be written more than once. */
function stringsOf(wanted: number, objects: readonly NumberedObject[]): (string | null)[] {
  return objects.flatMap(({ number, text }) => {
    if (number !== wanted) return [];
    const tokens: PdfToken[] = [];
    readTokens(text.slice(0, MAX_OBJECT).replace(/^\d{1,10}\s{1,9}\d{1,9}\s{1,9}obj/, ''), (token) =>
      tokens.push(token),
    );
    const [first] = tokens;
    return first?.kind === 'string' ? [first.isCut ? null : first.value] : [];
  });
}

const MAX_OBJECT = 200_000;

const textOf = ({ content, complete }: PdfStream): string | null =>
  content === null || !complete ? null : Buffer.from(content).toString('latin1');

/** Decodes a text string, which is Latin, or UTF-16 behind a byte order mark. */
export function decodeText(text: string): string {
  if (!text.startsWith('\xfe\xff')) return text;
  const body = Buffer.from(text.slice(2), 'latin1');
  return Buffer.from(body.subarray(0, body.length - (body.length % 2)))
    .swap16()
    .toString('utf16le');
}

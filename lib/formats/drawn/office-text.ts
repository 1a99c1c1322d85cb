/**
 * The text of an Office document (OOXML, OpenDocument), for a person who wants to know what it says: lines of a text, cells of a sheet, words of
 * slides. It is read with the records of a plain zip and with saxes, which expands no entity; nothing in it is followed or computed.
 */
import { SaxesParser } from 'saxes';
import { openWrittenZip } from '../archives/plain-zip.ts';
import type { Allowance } from '../archives/unpacking.ts';
import { decodeText } from '../charsets/decode-text.ts';

/** Against a package of a hundred thousand parts, and parts of gigabytes. The thread has a heap and a processor time of its own. */
export const OFFICE_TEXT_LIMITS: Allowance = {
  members: 5_000,
  bytes: 96 * 1024 * 1024,
  memberBytes: 24 * 1024 * 1024,
  ratio: 1_000,
  workMs: 10_000,
  passwordTries: 0,
};

/** Parts with words that a person reads, in the order in which they are shown. Numbers in names count as numbers: slide 10 follows slide 9. */
const READ: readonly RegExp[] = [
  /^content\.xml$/,
  /^word\/document\.xml$/,
  /^word\/(?:header|footer|footnotes|endnotes|comments)\d*\.xml$/,
  /^xl\/worksheets\/sheet\d+\.xml$/,
  /^ppt\/slides\/slide\d+\.xml$/,
  /^ppt\/notesSlides\/notesSlide\d+\.xml$/,
];
const SHARED = 'xl/sharedStrings.xml';

/** The text, at most so many characters. Null when it is no such document, or programs may read it in different ways. */
export function textOfOffice(bytes: Uint8Array, mostChars: number): string | null {
  const opened = openWrittenZip({ bytes, allowance: OFFICE_TEXT_LIMITS });
  if (opened === null) return null;
  const parts = new Map(opened.members.map((member) => [member.untrustedNames[0] ?? '', member.bytes]));
  const names = READ.flatMap((pattern) => [...parts.keys()].filter((name) => pattern.test(name)).sort(byNumber));
  if (names.length === 0) return null;
  const xmlOf = (name: string) => decodeText(parts.get(name) ?? new Uint8Array(), null);
  const shared = parts.has(SHARED) ? sharedStrings(xmlOf(SHARED)) : [];
  const texts: string[] = [];
  let length = 0;
  for (const name of names) {
    if (length > mostChars) break;
    const text = textOfPart(xmlOf(name), shared);
    if (text !== '') texts.push(text);
    length += text.length;
  }
  return texts.join('\n\n');
}

const byNumber = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });

const localOf = (name: string) => name.slice(name.indexOf(':') + 1);

/** Elements that end a line, and that are a step to the right. */
const LINES = new Set(['p', 'h', 'row', 'table-row', 'br', 'line-break']);
const STEPS = new Set(['tab', 'c', 'tc', 'table-cell']);

/** Lines of words: the content of `t` in OOXML, of `p` and `h` in OpenDocument, and of cells. */
function textOfPart(xml: string, shared: readonly string[]): string {
  const pieces: string[] = [];
  const open: string[] = [];
  let cellType = '';
  let value = '';
  const parser = new SaxesParser({ xmlns: false });
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name);
    if (name === 'c') cellType = attributes.t ?? '';
    if (name === 'v') value = '';
  });
  parser.on('text', (text) => {
    const inside = open.at(-1) ?? '';
    if (inside === 'v') value += text;
    else if (localOf(inside) === 't' || open.some((name) => name === 'text:p' || name === 'text:h')) pieces.push(text);
  });
  parser.on('closetag', ({ name }) => {
    open.pop();
    if (name === 'v') pieces.push(cellType === 's' ? (shared[Number(value)] ?? '') : value);
    else if (LINES.has(localOf(name))) pieces.push('\n');
    else if (STEPS.has(localOf(name))) pieces.push('\t');
  });
  parser.write(xml).close();
  return pieces
    .join('')
    .replace(/\t+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The texts that cells of a workbook name by their number. */
function sharedStrings(xml: string): string[] {
  const all: string[] = [];
  let text = '';
  let inside = '';
  const parser = new SaxesParser({ xmlns: false });
  parser.on('opentag', ({ name }) => {
    inside = localOf(name);
    if (inside === 'si') text = '';
  });
  parser.on('text', (piece) => {
    if (inside === 't') text += piece;
  });
  parser.on('closetag', ({ name }) => {
    inside = '';
    if (localOf(name) === 'si') all.push(text);
  });
  parser.write(xml).close();
  return all;
}

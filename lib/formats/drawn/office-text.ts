/**
 * Reads the text of an Office document (OOXML, OpenDocument) for a person: lines of a text, cells of a sheet, words of slides. It uses the
 * records of a plain zip, and saxes, which expands no entity. No link is followed and no formula computed.
 */
import { SaxesParser } from 'saxes';
import { openWrittenZip } from '../archives/plain-zip.ts';
import type { Allowance } from '../archives/unpacking.ts';
import { decodeText } from '../charsets/decode-text.ts';

/** Limits against a package of a hundred thousand parts, and parts of gigabytes. The thread also has limits of heap and processor time. */
export const OFFICE_TEXT_LIMITS: Allowance = {
  members: 5_000,
  bytes: 96 * 1024 * 1024,
  memberBytes: 24 * 1024 * 1024,
  ratio: 1_000,
  workMs: 10_000,
  passwordTries: 0,
};

/** Parts with words for people, in the order in which they are shown. Numbers in names count as numbers: slide 10 follows slide 9. */
const READ: readonly RegExp[] = [
  /^content\.xml$/,
  /^word\/document\.xml$/,
  /^word\/(?:header|footer|footnotes|endnotes|comments)\d*\.xml$/,
  /^xl\/worksheets\/sheet\d+\.xml$/,
  /^ppt\/slides\/slide\d+\.xml$/,
  /^ppt\/notesSlides\/notesSlide\d+\.xml$/,
];
/** Programs find parts by their relationships, not by their names. A part with another name is recognised by its root. */
const ROOT = /^\ufeff?\s*(?:<\?[^>]{0,1000}\?>\s*|<!--[\s\S]{0,1000}?-->\s*){0,9}<(?:[\w.-]{1,40}:)?([\w-]{1,40})/;
const ROOTS_READ = /^(?:document|document-content|hdr|ftr|footnotes|endnotes|comments|worksheet|sld|notes)$/;
const ROOT_BYTES = 16 * 1024;

/**
 * Returns the text, up to a number of characters. Returns null when it is no such document, or when programs may read it in different ways.
 */
export function textOfOffice(bytes: Uint8Array, mostChars: number): string | null {
  const opened = openWrittenZip({ bytes, allowance: OFFICE_TEXT_LIMITS });
  if (opened === null) return null;
  const parts = new Map(opened.members.map((member) => [member.untrustedNames[0] ?? '', member.bytes]));
  const roots = new Map([...parts].map(([name, part]) => [name, rootOf(part)] as const));
  const all = [...parts.keys()].sort(byNumber);
  const known = READ.flatMap((pattern) => all.filter((name) => pattern.test(name)));
  const names = new Set([...known, ...all.filter((name) => ROOTS_READ.test(roots.get(name) ?? ''))]);
  if (names.size === 0) return null;
  const xmlOf = (name: string) => decodeText(parts.get(name) ?? new Uint8Array(), null);
  const tables = all.filter((name) => roots.get(name) === 'sst');
  // Nobody can say here which of two tables a program uses.
  if (tables.length > 1) return null;
  const shared = tables.flatMap((name) => sharedStrings(xmlOf(name)));
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

const rootOf = (part: Uint8Array) => ROOT.exec(decodeText(part.subarray(0, ROOT_BYTES), null))?.[1] ?? '';

const byNumber = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });

const localOf = (name: string) => name.slice(name.indexOf(':') + 1);

/** Elements that end a line, and elements that move one step to the right. */
const LINES = new Set(['p', 'h', 'row', 'table-row', 'br', 'line-break']);
const PARAGRAPHS = new Set(['p', 'h']);
const STEPS = new Set(['tab', 'c', 'tc', 'table-cell']);

/** Returns lines of words: the content of `t` in OOXML, of `p` and `h` in OpenDocument, and of cells. */
function textOfPart(xml: string, shared: readonly string[]): string {
  const pieces: string[] = [];
  const open: string[] = [];
  /** The number of open OpenDocument paragraphs. Searching all open elements for each text would be quadratic. */
  let paragraphs = 0;
  let cellType = '';
  let value = '';
  // The author of the file chooses the prefix of a name.
  const isParagraph = (name: string) => PARAGRAPHS.has(localOf(name)) && localOf(open[0] ?? '') === 'document-content';
  const parser = new SaxesParser({ xmlns: false });
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name);
    if (isParagraph(name)) paragraphs += 1;
    if (localOf(name) === 'c') cellType = attributes.t ?? '';
    if (localOf(name) === 'v') value = '';
  });
  parser.on('text', (text) => {
    const inside = open.at(-1) ?? '';
    if (localOf(inside) === 'v') value += text;
    else if (localOf(inside) === 't' || paragraphs > 0) pieces.push(text);
  });
  parser.on('closetag', ({ name }) => {
    if (isParagraph(name)) paragraphs -= 1;
    open.pop();
    if (localOf(name) === 'v') pieces.push(cellType === 's' ? (shared[Number(value)] ?? '') : value);
    else if (LINES.has(localOf(name))) pieces.push('\n');
    else if (STEPS.has(localOf(name))) pieces.push('\t');
  });
  parser.write(xml).close();
  return pieces
    .join('')
    .replace(/(?<!\t)\t+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Returns the shared texts, which cells of a workbook name by their number. */
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

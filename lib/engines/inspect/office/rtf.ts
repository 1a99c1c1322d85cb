/** Inspects RTF: reads control words and groups in their order, as tolerant programs do. */
import { type Fact, type Findings, namesOf } from '../fact.ts';
import { isLiveFieldCode } from '../live-values.ts';
import { tallyText, type WordTally } from '../word-tally.ts';

const rtf = (id: string, names: string): Fact => ({ id, find: { by: 'name', names } });

export const RTF_FACTS: readonly Fact[] = [
  rtf(
    'rtf-object',
    'object objdata objclass objname objalias objupdate objocx objhtml objautlink objlink objemb objsub',
  ),
  rtf('rtf-template', 'template'),
  rtf('rtf-data', 'datastore xmlopen mailmerge filetbl docvar userprops passwordhash hlinkbase linkval nextfile'),
  rtf('rtf-font', 'fontemb fontfile'),
  rtf('rtf-generator', 'generator'),
  rtf('rtf-html', 'htmltag'),
  rtf('rtf-drawing-property', 'sp sn sv'),
  rtf('rtf-properties', 'author operator manager company doccomm'),
  rtf('rtf-binary', 'bin'),
  rtf('rtf-metafile', 'wmetafile emfblip dibitmap wbitmap macpict pmmetafile'),
];
const NAMES = new Map(
  RTF_FACTS.flatMap(({ id, find }) =>
    find.by === 'name' ? namesOf(find.names).map((name) => [name, id] as const) : [],
  ),
);
/** The depth of codes inside codes. Each is read again with the codes around it, and a file of nothing else would take hours. */
const MAX_FIELDS = 50;
/** The longest fallback behind \u. The rest after it is text. */
const MAX_FALLBACK = 64;
/**
 * The boundary between Latin letters and another script. Old files write the other script in bytes of a code page, which separate words
 * here. New files write it in numbers of characters.
 */
const SCRIPT_CHANGE = /(?<=[\da-z])(?=[\u0400-\uffff])|(?<=[\u0400-\uffff])(?=[\da-z])/gi;
/** Groups without text for the reader. */
const NOT_SHOWN = new Set(
  namesOf(
    'fonttbl colortbl stylesheet info pict objdata fldinst listtable listoverridetable revtbl rsidtbl filetbl themedata colorschememapping latentstyles datastore xmlnstbl',
  ),
);
const TOKEN = /\\([a-z]{1,60})(-?\d{1,12})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)/gi;

/** Groups whose pictures occur a second time in the document for other programs, or are not seen by readers. */
const ASIDE = new Set(namesOf('nonshppict shprslt objdata fldinst fonttbl colortbl info themedata datastore'));
/** No picture of any kind has fewer digits. */
const PICTURE_DIGITS = 16;

/** Counts the words of a document, and returns its pictures. With findings it also searches the document. */
export function readRtf(bytes: Uint8Array, tally: WordTally, findings: Findings | null): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (findings !== null && !text.startsWith('{\\rtf1')) findings.add('rtf-header', 'start');
  if (findings !== null && !/\}\s*$/.test(text.slice(-8))) findings.add('rtf-data-behind', 'end');
  const reading: Reading = {
    groups: [{ isShown: true, code: null, fields: 0, isAside: false, digits: null, fallback: 1 }],
    shown: [],
    findings,
    isStarred: false,
    toSkip: 0,
    pictures: 0,
  };
  readTokens(text, reading);
  closeAll(reading);
  tallyText(tally, reading.shown.join('').replace(SCRIPT_CHANGE, ' '));
  return reading.pictures;
}

function readTokens(text: string, reading: Reading): void {
  const tokens = new RegExp(TOKEN);
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [, word, number, hex, sign, brace, plain] = token;
    // The given number of bytes follows. They are not RTF, even when they look like it.
    if (word === 'bin') tokens.lastIndex += takeBinary(reading, number);
    if (brace !== undefined) takeBrace(reading, brace);
    else if (word !== undefined) takeWord(reading, word, number);
    else if (sign === '*') reading.isStarred = true;
    else takePiece(reading, plain ?? (hex === undefined ? (sign ?? '') : ' '));
    // Programs stop at the brace that closes the document. Bytes behind it in an original are not its text.
    if (brace === '}' && reading.groups.length === 1 && reading.findings === null) break;
  }
}

interface Group {
  isShown: boolean;
  /** Code of the field to which the group belongs; null outside of field codes. */
  code: string | null;
  /** How many nested field codes contain the group. */
  fields: number;
  isAside: boolean;
  /** How many digits of a picture were read; null outside of pictures. */
  digits: number | null;
  /** How many characters behind each \u are only for programs that do not know it. */
  fallback: number;
}

interface Reading {
  readonly groups: Group[];
  readonly shown: string[];
  readonly findings: Findings | null;
  isStarred: boolean;
  /** How many characters of such a fallback are still to come. */
  toSkip: number;
  pictures: number;
}

function takeBrace(reading: Reading, brace: string): void {
  const { groups, findings } = reading;
  const group = groups.at(-1);
  reading.toSkip = 0;
  if (brace === '{')
    groups.push({
      isShown: group?.isShown ?? true,
      code: group?.code ?? null,
      fields: group?.fields ?? 0,
      isAside: group?.isAside ?? false,
      digits: null,
      fallback: group?.fallback ?? 1,
    });
  else closeGroup(groups, findings);
}

function takeWord(reading: Reading, word: string, number: string | undefined): void {
  const group = reading.groups.at(-1) as Group;
  const id = NAMES.get(word.toLowerCase());
  if (id !== undefined) reading.findings?.add(id, `\\${word}`);
  if ((reading.isStarred && word !== 'footnote') || NOT_SHOWN.has(word)) group.isShown = false;
  if (ASIDE.has(word)) group.isAside = true;
  if (word === 'pict') group.digits = 0;
  if (word === 'fldinst') openField(reading);
  reading.isStarred = false;
  if (reading.toSkip > 0) {
    reading.toSkip -= 1;
    return;
  }
  if (word === 'uc') group.fallback = Math.min(MAX_FALLBACK, Math.max(0, Number(number ?? 1)));
  if (word === 'u' && number !== undefined) reading.toSkip = group.fallback;
  if (group.isShown) reading.shown.push(charactersOf(word, number));
}

function openField({ groups, findings }: Reading): void {
  const group = groups.at(-1) as Group;
  if (group.fields > (groups.at(-2)?.fields ?? 0)) return;
  if (group.fields === MAX_FIELDS) findings?.add('rtf-field', 'nesting');
  else Object.assign(group, { code: '', fields: group.fields + 1 });
}

/** Returns how many bytes of the given number follow. */
function takeBinary(reading: Reading, number: string | undefined): number {
  const length = Math.max(0, Number(number ?? 0));
  takeDigits(reading, 2 * length);
  return length;
}

/** Counts a picture when enough of it was read. */
function takeDigits(reading: Reading, count: number): void {
  const group = reading.groups.at(-1) as Group;
  if (group.digits === null || group.isAside) return;
  if (group.digits < PICTURE_DIGITS && group.digits + count >= PICTURE_DIGITS) reading.pictures += 1;
  group.digits += count;
}

function takePiece(reading: Reading, piece: string): void {
  const { groups, shown } = reading;
  const group = groups.at(-1) as Group;
  if (group.digits !== null) takeDigits(reading, piece.match(/[\da-f]/gi)?.length ?? 0);
  if (group.code !== null) group.code += piece;
  if (group.isShown) shown.push(piece.slice(reading.toSkip));
  reading.toSkip = Math.max(0, reading.toSkip - piece.length);
}

/** Reads groups that nothing ends, too. */
function closeAll({ groups, findings }: Reading): void {
  while (groups.length > 1) closeGroup(groups, findings);
}

function closeGroup(groups: Group[], findings: Findings | null): void {
  const ended = groups.length > 1 ? groups.pop() : undefined;
  const outer = groups.at(-1);
  if (ended === undefined || ended.code === null || outer === undefined) return;
  const isField = ended.fields > outer.fields;
  if (isField && isLiveFieldCode(ended.code)) findings?.add('rtf-field', ended.code.slice(0, 60));
  // A code inside another code is part of it.
  if (outer.code !== null) outer.code = isField ? outer.code + ended.code : ended.code;
}

function charactersOf(word: string, number: string | undefined): string {
  if (word === 'u' && number !== undefined) {
    const code = Number(number) & 0xffff;
    return code >= 0x400 && (code < 0xd800 || code > 0xdfff) ? String.fromCharCode(code) : ' ';
  }
  return /^(?:par|line|tab|cell|row|page|sect|emspace|enspace|nestcell)$/.test(word) ? ' ' : '';
}

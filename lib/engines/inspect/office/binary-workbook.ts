/** Counts the shown content of a binary workbook (.xlsb, [MS-XLSB]): its sheets, each text and number of their cells, and pictures. */
import type { Units } from '../fact.ts';
import { picturesAmong } from '../picture-count.ts';
import { tallyText, type WordTally } from '../word-tally.ts';
import { xmlPlan } from '../xml/plan.ts';
import { scanXml } from '../xml/scan.ts';
import { type InflateBudget, openZip, readMember, type ZipArchive } from '../zip-scan.ts';

const ROWS = xmlPlan({ watched: 'Relationship' });
const SHEET = 156;
const SHARED_TEXT = 19;
/** Records of cells with a text, one with flags in front of it, a number, a short number, and the number of a shared text. */
const TEXTS = new Set([6, 8]);
const RICH_TEXT = 62;
const NUMBERS = new Set([5, 9]);
const SHORT_NUMBER = 2;
const SHARED = 7;
const VALUE_AT = 8;

/** Counts a package. Returns null without a workbook of records. */
export function countBinaryWorkbook(
  bytes: Uint8Array,
  tally: WordTally,
  budget: InflateBudget,
): { readonly units: Units; readonly pictures: number } | null {
  const archive = openZip(bytes);
  const book = archive?.members.find(({ name }) => /^xl\/workbook\.bin$/i.test(name));
  if (archive === null || book === undefined) return null;
  const targets = targetsOf(archive, 'xl/_rels/workbook.bin.rels', budget);
  const texts = sharedTexts(archive, targets, budget);
  const shown = new Set<string>();
  let count = 0;
  for (const { type, data } of records(readMember(archive, book, budget))) {
    if (type !== SHEET) continue;
    const target = targets.get(wide(data, 8) ?? '');
    if (target === undefined || !/\/worksheet$/.test(target.type)) continue;
    count += 1;
    const member = archive.members.find(({ name }) => name.toLowerCase() === target.name.toLowerCase());
    if (member !== undefined) countSheet(readMember(archive, member, budget), texts, shown, tally);
  }
  for (const text of shown) tallyText(tally, text);
  return { units: { kind: 'sheets', count }, pictures: picturesAmong(archive.members) };
}

/** Counts each text once, as in the list of texts of the result. */
function countSheet(part: Uint8Array, texts: readonly string[], shown: Set<string>, tally: WordTally): void {
  for (const { type, data } of records(part)) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (data.length < VALUE_AT) continue;
    if (TEXTS.has(type) || type === RICH_TEXT) shown.add(wide(data, VALUE_AT + (type === RICH_TEXT ? 1 : 0)) ?? '');
    if (type === SHARED && data.length >= VALUE_AT + 4) shown.add(texts[view.getUint32(VALUE_AT, true)] ?? '');
    if (NUMBERS.has(type) && data.length >= VALUE_AT + 8) tallyText(tally, `${view.getFloat64(VALUE_AT, true)} `);
    if (type === SHORT_NUMBER && data.length >= VALUE_AT + 4) tallyText(tally, `${shortNumber(view)} `);
  }
}

function shortNumber(view: DataView): number {
  const bits = view.getInt32(VALUE_AT, true);
  const whole = Buffer.alloc(8);
  whole.writeInt32LE(bits & ~3, 4);
  const value = (bits & 2) === 2 ? bits >> 2 : whole.readDoubleLE(0);
  return (bits & 1) === 1 ? value / 100 : value;
}

function sharedTexts(archive: ZipArchive, targets: ReadonlyMap<string, Target>, budget: InflateBudget): string[] {
  const target = [...targets.values()].find(({ type }) => /\/sharedStrings$/.test(type));
  const member = archive.members.find(({ name }) => name.toLowerCase() === target?.name.toLowerCase());
  if (member === undefined) return [];
  const texts: string[] = [];
  for (const { type, data } of records(readMember(archive, member, budget)))
    if (type === SHARED_TEXT) texts.push(wide(data, 1) ?? '');
  return texts;
}

interface Target {
  readonly name: string;
  readonly type: string;
}

function targetsOf(archive: ZipArchive, list: string, budget: InflateBudget): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>();
  const member = archive.members.find(({ name }) => name.toLowerCase() === list);
  if (member === undefined) return targets;
  scanXml(readMember(archive, member, budget), ROWS, {
    tally: null,
    element: (_, attributes) => {
      const target = attributes.get('target') ?? '';
      const name = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
      targets.set(attributes.get('id') ?? '', { name, type: attributes.get('type') ?? '' });
    },
  });
  return targets;
}

/** Reads records up to the first one that is cut off ([MS-XLSB] 2.1.4). Numbers have seven bits per byte. */
function* records(part: Uint8Array): Generator<{ readonly type: number; readonly data: Uint8Array }> {
  let at = 0;
  const number = (most: number): number => {
    let value = 0;
    for (let index = 0; index < most && at < part.length; index++) {
      const byte = part[at++] ?? 0;
      value += (byte & 0x7f) * 128 ** index;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < part.length) {
    const type = number(2);
    const size = number(4);
    if (at + size > part.length) return;
    yield { type, data: part.subarray(at, at + size) };
    at += size;
  }
}

function wide(data: Uint8Array, at: number): string | null {
  if (at + 4 > data.length) return null;
  const length = new DataView(data.buffer, data.byteOffset + at, 4).getUint32(0, true);
  if (length === 0xffff_ffff) return '';
  const end = at + 4 + length * 2;
  return end > data.length ? null : Buffer.from(data.subarray(at + 4, end)).toString('utf16le');
}

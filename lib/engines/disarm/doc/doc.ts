/**
 * Word 97 to 2003 documents ([MS-DOC]). Everything in them is found by offset, so nothing moves. The streams are written anew with only the
 * ranges that allow-listed structures of the header reach. Forbidden content becomes spaces or zeros in place.
 */

import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import type { EngineLimits, FileInput } from '../../engine.ts';
import type { Note } from '../compound/drawing.ts';
import { scrubPicture } from '../compound/picture.ts';
import { readCompoundFile } from '../compound/read.ts';
import { finishCompound, keepSummary, noteDroppedStreams, streamOf } from '../compound/streams.ts';
import type { Disarmed } from '../disarm-module.ts';
import { withPassword } from '../encrypted/legacy.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { filterData } from './data.ts';
import { filterWordDrawings } from './drawings.ts';
import {
  FIELD_PAIRS,
  type Fib,
  filterFib,
  PAIR,
  pairAt,
  type Range,
  readFib,
  setPairLength,
  storyLengths,
} from './fib.ts';
import { filterFields } from './fields.ts';
import { type DocText, readText } from './pieces.ts';
import { readFormatting } from './runs.ts';
import { rebuildTable } from './table.ts';

const CLSID = '0609020000000000c000000000000046';
const SECTION_BYTES = 12;
const NOWHERE = 0xffffffff;
/** The field tables, in the order of the stories. The fourth story belongs to macros of old versions and has no fields. */
const STORY_FIELDS = [
  FIELD_PAIRS.main,
  FIELD_PAIRS.footnote,
  FIELD_PAIRS.header,
  null,
  FIELD_PAIRS.comment,
  FIELD_PAIRS.endnote,
  FIELD_PAIRS.box,
  FIELD_PAIRS.headerBox,
] as const;

/** Throws EngineError `encrypted`, `unsupported` (Word 95 and before), `unreadable`, `oversize`. */
export const disarm = withPassword(disarmOpen);

async function disarmOpen(input: FileInput, _type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const streams = readCompoundFile(input.bytes, limits);
  const word = streamOf(streams, 'worddocument');
  const log = removalLog();
  const fib = readFib(word);
  const table = streamOf(streams, fib.tableKey);
  const data = streams.get('data')?.read() ?? null;
  const rebuilt = rebuild({ fib, word, table, data, log, keepMetadata: input.keepMetadata === true });
  const output = new Map<string, Uint8Array>([
    ['WordDocument', rebuilt.word],
    [fib.tableKey === '1table' ? '1Table' : '0Table', rebuilt.table],
  ]);
  if (rebuilt.data !== null) output.set('Data', rebuilt.data);
  const kept = new Set<string>(['worddocument', fib.tableKey, 'data']);
  keepSummary(input, streams, output, kept);
  noteDroppedStreams(streams, kept, log);
  return finishCompound(input, describeType('application/msword'), log, { clsid: CLSID, streams: output });
}

interface WordFile {
  readonly fib: Fib;
  readonly word: Buffer;
  readonly table: Buffer;
  readonly data: Buffer | null;
  readonly log: RemovalLog;
  readonly keepMetadata: boolean;
}

function rebuild({ fib, word, table, data, log, keepMetadata }: WordFile) {
  const note: Note = (kind, action) => log.note(kind, 'WordDocument', action);
  const part = (source: Buffer, index: number): Buffer | null => {
    const range = pairAt(fib, index, table);
    return range === null ? null : source.subarray(range.from, range.from + range.length);
  };
  const outputFib = filterFib(fib, note);
  const outputTable = rebuildTable(fib, outputFib, table, keepMetadata);
  const formatting = readFormatting(word, part(table, PAIR.characterRuns), part(table, PAIR.paragraphRuns));
  const drawings = part(outputTable, PAIR.drawings);
  const pictures = drawings === null ? [] : filterWordDrawings(drawings, word, note);
  const clx = part(table, PAIR.pieces) ?? Buffer.alloc(0);
  const outputWord = Buffer.alloc(word.length);
  const text = readText(clx, outputWord);
  const kept = [
    ...text.ranges,
    ...formatting.ranges,
    ...pictures,
    ...filterSections(word, part(outputTable, PAIR.sections)),
  ];
  for (const range of kept) word.copy(outputWord, range.from, range.from, range.from + range.length);
  for (const { from, length } of pictures) scrubAt(outputWord, from, length, note);
  filterStories(fib, text, { table, outputTable, outputFib }, note);
  outputFib.copy(outputWord);
  return {
    word: outputWord,
    table: outputTable,
    data: data === null ? null : filterData(data, formatting.dataAt, note),
  };
}

function scrubAt(word: Buffer, from: number, length: number, note: Note): void {
  const found = scrubPicture(
    word.readUInt16LE(from + 2),
    word.readUInt16LE(from) >> 4,
    word.subarray(from + 8, from + length),
  );
  if (found !== null) note(found, found === 'picture data' ? 'sanitized' : 'removed');
}

/** Places of the section properties in the document stream ([MS-DOC] 2.9.246). Links of the table into printer data are removed. */
function filterSections(word: Buffer, sections: Buffer | null): Range[] {
  if (sections === null) return [];
  const count = Math.max(0, Math.floor((sections.length - 4) / (4 + SECTION_BYTES)));
  const ranges: Range[] = [];
  for (let index = 0; index < count; index++) {
    const at = (count + 1) * 4 + index * SECTION_BYTES;
    const from = sections.readUInt32LE(at + 2);
    sections.fill(0xff, at + 8, at + 12);
    if (from === NOWHERE || from + 2 > word.length) continue;
    ranges.push({ from, length: Math.min(word.length - from, 2 + word.readUInt16LE(from)) });
  }
  return ranges;
}

interface Tables {
  readonly table: Buffer;
  readonly outputTable: Buffer;
  readonly outputFib: Buffer;
}

function filterStories(fib: Fib, text: DocText, { table, outputTable, outputFib }: Tables, note: Note): void {
  let first = 0;
  for (const [index, declared] of storyLengths(fib).entries()) {
    const length = Math.max(0, Math.min(declared, text.length - first));
    const pair = STORY_FIELDS[index] ?? null;
    const range = pair === null ? null : pairAt(fib, pair, table);
    const fields = range === null ? null : table.subarray(range.from, range.from + range.length);
    const filtered = filterFields(text, { first, length }, fields, note);
    if (pair !== null && range !== null) {
      outputTable.fill(0, range.from, range.from + range.length);
      filtered.copy(outputTable, range.from);
      setPairLength(outputFib, pair, filtered.length);
    }
    first += length;
  }
  // No program shows text after the last story, and a field mark in it could only mislead readers.
  filterFields(text, { first, length: text.length - first }, null, note);
}

/** Finds the boundary of a multipart: by its header, in every way that a program may read it, and by the lines of its body. */
import {
  DASHES_PER_STEP,
  type DashSearch,
  lineEndAfter,
  seekDashedLine,
  standsAt,
  withoutLineBreak,
  withoutPadding,
} from '../../formats/byte-scan.ts';
import { decodeHeaderText } from '../../formats/mail/encoded-words.ts';
import type { Steps } from '../../formats/steps.ts';
import { hasTwoValues, type StructuredValue } from '../headers/params.ts';

/** Characters of a boundary. RFC 2046 allows 70. Some programs write more, but none writes this many. */
const BOUNDARY_LENGTH = 1_024;
const CANDIDATES = 12;
/** Lines that are searched for one that looks like a boundary. */
const INFERENCE_LINES = 1_000;
const LINES_PER_STEP = 50_000;
const ENCODED_WORD = /=\?[^?]+\?[bq]\?[^?]*\?=/i;
const LOOSE = /boundary["']?\s*(?:\*\d*\*?)?\s*[=:]\s*(?:"([^"]*)|'([^']*)|([^\s;,]+))/gi;

/** Returns why a boundary is doubtful, in plain words. Returns null when all programs read it alike. */
export function boundaryProblem(types: readonly StructuredValue[]): string | null {
  const values = types.flatMap((type) => type.params.get('boundary') ?? []);
  const first = values[0]?.bytes ?? '';
  if (hasTwoValues('boundary', values)) return 'a repeated boundary parameter';
  const isOdd = ENCODED_WORD.test(first) || /[^\x20-\x7e]|[\\]| $|^'.*'$/.test(first);
  return isOdd ? 'a boundary that programs read in different ways' : null;
}

/** Returns every boundary that some program may read in these Content-Type values, the likeliest first, without repetitions. */
export function boundaryCandidates(types: readonly StructuredValue[], rawTypes: readonly string[]): readonly Buffer[] {
  const texts = types.flatMap((type) => (type.params.get('boundary') ?? []).map((value) => value.bytes));
  for (const raw of rawTypes)
    for (const match of raw.slice(0, BOUNDARY_LENGTH * 4).matchAll(LOOSE))
      texts.push(match[1] ?? match[2] ?? match[3] ?? '');
  const variants = texts.slice(0, CANDIDATES).flatMap((text) => [text, ...variantsOf(text)]);
  const usable = variants.filter((text) => text !== '' && text.length <= BOUNDARY_LENGTH);
  return [...new Set(usable)].slice(0, CANDIDATES).map((text) => Buffer.from(text, 'latin1'));
}

function variantsOf(text: string): string[] {
  if (/^[\w=.:+/-]*$/.test(text) && !text.includes('=?')) return [];
  const decoded = ENCODED_WORD.test(text) ? Buffer.from(decodeHeaderText(text), 'utf8').toString('latin1') : text;
  return [
    decoded,
    text.replace(/\\(.)/g, '$1'),
    text.replace(/^['"]|['"]$/g, ''),
    text.trimEnd(),
    text.replace(/\([^)]*\)/g, '').trim(),
    text.replace(/\s+/g, ''),
    text.split('\0', 1)[0] ?? '',
  ];
}

/**
 * The processor time that the search for boundaries in bodies may still take. A thousand boundaries that are far away or missing would take
 * hours.
 */
export interface BoundaryBudget {
  bytes: number;
  lines: number;
}

/** The bytes searched are at most this many times the size of the email. */
const SEARCHED_FACTOR = 3;
/** This much is added, so that small messages are searched well. */
const SEARCHED_FLOOR = 16 * 1024 * 1024;
/** Lines that begin with dashes. Each costs as much as many bytes. */
const SEARCHED_LINES = 2_000_000;

export function boundaryBudgetOf(email: Buffer): BoundaryBudget {
  return { bytes: email.length * SEARCHED_FACTOR + SEARCHED_FLOOR, lines: SEARCHED_LINES };
}

export function isSpent({ bytes, lines }: BoundaryBudget): boolean {
  return bytes < 0 || lines < 0;
}

/** Returns true when a line at or after `from` starts with this boundary's dashes and text. False also when the budget is spent. */
export function* standsInBodySteps(
  email: Buffer,
  from: number,
  boundary: Buffer,
  budget: BoundaryBudget,
): Steps<boolean> {
  const search = { at: from, isAfterBareCr: false };
  for (let seen = 1; !isSpent(budget); seen++) {
    const state = seekWithin(email, search, budget);
    if (state === 'end') return false;
    if (state === 'found' && standsAt(email, search.at + 2, boundary)) return true;
    if (state === 'found') search.at += 2;
    if (state === 'pause' || seen % LINES_PER_STEP === 0) yield;
  }
  return false;
}

function seekWithin(email: Buffer, search: DashSearch, budget: BoundaryBudget): ReturnType<typeof seekDashedLine> {
  const from = search.at;
  const state = seekDashedLine(email, search);
  budget.bytes -= search.at - from;
  budget.lines -= state === 'pause' ? DASHES_PER_STEP : 1;
  return state;
}

/** Returns the text of the first line in the body that looks like a delimiter: dashes, with a Content-* header after it. */
export function* inferBoundarySteps(email: Buffer, from: number, budget: BoundaryBudget): Steps<Buffer | null> {
  const search = { at: from, isAfterBareCr: false };
  for (let seen = 0; seen < INFERENCE_LINES && !isSpent(budget); ) {
    const state = seekWithin(email, search, budget);
    if (state === 'end') return null;
    if (state === 'pause') {
      yield;
      continue;
    }
    seen++;
    const { at } = search;
    const end = lineEndAfter(email, at);
    const textEnd = withoutPadding(email, at + 2, withoutLineBreak(email, at, end));
    const length = textEnd - at - 2;
    if (length > 0 && length <= BOUNDARY_LENGTH && startsWithHeader(email, end)) return email.subarray(at + 2, textEnd);
    budget.bytes -= end - at;
    search.at = end;
  }
  return null;
}

/** Returns true when the line at `at` is a Content-* header field. */
export function startsWithHeader(email: Buffer, at: number): boolean {
  return /^content-[a-z-]{2,40}[ \t\0]*:/i.test(email.toString('latin1', at, at + 60));
}

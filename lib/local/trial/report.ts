/** Prints the mail that would end differently, and the number of each kind, for `airlock policy try` and `airlock replay`. */

import { safeJson, safeText } from '../../pipeline/safe-text.ts';
import { counted, NO_RUNS, type TrialCounts, type TriedRun } from '../../pipeline/trial/policy-trial.ts';
import type { OtherPart, Turn } from '../../pipeline/trial/policy-what-if.ts';
import { minuteText } from '../../words/minute-text.ts';
import { type Console, writeLine } from '../console.ts';
import { type Paint, painterFor } from '../paint.ts';

/** The words of a report about the counted runs. */
export interface TrialWords {
  readonly days: number;
  /** How many mails of each kind are listed. */
  readonly examples: number;
  /** The reason why a mail whose result is `unreadable` is left out. */
  readonly unreadable: string;
}

/** The most parts of one mail that are named. */
const PARTS = 3;

/** Prints one JSON line for each mail that would end differently, and one with the counts. */
export async function printJson(console: Console, runs: AsyncIterable<TriedRun>): Promise<void> {
  let counts = NO_RUNS;
  for await (const run of runs) {
    counts = counted(counts, run);
    if (run.outcome !== 'tried' || run.result.turn === 'same') continue;
    const { reference, runId, subject, from } = run.row;
    await writeLine(console.stdout, safeJson({ reference, runId, subject, from, ...run.result }));
  }
  await writeLine(console.stdout, safeJson({ counts }));
}

type Changed = Extract<TriedRun, { outcome: 'tried' }>;

const SHOWN: readonly (readonly [Turn, string])[] = [
  ['held', 'would be held, and were delivered'],
  ['delivered', 'would be delivered, and were held'],
  ['parts', 'would be delivered with other parts'],
  ['unknown', 'cannot be said: an analysis that this policy asks for was not made'],
];

/** Prints the counts, and examples of each kind. */
export async function printText(console: Console, runs: AsyncIterable<TriedRun>, words: TrialWords): Promise<void> {
  let counts = NO_RUNS;
  const examples = new Map<Turn, Changed[]>();
  for await (const run of runs) {
    counts = counted(counts, run);
    if (run.outcome !== 'tried') continue;
    const listed = examples.get(run.result.turn) ?? [];
    if (listed.length < words.examples) examples.set(run.result.turn, [...listed, run]);
  }
  const paint = painterFor(console);
  await writeLine(console.stdout, headOf(counts, words));
  for (const [turn, what] of SHOWN) {
    if (counts[turn] === 0) continue;
    await writeLine(console.stdout, `\n${paint('bold', `${counts[turn]} ${what}`)}`);
    for (const line of (examples.get(turn) ?? []).flatMap((run) => linesOf(run, paint)))
      await writeLine(console.stdout, line);
  }
}

function headOf({ undecided, unreadable, ...turns }: TrialCounts, words: TrialWords): string {
  const tried = Object.values(turns).reduce((sum, count) => sum + count, 0);
  const left = [
    undecided > 0 ? `${undecided} left out: not ended, or not ended as a policy decided` : '',
    unreadable > 0 ? `${unreadable} left out: ${words.unreadable}` : '',
  ].filter((text) => text !== '');
  const mails = tried === 1 ? 'mail' : 'mails';
  const of = `${tried} ${mails} of the last ${words.days} days: ${turns.same} would end the same way`;
  return [of, ...left].join('; ');
}

function linesOf({ row, result }: Changed, paint: Paint): string[] {
  const time = minuteText(row.bornAt);
  const codes = result.turn === 'delivered' ? result.reasons.before : result.reasons.after;
  const why = result.turn === 'unknown' ? `not made: ${result.missing.join(', ')}` : codes.join(', ');
  const parts = result.parts.slice(0, PARTS).map(partText);
  const rest = result.parts.length - parts.length;
  const what = [why, ...parts, ...(rest > 0 ? [`and ${rest} more parts`] : [])].filter((text) => text !== '');
  return [
    `  ${row.reference}  ${time}Z  ${safeText(row.subject, 120) || '(no subject)'}`,
    `           ${paint('dim', what.join('; '))}`,
  ];
}

const partText = ({ path, untrustedName, before, after }: OtherPart) =>
  `${path} ${safeText(untrustedName, 80)}: ${before ?? 'undecided'} -> ${after ?? 'undecided'}`;

/** @jsxRuntime automatic @jsxImportSource #markup */
/** The page on which a person tries another policy on the incoming mail, with the results under that policy. */

import type { TrialCounts, TriedRun } from '../../pipeline/trial/policy-trial.ts';
import type { OtherPart, Turn } from '../../pipeline/trial/policy-what-if.ts';
import { type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { attribute, fieldText, ownText, toPage } from '../../service/server/markup/values.ts';
import { facts, section, tableOf } from '../../service/server/report-page/elements.tsx';
import { minuteText } from '../../words/minute-text.ts';
import type { DeskWords } from '../desk-words.ts';
import { type PageContext, pageText } from '../layout.tsx';
import { alertOf, pageHead, secretField } from '../page-elements.tsx';
import { reasonLabels } from '../reason-word.tsx';
import { mailLink } from './mail-link.tsx';

/** The policy that was typed. */
export interface TrialForm {
  readonly json: string;
  readonly days: string;
}

/** The result of the trial. */
export interface TrialResult {
  /** Of this page and those before it. */
  readonly counts: TrialCounts;
  /** Runs of this page that would end otherwise; the first of each kind. */
  readonly examples: readonly Extract<TriedRun, { outcome: 'tried' }>[];
  /** How many mails came in within these days. */
  readonly total: number;
  /** The beginning of the next page (`placeField`); null when no older mail is left. */
  readonly next: string | null;
}

/** The most characters of the policy that are shown again. */
export const MAX_POLICY_CHARS = 100_000;
const TEXT_CHARS = 120;
const PROBLEM_CHARS = 4_000;
/** The most parts of one mail that are named. */
const PARTS = 5;

const TURN_WORDS: Readonly<Record<Turn, keyof DeskWords>> = {
  same: 'turnSame',
  held: 'turnHeld',
  delivered: 'turnDelivered',
  parts: 'turnParts',
  unknown: 'turnUnknown',
};
/** The kinds that have examples, the most important first. */
const SHOWN: readonly Turn[] = ['held', 'delivered', 'parts', 'unknown'];

/** Makes the page. `problem` is the fault of the typed text. */
export function policyPage(
  context: PageContext,
  form: TrialForm,
  problem: string | null,
  result: TrialResult | null,
): string {
  const { words } = context;
  return pageText(
    context,
    `${words.policy} · Mail Airlock`,
    pageHead(words.policy, <p>{words.policyText}</p>),
    alertOf(problem, PROBLEM_CHARS),
    formOf(context, form, result?.next ?? null),
    result === null ? NOTHING : resultOf(context, result),
  );
}

function formOf(context: PageContext, { json, days }: TrialForm, next: string | null): Markup {
  const { words } = context;
  return (
    <section>
      <form method="post" action={toPage`/policy`}>
        {secretField(context)}{' '}
        <label>
          {words.policyJson}
          <textarea name="policy" rows={14} spellcheck="false">
            {fieldText(json, MAX_POLICY_CHARS)}
          </textarea>
        </label>{' '}
        <label>
          {words.days}
          <input name="days" inputmode="numeric" value={attribute(days)} />
        </label>
        <p>
          {/* The key Enter presses the first button of a form. */}
          <button>{words.tryIt}</button>
          {next === null ? NOTHING : goOn(words, next)}
        </p>
      </form>
    </section>
  );
}

const goOn = (words: DeskWords, next: string): Markup => (
  <>
    {' '}
    <input type="hidden" name="place" value={attribute(next)} />
    <button name="go" value={ownText('on')}>
      {words.tryOlder}
    </button>
  </>
);

function resultOf(context: PageContext, { counts, examples, total, next }: TrialResult): Markup {
  const { words } = context;
  const tried = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const rows: [string, number | string | null][] = [
    [words.tried, next === null ? tried : `${tried} ${words.triedOf} ${Math.max(tried, total)}`],
    ...SHOWN.map((turn): [string, number] => [words[TURN_WORDS[turn]], counts[turn]]),
    [words.turnSame, counts.same],
    [words.leftOut, counts.undecided || null],
    [words.unreadable, counts.unreadable || null],
  ];
  return (
    <>
      {section(words.tried, facts(rows), next === null ? NOTHING : <p class="more">{words.onlyNewest}</p>)}
      {SHOWN.map((turn) => examplesOf(context, turn, examples))}
    </>
  );
}

function examplesOf(context: PageContext, turn: Turn, examples: TrialResult['examples']): Markup {
  const { words } = context;
  const rows = examples.filter(({ result }) => result.turn === turn);
  if (rows.length === 0) return NOTHING;
  const head = [words.came, words.subject, words.sender, words.reason, words.partsText];
  return section(
    words[TURN_WORDS[turn]],
    tableOf(
      head,
      rows.map((run) => rowOf(context, run)),
    ),
  );
}

function rowOf({ words, language }: PageContext, { row, result }: TrialResult['examples'][number]): Markup {
  const codes = result.turn === 'delivered' ? result.reasons.before : result.reasons.after;
  const why =
    result.turn === 'unknown' ? (
      <>
        {words.missing}: {result.missing.join(', ')}
      </>
    ) : (
      reasonLabels(language, codes)
    );
  return (
    <tr>
      <td class="short">{minuteText(row.bornAt)}</td>
      <td>{mailLink(words, row, TEXT_CHARS)}</td>
      <td>{shown(row.from, TEXT_CHARS)}</td>
      <td class="why">{why}</td>
      <td>{partsOf(words, result.parts)}</td>
    </tr>
  );
}

function partsOf(words: DeskWords, parts: readonly OtherPart[]): Markup {
  const word = (disposition: OtherPart['before']) => (disposition === null ? words.undecided : words[disposition]);
  const lines = parts.slice(0, PARTS).map(({ path, untrustedName, before, after }) => (
    <>
      {path} {shown(untrustedName, TEXT_CHARS)}: {word(before)} → {word(after)}
      <br />
    </>
  ));
  const rest = parts.length - PARTS;
  return (
    <>
      {lines}
      {rest > 0 ? <small>+ {rest}</small> : NOTHING}
    </>
  );
}

/** @jsxRuntime automatic @jsxImportSource #markup */
/** The history of a mail: its stages, how long it waited, what it cost, and which other mail has something in common with it. */

import { FIRST_ATTEMPT } from '../pipeline/attempt.ts';
import type { Ledger } from '../pipeline/ledger.ts';
import type { Writer } from '../pipeline/model.ts';
import { runCostUsd } from '../pipeline/run-cost.ts';
import type { Markup } from '../service/server/markup/jsx-runtime.ts';
import { toPage } from '../service/server/markup/values.ts';
import { facts, section, timeText } from '../service/server/report-page/elements.tsx';
import type { PageContext } from './layout.tsx';
import type { OtherMail } from './other-mail.ts';
import { FEW_ROWS, limited, ROWS } from './rows.tsx';
import { STAGE_WORDS } from './stage-words.ts';
import { stateWord } from './state-word.tsx';

/** The section with the stages. */
export function timeline({ words }: PageContext, ledger: Ledger): Markup {
  const { stages, polls, attempt, terminal } = ledger;
  const begun = Date.parse(attempt.number === FIRST_ATTEMPT ? ledger.bornAt : attempt.begunAt);
  const working = stages
    .filter(({ startedAt }) => Date.parse(startedAt) >= begun)
    .reduce((sum, { durationMs }) => sum + durationMs, 0);
  const waited = terminal === null ? null : Math.max(0, Date.parse(terminal.at) - begun - working);
  const rows = together(stages).map(({ stage, times, startedAt, durationMs }) => [
    <>
      {words[STAGE_WORDS[stage]]} <small>{times === 1 ? stage : `${stage} × ${times}`}</small>
    </>,
    timeText(Date.parse(startedAt)),
    `${Math.round(durationMs)} ms`,
  ]);
  return section(
    words.timeline,
    limited(words, [words.stage, words.began, words.took], rows, ROWS),
    facts([
      [words.waited, waited === null ? null : `${Math.round(waited)} ms`],
      [words.polls, polls],
      [words.costOnAws, `$${runCostUsd(ledger).toFixed(6)}`],
    ]),
  );
}

interface Calls {
  readonly stage: Writer;
  readonly startedAt: string;
  readonly times: number;
  readonly durationMs: number;
}

/** Calls of one stage that follow each other as one: a service may be asked a hundred times whether it is done. */
function together(stages: Ledger['stages']): Calls[] {
  const all: Calls[] = [];
  for (const { stage, startedAt, durationMs } of stages) {
    const last = all.at(-1);
    if (last?.stage !== stage) all.push({ stage, startedAt, times: 1, durationMs });
    else all[all.length - 1] = { ...last, times: last.times + 1, durationMs: last.durationMs + durationMs };
  }
  return all;
}

const COMMON_WORDS = { file: 'sameFile', link: 'sameLink', sender: 'sameSender' } as const;

/** The section with other mail. */
export function otherMail({ words }: PageContext, others: readonly OtherMail[], bytes?: number): Markup {
  if (others.length === 0) return section(words.others, <p>{words.noOthers}</p>);
  const rows = others.map(({ row, common }) => [
    <a href={toPage`/mails/${row.runId}`}>{row.reference}</a>,
    common.map((name) => words[COMMON_WORDS[name]]).join(', '),
    stateWord(words, row.state),
    row.subject,
    row.from,
  ]);
  const columns = [words.reference, words.inCommon, words.state, words.subject, words.sender];
  return section(words.others, limited(words, columns, rows, FEW_ROWS, bytes));
}

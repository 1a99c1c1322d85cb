/** @jsxRuntime automatic @jsxImportSource #markup */
/** The history of a mail: its stages, its waiting times, its cost, and other mail that has something in common with it. */

import { FIRST_ATTEMPT } from '../../pipeline/ledger/attempt.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { Writer } from '../../pipeline/model.ts';
import { address, type Markup, NOTHING } from '../../service/server/markup/jsx-runtime.ts';
import { ownAddress, toPage } from '../../service/server/markup/values.ts';
import { code, facts, section, timeText } from '../../service/server/report-page/elements.tsx';
import { addressOf, askOf } from '../ask.ts';
import type { DeskWords } from '../desk-words.ts';
import type { PageContext } from '../layout.tsx';
import { FEW_ROWS, limited, ROWS } from '../pages/rows.tsx';
import { bytesOf } from '../pages/weight.ts';
import { STAGE_WORDS } from '../stage-words.ts';
import { stateWord } from '../state-word.tsx';
import type { MailCost } from './cost.ts';
import type { OtherMails, Shared } from './other-mail.ts';

/** Returns the section with the stages, and how long the mail waited in front of each. */
export function timeline({ words }: PageContext, ledger: Ledger, { usd, isOfAll }: MailCost): Markup {
  const { stages, polls, terminal } = ledger;
  const calls = withWaits(ledger);
  const waited = calls.filter(({ isNewest }) => isNewest).reduce((sum, { waitedMs }) => sum + waitedMs, 0);
  const rows = together(calls).map(({ stage, times, startedAt, waitedMs, durationMs }) => [
    <>
      {words[STAGE_WORDS[stage]]} <small>{times === 1 ? stage : `${stage} × ${times}`}</small>
    </>,
    spanText(waitedMs),
    timeText(Date.parse(startedAt)),
    spanText(durationMs),
  ]);
  return section(
    words.timeline,
    limited(words, [words.stage, words.waitedBefore, words.began, words.took], rows, ROWS),
    facts([
      [words.waited, terminal === null ? null : spanText(waited)],
      [words.polls, polls],
      [isOfAll ? words.costOnAws : words.costOfNewest, `$${usd.toFixed(6)}`],
    ]),
    stages.length > 0 ? <p class="note">{words.waitedNote}</p> : NOTHING,
  );
}

const [MAX_MS, MAX_SECONDS] = [10_000, 600];

/** Returns a span of time with a unit in which it has few digits. */
function spanText(ms: number): string {
  if (ms < MAX_MS) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1_000);
  return seconds < MAX_SECONDS ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

interface Call {
  readonly stage: Writer;
  readonly startedAt: string;
  readonly durationMs: number;
  /** Since the call before it ended, or since its attempt began. */
  readonly waitedMs: number;
  /** Whether it belongs to the newest attempt. */
  readonly isNewest: boolean;
}

/**
 * Returns the calls of stages, each with the wait before it. A mail that is held until a person decides waits for nothing, so the time
 * between two attempts does not count.
 */
function withWaits({ stages, attempt, bornAt }: Ledger): Call[] {
  const begun = Date.parse(attempt.number === FIRST_ATTEMPT ? bornAt : attempt.begunAt);
  let until = Date.parse(bornAt);
  let isNewest = attempt.number === FIRST_ATTEMPT;
  return stages.map(({ stage, startedAt, durationMs }) => {
    const started = Date.parse(startedAt);
    if (!isNewest && started >= begun) [isNewest, until] = [true, begun];
    const waitedMs = Math.max(0, started - until);
    until = Math.max(until, started + durationMs);
    return { stage, startedAt, durationMs, waitedMs, isNewest };
  });
}

interface Calls extends Call {
  readonly times: number;
}

/** Returns calls of one stage that follow each other as one: a service may be asked a hundred times whether it is done. */
function together(calls: readonly Call[]): Calls[] {
  const all: Calls[] = [];
  for (const call of calls) {
    const last = all.at(-1);
    if (last?.stage !== call.stage || last.isNewest !== call.isNewest) all.push({ ...call, times: 1 });
    else {
      const [durationMs, waitedMs] = [last.durationMs + call.durationMs, last.waitedMs + call.waitedMs];
      all[all.length - 1] = { ...last, times: last.times + 1, durationMs, waitedMs };
    }
  }
  return all;
}

const COMMON_WORDS = { file: 'sameFile', link: 'sameLink', sender: 'sameSender' } as const;

/** Returns the section with other mail. A page that is a file leads nowhere. */
export function otherMail({ words, desk }: PageContext, { mails, ...rest }: OtherMails, bytes?: number): Markup {
  const beside = elsewhere(words, rest, desk !== null);
  if (mails.length === 0) return section(words.others, <p>{words.noOthers}</p>, beside);
  const rows = mails.map(({ row, common }) => [
    desk === null ? row.reference : <a href={toPage`/mails/${row.runId}`}>{row.reference}</a>,
    common.map((name) => words[COMMON_WORDS[name]]).join(', '),
    stateWord(words, row.state),
    row.subject,
    row.from,
  ]);
  const columns = [words.reference, words.inCommon, words.state, words.subject, words.sender];
  const room = bytes === undefined ? undefined : bytes - bytesOf(beside);
  return section(words.others, limited(words, columns, rows, FEW_ROWS, room), beside);
}

const NO_FILTER = askOf([]);
/** Searches that are named one by one, and characters of the text of each. */
const [SEARCHES, VALUE_CHARS] = [8, 40];

/** Returns the mail that is not shown, with the searches that show all of it, and the searches that were not made. */
function elsewhere(words: DeskWords, { more, unsearched }: Omit<OtherMails, 'mails'>, leads: boolean): Markup {
  const name = ({ common, filter, untrustedValue }: Shared) => {
    const text = (
      <>
        {words[COMMON_WORDS[common]]}{' '}
        {filter === 'hash' ? code(untrustedValue.slice(0, 12)) : address(untrustedValue.slice(0, VALUE_CHARS))}
      </>
    );
    return leads && untrustedValue !== '' ? (
      <a href={ownAddress(addressOf(NO_FILTER, { state: '', [filter]: untrustedValue }))}>{text}</a>
    ) : (
      text
    );
  };
  const listed = (title: string, items: readonly Markup[]) =>
    items.length === 0 ? (
      NOTHING
    ) : (
      <p class="more">
        {title}{' '}
        {items.slice(0, SEARCHES).map((item, at) => (
          <>
            {item}
            {at + 1 < Math.min(items.length, SEARCHES) ? '; ' : NOTHING}
          </>
        ))}
        {items.length > SEARCHES ? <> + {items.length - SEARCHES}</> : NOTHING}
      </p>
    );
  const counted = more.map((each) => (
    <>
      {name(each)} ({each.isAtLeast ? '≥ ' : ''}
      {each.runs})
    </>
  ));
  return (
    <>
      {listed(words.othersMore, counted)}
      {listed(words.othersUnsearched, unsearched.map(name))}
    </>
  );
}

/** @jsxRuntime automatic @jsxImportSource #markup */
/** The form that decides about several held mails of a list, and the page with the result of each. */

import type { Role } from '../../pipeline/model.ts';
import { MAY } from '../../pipeline/review/decision.ts';
import type { RunRow, RunState } from '../../pipeline/runs/row.ts';
import { type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { attribute, toPage } from '../../service/server/markup/values.ts';
import { tableOf } from '../../service/server/report-page/elements.tsx';
import { referenceOf } from '../../words/reference.ts';
import { type PageContext, pageText } from '../layout.tsx';
import { secretField, whyField } from '../page-elements.tsx';
import { stateWord } from '../state-word.tsx';

/**
 * The decisions that can be made about several at once. An original is released alone, because a person should have seen it. The first is
 * the action of Enter in the field of the reason, so it is the one that lets nothing out and loses nothing.
 */
export const BULK_DECISIONS = ['rescan', 'release', 'delete'] as const;
export type BulkDecision = (typeof BULK_DECISIONS)[number];
/** The most mails of a page. A browser waits until all are decided. */
export const MAX_SELECTED = 50;
const [SUBJECT_CHARS, TOLD_CHARS] = [120, 1_000];

/** The result for one mail. */
export interface BulkResult {
  readonly runId: string;
  readonly row: RunRow | null;
  /** Null when it is not known. */
  readonly state: RunState | null;
  /** Why it was not done, in words. */
  readonly told: string | null;
  readonly isDone: boolean;
}

/** Puts a list into the form. */
export function bulkForm({ words, desk }: PageContext, role: Role, list: Markup): Markup {
  const buttons = BULK_DECISIONS.filter((name) => MAY[role].includes(name)).map((name) => {
    return (
      <button name="decision" value={attribute(name)} class={name === 'delete' ? 'danger' : undefined}>
        {words[name]}
      </button>
    );
  });
  return (
    <form method="post" action={toPage`/selected`}>
      {secretField({ desk })}
      {list}
      <section class="selected">
        <h2>{words.selected}</h2>
        <p class="note">{words.selectedText}</p>
        {whyField(words)}
        <p class="buttons">{buttons}</p>
      </section>
    </form>
  );
}

/** Returns the cell of a row that selects it; empty for mail that is not held. The attempt is the one that the page shows. */
export function selectCell({ words }: PageContext, row: RunRow): Markup {
  if (row.state !== 'quarantined') return <td class="select"></td>;
  const label = attribute(`${words.select} ${row.reference}`);
  return (
    <td class="select">
      <input
        type="checkbox"
        name="run"
        value={attribute(`${row.runId}-${Math.trunc(row.attempt)}`)}
        aria-label={label}
      />
    </td>
  );
}

/** Returns the result for each, failures first. */
export function bulkPage(context: PageContext, name: BulkDecision, results: readonly BulkResult[]): string {
  const { words } = context;
  const failed = results.filter(({ isDone }) => !isDone);
  const done = results.filter(({ isDone }) => isDone);
  const head = [words.subject, words.state, words.reason];
  const title = words.decidedAbout.replace('{done}', String(done.length)).replace('{all}', String(results.length));
  return pageText(
    context,
    `${words[name]} · Mail Airlock`,
    <header class="verdict">
      <p class="brand">Mail Airlock · {words[name]}</p>
      <h1>{title}</h1>
    </header>,
    failed.length === 0 ? (
      NOTHING
    ) : (
      <p class="failure" role="alert">
        {words.notDone} {failed.length}
      </p>
    ),
    <>
      <section>
        {tableOf(
          head,
          [...failed, ...done].map((result) => line(context, result)),
        )}
      </section>
      <p class="pages">
        <a href={toPage`/mails`}>{words.back}</a>
      </p>
    </>,
  );
}

function line({ words }: PageContext, { runId, row, state, told }: BulkResult): Markup {
  const subject = row === null ? <i>{runId}</i> : shown(row.subject || words.noSubject, SUBJECT_CHARS);
  const link = (
    <>
      <a href={toPage`/mails/${runId}`}>{subject}</a> <small>{row?.reference ?? referenceOf(runId)}</small>
    </>
  );
  const now = state === null ? NOTHING : stateWord(words, state);
  return (
    <tr>
      <td>{link}</td>
      <td class="short">{now}</td>
      <td>{told === null ? NOTHING : shown(told, TOLD_CHARS)}</td>
    </tr>
  );
}

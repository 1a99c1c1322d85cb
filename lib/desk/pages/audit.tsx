/** @jsxRuntime automatic @jsxImportSource #markup */
/** The page of the audit trail: whether it holds, filters, and a row for each record. */

import { type AuditEntry, type AuditWindow, MAX_WINDOW_RECORDS } from '../../pipeline/review/audit-window.ts';
import type { RunRow } from '../../pipeline/runs/row.ts';
import { type Markup, NOTHING } from '../../service/server/markup/jsx-runtime.ts';
import { attribute, ownAddress, toPage } from '../../service/server/markup/values.ts';
import { tableOf } from '../../service/server/report-page/elements.tsx';
import { type AuditAsk, auditAddress } from '../audit-ask.ts';
import type { DeskWords } from '../desk-words.ts';
import { type PageContext, pageText } from '../layout.tsx';
import { pageHead } from '../page-elements.tsx';
import { ACTION_WORDS, auditRow } from './audit-row.tsx';

export interface AuditContents {
  readonly ask: AuditAsk;
  /** The part of the trail that was read and checked. */
  readonly window: AuditWindow;
  /** The entries that are shown. */
  readonly entries: readonly AuditEntry[];
  /** The number before which older records follow; null when there are none. */
  readonly next: number | null;
  /** The mails of these entries. */
  readonly mails: ReadonlyMap<string, RunRow>;
}

/** Faulty numbers that are named one by one. */
const MAX_NAMED = 10;

/** Makes the page. */
export function auditPage(context: PageContext, contents: AuditContents): string {
  const { words } = context;
  return pageText(
    context,
    `${words.audit} · Mail Airlock`,
    pageHead(words.audit, <p>{words.auditText}</p>),
    checkOf(words, contents.window),
    filters(words, contents.ask),
    list(context, contents),
  );
}

/** Returns what was checked, whether it holds, and what to do if not. */
function checkOf(words: DeskWords, { entries, newest, isEndMissing }: AuditWindow): Markup {
  const faulty = entries.flatMap(({ sequence, record }) => (record === null ? [sequence] : [])).reverse();
  const numbers = `${faulty.slice(0, MAX_NAMED).join(', ')}${faulty.length > MAX_NAMED ? ', …' : ''}`;
  const problems = [
    ...(isEndMissing ? [words.auditEndMissing] : []),
    ...(faulty.length > 0 ? [words.auditBroken.replace('{numbers}', numbers)] : []),
  ];
  if (problems.length > 0)
    return (
      <>
        {problems.map((problem) => (
          <p class="failure" role="alert">
            {problem}
          </p>
        ))}
      </>
    );
  if (newest === 0) return NOTHING;
  const holds = newest > MAX_WINDOW_RECORDS ? words.auditPartHolds : words.auditHolds;
  return (
    <section>
      <p>{withNumbers(holds, entries).replace('{newest}', String(newest))}</p>
      <p class="note">{words.auditMore}</p>
    </section>
  );
}

/** Puts the first and the last number of what was read into a sentence. */
const withNumbers = (sentence: string, entries: readonly AuditEntry[]): string =>
  sentence
    .replace('{from}', String(entries.at(-1)?.sequence ?? ''))
    .replace('{to}', String(entries[0]?.sequence ?? ''));

function filters(words: DeskWords, { values }: AuditAsk): Markup {
  const options = [
    ['', words.auditAny] as const,
    ...Object.entries(ACTION_WORDS).map(([name, word]) => [name, words[word]] as const),
  ];
  return (
    <section>
      <form method="get" action={toPage`/audit`} class="filters">
        <label>
          {words.auditWho}
          <input name="who" value={attribute(values.who)} />
        </label>
        <label>
          {words.auditWhat}
          <select name="what">
            {options.map(([value, label]) => (
              <option value={attribute(value)} selected={value === values.what}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.auditMailName}
          <input name="mail" value={attribute(values.mail)} />
        </label>{' '}
        <button>{words.search}</button>
      </form>
    </section>
  );
}

function list(context: PageContext, { ask, window, entries, next, mails }: AuditContents): Markup {
  const { words } = context;
  const none = window.newest === 0 ? words.auditNone : next === null ? words.auditNoFit : words.auditNoFitYet;
  const head = [words.auditNumber, words.at, words.auditWho, words.auditWhat, words.auditWhy, words.auditMail];
  const rows = entries.map((entry) => auditRow(words, entry, mails));
  const links = [
    ...(ask.before === null ? [] : [<a href={ownAddress(auditAddress(ask.values, null))}>{words.auditNewest}</a>]),
    ...(next === null ? [] : [<a href={ownAddress(auditAddress(ask.values, next))}>{words.auditOlder}</a>]),
  ];
  return (
    <section class="narrow">
      {entries.length === 0 ? <p>{withNumbers(none, window.entries)}</p> : tableOf(head, rows)}
      {links.length === 0 ? NOTHING : <p class="pages">{links}</p>}
    </section>
  );
}

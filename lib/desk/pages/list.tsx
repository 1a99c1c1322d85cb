/** @jsxRuntime automatic @jsxImportSource #markup */
/** The page that lists mail: filters, how much is held for each reason, and rows. */

import type { Role } from '../../pipeline/model.ts';
import type { RunPage } from '../../pipeline/ports.ts';
import { REASON_CODES } from '../../pipeline/reason-codes.ts';
import { RUN_STATES, type RunRow } from '../../pipeline/runs/row.ts';
import { type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { attribute, ownAddress, toPage } from '../../service/server/markup/values.ts';
import { sizeText, tableOf } from '../../service/server/report-page/elements.tsx';
import { minuteText } from '../../words/minute-text.ts';
import { type Ask, addressOf, type Filter, isClear } from '../ask.ts';
import type { DeskWords } from '../desk-words.ts';
import { type PageContext, pageText } from '../layout.tsx';
import { pageHead } from '../page-elements.tsx';
import { reasonLabel, reasonLabels, reasonWord } from '../reason-word.tsx';
import type { SavedView } from '../saved-view.ts';
import { stateWord } from '../state-word.tsx';
import { bulkForm, selectCell } from './bulk.tsx';
import { mailLink } from './mail-link.tsx';
import { viewForms, viewLinks } from './views.tsx';

/** The amount of mail that is held for a reason. Counting has a limit. */
export interface ReasonCount {
  readonly code: string;
  readonly count: number;
  readonly isMore: boolean;
}

export interface ListContents {
  readonly ask: Ask;
  readonly page: RunPage;
  readonly counts: readonly ReasonCount[];
  /** True when mail may be missing from the index. */
  readonly isIncomplete: boolean;
  /** Null when they cannot be read. */
  readonly views: readonly SavedView[] | null;
}

const SUBJECT_CHARS = 120;
const ADDRESS_CHARS = 80;

/** Makes the page. */
export function listPage(context: PageContext, contents: ListContents, role: Role): string {
  const { words } = context;
  const { ask, page, counts, isIncomplete, views } = contents;
  const title = ask.values.state === 'quarantined' ? words.held : words.all;
  return pageText(
    context,
    `${title} · Mail Airlock`,
    pageHead(
      title,
      <>
        {countList(context, ask, counts)}
        {viewLinks(context, ask, views)}
      </>,
    ),
    isIncomplete ? (
      <p class="failure" role="status">
        {words.incomplete}
      </p>
    ) : (
      NOTHING
    ),
    wrongFilters(context, ask),
    filters(context, ask),
    role === 'reader' ? NOTHING : viewForms(context, ask, views),
    rows(context, page, role),
    pages(words, ask, page),
  );
}

function countList({ language }: PageContext, ask: Ask, counts: readonly ReasonCount[]): Markup {
  const items = counts.map(({ code, count, isMore }) => {
    const href = ownAddress(addressOf(ask, { reason: code, state: 'quarantined' }));
    return (
      <li>
        <a href={href}>
          {reasonLabel(language, code)}{' '}
          <b>
            {count}
            {isMore ? '+' : ''}
          </b>
        </a>
      </li>
    );
  });
  return items.length === 0 ? NOTHING : <ul class="counts">{items}</ul>;
}

function wrongFilters({ words }: PageContext, ask: Ask): Markup {
  if (isClear(ask)) return NOTHING;
  const { wrong, untrustedNames } = ask;
  const told = (text: string) => (
    <p class="failure" role="status">
      {shown(text)}
    </p>
  );
  return (
    <>
      {wrong.length > 0 ? told(`${words.wrongFilter} ${wrong.map((name) => words[name]).join(', ')}.`) : NOTHING}
      {untrustedNames.length > 0 ? told(`${words.noFilter} ${untrustedNames.join(', ')}`) : NOTHING}
    </>
  );
}

function filters({ words, language }: PageContext, { values }: Ask): Markup {
  const text = (name: Filter, type: 'text' | 'date' = 'text') => (
    <label>
      {words[name]}
      <input type={type} name={name} value={attribute(values[name])} />
    </label>
  );
  const choice = (name: 'state' | 'reason', options: readonly (readonly [string, string])[]) => (
    <label>
      {words[name]}
      <select name={name}>{options.map(([value, label]) => option(value, label, values[name]))}</select>
    </label>
  );
  const states = RUN_STATES.map((state) => [state, words[state]] as const);
  const reasons = REASON_CODES.map((code) => [code, reasonWord(language, code)] as const);
  return (
    <section>
      <form method="get" action={toPage`/mails`} class="filters">
        {choice('state', [['', words.anyState], ...states])}
        {choice('reason', [['', words.anyState], ...reasons])} {text('sender')}
        {text('recipient')}
        {text('words')}
        {text('hash')}
        {text('host')}
        {text('since', 'date')}
        {text('until', 'date')} <button>{words.search}</button>
      </form>
    </section>
  );
}

const option = (value: string, label: string, chosen: string): Markup => (
  <option value={attribute(value)} selected={value === chosen}>
    {label}
  </option>
);

function rows(context: PageContext, { rows: found, next }: RunPage, role: Role): Markup {
  const { words } = context;
  if (found.length === 0)
    return (
      <section>
        <p>{next === null ? words.noMail : words.noMailYet}</p>
      </section>
    );
  const isSelectable = role !== 'reader' && context.desk?.person !== null && found.some(isHeld);
  const head = [words.came, words.state, words.subject, words.sender, words.reason, words.size];
  const columns = isSelectable ? [words.select, ...head] : head;
  const list = (
    <section class="narrow">
      {tableOf(
        columns,
        found.map((row) => rowLine(context, row, isSelectable)),
      )}
    </section>
  );
  return isSelectable ? bulkForm(context, role, list) : list;
}

const isHeld = ({ state }: RunRow) => state === 'quarantined';

function rowLine(context: PageContext, row: RunRow, isSelectable: boolean): Markup {
  const { words } = context;
  const box = isSelectable ? selectCell(context, row) : NOTHING;
  return (
    <tr>
      {box}
      <td class="short">{minuteText(row.bornAt)}</td>
      <td class="short">{stateWord(words, row.state)}</td>
      <td>{mailLink(words, row, SUBJECT_CHARS)}</td>
      <td>{shown(row.from, ADDRESS_CHARS)}</td>
      <td class="why">{reasonLabels(context.language, row.reasons)}</td>
      <td class="short">{row.size === null ? '' : sizeText(row.size)}</td>
    </tr>
  );
}

function pages(words: DeskWords, ask: Ask, { next }: RunPage): Markup {
  const first = ask.after === null ? NOTHING : <a href={ownAddress(addressOf(ask, {}))}>{words.newest}</a>;
  const more = next === null ? NOTHING : <a href={ownAddress(addressOf(ask, { after: next }))}>{words.more}</a>;
  return (
    <p class="pages">
      {first}
      {more}
    </p>
  );
}

/** @jsxRuntime automatic @jsxImportSource #markup */
/** The page of the blocks of people, with a form to block something and one to take each off the list. */

import { BLOCK_KINDS, type BlockKind } from '../../pipeline/review/block.ts';
import type { Blocking } from '../../pipeline/review/block-list.ts';
import { type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { attribute, toPage } from '../../service/server/markup/values.ts';
import { code, tableOf } from '../../service/server/report-page/elements.tsx';
import { minuteText } from '../../words/minute-text.ts';
import type { DeskWords } from '../desk-words.ts';
import { type PageContext, pageText, readOnlyText } from '../layout.tsx';
import { alertOf, pageHead, secretField, whyField } from '../page-elements.tsx';

export const KIND_WORDS: Readonly<Record<BlockKind, keyof DeskWords>> = {
  file: 'kindFile',
  url: 'kindUrl',
  host: 'kindHost',
  sender: 'kindSender',
};
/** A page of values in which every character acts stays below the largest answer of a Lambda (6 MB). */
const ROWS = 50;
const TEXT_CHARS = 300;

export interface BlocksContents {
  readonly blockings: readonly Blocking[];
  /** Only blocks before the record of this number are shown; null: from the newest on. */
  readonly before: number | null;
  readonly mayChange: boolean;
  /** The result of the change that led to this page, in words. */
  readonly told: string | null;
}

/** Makes the page. */
export function blocksPage(context: PageContext, contents: BlocksContents): string {
  const { words } = context;
  const { mayChange, told } = contents;
  return pageText(
    context,
    `${words.blocks} · Mail Airlock`,
    pageHead(words.blocks, <p>{words.blocksText}</p>),
    alertOf(told, 600),
    mayChange ? addForm(context) : <p class="note">{readOnlyText(context)}</p>,
    listOf(context, contents),
  );
}

function addForm(context: PageContext): Markup {
  const { words } = context;
  const options = BLOCK_KINDS.map((kind) => <option value={attribute(kind)}>{words[KIND_WORDS[kind]]}</option>);
  return (
    <section>
      <form method="post" action={toPage`/blocks/block`} class="filters">
        {secretField(context)}
        <label>
          {words.kind}
          <select name="kind">{options}</select>
        </label>{' '}
        <label>
          {words.value}
          <input name="value" required />
        </label>{' '}
        {whyField(words)} <button class="danger">{words.block}</button>
      </form>
    </section>
  );
}

function listOf(context: PageContext, { blockings, before, mayChange }: BlocksContents): Markup {
  const { words } = context;
  if (blockings.length === 0)
    return (
      <section>
        <p>{words.noBlocks}</p>
      </section>
    );
  const head = [words.kind, words.value, words.by, words.at, words.unblock];
  const asked = blockings.filter(({ record }) => before === null || record.sequence < before);
  const rows = asked.sort((one, other) => other.record.sequence - one.record.sequence).slice(0, ROWS);
  const first = before === null ? NOTHING : <a href={toPage`/blocks`}>{words.newest}</a>;
  const last = rows.at(-1)?.record.sequence;
  const more =
    asked.length > rows.length && last !== undefined ? (
      <a href={toPage`/blocks?before=${String(last)}`}>{words.more}</a>
    ) : (
      NOTHING
    );
  return (
    <section class="narrow">
      {tableOf(
        head,
        rows.map((blocking) => row(context, blocking, mayChange)),
      )}
      <p class="pages">
        {first}
        {more}
      </p>
    </section>
  );
}

function row(context: PageContext, { block, record }: Blocking, mayChange: boolean): Markup {
  const { words } = context;
  const [person] = record.people;
  const form = (
    <details>
      <summary>{words.unblock}</summary>
      <form method="post" action={toPage`/blocks/unblock`}>
        {secretField(context)} <input type="hidden" name="record" value={attribute(String(record.sequence))} />{' '}
        {whyField(words)}
        <button>{words.unblock}</button>
      </form>
    </details>
  );
  return (
    <tr>
      <td>{words[KIND_WORDS[block.kind]]}</td>
      <td>{code(shown(block.value, TEXT_CHARS))}</td>
      <td>
        {person?.name ?? ''}: {person?.why ?? ''}
      </td>
      <td class="short">{minuteText(person?.at ?? '')}</td>
      <td>{mayChange ? form : NOTHING}</td>
    </tr>
  );
}

/** @jsxRuntime automatic @jsxImportSource #markup */
/** The page of what people have blocked, with a form to block something and one to take each off the list. */

import { LONGEST_WHY } from '../pipeline/attempt.ts';
import { BLOCK_KINDS, type BlockKind } from '../pipeline/block.ts';
import type { Blocking } from '../pipeline/block-list.ts';
import { type Markup, NOTHING, shown } from '../service/server/markup/jsx-runtime.ts';
import { attribute, titleText, toPage } from '../service/server/markup/values.ts';
import { code } from '../service/server/report-page/elements.tsx';
import type { DeskWords } from './desk-words.ts';
import { type PageContext, pageText, readOnlyText } from './layout.tsx';

export const KIND_WORDS: Readonly<Record<BlockKind, keyof DeskWords>> = {
  file: 'kindFile',
  url: 'kindUrl',
  host: 'kindHost',
  sender: 'kindSender',
};
/** A page of values in which every character acts stays under what a Lambda may answer (6 MB). */
const ROWS = 50;
const TEXT_CHARS = 300;

export interface BlocksContents {
  readonly blockings: readonly Blocking[];
  /** Only what was blocked before the record of this number is shown; null: from the newest on. */
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
    <header class="verdict">
      <p class="brand">Mail Airlock</p>
      <h1>{words.blocks}</h1>
      <p>{words.blocksText}</p>
    </header>,
    told === null ? (
      NOTHING
    ) : (
      <p class="failure" role="alert">
        {shown(told, 600)}
      </p>
    ),
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
        {secretOf(context)}
        <label>
          {words.kind}
          <select name="kind">{options}</select>
        </label>{' '}
        <label>
          {words.value}
          <input name="value" required />
        </label>{' '}
        <label>
          {words.why}
          <input name="why" required maxlength={LONGEST_WHY} />
        </label>{' '}
        <button class="danger">{words.block}</button>
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
    <section>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.map((blocking) => row(context, blocking, mayChange))}</tbody>
      </table>
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
        {secretOf(context)} <input type="hidden" name="record" value={attribute(String(record.sequence))} />{' '}
        <label>
          {words.why}
          <input name="why" required maxlength={LONGEST_WHY} />
        </label>
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
      <td class="short">{(person?.at ?? '').slice(0, 16).replace('T', ' ')}</td>
      <td>{mayChange ? form : NOTHING}</td>
    </tr>
  );
}

const secretOf = ({ desk }: PageContext): Markup => (
  <input type="hidden" name="csrf" value={titleText(desk?.csrf ?? '', 100)} />
);

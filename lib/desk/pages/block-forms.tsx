/** @jsxRuntime automatic @jsxImportSource #markup */
/** The forms on the page of a mail that block something of it, and report a false alarm. The choices are those of the ledger. */

import { hashOf } from '../../pipeline/ledger/artifact-id.ts';
import { linksOf } from '../../pipeline/ledger/artifacts-of.ts';
import { addressesIn } from '../../pipeline/ledger/header-addresses.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { Role } from '../../pipeline/model.ts';
import type { Block, BlockKind } from '../../pipeline/review/block.ts';
import { blockOf } from '../../pipeline/review/block-of.ts';
import { artifactName, type RunWords } from '../../pipeline/runs/sentence.ts';
import { type Markup, NOTHING } from '../../service/server/markup/jsx-runtime.ts';
import { attribute, titleText, toPage } from '../../service/server/markup/values.ts';
import type { DeskWords } from '../desk-words.ts';
import type { PageContext } from '../layout.tsx';
import { secretField, whyField } from '../page-elements.tsx';
import { runWords } from '../sentence.ts';
import { KIND_WORDS } from './blocks.tsx';

/** This many of each kind are offered. Others are typed at the page of the list. */
const [OFFERED, TEXT_CHARS] = [20, 80];

interface Choice {
  readonly block: Block;
  readonly label: string;
}

/** Returns the section; nothing where nothing can be decided. */
export function blockForms({ words, desk, language }: PageContext, ledger: Ledger, role: Role): Markup {
  if (desk === null || desk.person === null || role === 'reader') return NOTHING;
  const secret = secretField({ desk });
  const why = whyField(words);
  const forms = choices(ledger, runWords(language)).map(({ kind, of }) =>
    kindForm(
      words,
      kind,
      of,
      <>
        {secret}
        {why}
      </>,
    ),
  );
  const alarm = (
    <form method="post" action={toPage`/mails/${ledger.runId}/false-alarm`}>
      {secret}
      <h3>{words.falseAlarm}</h3>
      <p class="note">{words.falseAlarmText}</p>
      {why}
      <button>{words.falseAlarm}</button>
    </form>
  );
  return (
    <section class="acts">
      <h2>{words.block}</h2>
      <div class="decisions">
        {forms}
        {ledger.terminal?.state === 'quarantined' ? alarm : NOTHING}
      </div>
    </section>
  );
}

function kindForm(words: DeskWords, kind: BlockKind, of: readonly Choice[], rest: Markup): Markup {
  const options = of.map(({ block, label }) => (
    <option value={attribute(block.value)}>{titleText(label, TEXT_CHARS)}</option>
  ));
  return (
    <form method="post" action={toPage`/blocks/block`}>
      <h3>{words[KIND_WORDS[kind]]}</h3>
      <input type="hidden" name="kind" value={attribute(kind)} />
      <label>
        {words.blockWhat}
        <select name="value">{options}</select>
      </label>
      {rest}
      <button class="danger">{words.block}</button>
    </form>
  );
}

function choices(ledger: Ledger, words: RunWords): { readonly kind: BlockKind; readonly of: readonly Choice[] }[] {
  const files = ledger.artifacts.filter(({ type }) => type === 'file');
  const all: readonly (readonly [BlockKind, readonly (readonly [value: string, label: string])[]])[] = [
    ['file', files.map((file) => [hashOf(file.id), artifactName(ledger, file, words)])],
    ['url', linksOf(ledger).map(({ untrustedUrl }) => [untrustedUrl, untrustedUrl])],
    ['sender', addressesIn(ledger.message?.untrustedFrom ?? '').map((address) => [address, address])],
  ];
  return all
    .map(([kind, values]) => ({
      kind,
      of: values.flatMap(([value, label]) => choice(kind, value, label)).slice(0, OFFERED),
    }))
    .filter(({ of }) => of.length > 0);
}

/** Returns only values that can be blocked unchanged, and fit into a form. */
function choice(kind: BlockKind, value: string, label: string): Choice[] {
  const block = blockOf(kind, value);
  return block === null || block.value.length > MAX_VALUE ? [] : [{ block, label: shownLabel(label) }];
}

const MAX_VALUE = 600;
const shownLabel = (text: string) => (text.length > TEXT_CHARS ? `${text.slice(0, TEXT_CHARS - 1)}…` : text);

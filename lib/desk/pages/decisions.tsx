/** @jsxRuntime automatic @jsxImportSource #markup */
/** The forms with which a person decides. Each names the shown attempt, so that nobody decides about an unseen one. */

import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { Role } from '../../pipeline/model.ts';
import { type DecisionName, MAY } from '../../pipeline/review/decision.ts';
import { type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { attribute, toPage } from '../../service/server/markup/values.ts';
import type { DeskWords } from '../desk-words.ts';
import { type PageContext, readOnlyText } from '../layout.tsx';
import { secretField, whyField } from '../page-elements.tsx';

/** The decisions that a page offers. */
export interface Offered {
  readonly role: Role;
  /** Why policy refuses a form of release, in words; null when it does not. */
  readonly refusals: Readonly<Partial<Record<DecisionName, string | null>>>;
  /** The result of the decision that led to this page, in words. */
  readonly told: string | null;
}

const TEXT: Readonly<Record<DecisionName, keyof DeskWords>> = {
  release: 'releaseText',
  original: 'originalText',
  rescan: 'rescanText',
  delete: 'deleteText',
};

/** Returns the section with the forms, or only the result when nothing can be decided. */
export function decisions(context: PageContext, ledger: Ledger, { role, refusals, told }: Offered): Markup {
  const { words, desk } = context;
  const note =
    told === null ? (
      NOTHING
    ) : (
      <p class="failure" role="status">
        {shown(told, 1_000)}
      </p>
    );
  if (desk === null) return note;
  const begun = desk.pages === 'cloud' ? notStarted(ledger) : null;
  if (begun !== null && MAY[role].includes(begun))
    return (
      <>
        {note}
        <section class="acts">
          <div class="decisions">{form(context, ledger, begun, <p class="note">{words.notStarted}</p>)}</div>
        </section>
      </>
    );
  if (ledger.terminal?.state !== 'quarantined') return note;
  if (role === 'reader')
    return (
      <>
        {note}
        <p class="note">{readOnlyText(context)}</p>
      </>
    );
  const forms = MAY[role].map((name) => {
    const refusal = refusals[name] ?? null;
    const head = (
      <>
        <h3>{words[name]}</h3>
        <p class="note">{words[TEXT[name]]}</p>
      </>
    );
    if (refusal !== null)
      return (
        <form>
          {head}
          <p>
            {words.refused} {shown(refusal, 600)}
          </p>
        </form>
      );
    return form(context, ledger, name, head);
  });
  return (
    <>
      {note}
      <section class="acts">
        <h2>{words.decide}</h2>
        <div class="decisions">{forms}</div>
      </section>
    </>
  );
}

function form({ words, desk }: PageContext, ledger: Ledger, name: DecisionName, head: Markup): Markup {
  return (
    <form method="post" action={toPage`/mails/${ledger.runId}/${name}`}>
      {head} {secretField({ desk })}
      <input type="hidden" name="attempt" value={attribute(String(ledger.attempt.number))} /> {whyField(words)}{' '}
      <button class={name === 'delete' || name === 'original' ? 'danger' : undefined}>{words[name]}</button>
    </form>
  );
}

/** Returns the decision of an attempt that has nothing else yet: its execution may never have been started. Returns null for any other. */
function notStarted({ terminal, stages, attempt }: Ledger): DecisionName | null {
  if (terminal !== null || stages.at(-1)?.stage !== 'review') return null;
  if (attempt.reason === 'release') return attempt.release?.form === 'original' ? 'original' : 'release';
  return attempt.reason === 'rescan' ? 'rescan' : null;
}

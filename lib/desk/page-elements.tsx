/** @jsxRuntime automatic @jsxImportSource #markup */
/** Elements that several pages of the desk share. */
import { MAX_WHY_LENGTH } from '../pipeline/ledger/attempt.ts';
import { type Markup, NOTHING, shown } from '../service/server/markup/jsx-runtime.ts';
import { titleText } from '../service/server/markup/values.ts';
import type { DeskWords } from './desk-words.ts';

/** Returns the head of a page: its title, and the lines below it. */
export const pageHead = (title: string, below: Markup = NOTHING): Markup => (
  <header class="verdict">
    <p class="brand">Mail Airlock</p>
    <h1>{title}</h1>
    {below}
  </header>
);

/** Returns the fault of the form that led to this page, for screen readers at once. Returns nothing when it has none. */
export const alertOf = (told: string | null, maxChars: number): Markup =>
  told === null ? (
    NOTHING
  ) : (
    <p class="failure" role="alert">
      {shown(told, maxChars)}
    </p>
  );

/** Returns the field without which no form decides anything. */
export const secretField = ({ desk }: { readonly desk: { readonly csrf: string } | null }): Markup => (
  <input type="hidden" name="csrf" value={titleText(desk?.csrf ?? '', 100)} />
);

/** Returns the field for the reason of a decision. */
export const whyField = (words: DeskWords): Markup => (
  <label>
    {words.why}
    <input name="why" required maxlength={MAX_WHY_LENGTH} />
  </label>
);

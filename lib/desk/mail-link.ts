/** A mail in a table: its subject, which leads to its page, and its reference. */
import type { RunRow } from '../pipeline/run-row.ts';
import { html, type Markup, shown } from '../service/server/report-page/inert-text.ts';
import type { DeskWords } from './desk-words.ts';
import { attribute } from './form-values.ts';

type Linked = Pick<RunRow, 'runId' | 'subject' | 'reference'>;

/** The link, with at most so many characters of the subject. */
export function mailLink(words: DeskWords, { runId, subject, reference }: Linked, mostChars: number): Markup {
  const text = subject === '' ? html`<i>${words.noSubject}</i>` : shown(subject, mostChars);
  return html`<a href="/mails/${attribute(runId)}">${text}</a> <small>${reference}</small>`;
}

/** @jsxRuntime automatic @jsxImportSource #markup */
/** A mail in a table: its subject, which leads to its page, and its reference. */

import type { RunRow } from '../../pipeline/runs/row.ts';
import { type Markup, shown } from '../../service/server/markup/jsx-runtime.ts';
import { toPage } from '../../service/server/markup/values.ts';
import type { DeskWords } from '../desk-words.ts';

type Linked = Pick<RunRow, 'runId' | 'subject' | 'reference'>;

/** Returns the link, with at most this many characters of the subject. */
export function mailLink(words: DeskWords, { runId, subject, reference }: Linked, mostChars: number): Markup {
  const text = subject === '' ? <i>{words.noSubject}</i> : shown(subject, mostChars);
  return (
    <>
      <a href={toPage`/mails/${runId}`}>{text}</a> <small>{reference}</small>
    </>
  );
}

/** @jsxRuntime automatic @jsxImportSource #markup */
/** A record of the audit trail as a row: when, who, what in plain words, the reason that was given, and the mail. */

import { MAX_WHY_LENGTH } from '../../pipeline/ledger/attempt.ts';
import type { ReleaseForm } from '../../pipeline/model.ts';
import type { AuditRecord } from '../../pipeline/review/audit.ts';
import type { AuditEntry } from '../../pipeline/review/audit-window.ts';
import type { RunRow } from '../../pipeline/runs/row.ts';
import { type Markup, NOTHING, shown } from '../../service/server/markup/jsx-runtime.ts';
import { ownAddress } from '../../service/server/markup/values.ts';
import { code } from '../../service/server/report-page/elements.tsx';
import { minuteText } from '../../words/minute-text.ts';
import { referenceOf } from '../../words/reference.ts';
import { auditAddress } from '../audit-ask.ts';
import type { DeskWords } from '../desk-words.ts';
import { KIND_WORDS } from './blocks.tsx';
import { mailLink } from './mail-link.tsx';
import { stacked } from './rows.tsx';

/** The words for each action. */
export const ACTION_WORDS: Readonly<Record<AuditRecord['action'], keyof DeskWords>> = {
  ask: 'didAsk',
  release: 'didRelease',
  rescan: 'didRescan',
  delete: 'didDelete',
  false_alarm: 'didReportFalseAlarm',
  drop: 'didDrop',
  download: 'didDownload',
  block: 'didBlock',
  unblock: 'didUnblock',
  seal: 'didSeal',
};
const FORM_WORDS: Readonly<Record<ReleaseForm, keyof DeskWords>> = {
  rebuilt: 'formRebuilt',
  original: 'formOriginal',
};
const [ID_CHARS, VALUE_CHARS, SUBJECT_CHARS] = [255, 300, 80];

/** Returns the row. */
export function auditRow(
  words: DeskWords,
  { sequence, record }: AuditEntry,
  mails: ReadonlyMap<string, RunRow>,
): Markup {
  if (record === null)
    return (
      <tr>
        <td class="short">{String(sequence)}</td>
        <td></td>
        <td></td>
        <td>{words.auditLost}</td>
        <td></td>
        <td></td>
      </tr>
    );
  const { people } = record;
  return (
    <tr>
      <td class="short">{String(sequence)}</td>
      <td class="short">{minuteText(people.at(-1)?.at ?? '')}</td>
      <td>{stacked(people.map(personOf))}</td>
      <td>{whatOf(words, record)}</td>
      <td>{stacked(people.map(({ why }) => shown(why, MAX_WHY_LENGTH)))}</td>
      <td>{mailOf(words, record, mails)}</td>
    </tr>
  );
}

const personOf = ({ name, id }: AuditRecord['people'][number]): Markup => (
  <>
    <a href={ownAddress(auditAddress({ who: name }, null))}>{name}</a>
    {id === undefined ? NOTHING : <small> {shown(id, ID_CHARS)}</small>}
  </>
);

function whatOf(words: DeskWords, record: AuditRecord): Markup {
  const did = words[ACTION_WORDS[record.action]];
  if ('block' in record)
    return (
      <>
        {did}: {words[KIND_WORDS[record.block.kind]]} {code(shown(record.block.value, VALUE_CHARS))}
      </>
    );
  const form = 'form' in record && record.form !== null ? `: ${words[FORM_WORDS[record.form]]}` : '';
  return shown(`${did}${form}`);
}

/** A mail that is not in the index has no page any more, or not yet. */
function mailOf(words: DeskWords, record: AuditRecord, mails: ReadonlyMap<string, RunRow>): Markup {
  if (!('runId' in record)) return NOTHING;
  const row = mails.get(record.runId);
  return row === undefined ? shown(referenceOf(record.runId)) : mailLink(words, row, SUBJECT_CHARS);
}

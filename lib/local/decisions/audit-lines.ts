/** The lines of `airlock audit list`: one for each record. */
import type { AuditRecord, BlockRecord, RunRecord, SealRecord } from '../../pipeline/review/audit.ts';
import { inertText, safeText } from '../../pipeline/safe-text.ts';
import { minuteText } from '../../words/minute-text.ts';
import { referenceOf } from '../../words/reference.ts';

/** Writes a decision about a run, and its result. */
export function lineOf(record: RunRecord, became: string): string {
  const { action, form, runId, heldFor } = record;
  const what = form === null ? action : `${action} ${form}`;
  const why = heldFor.length === 0 ? '' : ` held for ${heldFor.join(', ')};`;
  return `${headOf(record, what)}  ${referenceOf(runId)}  ${became};${why} by ${whoOf(record)}`;
}

/** Writes a change of the block list. */
export const blockLine = (record: BlockRecord): string =>
  `${headOf(record, record.action)}  ${record.block.kind} ${inertText(record.block.value, 200)}; by ${whoOf(record)}`;

const headOf = (record: AuditRecord, what: string): string => `${record.sequence}  ${timeOf(record)}  ${what}`;

const timeOf = ({ people }: AuditRecord): string => `${minuteText(people.at(-1)?.at ?? '')}Z`;

const whoOf = ({ people }: AuditRecord): string =>
  people
    .map(({ name, id, why }) => {
      const signedIn = id === undefined ? '' : ` [${safeText(id, 255)}]`;
      return `${safeText(name, 100)}${signedIn} (${safeText(why, 200)})`;
    })
    .join(' and ');

/** Writes an accepted end of the trail. */
export const sealLine = (record: SealRecord): string =>
  `${headOf(record, record.action)}  ${lostOf(record)}; by ${whoOf(record)}`;

/**
 * Returns the sentence for `audit verify` about an accepted end of the trail, with the person and the time. Returns null when there is
 * none.
 */
export function sealsLine(seals: readonly SealRecord[]): string | null {
  if (seals.length === 0) return null;
  const each = seals.map(
    (seal) => `by ${whoOf(seal)}, ${timeOf(seal)}, as record ${seal.sequence}, where ${lostOf(seal)}`,
  );
  const times = seals.length === 1 ? '1 time' : `${seals.length} times`;
  return `${times} the end of the trail was missing and accepted: ${each.join('; ')}`;
}

function lostOf({ sequence, missing }: SealRecord): string {
  if (missing === null) return 'nothing said which record was the last';
  return missing.sequence < sequence
    ? `the head named another record ${missing.sequence}`
    : `the head named record ${missing.sequence}, and the records from ${sequence} on were missing`;
}

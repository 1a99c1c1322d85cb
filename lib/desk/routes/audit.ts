/** The address at which people read the audit trail. It changes nothing. */
import type { Hono } from 'hono';
import { mapBounded } from '../../pipeline/bounded.ts';
import type { AuditRecord } from '../../pipeline/review/audit.ts';
import type { AuditEntry } from '../../pipeline/review/audit-window.ts';
import type { RunRow } from '../../pipeline/runs/row.ts';
import { earlierReferenceOf, referenceOf } from '../../words/reference.ts';
import { type AuditAsk, auditAskOf } from '../audit-ask.ts';
import { type AuditParts, contextOf } from '../desk-parts.tsx';
import { type AuditContents, auditPage } from '../pages/audit.tsx';

/** A page in which every character acts stays below the largest answer of a Lambda (6 MB). */
const ROWS = 50;
const AT_ONCE = 8;

/** Adds the address to the desk. */
export function addAudit(app: Hono, parts: AuditParts): void {
  app.get('/audit', async (c) => {
    const contents = await contentsOf(
      parts,
      auditAskOf((name) => c.req.query(name)),
    );
    return c.html(auditPage(contextOf(parts, c.req.header('accept-language')), contents));
  });
}

async function contentsOf(parts: AuditParts, ask: AuditAsk): Promise<AuditContents> {
  const { before } = ask;
  const window = await parts.auditWindow(before);
  const fitting = window.entries.filter((entry) => (before === null || entry.sequence < before) && fits(entry, ask));
  const entries = fitting.slice(0, ROWS);
  const first = window.entries.at(-1)?.sequence ?? 1;
  const rest = first > 1 ? first : null;
  const next = fitting.length > ROWS ? (entries.at(-1)?.sequence ?? null) : rest;
  return { ask, window, entries, next, mails: await mailsOf(parts, entries) };
}

/** A record that cannot be read fits nothing that is searched for. */
function fits({ record }: AuditEntry, { values: { who, what, mail } }: AuditAsk): boolean {
  if (record === null) return who === '' && what === '' && mail === '';
  return (
    (what === '' || record.action === what) &&
    (mail === '' || isAbout(record, mail)) &&
    (who === '' || isBy(record, who))
  );
}

function isAbout(record: AuditRecord, mail: string): boolean {
  if (!('runId' in record)) return false;
  const { runId } = record;
  return [runId, referenceOf(runId), earlierReferenceOf(runId)].some(
    (name) => name.toLowerCase() === mail.toLowerCase(),
  );
}

function isBy({ people }: AuditRecord, who: string): boolean {
  const wanted = who.toLowerCase();
  return people.some(({ name, id = '' }) => name.toLowerCase().includes(wanted) || id.toLowerCase() === wanted);
}

async function mailsOf({ runs }: AuditParts, entries: readonly AuditEntry[]): Promise<ReadonlyMap<string, RunRow>> {
  const runIds = new Set(entries.flatMap(({ record }) => (record !== null && 'runId' in record ? [record.runId] : [])));
  const rows = await mapBounded([...runIds], AT_ONCE, (runId) => runs.get(runId));
  return new Map(rows.flatMap((row) => (row === null ? [] : [[row.runId, row] as const])));
}

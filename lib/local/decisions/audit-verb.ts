/** `airlock audit`: the decisions of people about held mail, and whether their trail is complete. */
import { type Command, InvalidArgumentError } from 'commander';
import { newestAttempt, newestChain } from '../../pipeline/chain/newest-chain.ts';
import type { StoreContext } from '../../pipeline/context.ts';
import { AUDIT_END_ADVICE, isLostRecord } from '../../pipeline/errors.ts';
import { FIRST_ATTEMPT, type Person } from '../../pipeline/ledger/attempt.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { auditedFrom, auditTrail, placeOf, type RunRecord, type SealRecord } from '../../pipeline/review/audit.ts';
import { type AuditPlace, cutOff, readAuditHead } from '../../pipeline/review/audit-head.ts';
import { safeJson } from '../../pipeline/safe-text.ts';
import { referenceOf } from '../../words/reference.ts';
import { type Console, complain, writeLine } from '../console.ts';
import { openPlace } from '../places/open.ts';
import type { RunsPlace } from '../places/runs.ts';
import { blockLine, lineOf, sealLine, sealsLine } from './audit-lines.ts';
import { addSeal } from './audit-seal-verb.ts';

interface AuditOptions {
  readonly out: string;
  readonly stack?: string;
  readonly json?: boolean;
  /** A record that somebody noted earlier. */
  readonly noted?: AuditPlace;
}

const EXIT = { whole: 0, notWhole: 1 } as const;

/** Adds the verbs to the program. */
export function addAudit(program: Command, console: Console, done: (code: number) => void): void {
  const audit = program.command('audit').description('show and check the record of what people decided');
  const add = (name: string, description: string, work: (console: Console, options: AuditOptions) => Promise<number>) =>
    audit
      .command(name)
      .description(description)
      .option('--out <dir>', 'the folder of airlock scan', 'airlock-out')
      .option('--stack <name>', 'the trail of a deployment instead, by the name of its stack')
      .option('--json', 'print JSON lines on stdout, and nothing else there')
      .action(async (options: AuditOptions) => done(await work(console, options)));
  add('list', 'list every decision of a person, with what became of it', list);
  add('verify', 'check every record, the head, and that every decision of a run is in the trail', verify).option(
    '--noted <number:hash>',
    'a record that an earlier verify --json gave as the newest, which must still be there',
    notedPlace,
  );
  addSeal(audit, console, done);
}

async function list(console: Console, { json, ...options }: AuditOptions): Promise<number> {
  const place = await openPlace(console, options);
  const { ctx } = place;
  try {
    let isEmpty = true;
    for await (const audited of auditTrail(ctx)) {
      const { record } = audited;
      isEmpty = false;
      if ('block' in record) {
        await writeLine(console.stdout, json ? safeJson(record) : blockLine(record));
        continue;
      }
      if (record.action === 'seal') {
        await writeLine(console.stdout, json ? safeJson(record) : sealLine(record));
        continue;
      }
      const became = await outcomeOf(ctx, record, audited.hash);
      const reference = referenceOf(record.runId);
      await writeLine(console.stdout, json ? safeJson({ ...record, reference, became }) : lineOf(record, became));
    }
    if (isEmpty && !json) await writeLine(console.stdout, 'nobody decided anything');
    return EXIT.whole;
  } catch (error) {
    return explained(console, error);
  } finally {
    await place.close();
  }
}

/** Returns the outcome of the attempt that the record began, from the chain of the run. */
async function outcomeOf(ctx: StoreContext, record: RunRecord, hash: string): Promise<string> {
  if (record.action === 'ask') return 'waits for a second person for a time, unless a release follows';
  if (record.action === 'false_alarm' || record.action === 'download') return 'noted';
  const ledger = await ledgerOf(ctx, record.runId, record.attempt);
  if (record.action === 'drop') return ledger === null ? 'its run is gone' : (ledger.terminal?.state ?? 'not ended');
  if (ledger === null) return 'not carried out, or its run is gone';
  return ledger.attempt.audit === hash ? (ledger.terminal?.state ?? 'not ended') : 'not carried out';
}

async function verify(console: Console, { json, noted, ...options }: AuditOptions): Promise<number> {
  const place = await openPlace(console, options);
  try {
    const head = await readAuditHead(place.ctx);
    const hashes = new Set<string>();
    const seals: SealRecord[] = [];
    let newest: AuditPlace | null = null;
    for await (const audited of auditedFrom(place.ctx, null)) {
      newest = placeOf(audited);
      hashes.add(newest.hash);
      if (audited.record.action === 'seal') seals.push(audited.record);
    }
    const cut = cutOff(head, newest);
    const advised = cut === null ? null : `${cut}. ${AUDIT_END_ADVICE}.`;
    const missing = [advised, lost(noted, hashes)].filter((problem) => problem !== null);
    const { lost: lostDecisions, accepted } = await decisionsNotIn(place, hashes, seals.at(-1));
    const problems = [...(await beyond(place, hashes.size)), ...missing, ...lostDecisions];
    const isWhole = problems.length === 0;
    if (json)
      await writeLine(console.stdout, safeJson({ isWhole, records: hashes.size, newest, problems, seals, accepted }));
    else {
      const said = sealsLine(seals);
      const lines = [...problems, ...accepted, ...(said === null ? [] : [said])];
      for (const line of lines) await writeLine(console.stdout, line);
      await writeLine(console.stdout, `${hashes.size} records, ${isWhole ? 'all as they were signed' : 'NOT WHOLE'}`);
    }
    return isWhole ? EXIT.whole : EXIT.notWhole;
  } catch (error) {
    if (json && isLostRecord(error))
      await writeLine(console.stdout, safeJson({ isWhole: false, problems: [error.message] }));
    return explained(console, error);
  } finally {
    await place.close();
  }
}

function explained(console: Console, error: unknown): number {
  if (!isLostRecord(error)) throw error;
  complain(console, `The audit trail is damaged or was changed: ${error.message}`);
  return EXIT.notWhole;
}

/** Reads the newest record in an output of `verify --json`. Throws InvalidArgumentError. */
function notedPlace(text: string): AuditPlace {
  const found = /^(\d{1,9}):([0-9a-f]{64})$/.exec(text);
  if (found?.[1] === undefined || found[2] === undefined)
    throw new InvalidArgumentError('a record is noted as its number, a colon, and its hash');
  return { sequence: Number(found[1]), hash: found[2] };
}

/**
 * Checks against a record that was noted elsewhere. A person who kept an earlier head with the trail of that time can restore both, and
 * only such a record shows that.
 */
const lost = (noted: AuditPlace | undefined, hashes: ReadonlySet<string>): string | null =>
  noted === undefined || [...hashes][noted.sequence - 1] === noted.hash
    ? null
    : `record ${noted.sequence} is not in the trail as it was noted`;

/** Finds records behind a gap. They remain when a record was removed from the middle. */
async function beyond(place: RunsPlace, count: number): Promise<string[]> {
  const records = await place.auditRecords();
  return records > count ? [`${records - count} records stand behind a gap at record ${count + 1}`] : [];
}

/** Returns the decisions that the runs name. Some are lost. Others are from before the last seal, by which a person accepted their loss. */
async function decisionsNotIn(
  { ctx, runIds }: RunsPlace,
  hashes: ReadonlySet<string>,
  seal: SealRecord | undefined,
): Promise<{ readonly lost: readonly string[]; readonly accepted: readonly string[] }> {
  const found = { lost: [] as string[], accepted: [] as string[] };
  const sealedAt = seal === undefined ? Number.NEGATIVE_INFINITY : decidedAt(seal.people);
  for await (const runId of runIds()) {
    const newest = await newestAttempt(ctx, runId);
    for (let attempt = FIRST_ATTEMPT + 1; attempt <= newest; attempt += 1) {
      const { people, reason, audit } = (await ledgerOf(ctx, runId, attempt))?.attempt ?? {};
      if (people === undefined || hashes.has(audit ?? '')) continue;
      const what = `the ${reason} of run ${runId} (attempt ${attempt}) is not in the trail`;
      if (decidedAt(people) <= sealedAt) found.accepted.push(`${what}, which was accepted later`);
      else found.lost.push(what);
    }
  }
  return found;
}

const decidedAt = (people: readonly Person[]): number => Date.parse(people.at(-1)?.at ?? '');

async function ledgerOf(ctx: StoreContext, runId: string, attempt: number): Promise<Ledger | null> {
  try {
    return (await newestChain(ctx, runId, attempt)).ledger;
  } catch (error) {
    if (isLostRecord(error)) return null;
    throw error;
  }
}

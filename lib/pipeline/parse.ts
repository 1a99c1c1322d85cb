/**
 * Stage `parse`: makes a ledger and artifacts from an intake object, also from inside containers, and starts the run.
 *
 * Safe to repeat: the entry is written once, if absent, after the artifacts. A repeated event finds it, and only makes
 * sure that the run was started. An object that cannot be read still gets a ledger and a run, and ends in quarantine.
 */

import { looksLikeEmail } from '../formats/mail/looks-like-email.ts';
import { boundName } from '../formats/names/bounded-name.ts';
import { runAsync, sha256Steps } from '../formats/steps.ts';
import { isCalledWebArchive } from '../message/reading/archive-file.ts';
import { mapBounded } from './bounded.ts';
import { mayBegin } from './chain/beginning.ts';
import { extended, putChain } from './chain/chain.ts';
import { intakeBytes, ledgerJson, policyHash } from './chain/ledger-store.ts';
import { newLedger, newRun, noteIntake } from './chain/new-run.ts';
import { fileNameOf, type Leaf, leafOfFile, leafOfPartSteps } from './contents/leaves.ts';
import { ledgerOf } from './contents/ledger-of.ts';
import { withUrls } from './contents/ledger-urls.ts';
import { openContainers } from './contents/open-containers.ts';
import { readOpened } from './contents/opened-mail.ts';
import { passwordsOfOtherMail } from './contents/other-mail-passwords.ts';
import type { ParseContext } from './context.ts';
import { AttemptBegunError, LimitExceededError } from './errors.ts';
import { keys, runIdOf } from './keys.ts';
import { hashOf } from './ledger/artifact-id.ts';
import type { Attempt } from './ledger/attempt.ts';
import type { IntakeObject } from './ledger/intake-object.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Failure, Run } from './model.ts';
import { checkSignatures } from './signatures/check-signatures.ts';

/**
 * Reads the intake object, writes ledger and artifacts, starts the run. `again` is the attempt, unless it is the first. Throws AttemptBegunError when
 * that attempt has begun in another way meanwhile, and TransientError when a store fails.
 *
 * @example
 * ```ts
 * import type { ParseContext } from './lib/pipeline/context.ts';
 *
 * async function scan(ctx: ParseContext): Promise<string> {
 *   const run = await parse(ctx, { bucket: 'intake', untrustedKey: 'mail.eml', versionId: '', size: null });
 *   return run.runId;
 * }
 * ```
 */
export async function parse(ctx: ParseContext, intake: IntakeObject, again: Attempt | null = null): Promise<Run> {
  const run = newRun(runIdOf(intake), again?.number);
  const { runId, attempt } = run;
  if (!(await ctx.blobs.has('work', keys.entry(runId, attempt, 'parse')))) await readIntake(ctx, run, intake, again);
  await ctx.executions.start({ runId, attempt, input: run });
  return run;
}

async function readIntake(ctx: ParseContext, run: Run, intake: IntakeObject, again: Attempt | null): Promise<void> {
  const started = ctx.clock.now();
  const first = newLedger(ctx, run, intake);
  const blank = again === null ? first : { ...first, attempt: again };
  await noteIntake(ctx, run.runId, intake);
  const start = withinLimit(ctx, await readObject(ctx, blank, intake));
  const durationMs = ctx.clock.now() - started;
  const entry = { startedAt: blank.bornAt, durationMs, policy: policyHash(ctx), start, change: {} };
  const signed = await extended(ctx, run, null, { stage: 'parse', ...entry });
  if (again !== null && !(await mayBegin(ctx, run, 'parse')))
    throw new AttemptBegunError(`attempt ${run.attempt} of run ${run.runId} has begun without reading the mail again`);
  await putChain(ctx, signed);
  ctx.log.info('stage done', { stage: 'parse', runId: run.runId, durationMs, parts: start.parts.length });
}

/** The most bytes that one character of a ledger's JSON takes when it is shown: its escape, or a line feed and the indent behind it. */
const MAX_BYTES_SHOWN = 16;

/** Stages add reports to a ledger. A ledger that already fills half of its limit would grow until no stage could read it. */
function withinLimit(ctx: ParseContext, ledger: Ledger): Ledger {
  if (JSON.stringify(ledger).length * MAX_BYTES_SHOWN <= ctx.limits.ledgerBytes / 2) return ledger;
  const { length } = ledgerJson(ledger);
  if (length <= ctx.limits.ledgerBytes / 2) return ledger;
  const failure = {
    class: 'oversize' as const,
    detail: `the list of what it contains is too long: a ledger of ${length} bytes`,
  };
  return { ...ledger, parts: [], urls: [], artifacts: [], warnings: [], signatures: [], failure };
}

async function readObject(ctx: ParseContext, blank: Ledger, intake: IntakeObject): Promise<Ledger> {
  const bytes = await readBounded(ctx, intake);
  if ('class' in bytes) return { ...blank, failure: bytes };
  const known: Ledger = {
    ...blank,
    sha256: await runAsync(sha256Steps(bytes)),
    intake: { ...intake, size: bytes.length },
  };
  if (bytes.length === 0)
    return {
      ...known,
      failure: {
        class: 'unreadable',
        detail: 'it is empty (0 bytes): there is nothing to deliver. Check how it was stored',
      },
    };
  // A saved page begins like a message. Only its name distinguishes it.
  if (!looksLikeEmail(bytes) || isCalledWebArchive([fileNameOf(intake)])) {
    const leaf = leafOfFile(known.intake, bytes);
    return withContents(ctx, { ...known, kind: 'file' }, [leaf], null);
  }
  const mail = await readOpened(bytes, ctx.limits, known.sha256);
  const { facts, parts, warnings } = mail.reading;
  const leaves: Leaf[] = [];
  for (const part of parts) leaves.push(await runAsync(leafOfPartSteps(part, mail.bytes)));
  const signatures = await checkSignatures(ctx, mail);
  return withContents(ctx, { ...known, message: facts, warnings: [...warnings], signatures }, leaves, mail.bytes);
}

/** Returns the ledger with everything found in the leaves. The work bucket then has all bytes. */
async function withContents(
  ctx: ParseContext,
  known: Ledger,
  leaves: readonly Leaf[],
  email: Uint8Array | null,
): Promise<Ledger> {
  const told = await passwordsOfOtherMail(ctx, known.attempt.passwordsFrom ?? []);
  const found = await openContainers(ctx, leaves, known.message?.untrustedSubject ?? '', told);
  const warned: Ledger = { ...known, warnings: [...known.warnings, ...found.warnings] };
  const listed = withShortNames(ctx, ledgerOf(warned, found.leaves, found.openings));
  const ledger = await withUrls(ctx, listed, found.leaves, email);
  await storeBytes(ctx, found.leaves);
  return ledger;
}

/** Every file was judged by all of its names. The ledger keeps only the names that people need. */
function withShortNames({ limits }: ParseContext, ledger: Ledger): Ledger {
  const short = (name: string) => boundName(name, limits.untrustedTextLength);
  return {
    ...ledger,
    parts: ledger.parts.map((part) => ({ ...part, untrustedNames: part.untrustedNames.map(short) })),
  };
}

async function readBounded(ctx: ParseContext, intake: IntakeObject): Promise<Uint8Array | Failure> {
  try {
    return await intakeBytes(ctx, intake);
  } catch (error) {
    if (!(error instanceof LimitExceededError)) throw error;
    return {
      class: 'oversize',
      detail: `it is larger than ${error.max} bytes, the limit for one email. Nothing of it was read`,
    };
  }
}

/** Stores the bytes of every leaf and member under their hash, and the bytes that are disarmed instead. Each hash is stored once. */
async function storeBytes(ctx: ParseContext, leaves: readonly Leaf[]): Promise<void> {
  const byHash = new Map<string | null | undefined, Uint8Array | null>();
  for (const { part, file, bytes, marked } of leaves)
    byHash.set(part.sha256, bytes).set(file?.disarmAs && hashOf(file.disarmAs), marked);
  await mapBounded([...byHash], ctx.limits.concurrentSubmissions, async ([sha256, bytes]) => {
    if (sha256 && bytes !== null) await ctx.blobs.put('work', keys.artifact(sha256), bytes);
  });
}

/**
 * Puts the result of a run where its source wants it: in another bucket, under the key of the object that came in, or in the place of that
 * object. `deliver` does it after the end of the run, with its own role. A result never replaces the result of a newer upload. Each result
 * is noted, so that it is not scanned as an upload.
 */

import { isOriginalReleased } from '../chain/release.ts';
import type { EndContext } from '../context.ts';
import { LimitExceededError, NotFoundError, TransientError } from '../errors.ts';
import { sha256Hex } from '../keys.ts';
import type { IntakeObject } from '../ledger/intake-object.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type DeliveredObject, deliveredBytes, deliveredObjects } from './delivered-object.ts';
import { endedRun } from './ended-run.ts';
import { mirroredKey } from './mirrored-key.ts';
import type { Place, PlacedVersion, Places } from './place-port.ts';
import { isNoted, type NotedPlace, noteOf, notePlace } from './placed-note.ts';
import { keysWithRoom, type Placed, type RunEvent, runEvent, sourceState } from './run-event.ts';
import { type ResultsSetting, resultsOf, type SourceSetting } from './source.ts';
import { RUN_TAG, STATE_TAG } from './tag-source.ts';

export interface PlaceContext extends EndContext {
  readonly places: Places;
  readonly sources: readonly SourceSetting[];
}

/** Somebody else writes under the key again and again. The queue tries later. */
const TRIES = 5;

/**
 * Puts the result of the run of an event, if its source asks for it, and emits `MessagePlaced`. Safe to repeat. Throws TransientError.
 *
 * @example
 * ```ts
 * import { type PlaceContext, place } from './lib/pipeline/results/place.ts';
 * import type { RunEvent } from './lib/pipeline/results/run-event.ts';
 *
 * const onDelivered = (ctx: PlaceContext, event: RunEvent) => place(ctx, event);
 * ```
 */
export async function place(ctx: PlaceContext, event: RunEvent): Promise<void> {
  // Anybody who may put events on the bus could forge one. So the chain decides what was delivered, and of which object.
  const ledger = await endedRun(ctx, event);
  if (ledger?.terminal?.state !== 'delivered') return;
  const { runId, intake, terminal } = ledger;
  const results = resultsOf(ctx.sources, intake);
  if (results === null) return;
  const put = await putResult(ctx, ledger, results);
  const placed: Placed = { form: results.keys, bucket: results.bucket, untrustedKeys: [], versionId: null, ...put };
  const end = { bucket: 'clean', keys: terminal.keys } as const;
  const ended = { endedAt: terminal.at, durationMs: Date.parse(terminal.at) - Date.parse(ledger.bornAt) };
  const detail = { ...runEvent(ctx, ledger, end), ...ended, placed };
  await ctx.events.emit({ type: 'MessagePlaced', runId, detail });
  ctx.log.info('result placed', { runId, form: placed.form, outcome: placed.outcome });
}

type Put = Pick<Placed, 'outcome'> & Partial<Placed>;

async function putResult(
  ctx: PlaceContext,
  ledger: Ledger,
  { keys: form, bucket, prefix }: ResultsSetting,
): Promise<Put> {
  const objects = deliveredObjects(ledger);
  if (form === 'by-run') return putAll(ctx, ledger, bucket, prefix, objects);
  // The message or the bare file represents the incoming object.
  const result = objects.at(-1) as DeliveredObject;
  const { intake } = ledger;
  if (form === 'mirrored') {
    const key = mirroredKey(prefix, intake.untrustedKey);
    return key === null ? { outcome: 'unusable_key' } : putNewest(ctx, ledger, { bucket, key }, result);
  }
  const here = { bucket: intake.bucket, key: intake.untrustedKey };
  if (intake.versionId === '') return { outcome: 'no_versions' };
  const isSame = result.sha256 === ledger.sha256;
  // A released original is not called clean in a place where everybody reads it.
  if (isSame && (isOriginalReleased(ledger) || sourceState(ledger, 'clean') === 'clean'))
    return { outcome: 'unchanged', untrustedKeys: [here.key], versionId: intake.versionId };
  return putNewest(ctx, ledger, here, result);
}

/** Puts a result under a key by run. It belongs to one run alone, so no other writer interferes. */
async function putAll(
  ctx: PlaceContext,
  ledger: Ledger,
  bucket: string,
  prefix: string,
  objects: readonly DeliveredObject[],
): Promise<Put> {
  for (const object of objects) {
    const place = { bucket, key: `${prefix}${object.key}` };
    const noted = notedAs(place, object);
    const current = await ctx.places.newest(place);
    if (current !== null && isNoted(await noteOf(ctx, noted), current)) continue;
    if ((await putOnce(ctx, ledger, noted, object, current)) === null) throw othersWrite(ledger);
  }
  const written = objects.map(({ key }) => `${prefix}${key}`);
  return { outcome: 'written', ...keysWithRoom('untrustedKeys', written) };
}

/**
 * Puts a result under a key that later uploads use, too. It first reads the present object, then checks whether the incoming object is
 * still the newest. The write only succeeds if nothing else was put there meanwhile. So if two runs end at the same time, the result of the
 * newer upload stays.
 */
async function putNewest(ctx: PlaceContext, ledger: Ledger, target: Place, result: DeliveredObject): Promise<Put> {
  const { intake } = ledger;
  const source = { bucket: intake.bucket, key: intake.untrustedKey };
  const isInPlace = target.bucket === source.bucket && target.key === source.key;
  const noted = notedAs(target, result);
  const written = ({ versionId }: PlacedVersion): Put => ({
    outcome: 'written',
    untrustedKeys: [target.key],
    versionId: versionId || null,
  });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const current = await ctx.places.newest(target);
    const newest = isInPlace ? current : await ctx.places.newest(source);
    const isNewest = newest !== null && isOf(intake, newest);
    if (!isNewest && !isInPlace) return { outcome: 'superseded' };
    if (current !== null && (await isOurs(ctx, noted, result, current))) return written(current);
    if (!isNewest) return { outcome: 'superseded' };
    const put = await putOnce(ctx, ledger, noted, result, current);
    if (put !== null) return written(put);
  }
  throw othersWrite(ledger);
}

const othersWrite = ({ runId }: Ledger) =>
  new TransientError(`others write at the same time where the result of run ${runId} belongs`);

/** An earlier try has put it, and may have died before it noted the version. */
async function isOurs(ctx: PlaceContext, noted: NotedPlace, { size }: DeliveredObject, current: PlacedVersion) {
  const note = await noteOf(ctx, noted);
  if (note === null || note.version !== null) return isNoted(note, current);
  if (!(await holds(ctx, noted, current, size))) return false;
  await notePlace(ctx, noted, current);
  return true;
}

async function holds({ places }: PlaceContext, noted: NotedPlace, current: PlacedVersion, size: number) {
  try {
    return sha256Hex(await places.read(noted, current, size)) === noted.sha256;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof LimitExceededError) return false;
    throw error;
  }
}

/** Notes the result before and after it is put. Until its version is known, nobody scans it. */
async function putOnce(
  ctx: PlaceContext,
  ledger: Ledger,
  noted: NotedPlace,
  object: DeliveredObject,
  replaces: PlacedVersion | null,
): Promise<PlacedVersion | null> {
  const bytes = await deliveredBytes(ctx, object);
  await notePlace(ctx, noted, null);
  const tags = { [STATE_TAG]: 'clean', [RUN_TAG]: `${ledger.runId}-${ledger.attempt.number}` };
  const put = await ctx.places.put(noted, bytes, { contentType: object.type, tags, replaces });
  if (put !== null) await notePlace(ctx, noted, put);
  return put;
}

const notedAs = (place: Place, { sha256 }: DeliveredObject): NotedPlace => ({ ...place, sha256 });

/** Returns whether this is the version that came in, or the bytes in a bucket without versions. */
function isOf({ versionId, upload }: IntakeObject, newest: PlacedVersion): boolean {
  const bare = (etag: string) => etag.replace(/^"|"$/g, '');
  return versionId === '' ? bare(newest.etag) === bare(upload?.etag ?? '') : newest.versionId === versionId;
}

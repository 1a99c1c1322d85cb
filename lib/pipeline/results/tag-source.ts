/**
 * Tags the incoming object with its fate, so that a policy of its bucket can forbid reading objects that are not clean. It works after a
 * run has ended, and without the rights of any stage.
 */
import type { StoreContext } from '../context.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SourceTags } from '../ports.ts';
import { endedRun } from './ended-run.ts';
import { type RunEvent, type SourceState, sourceState, worstVerdict } from './run-event.ts';

export interface TagContext extends StoreContext {
  readonly sourceTags: SourceTags;
}

/** The tags of an object that came in. `airlock-state` is one of SOURCE_STATES, `airlock-run` the run and its attempt. */
export const STATE_TAG = 'airlock-state';
export const VERDICT_TAG = 'airlock-verdict';
export const RUN_TAG = 'airlock-run';
/** The most tags that S3 takes. An uploader must not be able to exclude ours with his own tags. */
const MAX_TAGS = 10;

/**
 * Tags the object of an event. Safe to repeat. Tags of a later attempt of the same run are not overwritten. Throws TransientError while a
 * delivery is not noted yet.
 *
 * @example
 * ```ts
 * import type { RunEvent } from './lib/pipeline/results/run-event.ts';
 * import { type TagContext, tagSource } from './lib/pipeline/results/tag-source.ts';
 *
 * const onEvent = (ctx: TagContext, event: RunEvent) => tagSource(ctx, event);
 * ```
 */
export async function tagSource(ctx: TagContext, event: RunEvent): Promise<void> {
  const ledger = await endedRun(ctx, event);
  const { runId, attempt } = event;
  const { bucket, untrustedKey: key, versionId } = (ledger ?? event).intake;
  const skip = (reason: string) => ctx.log.warn('the object is not tagged', { runId, reason });
  // Without a version, somebody may have replaced the bytes under the key since they were judged.
  if (versionId === '') return skip('its bucket has no versions, so the tags could stand on other bytes');
  const object = { bucket, key, versionId };
  const found = await ctx.sourceTags.get(object);
  if (found === null) return skip('it is not there any more');
  if (isLater(found[RUN_TAG], runId, attempt)) return skip('a later attempt of the run has tagged it');
  const ours = tagsOf(event, ledger);
  const others = Object.entries(found).filter(([name]) => !(name in ours));
  const kept = others.slice(0, MAX_TAGS - Object.keys(ours).length);
  await ctx.sourceTags.put(object, { ...Object.fromEntries(kept), ...ours });
  ctx.log.info('object tagged', { runId, state: ours[STATE_TAG], verdict: ours[VERDICT_TAG] });
}

/** Returns the tags by the chain. Without a chain, returns them by the event of a held object. */
function tagsOf(event: RunEvent, ledger: Ledger | null) {
  const { runId, attempt } = event;
  return {
    [STATE_TAG]: ledger === null ? heldState(event) : stateOf(ledger),
    [VERDICT_TAG]: ledger === null ? event.verdict : worstVerdict(ledger),
    [RUN_TAG]: `${runId}-${attempt}`,
  };
}

function heldState({ state }: RunEvent): SourceState {
  return state === 'clean' || state === 'delivered' ? 'failed' : state;
}

function stateOf(ledger: Ledger): SourceState {
  return sourceState(ledger, ledger.terminal?.state === 'delivered' ? 'clean' : 'quarantine');
}

function isLater(tag: string | undefined, runId: string, attempt: number): boolean {
  const [run, number] = (tag ?? '').split('-');
  return run === runId && Number(number) > attempt;
}

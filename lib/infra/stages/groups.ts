import { STAGE_NAMES, type StageName } from '../../pipeline/model.ts';

/** Stages that read incoming objects. */
export const READING: readonly StageName[] = ['parse', 'rebuild', 'quarantine'];
/** Stages that tell others how a run ended. */
export const ENDING: readonly StageName[] = ['deliver', 'quarantine'];
/** Stages that read hostile bytes and need only objects. `parse` reads them, too, but it also starts executions. */
export const ISOLATED: readonly StageName[] = ['rebuild'];

/**
 * Returns a record with the value of `make` for each stage.
 *
 * @example
 * ```ts
 * forEachStage((stage) => stage.length).deliver; // => 7
 * ```
 */
export function forEachStage<T>(make: (stage: StageName) => T): Readonly<Record<StageName, T>> {
  const made = STAGE_NAMES.map((stage) => [stage, make(stage)] as const);
  return Object.fromEntries(made) as Record<StageName, T>;
}

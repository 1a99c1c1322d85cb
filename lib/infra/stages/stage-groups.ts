import { STAGE_NAMES, type StageName } from '../../pipeline/model.ts';

/** Stages that read what came in. */
export const READING: readonly StageName[] = ['parse', 'rebuild', 'quarantine'];
/** Stages that tell others how a run ended. */
export const ENDING: readonly StageName[] = ['deliver', 'quarantine'];
/** Stages that read hostile bytes and ask for nothing but objects. `parse` reads them, too, but it starts executions. */
export const ISOLATED: readonly StageName[] = ['rebuild'];

/**
 * What `make` makes of each stage.
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

import type { StageName } from '../pipeline/model.ts';
import type { Bucket } from '../pipeline/ports.ts';

/** What one stage may access, beside its own log. */
export interface StageAccess {
  readonly reads: readonly Bucket[];
  readonly writes: readonly Bucket[];
  readonly uses: readonly ('submissions' | 'analysis' | 'events')[];
}

const WORK: readonly Bucket[] = ['work'];

/**
 * The permissions of each stage in one table, from which the roles are made. Only `deliver` writes the clean bucket. Only
 * `quarantine` writes the quarantine bucket; it reads the clean one to know whether a broken delivery was complete. No stage
 * that reads hostile bytes (parse, rebuild) can reach anything outside.
 */
export const STAGE_ACCESS: Readonly<Record<StageName, StageAccess>> = {
  parse: { reads: ['intake', 'work'], writes: WORK, uses: [] },
  submit: { reads: WORK, writes: WORK, uses: ['submissions', 'analysis'] },
  poll: { reads: WORK, writes: WORK, uses: ['submissions', 'analysis'] },
  fetch: { reads: WORK, writes: WORK, uses: ['submissions', 'analysis'] },
  decide: { reads: WORK, writes: WORK, uses: [] },
  rebuild: { reads: ['intake', 'work'], writes: WORK, uses: [] },
  deliver: { reads: WORK, writes: ['work', 'clean'], uses: ['events'] },
  quarantine: { reads: ['intake', 'work', 'clean'], writes: ['work', 'quarantine'], uses: ['events'] },
};

/** Buckets whose objects are written with tags. */
export const TAGGED: readonly Bucket[] = ['clean', 'quarantine'];

import type { StageName } from '../pipeline/model.ts';
import type { Bucket } from '../pipeline/ports.ts';

/** What one stage may touch, beside its own log. */
export interface StageAccess {
  readonly reads: readonly Bucket[];
  readonly writes: readonly Bucket[];
  readonly uses: readonly ('submissions' | 'analysis' | 'events')[];
}

const WORK: readonly Bucket[] = ['work'];

/**
 * Who may do what, in one table: the roles are made from it. `deliver` alone writes the clean bucket, `quarantine` alone the
 * quarantine bucket (it reads the clean one, to know whether a delivery that broke off was whole), and nothing that reads hostile bytes (parse, rebuild) can talk to the outside.
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

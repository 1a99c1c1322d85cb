/** The place of the runs that a verb lists. */
import type { StoreContext } from '../../pipeline/context.ts';
import type { Runs } from '../../pipeline/ports.ts';
import type { DirectoryBlobs } from '../../storage/directory/directory.ts';

export interface RunsPlace {
  /** Its name for people. */
  readonly name: string;
  /** Opens the index on demand, because a run can be shown by its id without one. Throws UsageError when it is broken. */
  index(): Promise<Pick<Runs, 'list' | 'put' | 'remove' | 'tally' | 'oldest' | 'holds' | 'count'>>;
  readonly ctx: StoreContext;
  /** Returns the places of a run's files: paths, or buckets and keys. */
  readonly files: Pick<DirectoryBlobs, 'pathOf'>;
  /** Returns the ids of all runs. */
  runIds(): Iterable<string> | AsyncIterable<string>;
  /** Returns the number of records of the audit trail, including those behind a gap. */
  auditRecords(): Promise<number>;
  close(): Promise<void>;
}

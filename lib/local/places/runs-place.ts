/** Where the runs are that a verb lists. */
import type { StoreContext } from '../../pipeline/context.ts';
import type { Runs } from '../../pipeline/ports.ts';
import type { DirectoryBlobs } from '../../storage/directory/directory.ts';

export interface RunsPlace {
  /** As people call it. */
  readonly name: string;
  /** The index, which is opened when it is asked for: a run can be shown by its id without one. Throws UsageError when it is broken. */
  index(): Promise<Pick<Runs, 'list' | 'put' | 'remove' | 'tally' | 'oldest' | 'holds' | 'count'>>;
  readonly ctx: StoreContext;
  /** Says where files of a run lie: paths, or buckets and keys. */
  readonly files: Pick<DirectoryBlobs, 'pathOf'>;
  /** The ids of all runs. */
  runIds(): Iterable<string> | AsyncIterable<string>;
  /** How many records of the audit trail lie there, also behind a gap. */
  auditRecords(): Promise<number>;
  close(): Promise<void>;
}

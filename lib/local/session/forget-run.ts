/** Removes the results of a run. */
import { keys } from '../../pipeline/keys.ts';
import type { DirectoryBlobs } from '../../storage/directory/directory.ts';
import type { RunIndex } from './run-index.ts';

/** Removes them for a new scan. A person who scans again wants a new result, so the run starts from its beginning. */
export async function forgetRun(
  local: { readonly blobs: Pick<DirectoryBlobs, 'remove'>; readonly index: Pick<RunIndex, 'forget'> },
  runId: string,
): Promise<void> {
  await local.blobs.remove('clean', runId);
  await local.blobs.remove('quarantine', runId);
  await local.blobs.remove('work', keys.run(runId));
  await local.index.forget(runId);
}

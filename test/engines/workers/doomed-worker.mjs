/** A real worker that a script gets the better of when it has done what it does: no report of the run leaves the thread. */
import { runTask as realRunTask } from '../../../lib/engines/threads/worker-entry.mjs';

export async function runTask(message) {
  const report = await realRunTask(message);
  if (message.task.seen !== undefined) return report;
  if (message.task.input.untrustedName.startsWith('crash')) process.exit(7);
  for (;;);
}

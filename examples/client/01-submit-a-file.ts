/** Submit a file for static analysis, wait, and say what was found. */
import type { AnalysisClient } from '@mail-airlock/client';
import { runExample } from './run-example.ts';

export async function main(client: AnalysisClient, path: string) {
  // A path is streamed from disk: the file is never whole in memory.
  const { uuid } = await client.createStaticSubmission(path, { private: true });
  const { level, reports } = await client.waitForCompletion(uuid);
  // A report can end in error. A file without an analysis is not benign.
  const failed = reports.filter(({ status }) => status === 'error');
  return { uuid, level: failed.length > 0 ? 'unknown' : level, failed: failed.map(({ error }) => error?.message) };
}

await runExample(import.meta.url, (client, [path = '']) => main(client, path));

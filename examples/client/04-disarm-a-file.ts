/** Have a file disarmed and save the result. */
import { join } from 'node:path';
import type { AnalysisClient } from '@mail-airlock/client';
import { runExample } from './run-example.ts';

export async function main(client: AnalysisClient, path: string, folder: string) {
  const { uuid } = await client.createCdrSubmission(path, { private: true });
  await client.waitForCompletion(uuid, { reports: ['cdr'] });
  const { removed, sanitized } = await client.getCdrReport(uuid);
  const download = await client.downloadCdrSanitized(uuid);
  // `filename` is made safe; `untrustedFilename` is what the service said.
  return { removed, sanitized, saved: await download.save(join(folder, download.filename)) };
}

await runExample(import.meta.url, (client, [path = '', folder = '.']) => main(client, path, folder));

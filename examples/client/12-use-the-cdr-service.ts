/** The separate CDR service: start, wait, download. */
import { join } from 'node:path';
import { CdrClient } from '@mail-airlock/client';
import { runExample } from './run-example.ts';

export async function main(client: CdrClient, path: string, folder: string) {
  const { resultId } = await client.start(path);
  const { files, result } = await client.waitForCompletion(resultId);
  const saved: string[] = [];
  for (const { id } of files) {
    const download = await client.download(id);
    saved.push(await download.save(join(folder, download.filename)));
  }
  // Finished does not mean sanitized: without a file, the log says why.
  return { removed: result?.log.removed ?? [], description: result?.log.description ?? '', saved };
}

await runExample(import.meta.url, (_, [path = '', folder = '.']) => {
  const { AIRLOCK_CDR_URL: baseUrl = 'http://127.0.0.1:8080/cdr', AIRLOCK_CDR_TOKEN: token = '' } = process.env;
  return main(new CdrClient({ baseUrl, token }), path, folder);
});

/** Save the files that an analysis knows. Their names are the attacker's: the hash names the file, the name is data. */
import { join } from 'node:path';
import type { AnalysisClient } from '@mail-airlock/client';
import { runExample } from './run-example.ts';

export async function main(client: AnalysisClient, uuid: string, folder: string) {
  const { items } = await client.listArtifacts(uuid);
  const saved = new Map<string, string>();
  for (const { id, filename, hashes } of items) {
    // Even the hash comes from the service: only its digits may reach a path.
    if (!/^[0-9a-f]{64}$/i.test(hashes.sha256)) continue;
    const download = await client.downloadArtifact(uuid, id);
    await download.save(join(folder, `${hashes.sha256}.bin`));
    saved.set(hashes.sha256, filename);
  }
  return saved;
}

await runExample(import.meta.url, (client, [uuid = '', folder = '.']) => main(client, uuid, folder));

/** Find what was submitted before: by filters, and by the hash of a file. */
import type { AnalysisClient } from '@mail-airlock/client';
import { runExample } from './run-example.ts';

export async function main(client: AnalysisClient, sha256: string) {
  const dangerous: string[] = [];
  const yesterday = new Date(Date.now() - 86_400_000);
  for await (const { uuid } of client.eachSubmission({ level: ['malicious', 'suspicious'], startDate: yesterday })) {
    dangerous.push(uuid);
  }
  // Newest first; empty when the service has never seen the file.
  const [known] = await client.searchBySha256(sha256);
  return { dangerous, known: known?.uuid ?? null };
}

await runExample(import.meta.url, (client, [sha256 = '']) => main(client, sha256));

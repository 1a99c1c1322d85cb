/** Submit what comes out of a stream: another download, a decompressor, an object store. */
import { createReadStream } from 'node:fs';
import type { AnalysisClient } from '@mail-airlock/client';
import { runExample } from './run-example.ts';

export async function main(client: AnalysisClient, stream: AsyncIterable<Uint8Array>, filename: string) {
  // Give `sizeBytes` too where it is known: the service can then refuse a file that is too large before it is sent.
  const created = await client.createStaticSubmission({ bytes: stream, filename }, { private: true });
  return created.sha256;
}

await runExample(import.meta.url, (client, [path = '']) => main(client, createReadStream(path), 'from-a-stream'));

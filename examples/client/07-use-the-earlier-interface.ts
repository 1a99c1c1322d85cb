/** The same service through v1: numbers instead of words, pages from 0, search by MD5. */
import { AnalysisClientV1 } from '@mail-airlock/client';
import { runExample, service } from './run-example.ts';

export async function main(client: AnalysisClientV1, path: string) {
  const { uuid } = await client.scanStatic(path, { isPublic: false });
  // 0 not measured, 1 informative, 2 suspicious, 3 malicious.
  const { level, fileInfo } = await client.waitForCompletion(uuid, { reports: ['static'] });
  const found = fileInfo && (await client.searchByHash(fileInfo.hashes.md5, 0, 10));
  return { level, foundByMd5: found?.submissions.some((submission) => submission.uuid === uuid) ?? false };
}

await runExample(import.meta.url, (_, [path = '']) => main(new AnalysisClientV1(service()), path));

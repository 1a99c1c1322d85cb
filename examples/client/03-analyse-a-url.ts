/** Submit a URL and read its report. */
import type { AnalysisClient } from '@mail-airlock/client';
import { runExample } from './run-example.ts';

export async function main(client: AnalysisClient, url: string) {
  const { uuid } = await client.createUrlSubmission(url, { private: true });
  await client.waitForCompletion(uuid, { reports: ['url_analysis'] });
  const { level, generalInfo } = await client.getUrlAnalysis(uuid);
  return { level, domain: generalInfo.domain };
}

await runExample(import.meta.url, (client, [url = '']) => main(client, url));

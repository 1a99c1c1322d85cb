/** The findings of the reports of a submission: the summary, every indicator, every value to look for elsewhere. */
import type { AnalysisClient } from '@mail-airlock/client';
import { runExample } from './run-example.ts';

export async function main(client: AnalysisClient, uuid: string) {
  const { indicators: counts } = await client.getSummary(uuid);
  const indicators: string[] = [];
  // Pages are turned as they are needed; leaving the loop stops asking.
  for await (const { level, name } of client.eachIndicator(uuid)) indicators.push(`${level}: ${name}`);
  const iocs: string[] = [];
  for await (const { type, value } of client.eachIoc(uuid)) iocs.push(`${type}: ${value}`);
  return { total: counts.total, indicators, iocs };
}

await runExample(import.meta.url, (client, [uuid = '']) => main(client, uuid));

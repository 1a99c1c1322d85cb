/** Ask what the service offers and the plan allows, then submit with it. */
import type { AnalysisClient } from '@mail-airlock/client';
import { runExample } from './run-example.ts';

export async function main(client: AnalysisClient, path: string) {
  const { plan, userInfo } = await client.me();
  const { dailyLimit } = plan.submissionLimits;
  // 0 means no limit.
  if (dailyLimit > 0 && userInfo.limitsCount.dailySubmissionCount >= dailyLimit) throw new Error('no quota left today');
  const environments = await client.getEnvironments();
  const usable = environments.filter(({ active, accessible }) => active && accessible);
  const environment = (usable.find((option) => option.default) ?? usable[0])?.key;
  const offered = (await client.getSandboxMetafields()).filter(({ active, accessible }) => active && accessible);
  const metafields = Object.fromEntries(offered.map((option) => [option.key, option.default]));
  const { uuid } = await client.createSandboxSubmission(path, { private: true, environment, metafields });
  return { environment: environment ?? 'none', uuid };
}

await runExample(import.meta.url, (client, [path = '']) => main(client, path));

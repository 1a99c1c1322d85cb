/** Wait with a deadline of one's own, progress, and a way to stop. Outages that pass are sat out. */
import { type AnalysisClient, WaitTimeoutError } from '@mail-airlock/client';
import { runExample } from './run-example.ts';

export async function main(client: AnalysisClient, uuid: string, signal: AbortSignal, tell: (text: string) => void) {
  try {
    const submission = await client.waitForCompletion(uuid, {
      signal,
      timeoutMs: 120_000,
      schedule: { firstMs: 100, capMs: 5_000 },
      onProgress: ({ polls, waitingFor, failure }) =>
        tell(failure ? `trying again: ${failure.code}` : `${polls}: waiting for ${waitingFor.join(', ') || 'nothing'}`),
    });
    return submission.level;
  } catch (error) {
    // The submission continues: the same id can be waited for again.
    if (error instanceof WaitTimeoutError) return `still waiting for ${error.waitingFor.join(', ')}`;
    throw error;
  }
}

await runExample(import.meta.url, (client, [uuid = '']) =>
  main(client, uuid, AbortSignal.timeout(600_000), (text) => console.error(text)),
);

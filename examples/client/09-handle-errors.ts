/** Branch on the class or on the stable `code`, never on the message. */
import { type AnalysisClient, AnalysisError, ApiError, ReportNotReadyError } from '@mail-airlock/client';
import { runExample } from './run-example.ts';

export async function main(client: AnalysisClient, uuid: string) {
  try {
    return await (await client.downloadCdrSanitized(uuid)).buffer(100 * 1024 * 1024);
  } catch (error) {
    if (error instanceof ReportNotReadyError) {
      // Null: the report was never asked for, and waiting will not bring it.
      const { currentStatus = null, availableReports = [] } = error.report ?? {};
      return { isComing: currentStatus !== null && currentStatus !== 'error', availableReports };
    }
    if (error instanceof ApiError && error.code === 'SUBMISSION_NOT_FOUND') return { isComing: false };
    // Whether the same call can succeed later without anybody changing anything.
    if (error instanceof AnalysisError && error.retryable) return { isComing: true };
    throw error;
  }
}

await runExample(import.meta.url, (client, [uuid = '']) => main(client, uuid));

/** Asks the analysis service once before anything is scanned, so that a person hears once that it is away or refuses the key. */
import { AnalysisClient } from '../service/client/analysis-client.ts';
import { AuthError, NetworkError, RequestTimeoutError } from '../service/client/errors.ts';
import { UsageError } from './console.ts';
import type { RemoteService } from './session/analysis.ts';

/** The longest time for the question, in milliseconds, because a person waits at the terminal. */
const ASK_MS = 15_000;

/**
 * Asks the service. Throws UsageError when it refuses the key, and Error when nothing answers. Any other answer is good enough to begin.
 */
export async function checkService({ url, secret }: RemoteService, signal: AbortSignal): Promise<void> {
  const client = new AnalysisClient({ baseUrl: url, apiKey: secret, retries: 1, timeoutMs: ASK_MS });
  const error: unknown = await client.me({ signal }).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof AuthError)
    throw new UsageError(
      `The analysis service at ${url} refuses the key in AIRLOCK_API_KEY (${error.code}). Nothing was scanned.`,
    );
  if (error instanceof NetworkError || error instanceof RequestTimeoutError)
    throw new Error(
      `the analysis service at ${url} does not answer (${causeOf(error)}); nothing was scanned. Start it, or check --service`,
    );
}

const causeOf = (error: NetworkError | RequestTimeoutError) =>
  error instanceof NetworkError ? error.causeCode : `nothing within ${ASK_MS / 1_000} s`;

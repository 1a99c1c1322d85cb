/** The versions of the service's engines and rules, read from time to time: a known report is void when they change. */
import type { AnalysisClient } from './client/analysis-client.ts';
import { AnalysisError, RequestTimeoutError } from './client/errors.ts';

/** How long an answer is used, in milliseconds. A change is noticed at most this late, so not every mail has to ask. */
const HOLDS_MS = 5 * 60_000;
/** The longest wait for an answer, in milliseconds, because a service may never answer. */
const ASK_MS = 15_000;
/** Longest version that is compared: a service could send a very long one. */
const MAX_VERSION_LENGTH = 500;

type Versions = ReadonlyMap<string, string>;

/** The version of a module, by its id; null when the service does not tell it. */
export type VersionOf = (moduleId: string) => Promise<string | null>;

/**
 * Makes a reader that asks `client` at most once per `HOLDS_MS`. Rejects with a retryable AnalysisError when the service is away and has
 * never answered, and with the reason of `signal`.
 */
export function serviceVersions(
  client: Pick<AnalysisClient, 'me'>,
  now: () => number,
  signal: AbortSignal | undefined,
): VersionOf {
  let told: { readonly atMs: number; readonly versions: Versions } | null = null;
  let asking: Promise<Versions> | null = null;
  const ask = async (): Promise<Versions> => {
    try {
      const versions = await versionsIn(client, signal);
      told = { atMs: now(), versions };
      return versions;
    } catch (error) {
      // The service is away for a moment. Its last answer is used, and the next call asks again.
      if (told && !signal?.aborted) return told.versions;
      throw error;
    } finally {
      asking = null;
    }
  };
  return async (moduleId) => {
    if (told && now() - told.atMs < HOLDS_MS) return told.versions.get(moduleId) ?? null;
    // The artifacts of one mail share one request.
    asking ??= ask();
    return (await asking).get(moduleId) ?? null;
  };
}

async function versionsIn(
  client: Pick<AnalysisClient, 'me'>,
  cancelled: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const deadline = AbortSignal.timeout(ASK_MS);
  const signal = cancelled ? AbortSignal.any([cancelled, deadline]) : deadline;
  const { modules } = await client.me({ signal }).catch((error: unknown) => {
    // A service without this route, or with another answer, has no versions. The next call finds out whether the key is valid.
    if (error instanceof AnalysisError && !error.retryable) return { modules: [] };
    if (deadline.aborted) throw new RequestTimeoutError('GET /me', ASK_MS);
    throw error;
  });
  return new Map(
    modules.flatMap(({ moduleId, version }) => (version ? [[moduleId, version.slice(0, MAX_VERSION_LENGTH)]] : [])),
  );
}

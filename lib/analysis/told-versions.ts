/** What the service tells of its engines and rules, asked now and then: a report that they made is known only as long as they stay. */
import type { AnalysisClient } from './client/analysis-client.ts';
import { AnalysisError, RequestTimeoutError } from './client/errors.ts';

/** How long an answer holds, in milliseconds: so late at most is a change noticed, and no mail asks for itself. */
const HOLDS_MS = 5 * 60_000;
/** A service that takes the question and never answers, in milliseconds. */
const ASK_MS = 15_000;
/** A service that tells a book: only as much of it is compared. */
const MAX_VERSION_LENGTH = 500;

type Versions = ReadonlyMap<string, string>;

/** The version of a module, by its id; null when the service does not tell. */
export type VersionOf = (moduleId: string) => Promise<string | null>;

/**
 * Asks `client` at most once per `HOLDS_MS`. Rejects with a retryable AnalysisError when the service is away and never told,
 * and with the reason of `signal`.
 */
export function toldVersions(
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
      // Away for a moment: what it told last is asked for again with the next call.
      if (told && !signal?.aborted) return told.versions;
      throw error;
    } finally {
      asking = null;
    }
  };
  return async (moduleId) => {
    if (told && now() - told.atMs < HOLDS_MS) return told.versions.get(moduleId) ?? null;
    // The artifacts of a mail ask together.
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
    // A service without this route, or with another answer: it does not tell. Whether the key is good, the next call says.
    if (error instanceof AnalysisError && !error.retryable) return { modules: [] };
    if (deadline.aborted) throw new RequestTimeoutError('GET /me', ASK_MS);
    throw error;
  });
  return new Map(
    modules.flatMap(({ moduleId, version }) => (version ? [[moduleId, version.slice(0, MAX_VERSION_LENGTH)]] : [])),
  );
}

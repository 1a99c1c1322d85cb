/** An Analyzer that reads its secrets on first use, and again when the service refuses them. */
import { ConfigError } from '../pipeline/errors.ts';
import type { Analyzer } from '../pipeline/ports.ts';

/**
 * The shortest time between two readings of a refused key, in milliseconds. Two hundred refused calls must not cause two hundred readings.
 */
const RENEWAL_MS = 10_000;

/**
 * Makes an analyzer over the one that `open` makes. A call that ends with ConfigError (the key is refused, or the secret has no value yet)
 * opens it again and is tried once more. Rejects as `open` and the analyzer do.
 *
 * @example
 * ```ts
 * import { createAnalyzer } from './lib/service/analyzer.ts';
 * import { AnalysisClient } from './lib/service/client/analysis-client.ts';
 *
 * const readKey = async () => 'the key, from a secret store';
 * const analyzer = renewedAnalyzer(async () => {
 *   const client = new AnalysisClient({ baseUrl: 'https://analysis.example', apiKey: await readKey() });
 *   return createAnalyzer({ client });
 * });
 * ```
 */
export function renewedAnalyzer(open: () => Promise<Analyzer>, now: () => number = Date.now): Analyzer {
  let opened: { readonly at: number; readonly analyzer: Promise<Analyzer> } | null = null;
  const current = () => {
    opened ??= { at: now(), analyzer: open().catch(closed) };
    return opened;
  };
  // A client that failed for another reason than the key is opened again at the next call.
  const closed = (error: unknown): never => {
    if (!(error instanceof ConfigError)) opened = null;
    throw error;
  };
  const call = async <T>(work: (analyzer: Analyzer) => Promise<T>): Promise<T> => {
    const used = current();
    try {
      return await work(await used.analyzer);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      if (opened === used) {
        if (now() - used.at < RENEWAL_MS) throw error;
        opened = null;
      }
      return await work(await current().analyzer);
    }
  };
  return {
    scope: (kind) => call((analyzer) => analyzer.scope(kind)),
    submit: (request) => call((analyzer) => analyzer.submit(request)),
    find: (request) => call((analyzer) => analyzer.find(request)),
    progress: (kind, id) => call((analyzer) => analyzer.progress(kind, id)),
    report: (kind, id) => call((analyzer) => analyzer.report(kind, id)),
    quota: (kind) => call(async (analyzer) => (await analyzer.quota?.(kind)) ?? null),
    disarmedFile: (id, maxBytes) => call((analyzer) => analyzer.disarmedFile(id, maxBytes)),
  };
}

/** The analyzer over an outside service. The first request to the service loads it. A stack whose engines do everything never loads it. */
import { forEachKind } from '../../lib/jobs/job.ts';
import { analyzerByKind } from '../../lib/pipeline/analysis/analyzer-by-kind.ts';
import type { Analyzer } from '../../lib/pipeline/ports.ts';
import { createAnalyzer } from '../../lib/service/analyzer.ts';
import { createCdrAnalyzer } from '../../lib/service/analyzer-cdr.ts';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { CdrClient } from '../../lib/service/client/cdr-client.ts';
import { optionalSetting, setting } from './runtime.ts';
import { secretValue } from './secrets.ts';

/**
 * Repeats of one request in a function. A connection that was idle while its function slept is often lost, so a request is sent once more.
 * The state machine waits for a service that is away: there, a wait holds no function, of which an account may have few.
 */
const RETRIES = 1;

/** Fetches the secrets and builds the clients. Throws ConfigError when a secret has no value yet or may not be read, TransientError. */
export async function openServiceAnalyzer(): Promise<Analyzer> {
  const apiKey = await secretValue(setting('AIRLOCK_API_KEY_SECRET'));
  const client = new AnalysisClient({ baseUrl: setting('AIRLOCK_ANALYSIS_URL'), apiKey, retries: RETRIES });
  const cdrUrl = optionalSetting('AIRLOCK_CDR_URL');
  const analyzer = createAnalyzer({ client });
  if (cdrUrl === null) return analyzer;
  const token = await secretValue(setting('AIRLOCK_CDR_TOKEN_SECRET'));
  const cdr = createCdrAnalyzer({
    client: new CdrClient({ baseUrl: cdrUrl, token, retries: RETRIES }),
    beside: analyzer,
  });
  return analyzerByKind(forEachKind((kind) => (kind === 'cdr' ? cdr : analyzer)));
}

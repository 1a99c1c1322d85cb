/** The ports of the stages that have something analysed: the engines, the service, and the records of submissions. */
import { forEachKind } from '../lib/jobs/job.ts';
import { analyzerByKind } from '../lib/pipeline/analyzer-by-kind.ts';
import type { Analyzer } from '../lib/pipeline/ports.ts';
import { createAnalyzer } from '../lib/service/analyzer.ts';
import { createCdrAnalyzer } from '../lib/service/analyzer-cdr.ts';
import { renewedAnalyzer } from '../lib/service/analyzer-renewal.ts';
import { AnalysisClient } from '../lib/service/client/analysis-client.ts';
import { CdrClient } from '../lib/service/client/cdr-client.ts';
import { analyzerWithEngines, scheduleWithEngines } from './engine-analyzer.ts';
import { submissionPorts } from './ports.ts';
import { optionalSetting, type Ports, setting } from './runtime.ts';
import { secretValue } from './secrets.ts';

/** Secrets are read when the service is first asked, so that a run can wait for a secret that has no value yet. */
export async function analysisPorts(): Promise<Pick<Ports, 'submissions' | 'analyzer' | 'schedule'>> {
  const analyzer = analyzerWithEngines(renewedAnalyzer(openAnalyzer));
  return { ...submissionPorts(), analyzer, schedule: scheduleWithEngines() };
}

/** Fetches the secrets and builds the clients. Throws ConfigError when a secret has no value yet or may not be read, TransientError. */
async function openAnalyzer(): Promise<Analyzer> {
  const apiKey = await secretValue(setting('AIRLOCK_API_KEY_SECRET'));
  const client = new AnalysisClient({ baseUrl: setting('AIRLOCK_ANALYSIS_URL'), apiKey });
  const cdrUrl = optionalSetting('AIRLOCK_CDR_URL');
  const analyzer = createAnalyzer({ client });
  if (cdrUrl === null) return analyzer;
  const token = await secretValue(setting('AIRLOCK_CDR_TOKEN_SECRET'));
  const cdr = createCdrAnalyzer({ client: new CdrClient({ baseUrl: cdrUrl, token }), beside: analyzer });
  return analyzerByKind(forEachKind((kind) => (kind === 'cdr' ? cdr : analyzer)));
}

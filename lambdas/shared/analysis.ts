/** The ports of the stages that request analyses: the engines, the service, and the records of submissions. */
import type { Analyzer } from '../../lib/pipeline/ports.ts';
import { renewedAnalyzer } from '../../lib/service/analyzer-renewal.ts';
import { analyzerWithEngines, scheduleWithEngines } from './engine-analyzer.ts';
import { submissionPorts } from './ports.ts';
import type { Ports } from './runtime.ts';

/** Secrets are read when the service is first asked. A run can therefore wait for a secret that has no value yet. */
export async function analysisPorts(): Promise<Pick<Ports, 'submissions' | 'analyzer' | 'schedule'>> {
  return { ...submissionPorts(), analyzer: openedAnalyzer(), schedule: scheduleWithEngines() };
}

/** Returns the analyzer of each kind, without records of submissions. */
export const openedAnalyzer = (): Analyzer => analyzerWithEngines(renewedAnalyzer(openAnalyzer));

async function openAnalyzer(): Promise<Analyzer> {
  const { openServiceAnalyzer } = await import('./service-analyzer.ts');
  return openServiceAnalyzer();
}

/** What the static engine says of some bytes, for tests. */
import { DEFAULT_ENGINE_LIMITS, type StaticReport } from '../../../lib/engines/engine.ts';
import { analyseFile } from '../../../lib/engines/static/analyse-file.ts';

/** The report. Throws when there is none. */
export async function reportOn(bytes: Uint8Array, untrustedName: string): Promise<StaticReport> {
  const report = await analyseFile({ bytes, untrustedName, password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') throw new Error(`${report.failure.code}: ${report.failure.message}`);
  return report;
}

/** The level and the ids of all findings, in one line; `failed:` and the code when there is no report. */
export async function verdictOn(
  bytes: Uint8Array,
  untrustedName: string,
  password: string | null = null,
): Promise<string> {
  const report = await analyseFile({ bytes, untrustedName, password }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') return `failed:${report.failure.code}`;
  return [report.level, ...report.findings.map(({ id }) => id).sort()].join(' ');
}

/** Turns the report of an engine into a result, in the words of the pipeline. A report of another engine is a fault, not a result. */
import type { DisarmReport, DynamicReport, Finding, StaticReport } from '../engines/engine.ts';
import type { EngineReport } from '../engines/threads/task.ts';
import type { UrlReport } from '../engines/url-report.ts';
import type { EngineResult } from '../pipeline/analysis/report-of-results.ts';

export type ResultType = 'static' | 'dynamic' | 'cdr' | 'url_analysis';

/** The result, and the bytes of the disarmed file. */
export interface Answer {
  readonly result: EngineResult;
  readonly bytes: Uint8Array | null;
  /** For a picture: our own engines found that every byte belongs to the picture. A service is never asked this. */
  readonly isPlain?: true;
}

/** Returns the result of one engine for one question. */
export function resultOf(type: ResultType, report: EngineReport): Answer {
  if (report.outcome === 'failed') return failed(type, report.failure);
  if (type === 'cdr' && 'bytes' in report) {
    const { bytes, isPlain } = report;
    return { result: disarmed(report), bytes, ...(isPlain && { isPlain }) };
  }
  if (type === 'static' && 'hashes' in report) return { result: judged(type, report), bytes: null };
  if (type === 'dynamic' && 'events' in report) return { result: judged(type, report), bytes: null };
  if (type === 'url_analysis' && isUrlReport(report))
    return { result: { ...judged(type, report), redirects: redirectsOf(report) }, bytes: null };
  return failed(type, { code: 'engine_failed', message: 'the engine answered with a report of another kind' });
}

const isUrlReport = (report: EngineReport): report is UrlReport =>
  !['details', 'hashes', 'events', 'page', 'failure'].some((key) => key in report);

const NOTHING = {
  level: null,
  score: null,
  error: null,
  findings: [],
  removed: [],
  sanitized: [],
  redirects: [],
  format: null,
};

function failed(type: ResultType, error: NonNullable<EngineResult['error']>): Answer {
  return { result: { ...NOTHING, type, status: 'error', error }, bytes: null };
}

function judged(type: ResultType, { level, score, findings }: StaticReport | DynamicReport | UrlReport): EngineResult {
  // The worst findings come first. A cut therefore never hides the reason for the level.
  const sorted = [...findings].sort((one, other) => other.score - one.score);
  return { ...NOTHING, type, status: 'completed', level, score, findings: sorted.map(explained) };
}

/** The first address is the URL itself. */
const redirectsOf = ({ visit }: UrlReport): string[] => visit?.hops.slice(1).map(({ url }) => url) ?? [];

function explained({ name, description, where }: Finding) {
  return { name, description: where === null ? description : `${description} (${where})` };
}

function disarmed({ details, readAs }: DisarmReport): EngineResult {
  const kindsOf = (action: 'removed' | 'sanitized') => [
    ...new Set(details.filter((detail) => detail.action === action).map(({ kind }) => kind)),
  ];
  const kinds = { removed: kindsOf('removed'), sanitized: kindsOf('sanitized') };
  return { ...NOTHING, type: 'cdr', status: 'completed', ...kinds, format: readAs.type };
}

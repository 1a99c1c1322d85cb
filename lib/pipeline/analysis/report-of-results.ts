/** Joins the results of engines about one artifact into one report, in the words of the pipeline. Every adapter of the Analyzer uses it. */
import type { FileGroup } from '../../formats/file-groups.ts';
import { groupOf, isFileType } from '../../formats/file-types.ts';
import type { Failure, FailureClass, Report, Verdict } from '../model.ts';

/** The findings of one engine, or the reason why there are none. */
export interface EngineResult {
  /** `static`, `dynamic`, `cdr` or `url_analysis`. */
  readonly type: string;
  /** `completed` or `error`. */
  readonly status: string;
  /** Null for a disarm, which does not judge. */
  readonly level: Verdict | null;
  readonly score: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly findings: readonly { readonly name: string; readonly description: string }[];
  /** Kinds of content that a disarm removed or rewrote. */
  readonly removed: readonly string[];
  readonly sanitized: readonly string[];
  /** The addresses to which a visit of a URL was redirected, in order. Untrusted. */
  readonly redirects: readonly string[];
  /** The MIME type as which a disarm read the file. */
  readonly format: string | null;
}

/** Failure codes of engines. A code that is not here is a service_error: policy never guesses what an unknown word means. */
const FAILURE_CLASS_OF: ReadonlyMap<string, FailureClass> = new Map(
  Object.entries({
    encrypted: 'encrypted',
    unsupported: 'unsupported',
    no_environment: 'unsupported',
    oversize: 'oversize',
    unreadable: 'unreadable',
    timeout: 'timeout',
    unsafe_output: 'unsafe_output',
  } as const),
);

/** From harmless to worst. Unknown is worse than benign. */
const LEVEL_ORDER: readonly Verdict[] = ['benign', 'unknown', 'suspicious', 'malicious'];

/** The most explanations. The attack is an engine that explains itself in megabytes. */
const MAX_REASONS = 50;
const MAX_REASON_LENGTH = 300;
/** The most redirects. No visit of ours has more. */
export const MAX_REDIRECTS = 10;

/** Returns the report of finished results: the worst level, and benign only when nothing failed. */
export function reportOfResults(results: readonly EngineResult[]): Report {
  const completed = results.filter((result) => result.status === 'completed');
  const failure = failureOf(results.filter((result) => result.status === 'error'));
  const scores = completed.flatMap((result) => result.score ?? []);
  const disarm = completed.find(({ type }) => type === 'cdr');
  const redirects = bounded(completed.flatMap((result) => result.redirects)).slice(0, MAX_REDIRECTS);
  return {
    verdict: verdictOf(completed, failure),
    score: scores.length > 0 ? Math.max(...scores) : null,
    reasons: bounded(completed.flatMap(reasonsOf)),
    failure,
    removed: bounded(completed.flatMap((result) => result.removed)),
    sanitized: bounded(completed.flatMap((result) => result.sanitized)),
    hasDisarmedFile: disarm !== undefined,
    readAs: groupRead(disarm?.format),
    ...(redirects.length > 0 && { redirects }),
  };
}

/** Returns the worst level found. Benign needs every result: when one has failed, not everything was checked. */
function verdictOf(completed: readonly EngineResult[], failure: Failure | null): Verdict {
  const ranks = completed.map(({ level }) => LEVEL_ORDER.indexOf(level ?? 'unknown'));
  const worst = LEVEL_ORDER[Math.max(...ranks)] ?? 'unknown';
  return failure && worst === 'benign' ? 'unknown' : worst;
}

/** Returns the failure of the results that ended in error. A missing environment is named only when nothing else went wrong. */
function failureOf(failed: readonly EngineResult[]): Failure | null {
  const main = failed.find(({ error }) => error?.code !== 'no_environment') ?? failed[0];
  if (!main) return null;
  const detail = failed
    .map(({ type, error }) => `${type}: ${error?.message ?? 'the service gave no reason'}`)
    .join('; ');
  return failureOfCode(main.error?.code ?? null, detail);
}

/** Returns the failure for an engine's code. */
export function failureOfCode(code: string | null, detail: string): Failure {
  return { class: FAILURE_CLASS_OF.get(code ?? '') ?? 'service_error', detail: detail.slice(0, MAX_REASON_LENGTH) };
}

/** Returns the findings of a result. If there are none, returns its level and score. */
function reasonsOf({ type, level, score, findings }: EngineResult): string[] {
  if (findings.length > 0) return findings.map(({ name, description }) => `${name}: ${description}`);
  // A disarm gives no level. Its actions are in `removed` and `sanitized`. A benign result needs no reason.
  if (type === 'cdr' || level === 'benign') return [];
  const scored = score === null ? '' : ` with score ${score}`;
  return [`${type} analysis: ${level === null ? 'no level given' : `level ${level}`}${scored}`];
}

/** Limits the number of texts and the length of each. */
export function bounded(texts: readonly string[]): string[] {
  return texts.slice(0, MAX_REASONS).map((text) => text.slice(0, MAX_REASON_LENGTH));
}

/** Returns the group as which a disarm read its file. Unknown when the service does not tell it, or uses other words. */
export function groupRead(format: string | null | undefined): FileGroup | null {
  return format && isFileType(format) ? groupOf(format) : null;
}

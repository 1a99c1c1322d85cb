/** Shows a submission in the shapes of v1. They are made from those of v3, so that the two never disagree. */
import { REPORT_TYPES } from '../../contract/common.ts';
import type { V1Iocs, V1ListItem, V1Report, V1Submission } from '../../contract/v1-bodies.ts';
import { V1_LEVEL_OF, V1_REPORT_KEYS, V1_STATUS_OF, type V1ReportKey } from '../../contract/v1-words.ts';
import type { Ioc } from '../../contract/v3-reports.ts';
import type { Submission, SubmissionReport } from '../../contract/v3-submission.ts';

/** The findings of a submission, as v3 lists them. */
export interface Findings {
  readonly indicators: readonly object[];
  readonly iocs: readonly Ioc[];
  readonly yaraRules: readonly object[];
  readonly artifacts: readonly object[];
  readonly configs: readonly object[];
}

/** The keys of reports, in the order in which public clients look for the main report. */
const KEYS: readonly V1ReportKey[] = ['dynamic', 'static', 'cdr', 'urlAnalysis'];

/** Returns a submission in a v1 list. Keys without a value are absent, because public clients fail on `null`. */
export function v1ListItem(submission: Submission): V1ListItem {
  const { file, hashes, url, overview } = submission;
  return {
    uuid: submission.uuid,
    type: submission.type,
    ...(overview && { status: V1_STATUS_OF[overview.status] }),
    level: V1_LEVEL_OF[submission.level],
    private: submission.private,
    ...(url !== null && { url }),
    ...(file &&
      hashes && {
        fileInfo: { name: file.name, size: file.size, extension: file.extension, mimetype: file.mimetype, hashes },
      }),
    reports: reportsOf(submission),
    createdAt: submission.createdAt,
    ...(submission.updatedAt !== null && { updatedAt: submission.updatedAt }),
  };
}

/**
 * Returns the body of GET /public-api/get/submission/:uuid. The findings are at the top and in the main report, because clients read both
 * places.
 */
export function v1Submission(submission: Submission, findings: Findings): V1Submission {
  const item = v1ListItem(submission);
  const indicators = facts(findings.indicators);
  const ioc = v1Iocs(findings.iocs);
  const yaraRules = facts(findings.yaraRules);
  const artifacts = facts(findings.artifacts);
  const configs = facts(findings.configs);
  const primary = KEYS.find((key) => item.reports[key]?.enabled);
  const reports = { ...item.reports };
  if (primary) {
    const found = {
      indicators,
      ioc,
      matched_yara_rules: yaraRules,
      additionalFiles: artifacts,
      extractedConfigs: configs,
    };
    reports[primary] = { enabled: true, ...reports[primary], ...found };
  }
  return {
    ...item,
    reports,
    indicators,
    iocs: ioc,
    matchedYARARules: yaraRules,
    artifacts,
    extractedConfigs: configs,
  };
}

/** Returns values by type. The four types that v1 names always exist. */
export function v1Iocs(iocs: readonly Ioc[]): V1Iocs {
  const byType = new Map<string, string[]>([
    ['url', []],
    ['domain', []],
    ['email', []],
    ['ip', []],
  ]);
  for (const { type, value } of iocs) byType.set(type, [...(byType.get(type) ?? []), value]);
  return Object.fromEntries(byType) as V1Iocs;
}

/** Returns the objects without nulls at any depth. v1 does not describe their fields. */
export function facts(items: readonly object[]): Record<string, unknown>[] {
  return items.map((item) => withoutNulls(item) as Record<string, unknown>);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutNulls(item)]));
}

function reportsOf(submission: Submission): V1ListItem['reports'] {
  const scheduled = REPORT_TYPES.flatMap((type) => {
    const report = submission.reports.find((candidate) => candidate.type === type);
    const key = type === 'open_in_browser' ? undefined : V1_REPORT_KEYS[type];
    return report && key ? [[key, reportOf(report, submission)] as const] : [];
  });
  const absent = KEYS.map((key) => [key, { enabled: false }] as const);
  return Object.fromEntries([...absent, ...scheduled]);
}

function reportOf(report: SubmissionReport, { url }: Submission): V1Report {
  return {
    enabled: true,
    status: V1_STATUS_OF[report.status],
    ...(report.level !== null && { level: V1_LEVEL_OF[report.level] }),
    ...(report.score !== null && { score: report.score }),
    ...(report.error && { error: report.error }),
    ...(report.type === 'cdr' && { removed: report.removed, sanitized: report.sanitized }),
    ...(report.type === 'url_analysis' && url !== null && { generalInfo: { url, domain: new URL(url).hostname } }),
  };
}

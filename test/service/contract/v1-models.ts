/** What the clients of v1 read of each answer: two generations of an XSOAR pack, and an older MCP server. */
import { list, object, optional, type Shape, words } from './shape.ts';

const V1_REPORT = object({
  enabled: words(...([true, false] as unknown as number[])),
  status: optional(words(0, 1, 2, 3, 4, 5)),
  level: optional(words(0, 1, 2, 3)),
});
const HASHES = object({ md5: 'string', sha1: 'string', sha256: 'string' });

export const V1_CREATED = object({ message: 'string', uuid: 'string' });
/** The clients read `fileInfo.hashes` and the status of the first enabled report without checking that they exist. */
export const V1_FILE_SUBMISSION: Shape = object({
  uuid: 'string',
  level: words(0, 1, 2, 3),
  private: 'boolean',
  fileInfo: object({ name: 'string', hashes: HASHES }),
  reports: object({ dynamic: V1_REPORT, static: V1_REPORT, cdr: V1_REPORT }),
});
export const V1_URL_SUBMISSION: Shape = object({
  uuid: 'string',
  level: words(0, 1, 2, 3),
  private: 'boolean',
  url: 'string',
  reports: object({ urlAnalysis: V1_REPORT }),
});
export const V1_PAGE = object({ submissions: list('record'), total: 'int', page: 'int', jump: 'int' });
export const V1_ME = object({
  userInfo: object({
    email: 'string',
    fullName: 'string',
    workspaceName: 'string',
    workspace: object({ name: 'string' }),
    limitsCount: object({ apiRequestCount: 'int', dailySubmissionCount: 'int', concurrentSubmissionCount: 'int' }),
  }),
  plan: object({
    name: 'string',
    status: 'string',
    submissionLimits: object({ apiLimit: 'int', dailyLimit: 'int', concurrentLimit: 'int' }),
    fileLimits: object({ extensions: list('string') }),
  }),
  modules: list(object({ name: 'string' })),
});

interface LegacyReport {
  readonly enabled: boolean;
  readonly status: number;
}

/**
 * The report that an XSOAR pack picks: the first enabled one in its own order. Its Python reads `reports.get(name, {}).get(…)`,
 * which fails on null and works on an absent key.
 */
export function pickedReport(body: { reports: Record<string, LegacyReport | null> }): [string, LegacyReport] {
  for (const name of ['dynamic', 'static', 'cdr', 'urlAnalysis']) {
    const report = name in body.reports ? body.reports[name] : { enabled: false, status: -1 };
    if (report === null || report === undefined) throw new TypeError(`reports.${name} is null`);
    if (report.enabled) return [name, report];
  }
  throw new TypeError('no enabled report');
}

/** True when a pack lets a submission start. It subtracts, so a limit of 0 means "exceeded" to it and not "none". */
export function hasQuota(me: {
  userInfo: { limitsCount: Record<string, number> };
  plan: { submissionLimits: Record<string, number> };
}): boolean {
  const { limitsCount } = me.userInfo;
  const { submissionLimits } = me.plan;
  const left = (limit: string, count: string) => (submissionLimits[limit] ?? 0) - (limitsCount[count] ?? 0);
  return (
    left('apiLimit', 'apiRequestCount') >= 1 &&
    left('dailyLimit', 'dailySubmissionCount') >= 1 &&
    left('concurrentLimit', 'concurrentSubmissionCount') >= 1
  );
}

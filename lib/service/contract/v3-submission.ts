/** A submission and its reports as the current interface (v3) shows them: in detail, in lists, and at creation. */
import * as z from 'zod';
import { Hashes, IndicatorLevel, listOf, orNull, ReportStatus, Tag, ThreatLevel } from './common.ts';

export const SubmissionCreated = z.object({
  uuid: z.string().min(1).describe('Id of the submission.'),
  message: z.string().default('').describe('A message for people.'),
  sha256: orNull(z.string()).describe(
    'SHA-256 of the submitted file, or of the text of the URL. Some services have null for a URL.',
  ),
});
/** The answer to a new submission. */
export type SubmissionCreated = z.infer<typeof SubmissionCreated>;

export const ReportError = z.object({ code: z.string(), message: z.string() }).describe('Why a report ended in error.');
export type ReportError = z.infer<typeof ReportError>;

export const ReportFinding = z.object({
  id: z.string().describe('Stable id of the rule.'),
  name: z.string(),
  description: z.string(),
  level: IndicatorLevel,
  score: z.number().describe('0 to 100.'),
});
export type ReportFinding = z.infer<typeof ReportFinding>;

/** One report of a submission. `error` and the keys after it are our addition: they explain the outcome. */
export const SubmissionReport = z.object({
  type: z
    .string()
    .describe('dynamic, static, cdr, url_analysis or open_in_browser. Ignore types that you did not ask for.'),
  status: ReportStatus,
  level: orNull(ThreatLevel).describe('Null until the report is completed, and always for cdr, which gives no level.'),
  score: orNull(z.number()).describe('0 to 100.'),
  format: orNull(z.string()).describe(
    'Format of the file, when the report depends on it. For cdr, the MIME type as which it was read.',
  ),
  operatingSystem: orNull(z.object({ name: z.string(), platform: z.string() })).describe('Only for a dynamic report.'),
  duration: orNull(z.number()).describe('Seconds.'),
  error: orNull(ReportError),
  findings: listOf(ReportFinding).describe('Rules that matched.'),
  removed: listOf(z.string()).describe('cdr: kinds of content removed.'),
  sanitized: listOf(z.string()).describe('cdr: kinds of content rewritten.'),
  redirects: listOf(z.string()).describe('url_analysis: where the visit was led on to, in order. Our addition.'),
  engineVersion: orNull(z.string()),
});
export type SubmissionReport = z.infer<typeof SubmissionReport>;

export const SkippedReport = z.object({
  type: z.string().describe('As in `reports`.'),
  reason: ReportError,
});

export const SubmissionFile = z.object({
  name: z.string(),
  size: z.number().describe('Bytes.'),
  extension: z.string(),
  mimetype: z.string(),
  isMimetypeChecked: z.boolean().describe('True when the type was read from the bytes and not from the name.'),
  entrypoint: orNull(z.object({ filename: z.string() })).describe('The file that was analysed in an archive.'),
  source: z.object({ type: z.string().describe('upload or url.'), url: orNull(z.string()) }),
});

/** The six counts serve clients of both generations; `completed` is an alias of `finished`. */
export const Jobs = z.object({
  total: z.number(),
  completed: z.number(),
  succeeded: z.number(),
  failed: z.number(),
  skipped: z.number(),
  finished: z.number(),
});

/** How many indicators have each level. */
export const LevelCounts = z.object({ malicious: z.number(), suspicious: z.number(), benign: z.number() });

const Overview = orNull(z.object({ status: ReportStatus, jobs: orNull(Jobs.partial()) })).describe(
  'All reports taken together.',
);
const Rollup = orNull(z.object({ levels: LevelCounts, artifactCount: z.number() })).describe('Indicators, counted.');

/** A submission. The schema is strict where decisions rest on it (ids, statuses, levels), and tolerant elsewhere. */
export const Submission = z.object({
  uuid: z.string().min(1),
  type: z.enum(['file', 'url']),
  filename: orNull(z.string()).describe('Only for a file.'),
  url: orNull(z.string()).describe('Only for a URL.'),
  hashes: orNull(Hashes),
  file: orNull(SubmissionFile),
  level: ThreatLevel.describe('The worst level of the completed reports.'),
  score: orNull(z.number()).describe('The highest score of the completed reports.'),
  family: orNull(z.string()).describe('Malware family.'),
  private: z.boolean().default(false).describe('Hidden from other workspaces.'),
  tags: listOf(Tag),
  reports: z.array(SubmissionReport).describe('One entry for each scheduled report, from the first answer on.'),
  skippedReports: listOf(SkippedReport).describe('Reports that no environment can make. Our addition.'),
  overview: Overview,
  indicators: Rollup,
  mitreTechniques: listOf(z.string()).describe('ATT&CK techniques, for example T1204.002.'),
  createdAt: z.string().describe('ISO 8601.'),
  updatedAt: orNull(z.string()).describe('ISO 8601.'),
});
export type Submission = z.infer<typeof Submission>;

export const SubmissionList = z.array(Submission);

/** A submission in a list, with what a table needs. */
export const SubmissionListItem = z.object({
  uuid: z.string().min(1),
  filename: orNull(z.string()),
  url: orNull(z.string()).describe('Only for a URL; our addition.'),
  sha256: orNull(z.string()).describe('Only for a file.'),
  level: ThreatLevel,
  type: z.enum(['file', 'url']),
  private: z.boolean().default(false),
  tags: listOf(Tag),
  reports: z.array(SubmissionReport),
  mimetype: orNull(z.string()),
  size: orNull(z.number()).describe('Bytes.'),
  overview: Overview,
  indicators: Rollup,
  createdAt: z.string().describe('ISO 8601.'),
});
export type SubmissionListItem = z.infer<typeof SubmissionListItem>;

/** The keys that every paginated answer has beside its items. */
export const PAGE_FIELDS = {
  total: z.number().describe('Items on all pages together.'),
  page: z.number().default(1),
  limit: z.number().default(0),
  totalPages: z.number().default(0).describe('0 when there are no items.'),
};

export const SubmissionPage = z.object({ items: z.array(SubmissionListItem), ...PAGE_FIELDS });
/** One page of a list of submissions. */
export type SubmissionPage = z.infer<typeof SubmissionPage>;

export const MediaFile = z.object({
  id: z.string(),
  name: z.string(),
  contentType: orNull(z.string()),
  size: orNull(z.number()).describe('Bytes.'),
  kind: orNull(z.string()).describe('video or screenshot.'),
});
export const MediaList = z.array(MediaFile);

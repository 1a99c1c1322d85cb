/**
 * The current interface (v3) of the analysis service: schemas, then the routes as a table. A new route is a new row here, a
 * handler in server/v3-handlers.ts and a method in client/analysis-client.ts; the compiler and the route test miss neither.
 */
import * as z from 'zod';
import {
  FormBoolean,
  Hashes,
  IndicatorLevel,
  listOf,
  orNull,
  ReportStatus,
  type RouteDefinition,
  Sha256,
  Tag,
  ThreatLevel,
  UploadedFile,
} from './common.ts';

/** Where the v3 routes live: as documented, and where public clients expect them. */
export const V3_PREFIXES = ['', '/public-api'] as const;

const MetafieldValue = z.union([z.string().max(1_000), z.number(), z.boolean()]);
const MetafieldList = z.array(z.object({ key: z.string().min(1).max(100), value: MetafieldValue })).max(100);
const MetafieldObject = z.record(z.string().min(1).max(100), MetafieldValue);

/** JSON text: a list of {key, value} as documented, or an object as public clients send. Reads as the list. */
export const Metafields = z
  .string()
  .max(64 * 1024)
  .transform((text, context) => {
    const parsed = z.union([MetafieldList, MetafieldObject]).safeParse(jsonOrUndefined(text));
    if (parsed.success) {
      return Array.isArray(parsed.data)
        ? parsed.data
        : Object.entries(parsed.data).map(([key, value]) => ({ key, value }));
    }
    context.addIssue({ code: 'custom', message: 'expected JSON: a list of {key, value} or an object' });
    return z.NEVER;
  })
  .describe('Configuration of the analysis, as JSON text.');

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const FileForm = z.object({
  file: UploadedFile,
  private: FormBoolean.default(false).describe('Hide the submission from other workspaces.'),
  entrypoint: orNull(z.string().max(1_000)).describe('The file to analyse within an archive.'),
  password: orNull(z.string().max(1_000)).describe('Password to open the file with.'),
});

export const SandboxForm = FileForm.extend({
  environment: orNull(z.string().max(100)).describe('Operating system to run the file in, for example w10_x64.'),
  metafields: orNull(Metafields),
});

export const UrlBody = z.object({
  url: z
    .string()
    .max(8_192)
    .refine((text) => URL.canParse(text), 'expected an absolute URL')
    .describe('The URL to analyse.'),
  private: z.boolean().default(false).describe('Hide the submission from other workspaces.'),
});

export const SubmissionCreated = z.object({
  uuid: z.string().min(1),
  message: z.string().default(''),
  sha256: orNull(z.string()).describe('Of the submitted file; null for a URL.'),
});
export type SubmissionCreated = z.infer<typeof SubmissionCreated>;

export const ReportError = z.object({ code: z.string(), message: z.string() }).describe('Why a report ended in error.');
export type ReportError = z.infer<typeof ReportError>;

export const ReportFinding = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  level: IndicatorLevel,
  score: z.number(),
});
export type ReportFinding = z.infer<typeof ReportFinding>;

/** One report of a submission. The keys from `error` on are our addition: they explain the outcome. */
export const SubmissionReport = z.object({
  type: z
    .string()
    .describe('dynamic, static, cdr, url_analysis or open_in_browser. Open set: ignore what was not asked for.'),
  status: ReportStatus,
  level: orNull(ThreatLevel).describe('Null until completed, and for cdr, which does not judge.'),
  score: orNull(z.number()),
  format: orNull(z.string()),
  operatingSystem: orNull(z.object({ name: z.string(), platform: z.string() })),
  duration: orNull(z.number()).describe('Seconds.'),
  error: orNull(ReportError),
  findings: listOf(ReportFinding).describe('Rules that matched.'),
  removed: listOf(z.string()).describe('cdr: kinds of content taken out.'),
  sanitized: listOf(z.string()).describe('cdr: kinds of content rewritten.'),
  engineVersion: orNull(z.string()),
});
export type SubmissionReport = z.infer<typeof SubmissionReport>;

export const SubmissionFile = z.object({
  name: z.string(),
  size: z.number().describe('Bytes.'),
  extension: z.string(),
  mimetype: z.string(),
  isMimetypeChecked: z.boolean().describe('True when the type was read from the bytes, not from the name.'),
  entrypoint: orNull(z.object({ filename: z.string() })),
  source: z.object({ type: z.string(), url: orNull(z.string()) }),
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

/** A submission. Strict in what decisions rest on (ids, statuses, levels), tolerant in the rest. */
export const Submission = z.object({
  uuid: z.string().min(1),
  type: z.enum(['file', 'url']),
  filename: orNull(z.string()),
  url: orNull(z.string()),
  hashes: orNull(Hashes),
  file: orNull(SubmissionFile),
  level: ThreatLevel.describe('The worst level of the completed reports.'),
  score: orNull(z.number()),
  family: orNull(z.string()),
  private: z.boolean().default(false),
  tags: listOf(Tag),
  reports: z.array(SubmissionReport).describe('One for each scheduled report, from the first answer on.'),
  overview: orNull(z.object({ status: ReportStatus, jobs: orNull(Jobs.partial()) })),
  indicators: orNull(
    z.object({
      levels: z.object({ malicious: z.number(), suspicious: z.number(), benign: z.number() }),
      artifactCount: z.number(),
    }),
  ),
  mitreTechniques: listOf(z.string()),
  createdAt: z.string().describe('ISO 8601.'),
  updatedAt: orNull(z.string()).describe('ISO 8601.'),
});
export type Submission = z.infer<typeof Submission>;

export const SubmissionList = z.array(Submission);

const Period = { startTime: z.string(), endTime: z.string().describe('ISO 8601, or `Unlimited`.') };

export const Me = z.object({
  userInfo: z.object({
    email: z.string(),
    fullName: z.string(),
    workspace: z.object({ name: z.string(), alias: z.string(), private: z.boolean(), type: z.string() }),
    limitsCount: z.object({
      apiRequestCount: z.number(),
      dailySubmissionCount: z.number(),
      concurrentSubmissionCount: z.number(),
    }),
  }),
  plan: z.object({
    planName: z.string(),
    ...Period,
    subsTime: z.string(),
    fileLimits: z.object({
      extensions: z.array(z.string()).describe('Accepted file extensions; an empty list accepts any.'),
      fileSize: z.string().describe('Text, for example `100 MiB`.'),
    }),
    submissionLimits: z
      .object({ apiLimit: z.number(), dailyLimit: z.number(), concurrentLimit: z.number() })
      .describe('0 means no limit.'),
  }),
  modules: z.array(z.object({ moduleId: z.string(), moduleName: z.string(), ...Period })),
});
export type Me = z.infer<typeof Me>;

const SubmissionId = z.object({ uuid: z.uuid().describe('Id of the submission.') });
const created = { 200: { kind: 'json', schema: SubmissionCreated } } as const;
const createErrors = ['INVALID_BODY', 'PAYLOAD_TOO_LARGE', 'SUBMISSION_LIMIT_EXCEEDED'] as const;

export const V3_ROUTES = [
  {
    name: 'createSandboxSubmission',
    summary: 'Submit a file for dynamic and static analysis',
    method: 'POST',
    paths: ['/submissions/sandbox'],
    auth: 'bearer',
    request: { multipart: SandboxForm },
    responses: created,
    errors: createErrors,
  },
  {
    name: 'createStaticSubmission',
    summary: 'Submit a file for static analysis',
    method: 'POST',
    paths: ['/submissions/static'],
    auth: 'bearer',
    request: { multipart: FileForm },
    responses: created,
    errors: createErrors,
  },
  {
    name: 'createCdrSubmission',
    summary: 'Submit a file for content disarm and reconstruction',
    method: 'POST',
    paths: ['/submissions/cdr'],
    auth: 'bearer',
    request: { multipart: FileForm },
    responses: created,
    errors: createErrors,
  },
  {
    name: 'createUrlSubmission',
    summary: 'Submit a URL for analysis',
    method: 'POST',
    paths: ['/submissions/url', '/submissions/url_analysis'],
    auth: 'bearer',
    request: { json: UrlBody },
    responses: created,
    errors: createErrors,
  },
  {
    name: 'searchBySha256',
    summary: 'Submissions of the file with this hash, newest first',
    method: 'GET',
    paths: ['/submissions/search/sha256/:sha256'],
    auth: 'bearer',
    request: { params: z.object({ sha256: Sha256 }) },
    responses: { 200: { kind: 'json', schema: SubmissionList } },
    errors: ['INVALID_QUERY_PARAM'],
  },
  {
    name: 'getSubmission',
    summary: 'One submission with its reports',
    method: 'GET',
    paths: ['/submissions/:uuid'],
    auth: 'bearer',
    request: { params: SubmissionId },
    responses: { 200: { kind: 'json', schema: Submission } },
    errors: ['INVALID_UUID', 'SUBMISSION_NOT_FOUND'],
  },
  {
    name: 'downloadCdrSanitized',
    summary: 'The sanitized file of a cdr submission',
    method: 'GET',
    paths: ['/submissions/:uuid/download/cdr-sanitized', '/submissions/:uuid/download/cdr'],
    auth: 'bearer',
    request: { params: SubmissionId },
    responses: { 200: { kind: 'file', contentType: 'application/octet-stream', description: 'The sanitized file.' } },
    errors: ['INVALID_UUID', 'SUBMISSION_NOT_FOUND', 'CDR_REPORT_UNAVAILABLE'],
  },
  {
    name: 'me',
    summary: 'The current user, plan and limits',
    method: 'GET',
    paths: ['/me'],
    auth: 'bearer',
    request: {},
    responses: { 200: { kind: 'json', schema: Me } },
    errors: [],
  },
] as const satisfies readonly RouteDefinition[];

export type V3Route = (typeof V3_ROUTES)[number];
export type V3RouteName = V3Route['name'];

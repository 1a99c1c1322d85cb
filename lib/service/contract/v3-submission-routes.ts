/** The routes of v3 that create, show, list and download submissions. */
import * as z from 'zod';
import { type RouteDefinition, Sha256 } from './common.ts';
import { CdrForm, FileForm, ListQuery, MediaQuery, OpenInBrowserBody, SandboxForm, UrlBody } from './v3-requests.ts';
import { MediaList, Submission, SubmissionCreated, SubmissionList, SubmissionPage } from './v3-submission.ts';

export const SubmissionId = z.object({ uuid: z.uuid().describe('Id of the submission.') });

/** Returns an id that is only looked up. The service chooses its form. */
const opaqueId = (meaning: string) => z.string().min(1).describe(meaning);

const created = { 200: { kind: 'json', schema: SubmissionCreated } } as const;
const createErrors = [
  'INVALID_BODY',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_ENCODING',
  'SUBMISSION_LIMIT_EXCEEDED',
] as const;
/** Error codes of every route below one submission. */
export const ofSubmission = ['INVALID_UUID', 'SUBMISSION_NOT_FOUND', 'SUBMISSION_PRIVATE'] as const;

const file = (contentType: string, description: string) =>
  ({ 200: { kind: 'file', contentType, description } }) as const;

export const V3_CREATE_ROUTES = [
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
    request: { multipart: CdrForm },
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
    name: 'createOpenInBrowserSubmission',
    summary: 'Submit a URL for analysis, and open it in the browser of an environment',
    method: 'POST',
    paths: ['/submissions/open_in_browser'],
    auth: 'bearer',
    request: { json: OpenInBrowserBody },
    responses: created,
    errors: createErrors,
  },
] as const satisfies readonly RouteDefinition[];

export const V3_QUERY_ROUTES = [
  {
    name: 'listSubmissions',
    summary: 'The submissions of the own workspace, or public ones, with filters, in pages',
    method: 'GET',
    paths: ['/submissions'],
    auth: 'bearer',
    request: { query: ListQuery },
    responses: { 200: { kind: 'json', schema: SubmissionPage } },
    errors: ['INVALID_QUERY_PARAM'],
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
    errors: ofSubmission,
  },
  {
    name: 'getScreenshot',
    summary: 'Screenshot of a URL analysis',
    method: 'GET',
    paths: ['/submissions/:uuid/screenshot'],
    auth: 'bearer',
    request: { params: SubmissionId },
    requires: 'url_analysis',
    responses: file('image/png', 'The screenshot.'),
    errors: [...ofSubmission, 'URL_ANALYSIS_REPORT_UNAVAILABLE', 'MEDIA_NOT_FOUND'],
  },
  {
    name: 'listMedia',
    summary: 'Screenshots and videos of a submission',
    method: 'GET',
    paths: ['/submissions/:uuid/media'],
    auth: 'bearer',
    request: { params: SubmissionId, query: MediaQuery },
    responses: { 200: { kind: 'json', schema: MediaList } },
    errors: [...ofSubmission, 'INVALID_QUERY_PARAM'],
  },
  {
    name: 'getMediaFile',
    summary: 'One screenshot or video',
    method: 'GET',
    paths: ['/submissions/:uuid/media/:fileId'],
    auth: 'bearer',
    request: { params: SubmissionId.extend({ fileId: opaqueId('Id from the media list.') }) },
    responses: file('application/octet-stream', 'The media file.'),
    errors: [...ofSubmission, 'MEDIA_NOT_FOUND'],
  },
] as const satisfies readonly RouteDefinition[];

export const V3_DOWNLOAD_ROUTES = [
  {
    name: 'downloadSample',
    summary: 'The submitted file, in a ZIP with the password `infected`',
    method: 'GET',
    paths: ['/submissions/:uuid/download/sample'],
    auth: 'bearer',
    request: { params: SubmissionId },
    responses: file('application/zip', 'ZIP, encrypted with the password `infected`.'),
    errors: [...ofSubmission, 'SAMPLE_NOT_AVAILABLE'],
  },
  {
    name: 'downloadHtmlReport',
    summary: 'The reports as one page without scripts',
    method: 'GET',
    paths: ['/submissions/:uuid/download/html-report'],
    auth: 'bearer',
    request: { params: SubmissionId },
    responses: file('text/html; charset=utf-8', 'One self-contained page.'),
    errors: ofSubmission,
  },
  {
    name: 'downloadPcap',
    summary: 'The network traffic of a dynamic analysis',
    method: 'GET',
    paths: ['/submissions/:uuid/download/pcap'],
    auth: 'bearer',
    request: { params: SubmissionId },
    requires: 'dynamic',
    responses: file('application/vnd.tcpdump.pcap', 'PCAP capture.'),
    errors: [...ofSubmission, 'DYNAMIC_REPORT_UNAVAILABLE', 'ARTIFACT_NOT_FOUND'],
  },
  {
    name: 'downloadYaraRule',
    summary: 'A YARA rule made for the submitted file',
    method: 'GET',
    paths: ['/submissions/:uuid/download/yara-rule'],
    auth: 'bearer',
    request: { params: SubmissionId },
    responses: {
      200: { kind: 'file', contentType: 'text/plain; charset=utf-8', description: 'The rule.' },
      202: {
        kind: 'json',
        schema: z.object({ message: z.string(), retryAfter: z.number().describe('Seconds.') }),
      },
    },
    errors: [...ofSubmission, 'STATIC_REPORT_UNAVAILABLE'],
  },
  {
    name: 'downloadArtifact',
    summary: 'One artifact of the artifact list',
    method: 'GET',
    paths: ['/submissions/:uuid/download/artifact/:artifactId'],
    auth: 'bearer',
    request: { params: SubmissionId.extend({ artifactId: opaqueId('Id from the artifact list.') }) },
    responses: file('application/octet-stream', 'The artifact.'),
    errors: [...ofSubmission, 'ARTIFACT_NOT_FOUND'],
  },
  {
    name: 'downloadCdrSanitized',
    summary: 'The sanitized file of a cdr submission',
    method: 'GET',
    paths: ['/submissions/:uuid/download/cdr-sanitized', '/submissions/:uuid/download/cdr'],
    auth: 'bearer',
    request: { params: SubmissionId },
    requires: 'cdr',
    responses: file('application/octet-stream', 'The sanitized file.'),
    errors: [...ofSubmission, 'CDR_REPORT_UNAVAILABLE'],
  },
] as const satisfies readonly RouteDefinition[];

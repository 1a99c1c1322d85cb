/** The handlers of v1. Submissions are made and read like those of v3, and shown in the shapes of v1. */

import type { V1_ROUTES } from '../../contract/v1.ts';
import { V1_CREATED_MESSAGE } from '../../contract/v1-words.ts';
import type { V3_ROUTES } from '../../contract/v3.ts';
import type { Call } from '../call.ts';
import { requireEnvironment } from '../environments.ts';
import { asksToHide } from '../http/field-names.ts';
import { accept, fileSubject, type SubmissionRequest } from '../jobs/accept.ts';
import type { JobContext } from '../jobs/jobs.ts';
import type { Handlers } from '../routing.ts';
import { ServiceError } from '../service-error.ts';
import { readDynamic } from '../store/dynamic-record.ts';
import type { ListPage, SubmissionFilter } from '../store/submission-store.ts';
import { dnsQueriesOf, httpRequestsOf } from '../views/dynamic.ts';
import { artifactsOf, indicatorsOf, iocsOf, yaraMatchesOf } from '../views/report.ts';
import { submissionView } from '../views/submission.ts';
import { v1LevelConstants, v1Metafields, v1SampleMetafield, v1StatusConstants } from './constants.ts';
import { storedZip } from './stored-zip.ts';
import { facts, v1Iocs, v1ListItem, v1Submission } from './view.ts';

/** The handlers of v3 that v1 uses, for the same files and the same user. */
type V3Handlers = Pick<
  Handlers<typeof V3_ROUTES>,
  | 'downloadSample'
  | 'downloadHtmlReport'
  | 'downloadPcap'
  | 'downloadYaraRule'
  | 'downloadArtifact'
  | 'getScreenshot'
  | 'getMediaFile'
  | 'getMetafields'
  | 'me'
>;

/** Returns the handlers of the v1 table. */
export function v1Handlers(ctx: JobContext, v3: V3Handlers): Handlers<typeof V1_ROUTES> {
  return {
    ...scanHandlers(ctx),
    ...findingHandlers(ctx),
    ...listHandlers(ctx),
    ...constantHandlers(v3),
    ...fileHandlers(ctx, v3),
  };
}

type Some<Name extends keyof Handlers<typeof V1_ROUTES>> = Pick<Handlers<typeof V1_ROUTES>, Name>;

const NO_CONFIGURATION = {
  message: 'analyzeConfig: a list of {metafieldId, value} is needed, unless auto=true',
  details: { param: 'analyzeConfig' },
} as const;

function scanHandlers(ctx: JobContext): Some<'scanUrl' | 'scanSandbox' | 'scanStatic' | 'scanCdr'> {
  const created = async (call: Call, request: SubmissionRequest) => {
    const { uuid } = await accept(ctx, call, request);
    return { message: V1_CREATED_MESSAGE, uuid };
  };
  return {
    scanUrl: ({ json }, call) => {
      // Older clients send the opposite field. When both are given, the field of the contract counts.
      const isPrivate = json.private ?? (json.isPublic === undefined ? false : !json.isPublic);
      return created(call, { kind: 'url', subject: { type: 'url', url: json.url }, private: isPrivate });
    },
    scanSandbox: async ({ query, multipart }, call) => {
      const { file, entrypoint, password, extensionCheck, modules = [] } = multipart;
      if (!multipart.analyzeConfig && query.auto !== true) throw new ServiceError('INVALID_BODY', NO_CONFIGURATION);
      const { analyzeConfig = [] } = multipart;
      const configured = (id: string) => analyzeConfig.find(({ metafieldId }) => metafieldId === id)?.value;
      // It is hidden unless the caller says otherwise, once and clearly.
      const settings = analyzeConfig.map(({ metafieldId, value }) => ({ key: metafieldId, value }));
      const isPublic = String(configured('private')).toLowerCase() === 'false' && !settings.some(asksToHide);
      requireEnvironment(configured('environment'));
      return await created(call, {
        kind: 'sandbox',
        subject: fileSubject(file, { entrypoint, showsDetectedType: extensionCheck }),
        private: !isPublic,
        password,
        alsoReports: modules.some((name) => name.toLowerCase() === 'cdr') ? ['cdr'] : [],
      });
    },
    scanStatic: ({ multipart }, call) => {
      const { file, entrypoint, password, isPublic = false, extensionCheck } = multipart;
      const subject = fileSubject(file, { entrypoint, showsDetectedType: extensionCheck });
      return created(call, { kind: 'static', subject, private: !isPublic, password });
    },
    scanCdr: ({ multipart }, call) => {
      const { file, entrypoint, password, isPublic = false } = multipart;
      // The check of the extension cannot be switched off, because the disarm needs the type.
      return created(call, { kind: 'cdr', subject: fileSubject(file, { entrypoint }), private: !isPublic, password });
    },
  };
}

function findingHandlers({
  blobs,
}: JobContext): Some<
  | 'getSubmission'
  | 'getIndicators'
  | 'getIocs'
  | 'getMatchedYaraRules'
  | 'getAnalysisArtifacts'
  | 'getConfigExtractorResults'
  | 'getHybridAnalyzerResults'
  | 'getDns'
  | 'getHttp'
  | 'getTcp'
  | 'getUdp'
  | 'getThreats'
> {
  const network = (list: string) => `Deprecated: GET /submissions/:uuid/network/${list} has this`;
  return {
    getSubmission: async (_, { submission }) =>
      v1Submission(submissionView(submission), {
        indicators: indicatorsOf(submission),
        iocs: iocsOf(submission),
        yaraRules: yaraMatchesOf(submission),
        artifacts: artifactsOf(submission),
        configs: [],
      }),
    getIndicators: async (_, { submission }) => ({ indicators: facts(indicatorsOf(submission)) }),
    getIocs: async (_, { submission }) => ({ iocs: v1Iocs(iocsOf(submission)) }),
    getMatchedYaraRules: async (_, { submission }) => ({ yaraRules: facts(yaraMatchesOf(submission)) }),
    getAnalysisArtifacts: async (_, { submission }) => ({
      artifacts: facts(artifactsOf(submission)),
      message: 'Deprecated: GET /submissions/:uuid has this',
    }),
    getConfigExtractorResults: async () => ({
      configExtractorResults: [],
      message: 'Deprecated: no extractor runs here',
    }),
    getHybridAnalyzerResults: async () => ({
      hybridAnalyzerResults: [],
      message: 'Deprecated: no such analyser runs here',
    }),
    getDns: async (_, { submission }) => {
      const queries = dnsQueriesOf(await readDynamic(blobs, submission));
      return { dns: facts(queries), message: network('dns') };
    },
    getHttp: async (_, { submission }) => {
      const requests = httpRequestsOf(await readDynamic(blobs, submission));
      return { http: facts(requests), message: network('http') };
    },
    // Nothing was sent, so there were no connections.
    getTcp: async () => ({ tcp: [], message: network('tcp') }),
    getUdp: async () => ({ udp: [], message: network('udp') }),
    getThreats: async (_, { submission }) => ({
      threats: facts(indicatorsOf(submission)),
      message: 'Deprecated: GET /submissions/:uuid/indicators has this',
    }),
  };
}

const ALGORITHMS = { 32: 'md5', 40: 'sha1', 64: 'sha256' } as const;

function listHandlers({ store }: JobContext): Some<'listMySubmissions' | 'listPublicSubmissions' | 'searchByHash'> {
  const listed = async (filter: SubmissionFilter, page: number, jump: number) => {
    const range: ListPage = { offset: page * jump, limit: jump };
    const { items, total } = await store.list(filter, range);
    const submissions = items.map((item) => v1ListItem(submissionView(item)));
    return { submissions, total, page, jump, totalPages: Math.ceil(total / jump) };
  };
  return {
    listMySubmissions: ({ params: { page, jump } }, { caller }) => listed({ workspace: caller.workspace }, page, jump),
    listPublicSubmissions: ({ params: { page, jump } }) => listed({ private: false }, page, jump),
    searchByHash: ({ params: { hash, page, jump } }, { caller }) => {
      const algorithm = ALGORITHMS[hash.length as keyof typeof ALGORITHMS];
      const filter = { visibleTo: caller.workspace, hash: { algorithm, value: hash.toLowerCase() } };
      return listed(filter, page, jump);
    },
  };
}

const NO_INPUT = { params: undefined, query: undefined, json: undefined, multipart: undefined } as const;

function constantHandlers(
  v3: V3Handlers,
): Some<'getMetafields' | 'getLevels' | 'getStatuses' | 'getSampleMetafield' | 'me'> {
  return {
    getMetafields: async (_, call) => v1Metafields(await v3.getMetafields(NO_INPUT, call)),
    getLevels: async () => v1LevelConstants(),
    getStatuses: async () => v1StatusConstants(),
    getSampleMetafield: async (_, call) => v1SampleMetafield(await v3.getMetafields(NO_INPUT, call)),
    me: (_, call) => v3.me(NO_INPUT, call),
  };
}

function fileHandlers(
  { blobs }: JobContext,
  v3: V3Handlers,
): Some<
  | 'downloadSample'
  | 'downloadHtmlReport'
  | 'downloadPcap'
  | 'downloadYaraRule'
  | 'downloadArtifact'
  | 'downloadScreenshot'
  | 'downloadMedia'
  | 'downloadCdr'
> {
  const of = <P>(params: P) => ({ ...NO_INPUT, params });
  return {
    downloadSample: ({ params }, call) => v3.downloadSample(of(params), call),
    downloadHtmlReport: ({ params }, call) => v3.downloadHtmlReport(of(params), call),
    downloadPcap: ({ params }, call) => v3.downloadPcap(of(params), call),
    downloadYaraRule: ({ params }, call) => v3.downloadYaraRule(of(params), call),
    downloadArtifact: ({ params }, call) => v3.downloadArtifact(of(params), call),
    downloadScreenshot: ({ params }, call) => v3.getScreenshot(of(params), call),
    downloadMedia: ({ params }, call) => v3.getMediaFile(of(params), call),
    downloadCdr: async (_, { submission }) => {
      const { sanitizedFile, uuid } = submission;
      const content = sanitizedFile && (await blobs.open(sanitizedFile.sha256));
      if (!content) throw new ServiceError('STORAGE_UNAVAILABLE');
      return { content: await storedZip(sanitizedFile.filename, content), filename: `sanitized-${uuid}.zip` };
    },
  };
}

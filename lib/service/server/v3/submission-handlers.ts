/** The handlers of the v3 routes that create, list and show submissions, and that configure and explain. */

import { createHash } from 'node:crypto';
import type { UploadedFile } from '../../contract/common.ts';
import type { V3_CONFIG_ROUTES } from '../../contract/v3-report-routes.ts';
import type { ListQuery } from '../../contract/v3-requests.ts';
import type { SubmissionCreated } from '../../contract/v3-submission.ts';
import type { V3_CREATE_ROUTES, V3_QUERY_ROUTES } from '../../contract/v3-submission-routes.ts';
import type { Call } from '../call.ts';
import type { HandlerContext } from '../context.ts';
import { ENVIRONMENTS, requireEnvironment } from '../environments.ts';
import { asksToHide } from '../http/field-names.ts';
import { pageCounts } from '../http/paging.ts';
import { accept, fileSubject } from '../jobs/accept.ts';
import type { Handlers } from '../routing.ts';
import type { SubmissionFilter } from '../store/submission-store.ts';
import type { SubmissionKind } from '../store/submissions.ts';
import { submissionListItem, submissionView } from '../views/submission.ts';
import { meView } from './me.ts';
import { mediaOf, screenshotAnswer } from './media.ts';
import { allMetafields, metafieldsOf } from './metafields.ts';

const MESSAGE = 'Submission created';

/** Some clients write the wish to hide a submission among the metafields. It counts there, too. */
const isHidden = (body: { readonly private: boolean; readonly metafields?: Metafields | null }): boolean =>
  body.private || (body.metafields ?? []).some(asksToHide);

type Metafields = readonly { readonly key: string; readonly value: string | number | boolean }[];

/** The form fields that every file submission has. */
interface FileFields {
  readonly file: UploadedFile;
  readonly private: boolean;
  readonly entrypoint: string | null;
  readonly password: string | null;
  readonly metafields?: Metafields | null;
  readonly dynamic_mimetype_check?: boolean;
  readonly keep_metadata?: boolean;
}

/** Returns the handlers of the creation routes. */
export function v3CreateHandlers(ctx: HandlerContext): Handlers<typeof V3_CREATE_ROUTES> {
  const createFile = async (kind: SubmissionKind, form: FileFields, call: Call): Promise<SubmissionCreated> => {
    const { entrypoint, password, dynamic_mimetype_check: showsDetectedType, keep_metadata: keepsMetadata } = form;
    const subject = fileSubject(form.file, { entrypoint, showsDetectedType, keepsMetadata });
    const { uuid } = await accept(ctx, call, { kind, subject, private: isHidden(form), password });
    return { uuid, message: MESSAGE, sha256: form.file.hashes.sha256 };
  };
  const createUrl = async (
    kind: SubmissionKind,
    body: { readonly url: string; readonly private: boolean; readonly metafields: Metafields | null },
    call: Call,
  ): Promise<SubmissionCreated> => {
    const subject = { type: 'url', url: body.url } as const;
    const { uuid } = await accept(ctx, call, { kind, subject, private: isHidden(body) });
    return { uuid, message: MESSAGE, sha256: createHash('sha256').update(body.url).digest('hex') };
  };
  return {
    createSandboxSubmission: async ({ multipart }, call) => {
      requireEnvironment(multipart.environment);
      return await createFile('sandbox', multipart, call);
    },
    createStaticSubmission: ({ multipart }, call) => createFile('static', multipart, call),
    createCdrSubmission: ({ multipart }, call) => createFile('cdr', multipart, call),
    createUrlSubmission: ({ json }, call) => createUrl('url', json, call),
    createOpenInBrowserSubmission: async ({ json }, call) => {
      requireEnvironment(json.environment);
      return await createUrl('open_in_browser', json, call);
    },
  };
}

/** Returns the handlers of the routes that find and show submissions. */
export function v3QueryHandlers(ctx: HandlerContext): Handlers<typeof V3_QUERY_ROUTES> {
  return {
    async listSubmissions({ query }, { caller }) {
      const { page, limit, order } = query;
      const found = await ctx.store.list(filterOf(query, caller.workspace), {
        offset: (page - 1) * limit,
        limit,
        order,
      });
      return { items: found.items.map(submissionListItem), ...pageCounts(found.total, page, limit) };
    },
    async searchBySha256({ params }, { caller }) {
      const hash = { algorithm: 'sha256', value: params.sha256.toLowerCase() } as const;
      const page = { offset: 0, limit: ctx.limits.searchResults };
      return (await ctx.store.list({ visibleTo: caller.workspace, hash }, page)).items.map(submissionView);
    },
    async getSubmission(_, { submission }) {
      return submissionView(submission);
    },
    getScreenshot: (_, { submission }) => screenshotAnswer(ctx, submission),
    listMedia: async ({ query }, { submission }) => mediaOf(submission, query.source),
    getMediaFile: ({ params }, { submission }) => screenshotAnswer(ctx, submission, params.fileId),
  };
}

/** Returns the own submissions; when public ones are asked for, those of every workspace. */
function filterOf(query: ListQuery, workspace: string): SubmissionFilter {
  const { level, type, sha256, filename, startDate, endDate, tags } = query;
  // An empty list in a query is no filter, because forms send one for an untouched field.
  return {
    ...(query.private === false ? { visibleTo: workspace } : { workspace }),
    levels: level?.length ? level : undefined,
    type,
    hash: sha256 === undefined ? undefined : { algorithm: 'sha256', value: sha256.toLowerCase() },
    filename,
    createdFromMs: startDate?.getTime(),
    createdToMs: endDate?.getTime(),
    private: query.private,
    tags: tags?.length ? tags : undefined,
  };
}

/** Returns the handlers of the routes that configure and explain. */
export function v3ConfigHandlers(ctx: HandlerContext): Handlers<typeof V3_CONFIG_ROUTES> {
  return {
    getMetafields: async () => allMetafields(),
    getSandboxMetafields: async () => metafieldsOf('sandbox'),
    getStaticMetafields: async () => metafieldsOf('static'),
    getCdrMetafields: async () => metafieldsOf('cdr'),
    getUrlMetafields: async () => metafieldsOf('url'),
    getOpenInBrowserMetafields: async () => metafieldsOf('open_in_browser'),
    getMetafieldsOf: async ({ params }) => metafieldsOf(params.scan_type),
    getEnvironments: async () => [...ENVIRONMENTS],
    listNetworkConfigs: async () => ({ items: [] }),
    me: async (_, { caller }) =>
      meView(caller, await ctx.quotas.usage(caller), ctx.limits, (await ctx.runner.versions?.()) ?? null),
  };
}

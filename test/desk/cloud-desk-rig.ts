/** The desk of a deployment over a rig, as its Lambda has it: requests are events of an HTTP API, and somebody signs in at an issuer of ours. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handle } from 'hono/aws-lambda';
import { onTestFinished } from 'vitest';
import { type CloudDeskParts, createCloudDesk, pagesOf } from '../../lib/desk/cloud/desk.ts';
import { secretOf } from '../../lib/desk/cloud/sign-in.tsx';
import { changeViews } from '../../lib/desk/cloud/views.ts';
import { createIssuer } from '../../lib/desk/issuer.ts';
import { createDrawings } from '../../lib/desk/mail/drawings.ts';
import { preview } from '../../lib/desk/mail/preview.ts';
import { keptViews, MAX_VIEWS_BYTES } from '../../lib/desk/routes/kept-views.ts';
import { readLedger } from '../../lib/pipeline/chain/ledger-store.ts';
import { NotFoundError, TransientError } from '../../lib/pipeline/errors.ts';
import { type Policy, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import type { Asks } from '../../lib/pipeline/ports.ts';
import { recalls } from '../../lib/pipeline/recall/recall.ts';
import { readAuditWindow } from '../../lib/pipeline/review/audit-window.ts';
import { withBlocks } from '../../lib/pipeline/review/block.ts';
import { createBlockList } from '../../lib/pipeline/review/block-list.ts';
import { dropIn } from '../../lib/pipeline/review/drop-in.ts';
import { PreviewAnswer, PreviewRequest } from '../../lib/pipeline/review/preview-request.ts';
import { carryOut, ReviewRequest } from '../../lib/pipeline/review/request.ts';
import { indexedRun } from '../../lib/pipeline/runs/row.ts';
import type { SharedText } from '../../lib/pipeline/shared-text-port.ts';
import { tryPolicy } from '../../lib/pipeline/trial/policy-trial.ts';
import { directoryAsks } from '../../lib/storage/directory/asks.ts';
import { directoryBlobs } from '../../lib/storage/directory/directory.ts';
import { directoryText } from '../../lib/storage/directory/shared-text.ts';
import { openSqliteRuns } from '../../lib/storage/sqlite/runs.ts';
import { carryOutRig } from '../pipeline/carry-out-rig.ts';
import { createRig, type Rig } from '../pipeline/rig.ts';
import { CLIENT, type LocalIssuer, startIssuer } from './local-issuer.ts';

export const URL_OF_DESK = 'https://desk.example.org';

export interface CloudDesk {
  readonly issuer: LocalIssuer;
  /** Every address of the desk, with its method. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  readonly failures: unknown[];
  /** Sends a request through the event of an HTTP API. */
  readonly send: (
    path: string,
    init?: { method?: string; headers?: Record<string, string>; body?: string },
  ) => Promise<Answer>;
  /** The cookie of somebody with this token. */
  readonly cookie: (token: string) => Record<string, string>;
  /** As a person who has signed in, with other claims. */
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  readonly post: (
    path: string,
    fields: Record<string, string> | readonly (readonly [string, string])[],
    headers?: Record<string, string>,
    claims?: Readonly<Record<string, unknown>>,
  ) => Promise<Answer>;
  readonly scan: (mail: string) => Promise<string>;
  readonly rig: Rig;
  readonly asks: Asks;
  /** What was handed to `review`. */
  readonly asked: readonly ReviewRequest[];
  /** Runs every execution that was started to its end, and tells the index. */
  readonly settle: () => Promise<void>;
  /** Executions that were started, as `RUN-ATTEMPT`. */
  readonly started: readonly string[];
  readonly broken: Set<'review' | 'preview'>;
  /** Where saved views are. */
  readonly kept: SharedText;
  /** What `preview` was asked. */
  readonly looked: readonly PreviewRequest[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** Opens it until the test is over, or something else that is handed in. */
export async function openCloudDesk(
  policy: Policy = parsePolicy('{}'),
  {
    takesDrops = true,
    until = (close) => onTestFinished(close),
  }: { readonly takesDrops?: boolean; readonly until?: (close: () => void) => void } = {},
): Promise<CloudDesk> {
  const issuer = await startIssuer(until);
  const answer = (request: object) =>
    'filename' in request && String(request.filename).endsWith('.pdf') ? { verdict: 'malicious' as const } : {};
  const rig = createRig({ policy, script: { polls: 0, answer } });
  const folder = mkdtempSync(join(tmpdir(), 'airlock-cloud-desk-'));
  const runs = openSqliteRuns(join(folder, 'runs.sqlite'));
  until(() => {
    runs.close();
    rmSync(folder, { recursive: true });
  });
  const failures: unknown[] = [];
  const settings = { issuer: issuer.url, clientId: CLIENT, roleClaim: 'groups' };
  const doing = createIssuer(settings, { keysRestMs: 0 });
  const { review, toItsEnd, started } = carryOutRig(rig);
  const list = createBlockList(rig.ctx);
  let mails = 0;
  const asked: ReviewRequest[] = [];
  const broken = new Set<'review' | 'preview'>();
  const looked: PreviewRequest[] = [];
  const drawings = createDrawings(rig.blobs);
  until(() => void drawings.close());
  const asks = directoryAsks(folder, directoryBlobs(folder));
  const kept = directoryText(folder, 'desk/views.json', MAX_VIEWS_BYTES);
  const views = keptViews(kept);
  const parts: CloudDeskParts = {
    asks,
    views,
    takesDrops,
    url: URL_OF_DESK,
    issuer: createIssuer(settings, { keysRestMs: 0 }),
    runs,
    policy: rig.ctx.policy,
    now: () => rig.ctx.clock.now(),
    ledgerOf: (runId) =>
      readLedger(rig.ctx, runId).catch((error: unknown) => {
        if (error instanceof NotFoundError) return null;
        throw error;
      }),
    blocks: () => list.current(),
    auditWindow: (before) => readAuditWindow(rig.ctx, before),
    recalls: async function* (since, most) {
      const blocks = (await list.current()).map(({ block }) => block);
      yield* recalls(rig.ctx, runs, withBlocks(policy, blocks), { since, most });
    },
    tryPolicy: (other, range) => tryPolicy(rig.ctx, runs, other, range),
    // As over AWS: by value, and with the token checked once more.
    review: async (token, request) => {
      asked.push(request);
      if (broken.has('review')) throw new TransientError('the decision was not carried out');
      const reviewer = await doing.whoHas(token);
      if (reviewer === null) return { state: 'refused', code: 'not_signed_in', message: 'sign in again' };
      const sent = ReviewRequest.parse(JSON.parse(JSON.stringify(request)));
      if ('values' in sent) return changeViews(views, reviewer, sent);
      if ('drop' in sent) return dropIn({ ...rig.ctx, dropsInto: takesDrops ? 'intake' : null }, reviewer, sent);
      return carryOut(review, list, reviewer, sent);
    },
    addressOf: async (key, fileName) => `https://work.s3.example/${key}?name=${fileName}&signed=1`,
    preview: async (request) => {
      looked.push(request);
      if (broken.has('preview')) throw new TransientError('the mail could not be read for the desk');
      const asked = PreviewRequest.parse(JSON.parse(JSON.stringify(request)));
      return PreviewAnswer.parse(JSON.parse(JSON.stringify(await preview({ ctx: rig.ctx, drawings }, asked))));
    },
    onFailure: (error) => failures.push(error),
  };
  const desk = createCloudDesk(parts);
  const signed = { name: 'pat', role: 'admin', session: 'x', csrf: 'x' } as const;
  const send: CloudDesk['send'] = async (target, { method = 'GET', headers = {}, body } = {}) => {
    const [path = '', ...search] = target.split('?');
    const { cookie, ...others } = headers;
    const event = {
      version: '2.0',
      routeKey: '$default',
      rawPath: path,
      rawQueryString: search.join('?'),
      ...(cookie !== undefined && { cookies: cookie.split('; ') }),
      headers: { host: new URL(URL_OF_DESK).host, ...others },
      body: body ?? null,
      isBase64Encoded: false,
      requestContext: { domainName: new URL(URL_OF_DESK).host, http: { method, path } },
    };
    const result = await handle(desk)(event as never, {} as never);
    const {
      statusCode,
      headers: given = {},
      cookies = [],
      body: text,
      isBase64Encoded,
    } = result as unknown as {
      statusCode: number;
      headers?: Record<string, string>;
      cookies?: string[];
      body: string;
      isBase64Encoded: boolean;
    };
    return {
      status: statusCode,
      headers: given,
      cookies,
      text: isBase64Encoded ? Buffer.from(text, 'base64').toString() : text,
      bytes: Buffer.from(text, isBase64Encoded ? 'base64' : 'utf8'),
    };
  };
  const cookie = (token: string) => ({ cookie: `__Host-airlock-desk=${token}` });
  return {
    issuer,
    routes: [...desk.routes, ...pagesOf(parts, signed).routes].filter(({ method }) => method !== 'ALL'),
    failures,
    send,
    cookie,
    get: async (path, headers = {}) => send(path, { headers: { ...cookie(await issuer.token()), ...headers } }),
    ...{ rig, asks, asked, started, broken, looked, kept },
    async settle() {
      for (const run of await toItsEnd()) await runs.put(indexedRun(await readLedger(rig.ctx, run)));
    },
    async post(path, fields, headers = {}, claims = {}) {
      const token = await issuer.token(claims);
      const pairs = Array.isArray(fields) ? fields : Object.entries({ csrf: secretOf(token), ...fields });
      const all = Array.isArray(fields) ? [['csrf', secretOf(token)], ...pairs] : pairs;
      const body = new URLSearchParams(all as [string, string][]).toString();
      const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
      const usual = { ...cookie(token), ...form, origin: URL_OF_DESK, 'sec-fetch-site': 'same-origin' };
      return send(path, { method: 'POST', headers: { ...usual, ...headers }, body });
    },
    async scan(mail) {
      mails += 1;
      const { runId } = await rig.scan(mail, `mail-${mails}.eml`);
      await runs.put(indexedRun(await readLedger(rig.ctx, runId)));
      return runId;
    },
  };
}

/** A desk over a rig: real pages, real decisions, a real index in a file of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createDesk } from '../../lib/desk/desk.ts';
import type { DeskParts } from '../../lib/desk/desk-parts.tsx';
import { createDrops, type Drops } from '../../lib/desk/drops.ts';
import { createGuard } from '../../lib/desk/guard.ts';
import { createDrawings } from '../../lib/desk/mail/drawings.ts';
import { keptViews, MAX_VIEWS_BYTES } from '../../lib/desk/routes/kept-views.ts';
import { originalBytes } from '../../lib/local/input/original-header.ts';
import { reviewed } from '../../lib/local/session/review.ts';
import { NotFoundError } from '../../lib/pipeline/errors.ts';
import { runIdOf } from '../../lib/pipeline/keys.ts';
import type { Role } from '../../lib/pipeline/model.ts';
import { type Policy, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import type { Asks, Runs } from '../../lib/pipeline/ports.ts';
import { recalls } from '../../lib/pipeline/recall/recall.ts';
import { readAuditWindow } from '../../lib/pipeline/review/audit-window.ts';
import { withBlocks } from '../../lib/pipeline/review/block.ts';
import { changeBlock, createBlockList, noteDownload, noteFalseAlarm } from '../../lib/pipeline/review/block-list.ts';
import { indexedRunOf } from '../../lib/pipeline/runs/indexed-run.ts';
import { tryPolicy } from '../../lib/pipeline/trial/policy-trial.ts';
import { directoryAsks } from '../../lib/storage/directory/asks.ts';
import { directoryBlobs } from '../../lib/storage/directory/directory.ts';
import { directoryText } from '../../lib/storage/directory/shared-text.ts';
import { openSqliteRuns } from '../../lib/storage/sqlite/runs.ts';
import { partsOf } from '../pipeline/review-rig.ts';
import { createRig, emailWith, PDF, type Rig } from '../pipeline/rig.ts';

export const HOST = '127.0.0.1:4321';
const ORIGIN = `http://${HOST}`;

export interface Desk {
  readonly rig: Rig;
  readonly runs: Runs;
  readonly asks: Asks;
  readonly drops: Drops;
  /** Called for each run on which a policy is tried. */
  eachTried: () => void;
  /** The folder of its files. */
  readonly folder: string;
  /** Every address of the desk, with its method. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  readonly token: string;
  readonly csrf: string;
  /** Sends a request as a browser without a cookie. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  /** The headers of a browser that was let in. */
  readonly browser: Readonly<Record<string, string>>;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** Sends a form as its page would. */
  readonly post: (path: string, fields: Record<string, string>, headers?: Record<string, string>) => Promise<Response>;
  /** The same with fields that may stand there more than once. */
  readonly postPairs: (path: string, pairs: readonly (readonly [string, string])[]) => Promise<Response>;
  /** Brings a mail in that is held, or delivered when it has no PDF. */
  readonly scan: (mail: string) => Promise<string>;
}

/** Makes a desk whose service says of every PDF that it is malicious. `others` takes the place of parts of it. */
export async function openDesk(
  role: Role = 'admin',
  policy: Policy = parsePolicy('{}'),
  others: Partial<Omit<DeskParts, 'guard'>> = {},
): Promise<Desk> {
  const answer = (request: object) =>
    'filename' in request && String(request.filename).endsWith('.pdf') ? { verdict: 'malicious' as const } : {};
  const rig = createRig({ policy, script: { polls: 0, answer } });
  const folder = mkdtempSync(join(tmpdir(), 'airlock-desk-'));
  const runs = openSqliteRuns(join(folder, 'runs.sqlite'));
  onTestFinished(() => {
    runs.close();
    rmSync(folder, { recursive: true });
  });
  const list = createBlockList(rig.ctx);
  const asks = directoryAsks(folder, directoryBlobs(folder));
  const guard = createGuard(() => 4321);
  const noted = async (runId: string) => runs.put(await indexedRunOf(rig.ctx, await rig.ledger(runId)));
  const drops = createDrops(() => rig.ctx.clock.now());
  const trying = { each: () => {} };
  const drawings = createDrawings(rig.blobs);
  onTestFinished(() => drawings.close());
  const app = createDesk({
    drops,
    drawn: ({ stored }, kind) => drawings.drawn(stored, kind),
    drawnSmall: ({ stored }, kind) => drawings.drawn(stored, kind, { isSmall: true }),
    views: keptViews(directoryText(folder, 'desk/views.json', MAX_VIEWS_BYTES)),
    takeIn: async (untrustedName, bytes) => {
      const key = `dropped/${untrustedName}`;
      const runId = runIdOf(await rig.intake(bytes, key));
      const run = async () => {
        await rig.scan(bytes, key);
        await noted(runId);
        return null;
      };
      return { runId, run };
    },
    guard,
    runs,
    asks,
    blocks: () => list.current(),
    auditWindow: (before) => readAuditWindow(rig.ctx, before),
    changeBlock: (action, what) => changeBlock(rig.ctx, list, action, what),
    noteFalseAlarm: (ledger, who) => noteFalseAlarm(rig.ctx, ledger, who),
    policy,
    pages: 'all',
    decidedAtOnce: 1,
    role,
    person: role === 'reader' ? null : 'pat',
    isIncomplete: () => false,
    now: () => rig.ctx.clock.now(),
    recalls: async function* (since, most) {
      const blocks = (await list.current()).map(({ block }) => block);
      yield* recalls(rig.ctx, runs, withBlocks(parsePolicy('{}'), blocks), { since, most });
    },
    tryPolicy: async function* (other, range) {
      for await (const run of tryPolicy(rig.ctx, runs, other, range)) {
        trying.each();
        yield run;
      }
    },
    ledgerOf: (runId) =>
      rig.ledger(runId).catch((error: unknown) => {
        if (error instanceof NotFoundError) return null;
        throw error;
      }),
    originalOf: ({ intake }) => originalBytes(rig.ctx, intake),
    noteDownload: (ledger, who) => noteDownload(rig.ctx, ledger, who),
    headerOf: async () => 'From: a\nSubject: <script>alert(1)</script>',
    decide: async (runId, decision) => {
      const outcome = await reviewed(partsOf(rig.ctx, rig.blobs), runId, decision);
      await noted(runId);
      return 'message' in outcome && outcome.state !== 'deleted' ? outcome.message : null;
    },
    ...others,
  });
  const send = async (path: string, { headers, ...init }: RequestInit = {}) =>
    app.request(`${ORIGIN}${path}`, { ...init, headers: { host: HOST, ...(headers as Record<string, string>) } });
  const letIn = await send(`/?token=${guard.token}`);
  const cookie = (letIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const browser = { cookie };
  let mails = 0;
  const post = (path: string, body: string, headers: Record<string, string> = {}) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
    return send(path, { method: 'POST', body, headers: { ...browser, origin: ORIGIN, ...form, ...headers } });
  };
  return {
    rig,
    set eachTried(work: () => void) {
      trying.each = work;
    },
    runs,
    asks,
    drops,
    folder,
    routes: app.routes.filter(({ method }) => method !== 'ALL'),
    token: guard.token,
    csrf: guard.csrf,
    send,
    browser,
    get: (path, headers) => send(path, { headers: { ...browser, ...headers } }),
    post: (path, fields, headers) =>
      post(path, new URLSearchParams({ csrf: guard.csrf, ...fields }).toString(), headers),
    postPairs: (path, pairs) => {
      const isGiven = pairs.some(([name]) => name === 'csrf');
      const all = isGiven ? pairs : [['csrf', guard.csrf] as const, ...pairs];
      return post(path, new URLSearchParams(all.map(([name, value]): [string, string] => [name, value])).toString());
    },
    scan: async (mail) => {
      mails += 1;
      const { runId } = await rig.scan(mail, `mail-${mails}.eml`);
      await noted(runId);
      return runId;
    },
  };
}

/** Mail that is held. */
export const HELD = emailWith({ subject: 'Invoice', files: [{ name: 'a.pdf', bytes: PDF }] });

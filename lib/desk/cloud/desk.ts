/**
 * The desk of a deployment: people sign in at an issuer, read, and decide. It is a function from `Request` to `Response` over the index and
 * the chains, and has neither mail nor a key of a stage. It carries nothing out. A decision goes to `review` with the token of the person.
 * `preview` reads mail for the pages, in a place without a way out.
 */
import { Hono } from 'hono';
import type { Role } from '../../pipeline/model.ts';
import { MAX_DROP_BYTES, type ReviewAnswer, type ReviewRequest } from '../../pipeline/review/request.ts';
import { isSame } from '../constant-time-equal.ts';
import type { AuditParts, DecidingParts, DrawingParts, ReadingParts, RecallParts, TrialParts } from '../desk-parts.tsx';
import { deskWords, languageOf } from '../desk-words.ts';
import { formProblem, HEADERS } from '../guard.ts';
import { type Issuer, IssuerAwayError, type Somebody } from '../issuer.ts';
import { STYLE_PATH } from '../layout.tsx';
import { addPart } from '../mail/part.ts';
import { type AskingParts, addAsks } from '../pages/asks.tsx';
import { addPolicyTry } from '../pages/policy-try.ts';
import { addRecall } from '../pages/recall.tsx';
import { addAudit } from '../routes/audit.ts';
import { addBlocks } from '../routes/blocks.ts';
import { addBulk } from '../routes/bulk.ts';
import { addDecisions } from '../routes/decide.ts';
import { addDeskApi } from '../routes/desk-api.ts';
import { addEnds, addReading } from '../routes/reading-desk.ts';
import { addSavedPage } from '../routes/saved-page.ts';
import { addViews, type ViewParts } from '../routes/views.ts';
import { DESK_STYLE } from '../style.ts';
import { cloudDecisions } from './decisions.ts';
import { addCloudDrop, type CloudDropParts, dropWith } from './drop.ts';
import { type AddressOf, addCloudOriginal, type OriginalParts, takeOutWith } from './original.tsx';
import { type CloudPreviewParts, cloudPreview } from './preview.ts';
import { addSignIn, forget, page, SIGN_IN, secretOf, sessionOf } from './sign-in.tsx';
import { cloudViews } from './views.ts';

export interface CloudDeskParts
  extends Pick<ReadingParts, 'runs' | 'policy' | 'ledgerOf' | 'now' | 'views' | 'quota'>,
    Pick<AskingParts, 'asks'>,
    Pick<RecallParts, 'recalls'>,
    Pick<TrialParts, 'tryPolicy'>,
    Pick<AuditParts, 'auditWindow'> {
  /** The address of the desk: an origin. */
  readonly url: string;
  readonly issuer: Issuer;
  /** Returns the blocks of people. Rejects with CorruptDataError when the trail was changed. */
  readonly blocks: DecidingParts['blocks'];
  /** Has a request carried out in the name of the bearer of this token, by a function that checks the token itself. */
  readonly review: (token: string, request: ReviewRequest) => Promise<ReviewAnswer>;
  /** Has something of a mail read, in a place without a way out. */
  readonly preview: CloudPreviewParts['preview'];
  /** The place where a browser saves data that do not fit into an answer. */
  readonly addressOf: AddressOf;
  /** Whether files may be dropped here. */
  readonly takesDrops: boolean;
  /** Called for errors here that are not for the person. */
  readonly onFailure: (error: unknown) => void;
}

/** The largest file that a call of a function can hold, with the form around it. */
const UPLOAD_LIMITS = { fileBytes: MAX_DROP_BYTES, formBytes: MAX_DROP_BYTES + 16 * 1024 };
const ANSWERS = Object.entries({ ...HEADERS, 'strict-transport-security': 'max-age=31536000' });

/** Makes the desk. */
export function createCloudDesk(parts: CloudDeskParts): Hono {
  const { url, issuer } = parts;
  const { host } = new URL(url);
  const app = new Hono({ strict: true });
  app.use(async (c, next) => {
    for (const [name, value] of ANSWERS) c.header(name, value);
    if (c.req.header('host') !== host) return c.text('This desk has another address.', 421);
    if (c.req.method !== 'GET' && c.req.method !== 'POST') return c.text('Only GET and POST.', 405);
    await next();
    // The pages are an application of their own, whose answers do not have them yet.
    for (const [name, value] of ANSWERS) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  });
  app.get(STYLE_PATH, (c) => c.body(DESK_STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get('/favicon.ico', (c) => c.body(null, 204));
  addSignIn(app, { url, issuer });
  addDeskApi(app, parts);
  app.all('*', async (c) => {
    const words = deskWords(languageOf(c.req.header('accept-language')));
    const session = sessionOf(c);
    const somebody = session === '' ? null : await issuer.whoHas(session);
    if (somebody === null)
      return c.req.method === 'GET' ? c.redirect(SIGN_IN, 303) : c.html(page(c, words.signInAgain), 403);
    const csrf = secretOf(session);
    // The guard reads the form, and so does its page.
    const raw = c.req.method === 'POST' ? c.req.raw.clone() : c.req.raw;
    if (c.req.method === 'POST') {
      const isSecret = (given: unknown) => typeof given === 'string' && isSame(given, csrf);
      const problem = await formProblem(c, isSecret, [url], UPLOAD_LIMITS);
      if (problem !== null) return c.text(problem.text, problem.status);
    }
    if (c.req.method === 'POST' && c.req.path === '/sign-out') {
      forget(c);
      return c.html(page(c, words.signedOut));
    }
    const { name, role } = somebody;
    if (role === null) return c.html(page(c, words.noRole.replace('{name}', name)), 403);
    return pagesOf(parts, { name, role, session, csrf }).fetch(raw);
  });
  app.onError((error, c) => {
    parts.onFailure(error);
    const words = deskWords(languageOf(c.req.header('accept-language')));
    const isAway = error instanceof IssuerAwayError;
    return c.html(page(c, isAway ? words.issuerAway : words.deskFailed), isAway ? 502 : 500);
  });
  return app;
}

/** A person with a role, and the data of the browser. */
export interface Signed extends Pick<Somebody, 'name'> {
  readonly role: Role;
  /** The token of the person. */
  readonly session: string;
  readonly csrf: string;
}

/** Returns the pages for this person. */
export function pagesOf(parts: CloudDeskParts, signed: Signed): Hono {
  const deciding = partsFor(parts, signed);
  const app = new Hono({ strict: true });
  addReading(app, deciding);
  addAsks(app, deciding);
  addRecall(app, deciding);
  addDecisions(app, deciding);
  addBulk(app, deciding);
  addBlocks(app, deciding);
  addAudit(app, deciding);
  addPart(app, deciding);
  addSavedPage(app, deciding);
  addCloudOriginal(app, deciding);
  addViews(app, deciding);
  addPolicyTry(app, deciding);
  addCloudDrop(app, deciding);
  addEnds(app, deciding, parts.onFailure);
  return app;
}

/** Returns the parts of a page for this person. */
function partsFor(
  parts: CloudDeskParts,
  { name: person, role, session, csrf }: Signed,
): OriginalParts & DrawingParts & AskingParts & RecallParts & ViewParts & TrialParts & AuditParts & CloudDropParts {
  const { runs, policy, ledgerOf, now, quota, blocks, review, asks, recalls, tryPolicy, auditWindow } = parts;
  const ask = (request: ReviewRequest) => review(session, request);
  return {
    ...{ runs, policy, ledgerOf, now, blocks, asks, recalls, tryPolicy, auditWindow, person, role },
    ...(quota && { quota }),
    ...cloudDecisions(ask),
    ...cloudPreview(parts),
    takeOut: takeOutWith(ask, parts),
    dropIn: parts.takesDrops ? dropWith(ask) : null,
    guard: { csrf },
    pages: 'cloud',
    views: cloudViews(parts.views, ask),
    isIncomplete: () => false,
  };
}

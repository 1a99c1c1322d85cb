/** The rules for requests to the desk, and the headers of each answer. A request that is not allowed here never reaches a page. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { sizeText } from '../service/server/report-page/elements.tsx';
import { isSame } from './constant-time-equal.ts';
import { deskWords, languageOf } from './desk-words.ts';
import { DROP_LIMITS } from './drops.ts';
import { UPLOAD_TYPE } from './form-parts.ts';

/** A page runs nothing, loads nothing from elsewhere, is in no frame, and sends no form elsewhere. */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; sandbox allow-forms allow-same-origin",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // A browser names its page to us with a form, and to other sites never.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** The page of a mail has a form that saves its original: the sandbox lets a file be saved. */
export const SAVING_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': `${HEADERS['content-security-policy']} allow-downloads`,
};

/**
 * The page of a running analysis has our own script and its stream. A string still becomes no markup. It has no sandbox: a sandbox that
 * allows scripts of its own place protects nothing.
 */
export const LIVE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
};

/** A page that reloads itself, which a sandbox forbids. Nothing of it runs. */
export const RELOADING_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
};

/** Cookies do not know ports. Each desk on this machine has a name of its own, so that none takes the session of another. */
const cookieAt = (port: number) => `airlock-desk-${port}`;
const BYTES = 32;

/** The session of the one person at the desk. */
export interface Guard {
  /** Part of the address that is printed. It lets its bearer in. */
  readonly token: string;
  /** Part of every form of the session. */
  readonly csrf: string;
  /** Ends the session in every browser that has it, and takes the cookie away. A browser with the token begins another one. */
  readonly endSession: (c: Context) => void;
  /** Returns whether this is the secret of the forms. */
  readonly isSecret: (given: unknown) => boolean;
  readonly middleware: MiddlewareHandler;
}

/** Makes the secrets of a desk. `port` is called at each request, because it is known only when the desk listens. */
export function createGuard(port: () => number): Guard {
  const token = secret();
  let session = secret();
  const csrf = () => createHmac('sha256', session).update('forms').digest('base64url');
  const isSecret = (given: unknown) => typeof given === 'string' && isSame(given, csrf());
  const middleware: MiddlewareHandler = async (c, next) => {
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
    const hosts = [`127.0.0.1:${port()}`, `localhost:${port()}`];
    // A page under a foreign name that leads to this machine (DNS rebinding) has that name here.
    if (!hosts.includes(c.req.header('host') ?? '')) return c.text(said(c).otherAddress, 421);
    if (c.req.method !== 'GET' && c.req.method !== 'POST') return c.text(said(c).onlyGetAndPost, 405);
    const given = c.req.path === '/' && c.req.method === 'GET' ? c.req.query('token') : undefined;
    if (given !== undefined) return enter(c, isSame(given, token), cookieAt(port()), session);
    if (!isSame(getCookie(c, cookieAt(port())) ?? '', session)) return c.text(said(c).tokenMissing, 403);
    const problem =
      c.req.method === 'POST'
        ? await formProblem(
            c,
            isSecret,
            hosts.map((host) => `http://${host}`),
          )
        : null;
    return problem === null ? next() : c.text(problem.text, problem.status);
  };
  return {
    token,
    get csrf() {
      return csrf();
    },
    endSession: (c) => {
      session = secret();
      deleteCookie(c, cookieAt(port()), { path: '/' });
    },
    isSecret,
    middleware,
  };
}

const secret = () => randomBytes(BYTES).toString('base64url');

/** Adds the form with which the person leaves. A copied cookie is worthless after that. */
export function addSignOut(app: Hono, guard: Guard, signedOut: (c: Context) => string): void {
  app.post('/sign-out', (c) => {
    guard.endSession(c);
    return c.html(signedOut(c));
  });
}

/** Moves the token of an address into a cookie, so that no address and no history of pages has it any more. */
function enter(c: Context, isRight: boolean, cookie: string, session: string): Response {
  if (!isRight) return c.text(said(c).tokenWrong, 403);
  setCookie(c, cookie, session, { httpOnly: true, sameSite: 'Strict', path: '/' });
  return c.redirect('/mails', 303);
}

interface Problem {
  readonly text: string;
  readonly status: 403 | 413;
}

/** Returns the words for the browser of the request. */
const said = (c: Context) => deskWords(languageOf(c.req.header('accept-language')));

/**
 * Returns why a form is not one of ours, which come from these origins, or null when it is. The file of an upload is not read here: its
 * page reads it, and checks its secret.
 */
export async function formProblem(
  c: Context,
  isSecret: Guard['isSecret'],
  origins: readonly string[],
  { fileBytes, formBytes } = DROP_LIMITS as Pick<typeof DROP_LIMITS, 'fileBytes' | 'formBytes'>,
): Promise<Problem | null> {
  const words = said(c);
  const elsewhere: Problem = { text: words.formElsewhere, status: 403 };
  if (!origins.includes(c.req.header('origin') ?? '')) return elsewhere;
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return elsewhere;
  const isUpload = c.req.path === UPLOAD_PATH;
  const length = Number(c.req.header('content-length') ?? Number.NaN);
  const most = isUpload ? formBytes : (LONGER_FORMS[c.req.path] ?? MAX_FORM_BYTES);
  if (!(length <= most))
    return isUpload
      ? { text: words.uploadTooLarge.replace('{most}', sizeText(fileBytes)), status: 413 }
      : { text: words.formTooLong, status: 403 };
  if (!(isUpload ? UPLOAD_TYPE : FORM_TYPE).test(c.req.header('content-type') ?? ''))
    return { text: words.noForm, status: 403 };
  if (isUpload || isSecret((await c.req.parseBody()).csrf)) return null;
  return { text: words.formOld, status: 403 };
}

const FORM_TYPE = /^application\/x-www-form-urlencoded(?:;|$)/;
const UPLOAD_PATH = '/drop';
const MAX_FORM_BYTES = 10_000;
/** A policy with lists and texts of its own is longer than a decision. */
const LONGER_FORMS: Readonly<Record<string, number>> = { '/policy': 400_000 };

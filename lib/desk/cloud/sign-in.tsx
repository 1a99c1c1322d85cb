/** @jsxRuntime automatic @jsxImportSource #markup */
/**
 * How a browser signs in: the authorization code flow with PKCE. A browser sends no bearer token by itself, so the token of the issuer is
 * in a cookie. No script reads it, it is sent over TLS only, and no other site can cause it to be sent. The desk keeps nothing of a
 * session.
 */

import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { ownAddress, toPage } from '../../service/server/markup/values.ts';
import { isSame } from '../constant-time-equal.ts';
import { deskWords, languageOf } from '../desk-words.ts';
import type { Beginning, Issuer } from '../issuer.ts';
import { pageText } from '../layout.tsx';

export interface SignInParts {
  /** The address of the desk: an origin. */
  readonly url: string;
  readonly issuer: Issuer;
}

export const SIGN_IN = '/sign-in';
const SIGNED_IN = '/signed-in';
/** With the prefix `__Host-`: no other host, also no neighbour below the same domain, can set them. */
const SESSION = 'airlock-desk';
const BEGUN = 'airlock-sign-in';
const HOST_ONLY = { prefix: 'host', path: '/', secure: true, httpOnly: true } as const;
/** A person who needs longer begins again. Seconds. */
const SIGN_IN_SECONDS = 600;
/** Browsers keep no longer cookie. */
const MAX_COOKIE_LENGTH = 3_900;
const BYTES = 32;
/** This page of ours continues by itself, which a sandbox forbids. It holds nothing of a mail. */
const GOES_ON = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/** Returns the token of the session, as the browser sent it; empty when it has none. */
export const sessionOf = (c: Context): string => getCookie(c, SESSION, 'host') ?? '';

/** Returns the secret of the forms of a session. Only a reader of the cookie can make it. */
export const secretOf = (session: string): string => createHmac('sha256', session).update('forms').digest('base64url');

/** Ends the session of this browser. The issuer may still know the person. */
export const forget = (c: Context): void => void deleteCookie(c, SESSION, HOST_ONLY);

/** Adds the addresses at which a browser signs in. They are open to everybody. */
export function addSignIn(app: Hono, { url, issuer }: SignInParts): void {
  const redirectUri = `${url}${SIGNED_IN}`;
  app.get(SIGN_IN, async (c) => {
    const begun: Beginning = { state: random(), nonce: random(), verifier: random() };
    const challenge = createHash('sha256').update(begun.verifier).digest('base64url');
    const there = await issuer.signInUrl(redirectUri, begun, challenge);
    const { state, nonce, verifier } = begun;
    // The browser comes back from the issuer, which is another site, so this one is Lax.
    setCookie(c, BEGUN, [state, nonce, verifier].join('.'), { ...HOST_ONLY, sameSite: 'Lax', maxAge: SIGN_IN_SECONDS });
    return c.redirect(there, 303);
  });
  app.get(SIGNED_IN, async (c) => {
    const words = deskWords(languageOf(c.req.header('accept-language')));
    const [state = '', nonce = '', verifier = ''] = (getCookie(c, BEGUN, 'host') ?? '').split('.');
    deleteCookie(c, BEGUN, HOST_ONLY);
    const code = c.req.query('code');
    // An attacker may have begun this sign-in and sent its end here, so that a person works under another name.
    if (verifier === '' || !isSame(c.req.query('state') ?? '', state)) return c.html(page(c, words.signInOther), 403);
    if (code === undefined) return c.html(page(c, words.signInRefused), 403);
    const token = await issuer.tokenFor(code, redirectUri, { state, nonce, verifier });
    const somebody = token === null ? null : await issuer.whoHas(token, nonce);
    if (token === null || somebody === null) return c.html(page(c, words.signInRefused), 403);
    if (token.length > MAX_COOKIE_LENGTH) return c.html(page(c, words.signInTooLong), 403);
    setCookie(c, SESSION, token, { ...HOST_ONLY, sameSite: 'Strict' });
    // A Strict cookie is not sent on a way that began at the issuer. A page of ours that continues begins a new one.
    c.header('content-security-policy', GOES_ON);
    c.header('refresh', '0; url=/mails');
    return c.html(page(c, words.signedIn));
  });
}

const random = () => randomBytes(BYTES).toString('base64url');

/** Returns a page with one sentence, and the link to continue. */
export function page(c: Context, sentence: string): string {
  const language = languageOf(c.req.header('accept-language'));
  const words = deskWords(language);
  const context = { language, words, desk: { person: null, csrf: '', pages: 'none' as const } };
  return pageText(
    context,
    'Mail Airlock',
    <section>
      <h1>{sentence}</h1>
      <p>
        <a href={toPage`/mails`}>{words.held}</a> · <a href={ownAddress(SIGN_IN)}>{words.signIn}</a>
      </p>
    </section>,
  );
}

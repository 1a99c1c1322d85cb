/** An issuer of OpenID Connect on this machine. It signs whatever a test asks for. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import { nextRsaKeys } from '../runner/rsa-keys.ts';

export const CLIENT = 'the-desk';

export interface LocalIssuer {
  readonly url: string;
  /** A token that the issuer would make for somebody, with other claims in it. */
  token(
    claims?: Readonly<Record<string, unknown>>,
    head?: { readonly alg?: string; readonly kid?: string },
  ): Promise<string>;
  /** Signs with a new key from now on, and forgets the others. */
  rotate(): Promise<void>;
  /** What the next sign-in has in its token. */
  signsIn(claims: Readonly<Record<string, unknown>>): void;
  /** Follows the address to which a browser is sent, as a person who signs in. Gives the address to which he comes back. */
  comeBack(signInUrl: string): URL;
  /** The paths at which it answers 500. */
  readonly broken: Set<string>;
  /** Other answers than its own, by path: a status, and a document or the address of a redirect. */
  readonly instead: Map<string, { readonly status: number; readonly body?: unknown; readonly location?: string }>;
  readonly calls: string[];
}

/** Starts it, until the test is over, or something else that is handed in. */
export async function startIssuer(
  until: (close: () => void) => void = (close) => onTestFinished(close),
): Promise<LocalIssuer> {
  let number = 0;
  let key = await newKey();
  let claimsOfNext: Readonly<Record<string, unknown>> = {};
  const begun = new Map<string, URLSearchParams>();
  const broken = new Set<string>();
  const instead: LocalIssuer['instead'] = new Map();
  const calls: string[] = [];
  async function newKey() {
    number += 1;
    const pair = nextRsaKeys();
    return { ...pair, kid: `key-${number}`, jwk: await exportJWK(pair.publicKey) };
  }
  const token: LocalIssuer['token'] = (claims = {}, { alg = 'RS256', kid = key.kid } = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: url, aud: CLIENT, sub: 'somebody', iat: now, exp: now + 600, email: 'pat@example.org' };
    const payload = { ...usual, groups: ['analyst'], ...claims };
    return new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(key.privateKey);
  };
  const answers: Readonly<Record<string, (body: URLSearchParams) => unknown>> = {
    '/.well-known/openid-configuration': () => ({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
    }),
    '/keys': () => ({ keys: [{ ...key.jwk, kid: key.kid, alg: 'RS256', use: 'sig' }] }),
    '/token': async (body) => {
      const asked = begun.get(body.get('code') ?? '');
      begun.delete(body.get('code') ?? '');
      const proof = createHash('sha256')
        .update(body.get('code_verifier') ?? '')
        .digest('base64url');
      const fits =
        asked?.get('code_challenge') === proof &&
        asked.get('redirect_uri') === body.get('redirect_uri') &&
        body.get('client_id') === CLIENT;
      if (!fits) return null;
      return { id_token: await token({ nonce: asked.get('nonce'), ...claimsOfNext }) };
    },
  };
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    calls.push(path);
    let body = '';
    for await (const piece of request) body += piece;
    const other = instead.get(path);
    if (other !== undefined) {
      response.writeHead(other.status, other.location === undefined ? {} : { location: other.location });
      return void response.end(JSON.stringify(other.body ?? {}));
    }
    const answer = broken.has(path) ? undefined : await answers[path]?.(new URLSearchParams(body));
    response.writeHead(answer === undefined ? 500 : answer === null ? 400 : 200, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(answer ?? { error: 'no' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  until(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    token,
    rotate: async () => {
      key = await newKey();
    },
    signsIn(claims) {
      claimsOfNext = claims;
    },
    comeBack(signInUrl) {
      const asked = new URL(signInUrl).searchParams;
      const code = `code-${begun.size}-${number}`;
      begun.set(code, asked);
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state') ?? '');
      return back;
    },
    broken,
    instead,
    calls,
  };
}

/**
 * An issuer of OpenID Connect: people sign in there, and its signed tokens name the person and the role. Its addresses and keys are fetched
 * when they are needed. Changed keys are found by their ids.
 */
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import { ROLES, type Role } from '../pipeline/model.ts';

export interface IssuerSettings {
  /** As written in its tokens. */
  readonly issuer: string;
  /** The desk, as the issuer knows it. Tokens must be made for it. */
  readonly clientId: string;
  /** The claim with the roles of a person: a list, or one text. */
  readonly roleClaim: string;
}

/** A person who has signed in. */
export interface Somebody {
  readonly name: string;
  /** The permanent name of the person at the issuer: names and addresses change hands. */
  readonly id: string;
  /** The highest role of the person; null when there is none here. */
  readonly role: Role | null;
}

/** The state of a sign-in, in the browser that began it. */
export interface Beginning {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Issuer {
  /** Returns the address where a browser signs in. Throws IssuerAwayError. */
  signInUrl(redirectUri: string, begun: Beginning, challenge: string): Promise<string>;
  /** Returns the token for the code with which a browser came back, or null when the issuer refuses it. Throws IssuerAwayError. */
  tokenFor(code: string, redirectUri: string, begun: Beginning): Promise<string | null>;
  /** Returns the person with this token, or null when it is not valid. Throws IssuerAwayError. */
  whoHas(token: string, nonce?: string): Promise<Somebody | null>;
}

/** The issuer does not answer, or its answer is wrong. Nobody is let in meanwhile. */
export class IssuerAwayError extends Error {
  override readonly name = 'IssuerAwayError';
}

/** Signatures with a public key. A token without one, or signed with a shared secret, is refused. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Milliseconds. */
const ANSWERS_WITHIN = 5_000;
/** A copy of a token lets its bearer in, so none is valid for longer, even if its issuer allows it. Seconds. */
const MAX_SESSION_SECONDS = 12 * 3_600;
/** Names and keys of a token are shown and compared. A longer one is refused. */
const NAME_CHARS = 100;
const MAX_TOKEN_LENGTH = 8_000;

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});
const Tokens = z.object({ id_token: z.string() });
type Known = z.infer<typeof Discovery> & { readonly keys: JWTVerifyGetKey };

export interface IssuerOptions {
  /**
   * After keys were fetched, unknown ids of keys are refused for this time. Otherwise an attacker with invented ids could make us fetch all
   * the time. Milliseconds.
   */
  readonly keysRestMs?: number;
}

/** Makes an issuer. */
export function createIssuer(settings: IssuerSettings, { keysRestMs = 30_000 }: IssuerOptions = {}): Issuer {
  let known: Promise<Known> | null = null;
  const found = async (): Promise<Known> => {
    known ??= discovered(settings.issuer, keysRestMs);
    try {
      return await known;
    } catch (error) {
      known = null;
      throw error;
    }
  };
  return {
    async signInUrl(redirectUri, { state, nonce }, challenge) {
      const url = new URL((await found()).authorization_endpoint);
      const asked = { response_type: 'code', client_id: settings.clientId, redirect_uri: redirectUri };
      const proof = { state, nonce, code_challenge: challenge, code_challenge_method: 'S256' };
      for (const [name, value] of Object.entries({ ...asked, scope: 'openid email profile', ...proof }))
        url.searchParams.set(name, value);
      return url.href;
    },
    async tokenFor(code, redirectUri, { verifier }) {
      const { token_endpoint: url } = await found();
      const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
      const body = new URLSearchParams({ ...grant, client_id: settings.clientId, code_verifier: verifier });
      const answer = await asked(url, { method: 'POST', body });
      if (answer.status >= 500) throw new IssuerAwayError(`the token endpoint answers ${answer.status}`);
      const tokens = Tokens.safeParse(await answer.json().catch(() => null));
      return answer.ok && tokens.success ? tokens.data.id_token : null;
    },
    async whoHas(token, nonce) {
      if (token.length > MAX_TOKEN_LENGTH) return null;
      const { keys } = await found();
      try {
        const { issuer, clientId: audience } = settings;
        const rules = { issuer, audience, algorithms: ALGORITHMS, requiredClaims: ['exp', 'iat', 'sub'] };
        const { payload } = await jwtVerify(token, keys, rules);
        if (Date.now() / 1_000 - (payload.iat ?? 0) > MAX_SESSION_SECONDS) return null;
        return nonce === undefined || payload.nonce === nonce ? somebodyIn(payload, settings.roleClaim) : null;
      } catch (error) {
        if (isAway(error)) throw new IssuerAwayError('the keys of the issuer cannot be read', { cause: error });
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

async function discovered(issuer: string, cooldownDuration: number): Promise<Known> {
  const answer = await asked(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {});
  const read = Discovery.safeParse(await answer.json().catch(() => null));
  // An issuer that names itself otherwise would have its tokens refused.
  if (!answer.ok || !read.success || read.data.issuer !== issuer)
    throw new IssuerAwayError(`${issuer} does not answer as an issuer of this name`);
  const keys = createRemoteJWKSet(new URL(read.data.jwks_uri), { cooldownDuration, timeoutDuration: ANSWERS_WITHIN });
  return { ...read.data, keys };
}

async function asked(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(ANSWERS_WITHIN) });
  } catch (error) {
    throw new IssuerAwayError(`${new URL(url).host} does not answer`, { cause: error });
  }
}

/** Returns true for the errors of jose about keys that could not be fetched, and not about a token. */
function isAway(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return true;
  return error instanceof TypeError || (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC');
}

function somebodyIn(payload: JWTPayload, roleClaim: string): Somebody {
  // Where people choose their addresses themselves, an unverified address could belong to another person.
  const email = payload.email_verified === false ? undefined : payload.email;
  const name = [email, payload.preferred_username, payload.sub].find(
    (each) => typeof each === 'string' && each.trim() !== '',
  );
  const claim = payload[roleClaim];
  const given: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const role = ROLES.findLast((each) => given.includes(each)) ?? null;
  return { name: String(name).slice(0, NAME_CHARS), id: String(payload.sub), role };
}

/** Who may call. Keys are compared as hashes in constant time, so neither their bytes nor their lengths leak by timing. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { CDR_TOKEN_HEADER } from '../contract/cdr.ts';
import type { RouteDefinition } from '../contract/common.ts';
import { ServiceError } from './service-error.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Returns whether a presented key is one of the accepted ones. Throws TypeError when an accepted key is empty. */
export function keyCheck(accepted: readonly string[]): (presented: string) => boolean {
  if (accepted.length === 0 || accepted.some((key) => key === '')) {
    throw new TypeError('an analysis service needs at least one key, and no empty one');
  }
  const digests = accepted.map(digest);
  return (presented) => {
    const candidate = digest(presented);
    // No early exit: every key is compared, whichever matches.
    return digests.filter((known) => timingSafeEqual(known, candidate)).length > 0;
  };
}

/** Throws ServiceError UNAUTHORIZED unless the request carries an accepted key where `auth` says. */
export function requireKey(
  headers: Headers,
  auth: RouteDefinition['auth'],
  isAccepted: (presented: string) => boolean,
): void {
  const presented = presentedKey(headers, auth);
  if (presented === '' || !isAccepted(presented)) throw new ServiceError('UNAUTHORIZED');
}

function presentedKey(headers: Headers, auth: RouteDefinition['auth']): string {
  if (auth === 'api-token') return headers.get(CDR_TOKEN_HEADER)?.trim() ?? '';
  // RFC 9110 §11.1: the scheme is case-insensitive.
  return /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
}

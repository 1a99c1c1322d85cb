/** Crafted cases that are kept outside this repository; a bench without them says so. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the case files are, relative to the repository unless AIRLOCK_CASES says otherwise. */
export const CASES = process.env.AIRLOCK_CASES ?? '../shared/data';

export interface EvasionCases {
  readonly payloadSha256: string;
  /** `kind` says what is hidden: `url` for a URL, otherwise bytes. */
  readonly cases: readonly { readonly id: string; readonly kind: string; readonly email: Buffer }[];
}

/** Messages that hide one payload; null when they are not here. */
export function evasionCases(): EvasionCases | null {
  const folder = join(CASES, 'evasion');
  if (!existsSync(join(folder, 'index.json'))) return null;
  const index = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as {
    payload_sha256: string;
    cases: { id: string; kind: string; file: string }[];
  };
  const cases = index.cases.map(({ id, kind, file }) => ({ id, kind, email: readFileSync(join(folder, file)) }));
  return { payloadSha256: index.payload_sha256, cases };
}

export interface UrlCase {
  readonly id: string;
  readonly type: 'html' | 'text' | 'mime';
  readonly input: string;
  readonly expect: readonly string[];
}

/** Bodies and messages with the URLs that must be found in them; null when they are not here. */
export function urlCases(): readonly UrlCase[] | null {
  const path = join(CASES, 'urls', 'url-cases.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { cases: UrlCase[] }).cases : null;
}

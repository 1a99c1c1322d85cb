/** The origin under which browsers reach pages of ours. */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { UsageError } from '../console.ts';

/** Reads an origin such as `https://airlock.example`; http only for this machine. Throws UsageError. */
export function originIn(text: string): string {
  const url = parseUrl(text);
  const isHere = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost';
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere);
  if (url && isAllowed && (text === url.origin || text === `${url.origin}/`)) return url.origin;
  throw new UsageError(
    `--url takes an origin such as https://airlock.example, without a path, not ${JSON.stringify(text.slice(0, 200))}. Without https only for 127.0.0.1.`,
  );
}

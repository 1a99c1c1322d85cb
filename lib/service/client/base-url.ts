/** The base URL of a service, and the paths below it. */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { ClientConfigError } from './errors.ts';

/** Host names that never leave this machine. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns the given base URL without trailing slashes; a path prefix such as `/public-api` stays. Throws ClientConfigError unless the URL
 * is https, or http to this machine: over plain http, others could read the key and the files of the mail.
 *
 * @example
 * ```ts
 * normalizeBaseUrl('https://analysis.example/public-api/', false); // => 'https://analysis.example/public-api'
 * ```
 */
export function normalizeBaseUrl(baseUrl: string, allowInsecureHttp: boolean): string {
  const url = parseUrl(baseUrl);
  if (url === null) throw new ClientConfigError(`not a URL of an analysis service: ${JSON.stringify(baseUrl)}`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ClientConfigError(`the URL of an analysis service starts with https://, got ${url.protocol}//`);
  }
  if (url.protocol === 'http:' && !allowInsecureHttp && !LOOPBACK.test(url.hostname)) {
    throw new ClientConfigError(
      `http:// is accepted for this machine only (127.0.0.1, localhost), got ${url.hostname}; use https://`,
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ClientConfigError('the URL of an analysis service holds no user, password, query or fragment');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/**
 * Returns the base URL without `/public-api`, for an interface whose own paths contain it if needed.
 *
 * @example
 * ```ts
 * withoutPublicApi('https://analysis.example/public-api'); // => 'https://analysis.example'
 * ```
 */
export const withoutPublicApi = (baseUrl: string) => baseUrl.replace(/\/public-api$/i, '');

/**
 * Fills the `:name` places of a route's path. Values are encoded, so that none can lead to another route.
 *
 * @example
 * ```ts
 * fillPath('/submissions/:uuid', { uuid: 'a/b' }); // => '/submissions/a%2Fb'
 * ```
 */
export function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(params[name] ?? '');
    if (value === '' || value === '.' || value === '..')
      throw new TypeError(`${name} cannot be ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
}

/** Where a service is, and the paths below it. */
import { ClientConfigError } from './errors.ts';

/** The paths of a URL that never leaves this machine. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A base URL as given, without trailing slashes; a path prefix such as `/public-api` stays. Throws ClientConfigError for
 * anything but https, and http to this machine: over plain http the key and the mail's files could be read on the way.
 */
export function normalizeBaseUrl(baseUrl: string, allowInsecureHttp: boolean): string {
  if (!URL.canParse(baseUrl))
    throw new ClientConfigError(`not a URL of an analysis service: ${JSON.stringify(baseUrl)}`);
  const url = new URL(baseUrl);
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

/** The base URL of an interface whose own paths hold `/public-api` where they need it: one that was given is taken off. */
export const withoutPublicApi = (baseUrl: string) => baseUrl.replace(/\/public-api$/i, '');

/** Fills the `:name` places of a route's path. Values are encoded, so none can climb to another route. */
export function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(params[name] ?? '');
    if (value === '' || value === '.' || value === '..')
      throw new TypeError(`${name} cannot be ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
}

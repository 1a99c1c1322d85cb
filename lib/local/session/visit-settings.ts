/** The settings of `airlock serve` and `airlock scan` for visits to URLs. */

import { findChromium, isExecutable } from '../../engines/url/visit/find-chromium.ts';
import type { VisitSettings } from '../../engines/url/visit/visiting-runner.ts';
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { type Console, UsageError } from '../console.ts';

export interface VisitOptions {
  readonly online?: boolean;
  readonly proxy?: string;
}

/**
 * Returns the settings of visits; null when pages are not visited. AIRLOCK_CHROMIUM names a Chromium, or `none`;
 * AIRLOCK_CHROMIUM_SANDBOX=off starts it without its own sandbox, which is the only way as root. Throws UsageError for a proxy or a
 * Chromium that cannot be used.
 */
export function visitSettings(
  { env }: Pick<Console, 'env'>,
  { online, proxy }: VisitOptions,
  isRoot = process.getuid?.() === 0,
): VisitSettings | null {
  if (!online) {
    if (proxy !== undefined) throw new UsageError('--proxy is for visits to URLs: it needs --online as well.');
    return null;
  }
  const isProxy = proxy === undefined || /^http:\/\/[^/?#]+\/?$/.test(proxy);
  if (!isProxy || (proxy !== undefined && parseUrl(proxy) === null))
    throw new UsageError(`--proxy takes http://host:port of a proxy with CONNECT, not ${JSON.stringify(proxy)}.`);
  return { proxy: proxy ?? null, chromium: chromiumOf(env, isRoot) };
}

function chromiumOf(env: Console['env'], isRoot: boolean): VisitSettings['chromium'] {
  const { AIRLOCK_CHROMIUM: named, AIRLOCK_CHROMIUM_SANDBOX: sandbox } = env;
  if (named === 'none') return null;
  if (named && !isExecutable(named))
    throw new UsageError(`AIRLOCK_CHROMIUM names ${JSON.stringify(named)}, which cannot be started.`);
  const path = named || findChromium();
  const hasSandbox = sandbox !== 'off';
  if (path === null || !(isRoot && hasSandbox)) return path === null ? null : { path, hasSandbox };
  if (!named) return null;
  throw new UsageError(
    'As root, Chromium does not start in its sandbox. Run as another user, or set AIRLOCK_CHROMIUM_SANDBOX=off.',
  );
}

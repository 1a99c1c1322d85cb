/**
 * Some routes have several names: that of the documentation, and those that public clients of the same interface use. A service may
 * know one of them only. The client learns which at the first refusal, and remembers it.
 */
import type { RouteDefinition } from '../contract/common.ts';
import { ApiError } from './errors.ts';

/** Which names of routes a service knows: `documented`, or `public`, those that the public clients of the interface use. */
export type Dialect = 'documented' | 'public';

/**
 * The names of the routes for one service.
 *
 * @example
 * ```ts
 * import type { RouteDefinition } from './lib/service/contract/common.ts';
 *
 * const names = new RouteNames();
 * const route = { paths: ['/submissions/url', '/submissions/url_analysis'] } as unknown as RouteDefinition;
 * await names.call(route, async (path) => path); // => '/submissions/url'
 * ```
 */
export class RouteNames {
  /** Null until it is set or learned. */
  #dialect: Dialect | null;
  readonly #isSet: boolean;

  /** Learns the dialect when none is set. */
  constructor(set?: Dialect | undefined) {
    this.#dialect = set ?? null;
    this.#isSet = set !== undefined;
  }

  /** The dialect that is known at the moment; the documented one until another is learned. */
  get dialect(): Dialect {
    return this.#dialect ?? 'documented';
  }

  /**
   * Calls a route by the name that the service knows. Another name is tried only when the service has no route of the first one, so
   * nothing was carried out. Rejects like `call`; when no name is known, with the refusal of the first.
   */
  async call<T>(
    { paths }: RouteDefinition,
    call: (path: string) => Promise<T>,
    canCallAgain: () => boolean = () => true,
  ): Promise<T> {
    const [first, ...others] = this.#ordered(paths);
    try {
      return await call(first);
    } catch (refusal) {
      for (const path of isUnknownRoute(refusal) ? others : []) {
        if (!canCallAgain()) break;
        const outcome = await settled(call(path));
        if ('error' in outcome && isUnknownRoute(outcome.error)) continue;
        this.#dialect = path === paths[0] ? 'documented' : 'public';
        if ('error' in outcome) throw outcome.error;
        return outcome.value;
      }
      throw refusal;
    }
  }

  #ordered([documented, ...others]: RouteDefinition['paths']): readonly [string, ...string[]] {
    const [inPublic = documented] = others;
    if (this.#isSet) return this.dialect === 'public' ? [inPublic] : [documented];
    if (this.dialect === 'documented') return [documented, ...others];
    return [inPublic, ...[documented, ...others].filter((path) => path !== inPublic)];
  }
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

const settled = <T>(promise: Promise<T>): Promise<Settled<T>> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** Codes of a 404 that speaks of a thing, and not of the route. */
const THINGS = new Set([
  'SUBMISSION_NOT_FOUND',
  'ARTIFACT_NOT_FOUND',
  'SAMPLE_NOT_AVAILABLE',
  'MEDIA_NOT_FOUND',
  'FILE_NOT_FOUND',
]);

/** True when the service has no route of this name. 405: it has one of this path for another method. */
function isUnknownRoute(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 405 || (error.status === 404 && !THINGS.has(error.code));
}

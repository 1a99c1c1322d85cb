/**
 * Some routes have several names: the documented one, and those of public clients of the same interface. A service may know only one of
 * them. The client learns it at the first refusal, and remembers it.
 */
import type { RouteDefinition } from '../contract/common.ts';
import { ApiError } from './errors.ts';

/** The names of routes that a service knows: `documented`, or `public` for the names in public clients of the interface. */
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

  /** Makes the names for one service. Learns the dialect when none is set. */
  constructor(set?: Dialect | undefined) {
    this.#dialect = set ?? null;
    this.#isSet = set !== undefined;
  }

  /** The dialect that is known now. The documented one counts until another is learned. */
  get dialect(): Dialect {
    return this.#dialect ?? 'documented';
  }

  /**
   * Calls a route by the name that the service knows. Tries another name only when the service has no route of the first name, so nothing
   * was carried out. Rejects like `call`. When no name is known, rejects with the refusal of the first.
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

/** Codes of a 404 that is about an object, and not about the route. */
const THINGS = new Set([
  'SUBMISSION_NOT_FOUND',
  'ARTIFACT_NOT_FOUND',
  'SAMPLE_NOT_AVAILABLE',
  'MEDIA_NOT_FOUND',
  'FILE_NOT_FOUND',
]);

/** Returns true when the service has no route of this name. 405 means that it has one of this path for another method. */
function isUnknownRoute(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 405 || (error.status === 404 && !THINGS.has(error.code));
}

/** Reads lists that come in pages as one stream of items. */
import { ContractError } from './errors.ts';

/** A page of the routes that take `page` and `limit`. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page?: number | null | undefined;
}

/** Most pages of a list: a service may have a list that never ends, or answer every page with the first one. */
const MAX_PAGES = 100_000;

/**
 * Returns every item of a list with numbered pages. When new items arrive during the reading, an item can come twice. Throws ContractError
 * when the service sends another page than the one asked for.
 *
 * @example
 * ```ts
 * const read = async (page: number) => ({ items: [page * 10], total: 2, page });
 * for await (const item of eachOfPages(read)) console.log(item);
 * ```
 */
export async function* eachOfPages<T>(read: (page: number) => Promise<Page<T>>, firstPage = 1): AsyncGenerator<T> {
  let seen = 0;
  for (let page = firstPage; page < firstPage + MAX_PAGES; page += 1) {
    const answer = await read(page);
    if (typeof answer.page === 'number' && answer.page !== page) {
      throw new ContractError('a list', [`page: asked for ${page}, got ${answer.page}`]);
    }
    yield* answer.items;
    seen += answer.items.length;
    if (answer.items.length === 0 || seen >= answer.total) return;
  }
  throw new ContractError('a list', [`no end after ${MAX_PAGES} pages`]);
}

/**
 * Returns every item of a list that is paged by `limit` and `skip`. A short page is the last one.
 *
 * @example
 * ```ts
 * const read = async ({ skip }: { skip: number }) => ['a', 'b', 'c'].slice(skip, skip + 2);
 * for await (const item of eachByOffset(read, 2)) console.log(item);
 * ```
 */
export async function* eachByOffset<T>(
  read: (window: { readonly limit: number; readonly skip: number }) => Promise<readonly T[]>,
  limit: number,
): AsyncGenerator<T> {
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const items = await read({ limit, skip: page * limit });
    yield* items;
    // The page has more items than asked for: a service that does not know `limit` sends all items at once.
    if (items.length !== limit) return;
  }
  throw new ContractError('a list', [`no end after ${MAX_PAGES} pages`]);
}

/** Takes a page from a list that is whole in memory. */

/** Returns one page by number, with the counts that every paginated answer has. */
export function pageOf<T>(items: readonly T[], { page, limit }: { readonly page: number; readonly limit: number }) {
  const start = (page - 1) * limit;
  return { items: items.slice(start, start + limit), ...pageCounts(items.length, page, limit) };
}

/** `totalPages` is 0 when there are no items. */
export const pageCounts = (total: number, page: number, limit: number) => ({
  total,
  page,
  limit,
  totalPages: Math.ceil(total / limit),
});

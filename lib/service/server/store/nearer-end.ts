/** A page of a list, counted from the nearer end, because a walk through an index reads every row before its page. */
import type { ListPage } from './submission-store.ts';

/** Returns the same page. When its order differs from the order of `page`, its rows must be reversed. */
export function nearerEnd({ offset, limit, order }: Required<ListPage>, total: number): Required<ListPage> {
  if (offset <= total / 2) return { offset, limit, order };
  const size = Math.min(limit, total - offset);
  return { offset: total - offset - size, limit: size, order: order === 'asc' ? 'desc' : 'asc' };
}

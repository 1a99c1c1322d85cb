/**
 * `Array.map` for work that waits, at most `concurrency` at a time, results in order. When one fails, no further item is
 * started, everything in flight is awaited, and the first error is thrown: nothing goes on behind the caller's back.
 */
export async function mapBounded<In, Out>(
  items: readonly In[],
  concurrency: number,
  work: (item: In, index: number) => Promise<Out>,
): Promise<Out[]> {
  const results = new Array<Out>(items.length);
  const failures: unknown[] = [];
  let next = 0;
  const lane = async () => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index] as In, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}

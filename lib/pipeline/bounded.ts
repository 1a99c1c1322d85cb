/**
 * `Array.map` for asynchronous work, at most `concurrency` at a time, with the results in order. When one item fails, no further item is
 * started, and the items in flight are awaited. Then the first error is thrown. So no work continues after the call has ended.
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

/** Works on at most `concurrency` items of a list at a time and yields the results in its order. The list may be endless. */
export async function* inOrder<In, Out>(
  items: AsyncIterable<In>,
  concurrency: number,
  work: (item: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const underWay: Promise<Out>[] = [];
  for await (const item of items) {
    underWay.push(work(item));
    if (underWay.length >= concurrency) yield await (underWay.shift() as Promise<Out>);
  }
  for (const result of underWay) yield await result;
}

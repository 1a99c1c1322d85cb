/** Shows on a terminal how many of the mails were tried. Elsewhere it shows nothing, because the result says it. */
import type { Console } from '../console.ts';
import { barOn } from '../progress.ts';

/** Passes items on, and counts them in a bar on stderr. */
export async function* withProgress<T>({ stderr }: Console, all: AsyncIterable<T>, total: number): AsyncGenerator<T> {
  if (!stderr.isTTY) return yield* all;
  const bar = barOn(stderr, '{bar} {value} of {total} mails, {eta_formatted} left');
  bar.start(Math.max(1, total), 0);
  try {
    for await (const one of all) {
      bar.increment();
      yield one;
    }
  } finally {
    bar.stop();
  }
}

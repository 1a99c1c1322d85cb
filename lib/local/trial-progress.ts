/** Shows on a terminal how many mails were tried of how many. Elsewhere nothing: the result says it. */
import { SingleBar } from 'cli-progress';
import type { Console } from './console.ts';

/** Hands on what comes, and counts it in a bar on stderr. */
export async function* withProgress<T>({ stderr }: Console, all: AsyncIterable<T>, total: number): AsyncGenerator<T> {
  if (!stderr.isTTY) return yield* all;
  const bar = new SingleBar({
    stream: stderr as NodeJS.WritableStream,
    format: '{bar} {value} of {total} mails, {eta_formatted} left',
    barCompleteChar: '#',
    barIncompleteChar: '-',
    barsize: 20,
    etaBuffer: 100,
    hideCursor: null,
    linewrap: false,
    clearOnComplete: true,
    gracefulExit: false,
  });
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

/** Shows progress on stderr: on a terminal a bar with total, rate and remaining time, elsewhere one line per finished input. */
import { SingleBar } from 'cli-progress';
import type { StageName } from '../pipeline/model.ts';
import { safeText } from '../pipeline/safe-text.ts';
import type { Console } from './console.ts';
import type { Outcome } from './outcome.ts';

export interface Progress {
  /** Tells the least number of inputs. Called again when more are found. Null when nobody sees a total. */
  readonly total: ((inputs: number) => void) | null;
  stage(input: string, stage: StageName): void;
  done(outcome: Outcome): void;
  /** Removes the progress line before something else is printed. */
  clear(): void;
  end(): void;
}

const NONE: Progress = { total: null, stage: () => {}, done: () => {}, clear: () => {}, end: () => {} };

/** Shows progress, or nothing when quiet. */
export function createProgress(console: Console, quiet: boolean): Progress {
  if (quiet) return NONE;
  return console.stderr.isTTY ? rewriting(console) : lines(console);
}

const CLEAR_LINE = '\r\u001b[2K';
const NAME_CHARS = 60;

function rewriting({ stderr }: Console): Progress {
  const startedMs = performance.now();
  let finished = 0;
  const bar = barOn(stderr, '{bar} {value} of {total}, {rate} a minute, {eta_formatted} left  {what}');
  bar.start(1, 0, { rate: 0, what: '' });
  return {
    ...NONE,
    total: (inputs) => bar.setTotal(Math.max(1, inputs)),
    stage: (input, stage) => bar.update(finished, { what: `${stage} done: ${safeText(input, NAME_CHARS)}` }),
    done: () => {
      finished += 1;
      const rate = Math.round((finished * 60_000) / Math.max(1, performance.now() - startedMs));
      bar.update(finished, { rate });
    },
    clear: () => void stderr.write(CLEAR_LINE),
    end: () => bar.stop(),
  };
}

/** Makes our progress bar on a terminal, which disappears when it ends. It is empty at first. */
export const barOn = (stderr: Console['stderr'], format: string): SingleBar =>
  new SingleBar({
    stream: stderr as NodeJS.WritableStream,
    format,
    barCompleteChar: '#',
    barIncompleteChar: '-',
    barsize: 20,
    etaBuffer: 100,
    hideCursor: null,
    linewrap: false,
    clearOnComplete: true,
    gracefulExit: false,
  });

function lines(console: Console): Progress {
  return {
    ...NONE,
    done: ({ input, state }) => {
      // One line is written at the end of a stop.
      if (state !== 'interrupted') console.stderr.write(`${state}: ${safeText(input, 400)}\n`);
    },
  };
}

/** Shows progress on stderr: on a terminal one line that is rewritten, elsewhere one line per finished input. */
import type { StageName } from '../pipeline/model.ts';
import { safeText } from '../pipeline/safe-text.ts';
import type { Console } from './console.ts';
import type { Outcome } from './outcome.ts';

export interface Progress {
  stage(input: string, stage: StageName): void;
  done(outcome: Outcome): void;
  /** Removes the progress line before something else is printed. */
  clear(): void;
}

/** Shows progress, or nothing when quiet. */
export function createProgress(console: Console, quiet: boolean): Progress {
  if (quiet) return { stage: () => {}, done: () => {}, clear: () => {} };
  return console.stderr.isTTY ? rewriting(console) : lines(console);
}

function rewriting(console: Console): Progress {
  let finished = 0;
  const running = new Map<string, StageName>();
  const show = () => {
    const [latest] = [...running].slice(-1);
    const what = latest ? `${latest[1]} done: ${safeText(latest[0], 200)}` : '';
    const text = `${finished} finished, ${running.size} under way  ${what}`;
    console.stderr.write(`\r\u001b[2K${text.slice(0, (console.stderr.columns ?? 80) - 1)}`);
  };
  return {
    stage(input, stage) {
      running.delete(input);
      running.set(input, stage);
      show();
    },
    done({ input }) {
      running.delete(input);
      finished += 1;
      show();
    },
    clear: () => void console.stderr.write('\r\u001b[2K'),
  };
}

function lines(console: Console): Progress {
  return {
    stage: () => {},
    done: ({ input, state }) => void console.stderr.write(`${state}: ${safeText(input, 400)}\n`),
    clear: () => {},
  };
}

/** Shows one line on a terminal while a disarm takes longer than a second. Elsewhere it shows nothing. */
import { basename } from 'node:path';
import { safeText } from '../../pipeline/safe-text.ts';
import type { Console } from '../console.ts';

const STEP_MS = 1_000;
const CLEAR_LINE = '\r\x1b[2K';

export interface Progress {
  /** Removes the line. */
  end(): void;
}

/** Starts to show how long the disarm of a file takes. Returns null when stderr is not a terminal. */
export function showProgress({ stderr }: Console, path: string): Progress | null {
  if (stderr.isTTY !== true) return null;
  let seconds = STEP_MS / 1_000;
  let shown = false;
  const show = () => {
    shown = true;
    stderr.write(`${CLEAR_LINE}disarming ${safeText(basename(path), 60)} … ${seconds} s`);
    seconds += STEP_MS / 1_000;
  };
  const timer = setInterval(show, STEP_MS);
  return {
    end() {
      clearInterval(timer);
      if (shown) stderr.write(CLEAR_LINE);
    },
  };
}

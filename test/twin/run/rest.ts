/** Waits until nothing is left to do, for as long as anything goes on: a busy machine takes longer, and does not fail. */

const LOOK_MS = 1_000;

export interface Watched {
  /** Changes whenever something was done. */
  readonly progress: () => string;
  /** The told time, in milliseconds. */
  readonly toldMs: () => number;
}

/** No queue keeps a message longer, so what is not at rest by then goes round in circles. */
const MOST_TOLD_MS = 15 * 24 * 60 * 60_000;

/**
 * Resolves with the work. Rejects when nothing was done in so many looks, one a second: a process that gets little of the processor looks less
 * often, too. Rejects as well when more time was told since than anything may take.
 */
export async function untilRest(looks: number, work: Promise<void>, { progress, toldMs }: Watched): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let [before, quiet] = [progress(), 0];
  const latestMs = toldMs() + MOST_TOLD_MS;
  const late = new Promise<never>((_, reject) => {
    const look = () => {
      const now = progress();
      [before, quiet] = [now, now === before ? quiet + 1 : 0];
      if (quiet >= looks) return reject(new Error(`nothing was done for ${looks} s, and not everything had ended`));
      if (toldMs() > latestMs) return reject(new Error('nothing came to rest within 15 told days'));
      timer = setTimeout(look, LOOK_MS);
    };
    timer = setTimeout(look, LOOK_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

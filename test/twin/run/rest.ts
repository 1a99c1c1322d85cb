/** Waits until nothing is left to do, for as long as anything goes on: a busy machine takes longer, and does not fail. */

const LOOK_MS = 1_000;

export interface Watched {
  /** Changes whenever something was done. */
  readonly progress: () => string;
  /** The told time, in milliseconds. */
  readonly toldMs: () => number;
  /** Begins to call `look` again and again, and hands back what ends that. A test calls it without a clock. */
  readonly beginLooks?: (look: () => void) => () => void;
}

/** No queue keeps a message longer, so what is not at rest by then goes round in circles. */
const MAX_TOLD_MS = 15 * 24 * 60 * 60_000;

/** Looks once a second. A process that gets little of the processor looks less often, as an interval never catches up. */
function everySecond(look: () => void): () => void {
  const interval = setInterval(look, LOOK_MS);
  return () => clearInterval(interval);
}

/** Resolves with the work. Rejects when nothing was done in so many looks, or when more time was told since than anything may take. */
export async function untilRest(looks: number, work: Promise<void>, watched: Watched): Promise<void> {
  const { progress, toldMs, beginLooks = everySecond } = watched;
  let [before, quiet] = [progress(), 0];
  const latestMs = toldMs() + MAX_TOLD_MS;
  let endLooks = () => {};
  const late = new Promise<never>((_, reject) => {
    endLooks = beginLooks(() => {
      const now = progress();
      [before, quiet] = [now, now === before ? quiet + 1 : 0];
      if (quiet >= looks) reject(new Error(`nothing was done for ${looks} s, and not everything had ended`));
      if (toldMs() > latestMs) reject(new Error('nothing came to rest within 15 told days'));
    });
  });
  try {
    await Promise.race([work, late]);
  } finally {
    endLooks();
  }
}

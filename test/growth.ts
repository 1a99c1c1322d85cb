/**
 * How processor time grows with the size of the input. A test may not know how fast a machine is: it compares two sizes in one run.
 * Quadratic work costs 256 times as much for sixteen times the input, linear work
 * sixteen times, and a collector of garbage in between some times more.
 */
const TIMES = 16;
const MOST = 80;
/** A shorter time is no measurement: seconds. */
const LEAST_SECONDS = 0.005;

/**
 * Whether sixteen times the size costs no more than linear work does.
 * A measurement that looks like more is taken again: a pause of the runtime falls into one of them.
 *
 * @example
 * expect(await isLinear(10_000, (size) => reader(' '.repeat(size)))).toBe(true);
 */
export async function isLinear(size: number, work: (size: number) => unknown): Promise<boolean> {
  await secondsOf(size, work);
  for (let round = 0; round < 3; round++) {
    const small = Math.max(LEAST_SECONDS, await secondsOf(size, work));
    if ((await secondsOf(size * TIMES, work)) <= small * MOST) return true;
  }
  return false;
}

async function secondsOf(size: number, work: (size: number) => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work(size);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000_000;
}

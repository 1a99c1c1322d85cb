/**
 * How processor time grows with the size of the input. A test may not know how fast a machine is: it compares two sizes in one run.
 * Quadratic work costs 64 times as much for eight times the input, linear work eight times.
 */
const TIMES = 8;
const MOST = 24;

/**
 * Whether eight times the size costs no more than linear work does.
 * A measurement that looks like more is taken again: a pause of the runtime falls into one of them.
 *
 * @example
 * expect(await isLinear(10_000, (size) => reader(' '.repeat(size)))).toBe(true);
 */
export async function isLinear(size: number, work: (size: number) => unknown): Promise<boolean> {
  await secondsOf(size, work);
  for (let round = 0; round < 3; round++) {
    const small = await secondsOf(size, work);
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

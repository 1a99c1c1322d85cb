/** Finds the fewest mails and faults with which a seed still breaks the same invariant. */
import type { Simulation, SimulationOptions } from './world.ts';

type Simulate = (options: SimulationOptions) => Promise<Simulation>;

/**
 * The simulation of the fewest causes: first halves of what is left are left out, then smaller pieces, at last each cause alone. A fault
 * that is left out can let others happen, which count as causes, too. Returns the simulation as it was when nothing broke.
 */
export async function shrink(simulate: Simulate, options: SimulationOptions): Promise<Simulation> {
  let smallest = await simulate(options);
  const broken = smallest.violation?.invariant;
  if (broken === undefined) return smallest;
  let size = Math.ceil(causesOf(smallest).length / 2);
  while (size >= 1) {
    const found = await withoutOne(simulate, options, smallest, size, broken);
    if (found === null && size === 1) break;
    if (found === null) size = Math.ceil(size / 2);
    else {
      smallest = found;
      size = Math.max(1, Math.min(size, Math.ceil(causesOf(found).length / 2)));
    }
  }
  return smallest;
}

const causesOf = ({ mails, faults }: Simulation): string[] => [
  ...mails.map((mail) => mail.slice(0, mail.indexOf(':'))),
  ...faults.map(({ name }) => name),
];

/** The first simulation that still breaks the invariant without `size` of the causes, or null. */
async function withoutOne(
  simulate: Simulate,
  options: SimulationOptions,
  from: Simulation,
  size: number,
  broken: string,
): Promise<Simulation | null> {
  const causes = causesOf(from);
  for (let at = 0; at < causes.length; at += size) {
    const only = new Set([...causes.slice(0, at), ...causes.slice(at + size)]);
    const tried = await simulate({ ...options, only });
    if (tried.violation?.invariant === broken) return tried;
  }
  return null;
}

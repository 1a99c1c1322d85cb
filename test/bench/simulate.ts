/** How many mails a simulation of the airlock runs in a second of one core, and that nothing breaks in them. */
import { loadSimulation } from '../simulation/bundle.ts';
import { type Measured, type Part, quantity } from './figure.ts';

const WARM = 300;
const SEEDS = 1_500;
/** At least this many runs in a second of one core. */
const LEAST = 500;

/** Milliseconds of processor time that this process has used. */
const usedMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Reads JSON of some kilobytes a thousand times: what a machine needs for it says how busy or slow the machine is. */
function parseMs(): number {
  const text = JSON.stringify(
    Array.from({ length: 100 }, (_, a) => ({ a, b: 'x'.repeat(30), c: [1, 2], d: { e: null } })),
  );
  const from = usedMs();
  for (let times = 0; times < 1_000; times++) JSON.parse(text);
  return (usedMs() - from) / 1_000;
}

async function measure(progress: (text: string) => void): Promise<Measured> {
  const { simulate } = await loadSimulation();
  progress(`${WARM} seeds, in which each mail is read for the first time`);
  for (let seed = 1; seed <= WARM; seed++) await simulate({ seed });
  const [seeds, runs, steps] = [[] as number[], { count: 0 }, { count: 0 }];
  parseMs();
  const before = parseMs();
  const from = usedMs();
  for (let seed = WARM + 1; seed <= WARM + SEEDS; seed++) {
    const found = await simulate({ seed });
    if (found.violation !== null) seeds.push(seed);
    runs.count += found.mails.length;
    steps.count += found.steps;
    if (seed % 250 === 0) progress(`${seed} seeds`);
  }
  const ms = usedMs() - from;
  const eachMs = ms / runs.count;
  if (seeds.length > 0)
    throw new Error(`seeds break an invariant: ${seeds.join(', ')}; run npm run simulate -- --seed N`);
  return {
    figures: [
      {
        name: 'processor time of one run',
        measured: quantity(eachMs, 'ms'),
        atMost: 1_000 / LEAST,
        baselines: [{ name: 'reading 7 kB of JSON', value: before }],
      },
      { name: 'runs in a second of one core', measured: quantity(1_000 / eachMs, '/s'), atMost: null, baselines: [] },
      { name: 'steps of one run', measured: quantity(steps.count / runs.count, 'count'), atMost: null, baselines: [] },
    ],
    tables: [],
    notes: [`${SEEDS} seeds with ${runs.count} runs after ${WARM} seeds in which each mail is read; nothing broke.`],
  };
}

export const simulation: Part = { name: 'simulate', title: 'Simulation of the airlock under faults', measure };

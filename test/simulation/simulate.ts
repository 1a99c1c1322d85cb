/**
 * `npm run simulate`: runs whole mails through the airlock under many seeds, and prints each seed that breaks an invariant with the fewest
 * faults that still break it.
 */
import { parseArgs } from 'node:util';
import { loadSimulation } from './bundle.ts';
import { shrink } from './shrink.ts';
import type { Simulation } from './world.ts';

const EXIT = { ok: 0, broken: 1, usage: 2 } as const;
const HELP = `npm run simulate -- [--seeds N] [--from SEED] [--seed SEED] [--json]

Runs mails through the airlock as it stands on AWS, in told time, with faults that follow from a seed, and checks after every
step what must always hold.

  --seeds N    how many seeds. Default 1000
  --from SEED  the first of them. Default 1
  --seed SEED  only this seed, with every step
  --json       one JSON document on stdout
  --help       this text

Exit codes: ${EXIT.ok} everything held, ${EXIT.broken} a seed broke something, ${EXIT.usage} wrong usage.
`;

interface Options {
  readonly seeds: number;
  readonly from: number;
  readonly isTraced: boolean;
  readonly json: boolean;
}

/** The options of a command line; null for `--help`. Throws TypeError with a sentence for a person. */
function optionsOf(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const number = (name: string, text: string) => {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new TypeError(`--${name} is a whole number from 1 on, not "${text}".`);
    return Number(text);
  };
  const from = number(values.seed === undefined ? 'from' : 'seed', values.seed ?? values.from);
  const seeds = values.seed === undefined ? number('seeds', values.seeds) : 1;
  return { seeds, from, isTraced: values.seed !== undefined && !values.json, json: values.json };
}

/** Milliseconds of processor time that this process has used. */
const usedMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const costOf = (mailMs: number) =>
  `${mailMs.toFixed(1)} ms of processor time for a mail: ${Math.round(1_000 / mailMs)} in a second of one processor\n`;

const EVERY_MS = 2_000;

/** Says how far it is: on a terminal in one line, elsewhere in a line now and then. */
function progressOf(options: Options): (seed: number, mails: number, broken: number) => void {
  const [started, line] = [performance.now(), process.stderr.isTTY ? '\r' : ''];
  let toldMs = started;
  return (seed, mails, broken) => {
    const now = performance.now();
    if (now - toldMs < EVERY_MS) return;
    toldMs = now;
    const done = seed - options.from + 1;
    const perSecond = Math.round((mails / (now - started)) * 1_000);
    const end = line === '' ? '\n' : '';
    process.stderr.write(
      `${line}${done} of ${options.seeds} seeds, ${mails} mails, ${perSecond} a second, ${broken} broken${end}`,
    );
  };
}

/** A violation with what led to it, for a person. */
export function described({ seed, violation, mails, faults }: Simulation): string {
  const causes = [...mails, ...faults.map(({ atSeconds, name }) => `after ${atSeconds} s: ${name}`)];
  return [
    `seed ${seed} breaks: ${violation?.invariant}`,
    `  after ${violation?.atSeconds} s: ${violation?.says}`,
    ...causes.map((cause) => `  ${cause}`),
    `  npm run simulate -- --seed ${seed}`,
    '',
  ].join('\n');
}

async function main(args: readonly string[]): Promise<number> {
  let options: Options | null;
  try {
    options = optionsOf(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    return EXIT.usage;
  }
  if (options === null) {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const { simulate } = await loadSimulation();
  const progress = progressOf(options);
  const broken: Simulation[] = [];
  let mails = 0;
  let steps = 0;
  const fromMs = usedMs();
  for (let seed = options.from; seed < options.from + options.seeds; seed++) {
    const trace = options.isTraced ? { trace: (line: string) => process.stdout.write(`${line}\n`) } : {};
    const found = await simulate({ seed, ...trace });
    mails += found.mails.length;
    steps += found.steps;
    if (found.violation !== null) {
      broken.push(await shrink(simulate, { seed }));
      if (!options.json) process.stdout.write(`\n${described(broken.at(-1) as Simulation)}`);
    }
    progress(seed, mails, broken.length);
  }
  const { seeds } = options;
  const mailMs = (usedMs() - fromMs) / mails;
  if (options.json) process.stdout.write(`${JSON.stringify({ seeds, mails, steps, mailMs, broken }, null, 2)}\n`);
  else
    process.stdout.write(`${seeds} seeds, ${mails} mails, ${steps} steps: ${broken.length} broken\n${costOf(mailMs)}`);
  return broken.length > 0 ? EXIT.broken : EXIT.ok;
}

process.exitCode = await main(process.argv.slice(2));

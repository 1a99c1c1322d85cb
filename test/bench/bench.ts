/**
 * `npm run bench`: measures what the project promises, prints tables on stdout and progress on stderr, and ends by itself. Only
 * loopback traffic; every fixture is made in code.
 */
import { parseArgs } from 'node:util';
import { attack } from './attack.ts';
import { bundles } from './bundles.ts';
import { clientUpload } from './client-upload.ts';
import { desk } from './desk.ts';
import { disarm } from './disarm.ts';
import { disarmSpeed } from './disarm-speed.ts';
import { enginesInside } from './engines-inside.ts';
import { isMissed, type Measured, type Part } from './figure.ts';
import { gatewayPart } from './gateway.ts';
import { gatewayKills } from './gateway-kills.ts';
import { hostile } from './hostile.ts';
import { known } from './known.ts';
import { looks } from './looks.ts';
import { mutation } from './mutation.ts';
import { ordinary } from './ordinary.ts';
import { overhead } from './overhead.ts';
import { packagesPart } from './packages.ts';
import { reading } from './reading.ts';
import { renderPart } from './render.ts';
import { runs } from './runs.ts';
import { runsAws } from './runs-aws.ts';
import { sandbox } from './sandbox.ts';
import { scanMany } from './scan-many.ts';
import { serviceReads } from './service-reads.ts';
import { serviceWork } from './service-work.ts';
import { simulation } from './simulate.ts';
import { staticEngine } from './static.ts';
import { transitions } from './transitions.ts';
import { twinPart } from './twin.ts';
import { urlEngine } from './url-engine.ts';
import { urls } from './urls.ts';

const PARTS: readonly Part[] = [
  known,
  scanMany,
  runs,
  runsAws,
  desk,
  gatewayPart,
  gatewayKills,
  overhead,
  transitions,
  enginesInside,
  bundles,
  packagesPart,
  reading,
  hostile,
  attack,
  ordinary,
  urls,
  clientUpload,
  serviceReads,
  serviceWork,
  disarm,
  disarmSpeed,
  sandbox,
  staticEngine,
  urlEngine,
  looks,
  simulation,
  twinPart,
  mutation,
];
const NAMES = PARTS.map((part) => part.name).join(', ');

const EXIT = { ok: 0, missed: 1, usage: 2, failed: 3 } as const;

const HELP = `npm run bench -- [--only NAME]… [--json] [--strict]

Measures what the project promises and compares it with the targets.

  --only NAME  run one part: ${NAMES}; can be given more than once
  --json       one JSON document on stdout instead of tables
  --strict     exit with ${EXIT.missed} when a target is missed
  --help       this text

Exit codes: 0 measured, ${EXIT.missed} a target was missed (with --strict), ${EXIT.usage} wrong usage, ${EXIT.failed} a part could not be measured.
`;

interface Options {
  readonly parts: readonly Part[];
  readonly json: boolean;
  readonly strict: boolean;
}

interface Outcome {
  readonly part: Part;
  readonly seconds: number;
  readonly measured: Measured | null;
  readonly error: string | null;
}

/** The options of a command line; null for `--help`. Throws TypeError with a sentence for a person. */
function optionsOf(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const unknown = values.only.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown !== undefined) throw new TypeError(`There is no part "${unknown}". The parts are ${NAMES}.`);
  const parts = values.only.length === 0 ? PARTS : PARTS.filter((part) => values.only.includes(part.name));
  return { parts, json: values.json, strict: values.strict };
}

async function measurePart(part: Part): Promise<Outcome> {
  const started = performance.now();
  const progress = (text: string) => process.stderr.write(`${part.name}: ${text}\n`);
  const seconds = () => (performance.now() - started) / 1_000;
  try {
    const measured = await part.measure(progress);
    progress(`done in ${seconds().toFixed(1)} s`);
    return { part, seconds: seconds(), measured, error: null };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${part.name}: could not be measured: ${text}\n`);
    return { part, seconds: seconds(), measured: null, error: text.split('\n')[0] ?? text };
  }
}

function show({ part, measured, error }: Outcome): void {
  const text = measured ? renderPart(part.title, measured) : `${part.title}\n  could not be measured: ${error}\n`;
  process.stdout.write(`\n${text}`);
}

function jsonOf(outcomes: readonly Outcome[]): string {
  const parts = outcomes.map(({ part, seconds, measured, error }) => ({
    name: part.name,
    seconds,
    error,
    figures: (measured?.figures ?? []).map((figure) => ({ ...figure, isMissed: isMissed(figure) })),
    tables: measured?.tables ?? [],
    notes: measured?.notes ?? [],
  }));
  const machine = { node: process.version, platform: process.platform, arch: process.arch };
  return `${JSON.stringify({ machine, parts }, null, 2)}\n`;
}

function summarise(outcomes: readonly Outcome[]): void {
  const figures = outcomes.flatMap(({ measured }) => measured?.figures ?? []).filter(({ atMost }) => atMost !== null);
  const missed = figures.filter(isMissed);
  const names = missed.length > 0 ? `: ${missed.map(({ name }) => name).join('; ')}` : '';
  process.stdout.write(
    `\n${figures.length - missed.length} of ${figures.length} targets met, ${missed.length} missed${names}\n`,
  );
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
  const outcomes: Outcome[] = [];
  for (const part of options.parts) {
    const outcome = await measurePart(part);
    outcomes.push(outcome);
    if (!options.json) show(outcome);
  }
  if (options.json) process.stdout.write(jsonOf(outcomes));
  else summarise(outcomes);
  if (outcomes.some(({ error }) => error !== null)) return EXIT.failed;
  const isAnyMissed = outcomes.some(({ measured }) => measured?.figures.some(isMissed));
  return options.strict && isAnyMissed ? EXIT.missed : EXIT.ok;
}

process.exitCode = await main(process.argv.slice(2));

/** What every function weighs, and how long Node needs to load it in a fresh process. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { BUNDLE_FILE, bundleOtherLambda, bundleStage } from '../../lib/infra/bundling/bundle.ts';
import { OTHER_LAMBDAS } from '../../lib/infra/other-lambdas.ts';
import { STAGE_NAMES } from '../../lib/pipeline/model.ts';
import { withScratch } from './baselines.ts';
import { type Figure, kilobytes, type Measured, ms, type Part, type Progress, quantity, type Table } from './figure.ts';
import { median, percentile } from './statistics.ts';

/** Fresh processes for each bundle. */
const PROCESSES = 11;
const PARSE_TARGET_KB = 1_300;
/** The lean parse bundle may take this share of the time of the plain one. */
const IMPORT_TARGET = 0.5;
const PLAIN = 'parse, plain bundle';
/** A function that does nothing: what a cold start costs whatever it loads. */
const EMPTY = 'an empty function';
/** The processor time of a cold start against that of the empty function. */
const COLD_TARGET = 3;
/** The stages that ask the service or the engines. */
const ASKING: readonly string[] = ['submit', 'poll', 'fetch'];
/** Prints how many ms the bundle takes to load, by the clock from when Node itself is up, and the processor time of the whole process. */
const PROBE = `const started = performance.now();
require(process.argv[2]);
const took = performance.now() - started;
const { user, system } = process.cpuUsage();
process.stdout.write(took + ' ' + (user + system) / 1000, () => process.exit());
`;

/** What the desk asks for when it is loaded. */
const SETTINGS = {
  AIRLOCK_DESK_URL: 'https://desk.example',
  AIRLOCK_DESK_ISSUER: 'https://login.example',
  AIRLOCK_DESK_CLIENT_ID: 'client',
  AIRLOCK_DESK_ROLE_CLAIM: 'groups',
};

const run = promisify(execFile);

interface Bundle {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  readonly gzipBytes: number;
}

interface Timed extends Bundle {
  readonly importMs: readonly number[];
  /** Processor time of the process, from its start. */
  readonly coldMs: readonly number[];
}

export const bundles: Part = {
  name: 'bundles',
  title: 'Lambda bundles: size and cold import',
  measure: (progress) =>
    withScratch(async (folder) => {
      const made: Bundle[] = [];
      for (const stage of STAGE_NAMES) {
        progress(`bundling ${stage}`);
        made.push(await bundle(folder, stage, (outDir) => bundleStage(stage, outDir)));
      }
      for (const name of OTHER_LAMBDAS) {
        progress(`bundling ${name}`);
        made.push(await bundle(folder, name, (outDir) => bundleOtherLambda(name, outDir)));
      }
      progress(`bundling ${PLAIN}`);
      made.push(await bundle(folder, PLAIN, (outDir) => bundleStage('parse', outDir, { variant: 'plain' })));
      const nothing = 'exports.handler = async () => null;';
      made.push(await bundle(folder, EMPTY, (outDir) => writeFileSync(join(outDir, BUNDLE_FILE), nothing)));
      return reportOf(await importTimes(folder, made, progress));
    }),
};

async function bundle(folder: string, name: string, write: (outDir: string) => void): Promise<Bundle> {
  const outDir = join(folder, name.replaceAll(/\W+/g, '-'));
  await mkdir(outDir);
  write(outDir);
  const file = join(outDir, BUNDLE_FILE);
  // What is loaded with the first file is in parts beside it; parts with another name are loaded when they are needed.
  const parts = (await readdir(outDir)).filter((part) => part === BUNDLE_FILE || part.startsWith('chunk-'));
  const bytes = Buffer.concat(await Promise.all(parts.map((part) => readFile(join(outDir, part)))));
  return { name, file, bytes: bytes.length, gzipBytes: gzipSync(bytes).length };
}

/** Loads every bundle in a process of its own, one bundle after the other and then all again, so that noise meets all alike. */
async function importTimes(folder: string, made: readonly Bundle[], progress: Progress): Promise<Timed[]> {
  const probe = join(folder, 'probe.cjs');
  await writeFile(probe, PROBE);
  const timed = made.map((found) => ({ ...found, importMs: [] as number[], coldMs: [] as number[] }));
  // One round before those that count: it reads the files into the page cache.
  for (let round = 0; round <= PROCESSES; round += 1) {
    progress(round === 0 ? 'loading each bundle once' : `fresh processes, round ${round} of ${PROCESSES}`);
    for (const { file, importMs, coldMs } of timed) {
      const [took, used] = await coldStart(probe, file);
      if (round > 0) importMs.push(took);
      if (round > 0) coldMs.push(used);
    }
  }
  return timed;
}

async function coldStart(probe: string, file: string): Promise<[importMs: number, cpuMs: number]> {
  const { stdout } = await run(process.execPath, [probe, file], { env: SETTINGS });
  const [took = Number.NaN, used = Number.NaN] = (stdout.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  if (!(took > 0 && used > 0)) throw new Error(`no import time for ${file}: ${stdout.slice(0, 200)}`);
  return [took, used];
}

function reportOf(timed: readonly Timed[]): Measured {
  const find = (name: string) => {
    const found = timed.find((bundled) => bundled.name === name);
    if (!found) throw new Error(`no bundle ${name}`);
    return found;
  };
  return {
    figures: [...figuresOf(find('parse'), find(PLAIN)), ...coldFigures(timed, find(EMPTY))],
    tables: [sizesTable(timed, find(EMPTY))],
    notes: [
      `Import time: median of ${PROCESSES} fresh processes per bundle, interleaved; from a Node that is up, files in the page cache, no compile cache. Node ${process.version} here; the functions run on Node 24.`,
      'The plain bundle is what esbuild makes of the same sources by itself, minified. Each bundle holds everything, the AWS SDK too: nothing is taken from the runtime.',
    ],
  };
}

function figuresOf(parse: Timed, plain: Timed): Figure[] {
  const [lean, whole] = [median(parse.importMs), median(plain.importMs)];
  return [
    {
      name: 'parse: bundle, minified',
      measured: kilobytes(parse.bytes),
      atMost: PARSE_TARGET_KB,
      baselines: [{ name: PLAIN, value: plain.bytes / 1_000 }],
    },
    {
      name: 'parse: import time',
      measured: ms(lean),
      atMost: null,
      baselines: [{ name: PLAIN, value: whole }],
    },
    {
      name: 'parse: import time, share of the plain bundle',
      measured: quantity(lean / whole, 'x'),
      atMost: IMPORT_TARGET,
      baselines: [],
    },
  ];
}

/** The slowest of those that ask, and the slowest of the others. */
function coldFigures(timed: readonly Timed[], empty: Timed): Figure[] {
  const slowest = (found: readonly Timed[]) => Math.max(...found.map((one) => coldRatio(one, empty)));
  const asking = timed.filter(({ name }) => ASKING.includes(name));
  const others = timed.filter(({ name }) => ![...ASKING, PLAIN, EMPTY].includes(name));
  const figure = (what: string, found: readonly Timed[], atMost: number | null): Figure => ({
    name: `cold start against an empty function, processor time: the slowest of ${what}`,
    measured: quantity(slowest(found), 'x'),
    atMost,
    baselines: [],
  });
  return [figure(ASKING.join(', '), asking, COLD_TARGET), figure('the others', others, null)];
}

const coldRatio = (one: Timed, empty: Timed) => median(one.coldMs) / median(empty.coldMs);

function sizesTable(timed: readonly Timed[], empty: Timed): Table {
  return {
    title: 'Every function',
    columns: ['bundle', 'minified', 'gzip', 'import', 'fastest', 'slowest', 'cold start, CPU', 'against empty'],
    rows: timed.map(({ name, bytes, gzipBytes, importMs, coldMs }, index) => [
      name,
      kilobytes(bytes),
      kilobytes(gzipBytes),
      ms(median(importMs)),
      ms(Math.min(...importMs)),
      ms(percentile(importMs, 1)),
      ms(median(coldMs)),
      quantity(coldRatio(timed[index] as Timed, empty), 'x'),
    ]),
  };
}

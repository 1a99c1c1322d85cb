/** What every function weighs, and how long Node needs to load it in a fresh process. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { BUNDLE_FILE, type BundleOptions, bundleStage } from '../../lib/infra/bundling/bundle.ts';
import { STAGE_NAMES, type StageName } from '../../lib/pipeline/model.ts';
import { withScratch } from './baselines.ts';
import { type Figure, kilobytes, type Measured, ms, type Part, type Progress, quantity, type Table } from './figure.ts';
import { median, percentile } from './statistics.ts';

/** Fresh processes for each bundle. */
const PROCESSES = 11;
const PARSE_TARGET_KB = 1_300;
/** The lean parse bundle may take this share of the time of the plain one. */
const IMPORT_TARGET = 0.5;
const PLAIN = 'parse, plain bundle';
/** Prints how many ms the bundle takes to load. The clock starts when Node itself is up. */
const PROBE = `const started = performance.now();
require(process.argv[2]);
process.stdout.write(String(performance.now() - started), () => process.exit());
`;

const run = promisify(execFile);

interface Bundle {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  readonly gzipBytes: number;
}

interface Timed extends Bundle {
  readonly importMs: readonly number[];
}

export const bundles: Part = {
  name: 'bundles',
  title: 'Lambda bundles: size and cold import',
  measure: (progress) =>
    withScratch(async (folder) => {
      const made: Bundle[] = [];
      for (const stage of STAGE_NAMES) {
        progress(`bundling ${stage}`);
        made.push(await bundle(folder, stage, stage, {}));
      }
      progress(`bundling ${PLAIN}`);
      made.push(await bundle(folder, PLAIN, 'parse', { variant: 'plain' }));
      return reportOf(await importTimes(folder, made, progress));
    }),
};

async function bundle(folder: string, name: string, stage: StageName, options: BundleOptions): Promise<Bundle> {
  const outDir = join(folder, name.replaceAll(/\W+/g, '-'));
  await mkdir(outDir);
  bundleStage(stage, outDir, options);
  const file = join(outDir, BUNDLE_FILE);
  const bytes = await readFile(file);
  return { name, file, bytes: bytes.length, gzipBytes: gzipSync(bytes).length };
}

/** Loads every bundle in a process of its own, one bundle after the other and then all again, so that noise meets all alike. */
async function importTimes(folder: string, made: readonly Bundle[], progress: Progress): Promise<Timed[]> {
  const probe = join(folder, 'probe.cjs');
  await writeFile(probe, PROBE);
  const timed = made.map((found) => ({ ...found, importMs: [] as number[] }));
  // One round before those that count: it reads the files into the page cache.
  for (let round = 0; round <= PROCESSES; round += 1) {
    progress(round === 0 ? 'loading each bundle once' : `fresh processes, round ${round} of ${PROCESSES}`);
    for (const { file, importMs } of timed) {
      const took = await coldImportMs(probe, file);
      if (round > 0) importMs.push(took);
    }
  }
  return timed;
}

async function coldImportMs(probe: string, file: string): Promise<number> {
  const { stdout } = await run(process.execPath, [probe, file], { env: {} });
  const took = Number(stdout.trim().split('\n').at(-1));
  if (!Number.isFinite(took) || took <= 0) throw new Error(`no import time for ${file}: ${stdout.slice(0, 200)}`);
  return took;
}

function reportOf(timed: readonly Timed[]): Measured {
  const find = (name: string) => {
    const found = timed.find((bundled) => bundled.name === name);
    if (!found) throw new Error(`no bundle ${name}`);
    return found;
  };
  return {
    figures: figuresOf(find('parse'), find(PLAIN)),
    tables: [sizesTable(timed)],
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

function sizesTable(timed: readonly Timed[]): Table {
  return {
    title: 'Every function',
    columns: ['bundle', 'minified', 'gzip', 'import', 'fastest', 'slowest'],
    rows: timed.map(({ name, bytes, gzipBytes, importMs }) => [
      name,
      kilobytes(bytes),
      kilobytes(gzipBytes),
      ms(median(importMs)),
      ms(Math.min(...importMs)),
      ms(percentile(importMs, 1)),
    ]),
  };
}

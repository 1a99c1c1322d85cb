/** How fast files of more than a megabyte are disarmed, the checks of the result included. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { withScratch } from './baselines.ts';
import { type DisarmInput, disarmInputs } from './disarm-inputs.ts';
import type { DisarmCost } from './disarm-process.ts';
import { type Cell, type Figure, type Measured, ms, type Part, type Progress, quantity } from './figure.ts';
import { median } from './statistics.ts';

const REPETITIONS = 5;
const IMPORTS = 5;
/** A target of at least so many MB/s, as the time of a megabyte. */
const TARGET_MS_PER_MB = { OOXML: 1_000 / 20, PDF: 1_000 / 5 } as const;
const TARGET_IMAGE_RATIO = 1.3;
/** Of one worker: what the engine may use for one file. */
const TARGET_PEAK_MB = 512;
const TARGET_IMPORT_MS = 150;

export const disarmSpeed: Part = {
  name: 'disarm-speed',
  title: 'Disarming files of more than a megabyte, from bytes to checked bytes',
  async measure(progress) {
    progress('files are made');
    const inputs = await disarmInputs();
    const runs: Run[] = [];
    for (const input of inputs) {
      progress(input.name);
      runs.push({ input, ...(await withScratch((folder) => measureInput(input, folder))) });
    }
    const importMs = await measureImport(progress);
    return reportOf(runs, importMs);
  },
};

interface Run extends DisarmCost {
  readonly input: DisarmInput;
}

const DISARM_PROCESS = fileURLToPath(new URL('disarm-process.ts', import.meta.url));

/** Every file gets a process of its own: memory of one says nothing about another. */
async function measureInput({ name, format, bytes }: DisarmInput, folder: string): Promise<DisarmCost> {
  const path = join(folder, 'input');
  await writeFile(path, bytes);
  const text = await outputOf([...process.execArgv, DISARM_PROCESS, path, name, String(REPETITIONS), format]);
  return JSON.parse(text) as DisarmCost;
}

/** What a Node process prints. Throws when it fails. */
async function outputOf(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error('a process of the bench failed');
  return text;
}

async function measureImport(progress: Progress): Promise<number> {
  progress('the engine is bundled and imported');
  const folder = await mkdtemp(join(tmpdir(), 'airlock-bench-'));
  try {
    await build({
      entryPoints: ['lib/engines/disarm/disarm.ts'],
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      external: ['sharp', 'wasmagic', '7z-wasm', '@embedpdf/pdfium'],
      banner: {
        js: "import { createRequire as bundled } from 'node:module'; const require = bundled(import.meta.url);",
      },
      logLevel: 'error',
    });
    const times: number[] = [];
    for (let index = 0; index < IMPORTS; index += 1) times.push(await importOnce(join(folder, 'disarm.mjs')));
    return median(times);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function importOnce(path: string): Promise<number> {
  const script = `const t = performance.now(); await import(${JSON.stringify(pathToFileURL(path).href)}); console.log(performance.now() - t);`;
  return Number(await outputOf(['--input-type=module', '--eval', script]));
}

const megabytes = ({ input }: Run) => input.bytes.length / 1e6;

function reportOf(runs: readonly Run[], importMs: number): Measured {
  const documents = (['OOXML', 'PDF'] as const).map((format): Figure => {
    const own = runs.filter(({ input }) => input.format === format);
    const times = own.map((run) => run.cpuMs / megabytes(run));
    const alone = own.flatMap((run) => (run.aloneMs === null ? [] : [run.aloneMs / megabytes(run)]));
    return {
      name: `${format}, processor time per MB, median`,
      measured: ms(median(times)),
      atMost: TARGET_MS_PER_MB[format],
      baselines: alone.length === 0 ? [] : [{ name: 'zlib inflating it once', value: median(alone) }],
    };
  });
  const ratios = runs.flatMap(({ input, cpuMs, aloneMs }) =>
    input.format !== 'image' || aloneMs === null ? [] : [cpuMs / aloneMs],
  );
  return {
    figures: [
      ...documents,
      {
        name: 'images against the image library alone, median',
        measured: quantity(median(ratios), 'x'),
        atMost: TARGET_IMAGE_RATIO,
        baselines: [],
      },
      {
        name: 'peak memory of one file, the most',
        measured: quantity(Math.max(...runs.map(({ peakMb }) => peakMb)), 'MB'),
        atMost: TARGET_PEAK_MB,
        baselines: [],
      },
      { name: 'import of the engine, bundled', measured: ms(importMs), atMost: TARGET_IMPORT_MS, baselines: [] },
    ],
    tables: [{ title: 'Per file', columns: COLUMNS, rows: runs.map(rowOf) }],
    notes: [
      'Processor time counts every thread of the process and hardly depends on what else the machine does; wall time does.',
      'Every file is disarmed in a process of its own; its memory is the most that process had resident, the runtime included.',
    ],
  };
}

const COLUMNS = ['file', 'size', 'wall', 'processor', 'MB/s wall', 'MB/s processor', 'library alone', 'peak memory'];

function rowOf(run: Run): Cell[] {
  const { input, wallMs, cpuMs, aloneMs, peakMb } = run;
  const speed = (spentMs: number) => ((megabytes(run) * 1_000) / spentMs).toFixed(1);
  return [
    input.name,
    quantity(megabytes(run), 'MB'),
    ms(wallMs),
    ms(cpuMs),
    speed(wallMs),
    speed(cpuMs),
    aloneMs === null ? '' : ms(aloneMs),
    quantity(peakMb, 'MB'),
  ];
}

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
import { type Cell, type Figure, type Measured, ms, type Part, type Progress, plain, quantity } from './figure.ts';
import { programMs } from './program-time.ts';
import { median } from './statistics.ts';

const REPETITIONS = 5;
const IMPORTS = 5;
/** Of an Office document: so many times zlib inflating and deflating its members once, or 20 MB/s. */
const TARGET_PACKED_RATIO = 4;
const TARGET_LETTER_MS = 25;
const LETTER_REPETITIONS = 30;
/** Of a PDF: so many times qpdf writing it anew, and so much of the time of Ghostscript. */
const TARGET_QPDF_RATIO = 3;
const TARGET_GHOSTSCRIPT_RATIO = 2 / 3;
const QPDF_RUNS = 5;
/** Ghostscript takes half a minute for a larger one. */
const MAX_GHOSTSCRIPT_BYTES = 4_000_000;
const TARGET_IMAGE_RATIO = 1.1;
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
      runs.push(await withScratch((folder) => measureInput(input, folder)));
    }
    const importMs = await measureImport(progress);
    return reportOf(runs, importMs);
  },
};

interface Run extends DisarmCost {
  readonly input: DisarmInput;
  /** Of a PDF; null for other files, and where the program is not installed or was not asked. */
  readonly qpdfMs: number | null;
  readonly ghostscriptMs: number | null;
}

const DISARM_PROCESS = fileURLToPath(new URL('disarm-process.ts', import.meta.url));

/** Every file gets a process of its own: memory of one says nothing about another. */
async function measureInput(input: DisarmInput, folder: string): Promise<Run> {
  const { name, format, bytes } = input;
  const path = join(folder, 'input');
  await writeFile(path, bytes);
  const repetitions = format === 'letter' ? LETTER_REPETITIONS : REPETITIONS;
  const text = await outputOf([...process.execArgv, DISARM_PROCESS, path, name, String(repetitions), format]);
  const cost = JSON.parse(text) as DisarmCost;
  if (format !== 'PDF') return { ...cost, input, qpdfMs: null, ghostscriptMs: null };
  const to = join(folder, 'output.pdf');
  const qpdfMs = await programMs('qpdf', ['--object-streams=disable', path, to], QPDF_RUNS);
  const isShort = bytes.length <= MAX_GHOSTSCRIPT_BYTES;
  const ghostscriptMs = isShort ? await programMs('gs', [...GHOSTSCRIPT, '-o', to, path], 1) : null;
  return { ...cost, input, qpdfMs, ghostscriptMs };
}

const GHOSTSCRIPT = ['-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=pdfwrite'];

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

/** The median over the files of a format that something else was measured with; without a target where that is not installed. */
function ratioFigure(
  name: string,
  runs: readonly Run[],
  other: 'aloneMs' | 'qpdfMs' | 'ghostscriptMs',
  atMost: number,
): Figure {
  const ratios = runs.flatMap((run) => (run[other] === null ? [] : [run.cpuMs / run[other]]));
  const isMeasured = ratios.length > 0;
  const measured = quantity(isMeasured ? median(ratios) : 0, 'x');
  return {
    name: isMeasured ? `${name}, median` : `${name}: not installed, not measured`,
    measured,
    atMost: isMeasured ? atMost : null,
    baselines: [],
  };
}

const megabytes = ({ input }: Run) => input.bytes.length / 1e6;

function reportOf(runs: readonly Run[], importMs: number): Measured {
  const of = (format: DisarmInput['format']) => runs.filter(({ input }) => input.format === format);
  return {
    figures: [
      ratioFigure('OOXML against zlib inflating and deflating it', of('OOXML'), 'aloneMs', TARGET_PACKED_RATIO),
      plain('OOXML, processor time per MB, median', ms(median(of('OOXML').map((run) => run.cpuMs / megabytes(run))))),
      {
        name: 'docx of 100 KB, warm, processor time',
        measured: ms(median(of('letter').map(({ cpuMs }) => cpuMs))),
        atMost: TARGET_LETTER_MS,
        baselines: [],
      },
      ratioFigure('PDF against qpdf writing it anew', of('PDF'), 'qpdfMs', TARGET_QPDF_RATIO),
      ratioFigure('PDF against Ghostscript', of('PDF'), 'ghostscriptMs', TARGET_GHOSTSCRIPT_RATIO),
      plain('PDF, processor time per MB, median', ms(median(of('PDF').map((run) => run.cpuMs / megabytes(run))))),
      ratioFigure('images against the image library alone', of('image'), 'aloneMs', TARGET_IMAGE_RATIO),
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
      'MB/s are of processor time. The library alone inflates a package and deflates it at the level of the disarm, or writes a picture anew.',
      'qpdf and Ghostscript start, read, write and end; the disarm is warm, and looks a second time at what it wrote.',
      'Every file is disarmed in a process of its own; its memory is the most that process had resident, the runtime included.',
    ],
  };
}

const COLUMNS = ['file', 'size', 'wall', 'processor', 'MB/s', 'library alone', 'qpdf', 'Ghostscript', 'peak memory'];

function rowOf(run: Run): Cell[] {
  const { input, wallMs, cpuMs, aloneMs, qpdfMs, ghostscriptMs, peakMb } = run;
  const known = (spentMs: number | null) => (spentMs === null ? '' : ms(spentMs));
  return [
    input.name,
    quantity(megabytes(run), 'MB'),
    ms(wallMs),
    ms(cpuMs),
    ((megabytes(run) * 1_000) / cpuMs).toFixed(1),
    known(aloneMs),
    known(qpdfMs),
    known(ghostscriptMs),
    quantity(peakMb, 'MB'),
  ];
}

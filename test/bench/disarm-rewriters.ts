/** Our disarm, and what people use in its place: each takes files of one format and gives them back written anew. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertFiles, inFolder, type NamedFile } from '../checkers/office-opener.ts';
import { missingOf, runTool } from '../checkers/tools.ts';
import type { Batch } from './disarm-batch.ts';

export interface Rewritten {
  /** What each file became; its own name may say another type. */
  readonly files: ReadonlyMap<string, NamedFile>;
  /** Megabytes per second by file; the same for all where they went together. */
  readonly speeds: ReadonlyMap<string, number>;
  /** Reason by file, of those that were not written. */
  readonly refusals: ReadonlyMap<string, string>;
  /** Of our process for all files of one format; not measured for the programs of others. */
  readonly peakMb: number | null;
}

export interface Rewriter {
  readonly name: string;
  readonly accepts: RegExp;
  /** What is not installed; null when all is there. */
  readonly missing: string | null;
  rewrite(files: readonly NamedFile[], format: string): Promise<Rewritten>;
}

const PER_FILE_MS = 30_000;
const NO_OUTPUT = 'no output';

async function oneByOne(
  files: readonly NamedFile[],
  write: (file: NamedFile) => Promise<Uint8Array | null>,
): Promise<Rewritten> {
  const written = new Map<string, NamedFile>();
  const refusals = new Map<string, string>();
  const speeds = new Map<string, number>();
  for (const file of files) {
    const from = performance.now();
    const bytes = await write(file);
    const spentMs = performance.now() - from;
    if (bytes === null) refusals.set(file.name, NO_OUTPUT);
    else {
      written.set(file.name, { name: file.name, bytes });
      speeds.set(file.name, file.bytes.length / 1e3 / spentMs);
    }
  }
  return { files: written, speeds, refusals, peakMb: null };
}

const DISARM_BATCH = fileURLToPath(new URL('disarm-batch.ts', import.meta.url));
const BATCH_MS = 1_200_000;

async function disarmBatch(files: readonly NamedFile[]): Promise<Rewritten> {
  return inFolder(async (folder) => {
    const byPath = new Map(files.map((file, index) => [`${index}${extname(file.name)}`, file]));
    for (const [path, { bytes }] of byPath) await writeFile(join(folder, path), bytes);
    const { code, output } = await runTool(process.execPath, [...process.execArgv, DISARM_BATCH, folder], BATCH_MS);
    if (code !== 0) throw new Error(`a process of the bench failed: ${output}`);
    const { results, peakMb } = JSON.parse(output) as Batch;
    const written = new Map<string, NamedFile>();
    const refusals = new Map<string, string>();
    const speeds = new Map<string, number>();
    for (const { file: path, extension, refusal, spentMs } of results) {
      const file = byPath.get(path);
      if (file === undefined) continue;
      if (extension === null) refusals.set(file.name, refusal);
      else {
        const bytes = new Uint8Array(await readFile(join(folder, `${path}.out`)));
        written.set(file.name, { name: `${file.name}.${extension}`, bytes });
        speeds.set(file.name, file.bytes.length / 1e3 / spentMs);
      }
    }
    return { files: written, refusals, speeds, peakMb };
  });
}

const ours: Rewriter = { name: 'Mail Airlock', accepts: /^/, missing: null, rewrite: disarmBatch };

const office: Rewriter = {
  name: 'LibreOffice round trip',
  accepts: /^(?:docx|xlsx|pptx|odt|ods|odp|rtf|doc|xls|ppt)$/,
  missing: missingOf(['soffice']),
  async rewrite(files, format) {
    const from = performance.now();
    const written = await convertFiles(files, format);
    const spentMs = performance.now() - from;
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    const speed = bytes / 1e3 / spentMs;
    const lost = files.filter(({ name }) => !written.has(name));
    return {
      files: new Map([...written].map(([name, bytes]) => [name, { name, bytes }])),
      speeds: new Map([...written.keys()].map((name) => [name, speed])),
      refusals: new Map(lost.map(({ name }) => [name, NO_OUTPUT])),
      peakMb: null,
    };
  },
};

/** A program that reads one file and writes another. */
function program(
  name: string,
  tool: string,
  accepts: RegExp,
  argsOf: (from: string, to: string) => readonly string[],
): Rewriter {
  return {
    name,
    accepts,
    missing: missingOf([tool]),
    rewrite: (files) =>
      oneByOne(files, ({ name: fileName, bytes }) =>
        inFolder(async (folder) => {
          const from = join(folder, `in${extname(fileName)}`);
          const to = join(folder, `${basename(from, extname(from))}.cleaned${extname(from)}`);
          await writeFile(from, bytes);
          await runTool(tool, argsOf(from, to), PER_FILE_MS);
          const result = await readFile(to).catch(() => null);
          return result === null ? null : new Uint8Array(result);
        }),
      ),
  };
}

export const REWRITERS: readonly Rewriter[] = [
  ours,
  office,
  program('qpdf rewrite', 'qpdf', /^pdf$/, (from, to) => ['--decrypt', '--object-streams=disable', from, to]),
  program('Ghostscript pdfwrite', 'gs', /^pdf$/, (from, to) => [
    '-q',
    '-dNOPAUSE',
    '-dBATCH',
    '-dSAFER',
    '-sDEVICE=pdfwrite',
    '-o',
    to,
    from,
  ]),
  program('mat2', 'mat2', /^(?:docx|xlsx|pptx|odt|ods|odp|pdf|png|jpg|gif|webp|tiff|svg|html|zip|tar)$/, (from) => [
    from,
  ]),
];

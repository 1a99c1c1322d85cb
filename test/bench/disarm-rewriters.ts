/** Our disarm, and what people use in its place: each takes files of one format and gives them back written anew. */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { disarmFile } from '../../lib/analysis/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/analysis/engines/engine.ts';
import { convertFiles, inFolder, type NamedFile } from '../checkers/office-opener.ts';
import { missingOf, runTool } from '../checkers/tools.ts';

export interface Rewritten {
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Megabytes per second by file; the same for all where they went together. */
  readonly speeds: ReadonlyMap<string, number>;
  /** Reason by file, of those that were not written. */
  readonly refusals: ReadonlyMap<string, string>;
  /** Of this process; null for programs of their own. */
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

interface Written {
  readonly bytes: Uint8Array | null;
  readonly refusal: string;
}

async function oneByOne(
  files: readonly NamedFile[],
  isOwn: boolean,
  write: (file: NamedFile) => Promise<Written>,
): Promise<Rewritten> {
  const written = new Map<string, Uint8Array>();
  const refusals = new Map<string, string>();
  const speeds = new Map<string, number>();
  let peak = 0;
  for (const file of files) {
    const from = performance.now();
    const { bytes, refusal } = await write(file);
    const spentMs = performance.now() - from;
    peak = Math.max(peak, process.memoryUsage().rss / 1e6);
    if (bytes === null) refusals.set(file.name, refusal);
    else {
      written.set(file.name, bytes);
      speeds.set(file.name, file.bytes.length / 1e3 / spentMs);
    }
  }
  return { files: written, speeds, refusals, peakMb: isOwn ? peak : null };
}

const ours: Rewriter = {
  name: 'Mail Airlock',
  accepts: /^/,
  missing: null,
  rewrite: (files) =>
    oneByOne(files, true, async ({ name, bytes }) => {
      const report = await disarmFile({ bytes, untrustedName: name, password: null }, DEFAULT_ENGINE_LIMITS);
      return report.outcome === 'failed'
        ? { bytes: null, refusal: report.failure.code }
        : { bytes: report.bytes, refusal: '' };
    }),
};

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
      files: written,
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
      oneByOne(files, false, ({ name: fileName, bytes }) =>
        inFolder(async (folder) => {
          const from = join(folder, `in${extname(fileName)}`);
          const to = join(folder, `${basename(from, extname(from))}.cleaned${extname(from)}`);
          await writeFile(from, bytes);
          await runTool(tool, argsOf(from, to), PER_FILE_MS);
          const result = await readFile(to).catch(() => null);
          return { bytes: result === null ? null : new Uint8Array(result), refusal: NO_OUTPUT };
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

/** The output of `airlock disarm`. An input is never overwritten. Another file is overwritten only when its exact name was given. */
import type { Stats } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { DisarmReport } from '../../engines/engine.ts';
import { makeFolders } from '../../storage/directory/own-folders.ts';
import { type Console, UsageError, wholeWritten } from '../console.ts';
import { checkOutFolder } from '../session/out-folder.ts';
import { type DisarmInput, isWithin } from './input.ts';

export interface OutputOptions {
  /** A file. */
  readonly output?: string;
  /** A folder. */
  readonly out?: string;
}

/** Checks the output. Throws UsageError when the request cannot be carried out. Makes the folder of `--out`. */
export async function checkOutput(
  { stdout }: Console,
  paths: readonly string[],
  inputs: readonly DisarmInput[],
  { output, out }: OutputOptions,
): Promise<void> {
  if (output !== undefined && out !== undefined) throw new UsageError('Give -o for one file, or --out for a folder.');
  const isOne = inputs.length === 1 && paths[0] === inputs[0]?.path;
  if (output !== undefined && !isOne)
    throw new UsageError('-o names one file. Name a folder for all of them with --out.');
  if (output !== undefined && paths[0] !== '-') await refuseSameFile(await stat(paths[0] ?? ''), output);
  const isFolderNamed = inputs.some(({ path }) => path !== '-' && !paths.includes(path));
  if (isFolderNamed && out === undefined)
    throw new UsageError('For a folder, name a folder for what is disarmed with --out.');
  const fromStdin = inputs.some(({ path }) => path === '-');
  if (fromStdin && !isOne && out === undefined) throw new UsageError('With stdin and files, name a folder with --out.');
  if (fromStdin && isOne && output === undefined && out === undefined && stdout.isTTY)
    throw new UsageError('The file would be written to the terminal. Name a file with -o, or send the output on.');
  if (out === undefined) return;
  const isFile = (path: string) => inputs.some((input) => input.path === path);
  const within = paths.find((path) => !isFile(path) && isWithin(path, out));
  if (within !== undefined)
    throw new UsageError(`${out} lies in ${within}, which is disarmed. Name another folder with --out.`);
  checkOutFolder(out, '--out');
}

async function refuseSameFile(input: Stats, output: string): Promise<void> {
  const there = await stat(output).catch(() => null);
  if (there?.isDirectory())
    throw new UsageError(`${output} is a folder. Name a file with -o, or give the folder with --out.`);
  // The same file under another name, or through a link, is still the input.
  if (there !== null && there.dev === input.dev && there.ino === input.ino) {
    throw new UsageError(`${output} is the input itself, which is never overwritten. Name another file with -o.`);
  }
}

/**
 * Writes the disarmed file and returns its path; `-` for stdout. Returns null when the input is safe and needs no copy. Throws UsageError.
 */
export async function writeOutput(
  { stdout }: Console,
  input: DisarmInput,
  { output, out }: OutputOptions,
  report: DisarmReport,
): Promise<string | null> {
  const { bytes, type } = report;
  if (out !== undefined) return await writeNew(placesIn(out, input, type.extension), bytes);
  if (output !== undefined) return await writeNamed(output, bytes);
  if (input.path === '-') {
    await wholeWritten(stdout, bytes);
    return '-';
  }
  if (report.outcome === 'already_safe') return null;
  const stem = basename(input.path, extname(input.path));
  return await writeNew([join(dirname(input.path), `${stem}.disarmed.${type.extension}`)], bytes);
}

/**
 * Returns the names to try. Two files may become one name (`a.doc` and `a.docm`), so the second name contains the whole name of the input.
 */
function placesIn(out: string, { place }: DisarmInput, extension: string): string[] {
  const own = extname(place).slice(1);
  if (own.toLowerCase() === extension) return [join(out, place)];
  const stem = own === '' ? place : place.slice(0, -own.length - 1);
  return [join(out, `${stem}.${extension}`), join(out, `${place}.${extension}`)];
}

async function writeNew(targets: readonly string[], bytes: Uint8Array): Promise<string> {
  for (const target of targets) {
    makeFolders(dirname(target));
    const error = await writeFile(target, bytes, { flag: 'wx' }).then(
      () => null,
      (fault: NodeJS.ErrnoException) => fault,
    );
    if (error === null) return target;
    if (error.code !== 'EEXIST') throw new UsageError(`${target} cannot be written (${error.code}).`);
  }
  throw new UsageError(`${targets[0]} already exists. Name another place with -o or --out.`);
}

async function writeNamed(target: string, bytes: Uint8Array): Promise<string> {
  await writeFile(target, bytes).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${target} cannot be written (${error.code}). Name another file with -o.`);
  });
  return target;
}

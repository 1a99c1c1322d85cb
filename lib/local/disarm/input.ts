/** The input of `airlock disarm`: files, everything below folders, and stdin. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { DEFAULT_ENGINE_LIMITS } from '../../engines/engine.ts';
import { type Console, UsageError } from '../console.ts';
import { formatBytes } from '../paint.ts';

/** One file to disarm. */
export interface DisarmInput {
  /** Its name as given; `-` for stdin. */
  readonly path: string;
  /** The name by which its type is detected. */
  readonly name: string;
  /** Its place below the folder of `--out`. */
  readonly place: string;
  /** Reads the file. Rejects with TooLargeError, and with the errors of the file system. */
  read(): Promise<Uint8Array>;
}

/** The file is larger than the engine takes. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
  constructor(size: number) {
    const limit = formatBytes(DEFAULT_ENGINE_LIMITS.inputBytes);
    super(`the file has ${formatBytes(size)} or more; the limit for a disarm is ${limit}`);
  }
}

/** Returns every file of the paths. Throws UsageError for a path that cannot be read, before any file is disarmed. */
export async function disarmInputs(console: Console, paths: readonly string[], name: string): Promise<DisarmInput[]> {
  const found: DisarmInput[] = [];
  for (const path of paths) {
    if (path === '-' || path === '/dev/stdin') found.push(ofStdin(console, name));
    else found.push(...(await inputsAt(path)));
  }
  const places = new Set(found.map(({ path }) => (path === '-' ? path : resolve(path))));
  if (places.size < found.length)
    throw new UsageError('A file is named twice, or once by itself and once by its folder.');
  return found;
}

async function inputsAt(path: string): Promise<DisarmInput[]> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} ${error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`}.`);
  });
  if (stats.isFile()) return [ofFile(path, basename(path))];
  if (!stats.isDirectory()) throw new UsageError(`${path} is neither a file nor a folder. Name what to disarm.`);
  const below = await filesBelow(path);
  if (below.length === 0) throw new UsageError(`${path} holds no file. Name a folder with files, or a file.`);
  return below.map((file) => ofFile(file, relative(path, file)));
}

/** Lists a folder. Links are not followed, so that a folder cannot lead outside or in a circle. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function ofFile(path: string, place: string): DisarmInput {
  const read = async () => {
    const { size } = await stat(path);
    if (size > DEFAULT_ENGINE_LIMITS.inputBytes) throw new TooLargeError(size);
    return new Uint8Array(await readFile(path));
  };
  return { path, name: basename(path), place, read };
}

function ofStdin({ stdin }: Console, name: string): DisarmInput {
  const read = async () => {
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of stdin) {
      pieces.push(Buffer.from(piece));
      size += piece.length;
      if (size > DEFAULT_ENGINE_LIMITS.inputBytes) throw new TooLargeError(size);
    }
    return new Uint8Array(Buffer.concat(pieces));
  };
  return { path: '-', name, place: basename(name), read };
}

/** Returns true when `path` is the folder or is below it. */
export function isWithin(folder: string, path: string): boolean {
  const [outer, inner] = [resolve(folder), resolve(path)];
  return inner === outer || inner.startsWith(outer + sep);
}

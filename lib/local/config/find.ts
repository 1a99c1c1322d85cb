/** Finds the `airlock.config.json` that counts: the named one, otherwise one that is found from the working folder upwards. */
import { constants, type Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Console, UsageError } from '../console.ts';

/** The name by which it is found. */
export const CONFIG_NAME = 'airlock.config.json';

/** A configuration that counts, as it was read. */
export interface ConfigText {
  readonly path: string;
  readonly text: string;
  /** Whether it was only found. Nobody has chosen it, so it may set less. */
  readonly isFound: boolean;
}

/** `--config FILE`, false for `--no-config`, and undefined without either. */
export type ConfigChoice = string | false | undefined;

const MAX_BYTES = 1_000_000;

/** Returns the configuration, or null when there is none. Throws UsageError for one that cannot be read or trusted. */
export async function findConfig(
  { env, folder }: Pick<Console, 'env' | 'folder'>,
  choice: ConfigChoice,
): Promise<ConfigText | null> {
  if (choice === false) return null;
  const named = choice ?? env.AIRLOCK_CONFIG;
  if (named) return await readNamed(named, choice === undefined ? 'AIRLOCK_CONFIG' : '--config');
  if (folder === undefined) return null;
  for (let at = resolve(folder); ; at = dirname(at)) {
    const found = await readFound(join(at, CONFIG_NAME));
    if (found !== null || at === dirname(at)) return found;
  }
}

async function readNamed(named: string, by: string): Promise<ConfigText> {
  const path = resolve(named);
  try {
    return { path, text: await readText(path, 0, () => null), isFound: false };
  } catch (error) {
    throw new UsageError(`${by}: ${path} cannot be read (${codeOf(error)}).`);
  }
}

/**
 * Returns null when there is none in this folder. A file that others could have put there is refused, because it could loosen the checks.
 */
async function readFound(path: string): Promise<ConfigText | null> {
  try {
    const folder = await stat(dirname(path));
    // A link is not followed, because it may lead to another file of this user that was never meant as a configuration.
    const text = await readText(path, constants.O_NOFOLLOW ?? 0, (file) => distrust(file, folder));
    return { path, text, isFound: true };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    const why = code === 'ELOOP' ? 'it is a link' : code;
    throw new UsageError(
      `${path} was found, but not used: ${why}. Name it with --config if it is to count, or leave it out with --no-config.`,
    );
  }
}

/** Returns the reason not to trust a file that was found; null when there is none. */
export function distrust(
  file: Pick<Stats, 'uid' | 'mode'>,
  folder: Pick<Stats, 'mode'>,
  user = process.getuid?.(),
): string | null {
  // On systems without such users (Windows), the modes say nothing either.
  if (user === undefined) return null;
  if (file.uid !== user && file.uid !== 0) return 'it belongs to another user';
  if ((file.mode & constants.S_IWOTH) !== 0) return 'everybody may write to it';
  const [isOpen, isSticky] = [(folder.mode & constants.S_IWOTH) !== 0, (folder.mode & 0o1000) !== 0];
  return isOpen && !isSticky ? 'everybody may replace it, because everybody may write to its folder' : null;
}

async function readText(path: string, flags: number, refusal: (file: Stats) => string | null): Promise<string> {
  // A pipe of that name must not make us wait.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags);
  try {
    const file = await handle.stat();
    const why = file.isFile() ? refusal(file) : 'it is no file';
    if (why !== null) throw new Error(why);
    if (file.size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error));

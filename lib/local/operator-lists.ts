/** The folder with lists of the operator that AIRLOCK_LISTS names. It is read when a verb starts, and again when a file in it changes. */
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../pipeline/errors.ts';
import { parseOperatorList } from '../pipeline/policy/operator-list.ts';
import { type LookedUp, lookUp } from '../pipeline/policy/operator-lists.ts';
import { allowedSuffixes } from './backfill/allowed-suffixes.ts';
import { type Console, complain } from './console.ts';

/** The largest list, and the most lists. A folder with more was named by mistake. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;
const MAX_LISTS = 200;

export interface OperatorLists {
  /** The lists, ready for look-ups. */
  readonly current: LookedUp;
  /** Checks whether a file has changed, and then reads all of them again. Never throws. */
  refresh(): void;
}

/**
 * Opens the lists of the folder. Throws ConfigError with file and line when one cannot be used. A later fault is passed to `onFault`, and
 * the earlier lists count until it is mended.
 */
export function openOperatorLists(folder: string, onFault: (fault: string) => void): OperatorLists {
  let signature = signatureOf(folder);
  let current = read(folder);
  return {
    get current() {
      return current;
    },
    refresh() {
      try {
        const now = signatureOf(folder);
        if (now === signature) return;
        signature = now;
        current = read(folder);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        onFault(`${error.message}\nWhat the lists said before goes on to count.`);
      }
    },
  };
}

/** Returns the lists of the verb as an option of its session; nothing when it has none. Throws ConfigError. */
export function listsOf(console: Console): { readonly lists?: OperatorLists } {
  const folder = console.env.AIRLOCK_LISTS;
  return folder ? { lists: openOperatorLists(folder, (fault) => complain(console, fault)) } : {};
}

function read(folder: string): LookedUp {
  const faults: string[] = [];
  const entries = namesIn(folder).flatMap((name) => {
    try {
      return parseOperatorList(name, readFileSync(join(folder, name), 'utf8'));
    } catch (error) {
      if (error instanceof ConfigError) faults.push(...error.issues);
      else faults.push(`${name}: it cannot be read (${codeOf(error)})`);
      return [];
    }
  });
  faults.push(...allowedSuffixes(entries));
  if (faults.length > 0) throw new ConfigError(`The folder of lists ${folder}`, faults);
  return lookUp(entries);
}

/** Returns a text that changes when a file is added, removed, replaced or written. */
function signatureOf(folder: string): string {
  const lines = namesIn(folder).map((name) => {
    const { ino, size, mtimeMs } = statOf(join(folder, name));
    if ((size ?? 0) > MAX_LIST_BYTES)
      throw new ConfigError(`The folder of lists ${folder}`, [`${name}: it is larger than ${MAX_LIST_BYTES} bytes`]);
    return `${name} ${ino} ${size} ${mtimeMs}`;
  });
  return lines.join('\n');
}

/**
 * Returns the facts about a file. It returns none for a missing or unreadable file (a link to itself): whoever reads the file reports that.
 */
function statOf(path: string): Partial<Stats> {
  try {
    return statSync(path);
  } catch {
    return {};
  }
}

function namesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder)
      .filter((name) => /^[^.].*\.txt$/i.test(name))
      .sort();
    if (names.length <= MAX_LISTS) return names;
  } catch (error) {
    throw new ConfigError(`The folder of lists ${folder}`, [`it cannot be read (${codeOf(error)})`]);
  }
  throw new ConfigError(`The folder of lists ${folder}`, [`it has more than ${MAX_LISTS} lists`]);
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'an error');

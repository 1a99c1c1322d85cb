/** `airlock watch`: scans the mail of a folder or a Maildir as it arrives, until SIGTERM. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { DESK_LANGUAGES } from '../../desk/desk-words.ts';
import { makeOwnFolders } from '../../storage/directory/own-folders.ts';
import { holdLock } from '../../storage/sqlite/lock.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { inputsOf } from '../input/input.ts';
import { isMaildir } from '../input/mail-folder.ts';
import { CDR_SERVICE_OPTION, POLICY_OPTION, SEAL_KEY_OPTION, SERVICE_OPTION } from '../options/service.ts';
import { EXIT, type Outcome } from '../outcome.ts';
import type { PrintOptions } from '../scan-verb.ts';
import { type EngineOptions, inputsAtOnce, openEngineSession } from '../session/engine-session.ts';
import type { Session } from '../session/session.ts';
import { openWatchNotes } from './notes.ts';
import { watchFolder } from './watch.ts';
import type { WatchedFile } from './watched-folder.ts';

interface WatchVerbOptions extends EngineOptions, PrintOptions {
  readonly out?: string;
}

/** The number of files whose stages run at the same time. */
const CONCURRENT_FILES = 4;

/** Adds the verb to the program. */
export function addWatch(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('watch')
    .description('scan mail as it arrives in a folder or a Maildir, until SIGTERM')
    .argument('<dir>', 'a Maildir, or a folder in which every file is scanned')
    .option('--out <dir>', 'folder for everything that is written (default: DIR-airlock, beside it)')
    .option(...SERVICE_OPTION)
    .option(...CDR_SERVICE_OPTION)
    .option(...POLICY_OPTION)
    .option(...SEAL_KEY_OPTION)
    .option('--online', 'let the engines visit URLs (public addresses only); otherwise they judge their text')
    .option('--proxy <url>', 'visit through this proxy, http://host:port; it must allow CONNECT to addresses')
    .option('--json', 'print one JSON line per mail on stdout, and nothing else there')
    .option('--html <dir>', 'write a page about each mail into this folder: RUN.html')
    .addOption(new Option('--language <language>', 'the language of those pages').choices(DESK_LANGUAGES).default('en'))
    .option('--quiet', 'report only what was not delivered, on stderr')
    .addHelpText(
      'after',
      `
In a Maildir, every mail in new and cur is scanned. In any other folder, every file of it is, once nobody has written to it
for two seconds; hidden files, links and folders below it are left alone. Nothing in the folder is changed or removed.
A mail is scanned once, also when this process is killed and started again. A file whose content changes is a new one.

Examples:
  airlock watch ~/Maildir
  airlock watch --json --out /srv/airlock /srv/drop >> results.jsonl`,
    )
    .action(async (folder: string, options: WatchVerbOptions) => done(await watchVerb(console, folder, options)));
}

async function watchVerb(console: Console, folder: string, options: WatchVerbOptions): Promise<number> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) throw new UsageError(`${folder} cannot be watched (${found.code}). Check the path.`);
  if (!found.isDirectory()) throw new UsageError(`${folder} is no folder. To scan one file, use airlock scan.`);
  if (options.html !== undefined && resolve(options.html) === resolve(folder))
    throw new UsageError('--html names the folder that is watched: each page would be scanned. Name another folder.');
  const out = options.out ?? join(dirname(resolve(folder)), `${basename(resolve(folder))}-airlock`);
  await makeOwnFolders(out, out).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${out} cannot be made (${error.code}). Name another folder with --out.`);
  });
  const lock = holdLock(join(out, 'watch.lock'));
  if (lock === null)
    throw new UsageError(`Another process watches into ${out}. Stop it, or name another folder with --out.`);
  try {
    await watchInto(console, folder, { ...options, out });
  } finally {
    await lock.close();
  }
  return EXIT.delivered;
}

async function watchInto(
  console: Console,
  folder: string,
  options: WatchVerbOptions & { readonly out: string },
): Promise<void> {
  const { signal } = console;
  const { reportOutcome } = await import('../scan-verb.ts');
  const settings = {
    out: options.out,
    signal,
    concurrentStages: CONCURRENT_FILES,
    isLasting: true,
    onStage: () => undefined,
    onAgain: (outcome: Outcome) => reportOutcome(console, outcome, options),
  };
  const session = await openEngineSession(console, options, settings);
  const notes = openWatchNotes(options.out);
  const isMail = await isMaildir(folder);
  try {
    if (!options.json && !options.quiet) {
      await writeLine(
        console.stdout,
        `Watching the ${isMail ? 'Maildir' : 'folder'} ${folder}, results in ${options.out}`,
      );
      await writeLine(console.stdout, 'Stop with SIGTERM or Ctrl-C.');
    }
    await watchFolder({
      ...{ folder, isMaildir: isMail, notes, signal, concurrent: inputsAtOnce(options, CONCURRENT_FILES) },
      scan: (file) => scanWatched(session, folder, file),
      report: (outcome) => reportOutcome(console, outcome, options),
    });
  } finally {
    notes.close();
    await session.close();
  }
}

/** Returns the names of an input. They do not depend on the folder of a Maildir in which its file is, so it is the same run. */
async function scanWatched(session: Session, folder: string, file: WatchedFile): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const named = (text: string) => text.replace(file.path, () => join(folder, file.key));
  for await (const input of inputsOf([file.path])) {
    const label = named(input.label);
    outcomes.push(await session.scanOnce('name' in input ? { ...input, label, name: named(input.name) } : input));
  }
  return outcomes;
}

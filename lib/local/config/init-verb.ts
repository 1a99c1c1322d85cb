/** `airlock init`: writes a policy file and a configuration with every setting as a comment. An existing file is not changed. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { safeJson, safeText } from '../../pipeline/safe-text.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { EXIT } from '../outcome.ts';
import { CONFIG_NAME } from './find.ts';
import { policyText } from './policy-text.ts';
import { configText } from './text.ts';

/** The name of a policy in all examples. */
const POLICY_NAME = 'policy.json';
const TEXTS: readonly (readonly [name: string, text: () => string])[] = [
  [POLICY_NAME, policyText],
  [CONFIG_NAME, configText],
];

interface InitOptions {
  readonly json?: boolean;
}

/** The result for a file: written, or left unchanged because it exists. */
interface Written {
  readonly path: string;
  readonly state: 'written' | 'kept';
}

/** Adds the verb to the program. */
export function addInit(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('init')
    .description('write a policy and a configuration in which every setting is a comment')
    .argument('[folder]', 'where they are written; it is made when it is missing', '.')
    .option('--json', 'print one JSON line per file')
    .addHelpText('after', HELP)
    .action(async (folder: string, options: InitOptions) => done(await initVerb(console, folder, options)));
}

const HELP = `
The files are ${POLICY_NAME} and ${CONFIG_NAME}. As they are written they change nothing. A file that is there is never overwritten.

Exit codes: 0 both were written, 1 one was there and was left as it is, 2 wrong usage, or one could not be written.

Examples:
  airlock init
  airlock init /etc/airlock`;

async function initVerb(console: Console, folder: string, { json }: InitOptions): Promise<number> {
  const written: Written[] = [];
  await orExplain(folder, () => mkdir(folder, { recursive: true }));
  for (const [name, text] of TEXTS) written.push(await writeNew(resolve(join(folder, name)), text()));
  for (const each of written) await writeLine(console.stdout, json ? safeJson(each) : sentenceOf(each));
  if (!json) await writeLine(console.stdout, 'airlock doctor says which configuration counts and what it sets.');
  return written.every(({ state }) => state === 'written') ? EXIT.delivered : EXIT.quarantined;
}

const sentenceOf = ({ path, state }: Written): string =>
  state === 'written'
    ? `wrote ${safeText(path, 1_000)}`
    : `left ${safeText(path, 1_000)} as it is: there is one already. Move it away to get a new one.`;

/** Writes only a new file: it never overwrites one, and never follows a link. */
async function writeNew(path: string, text: string): Promise<Written> {
  const isNew = await orExplain(path, async () => {
    try {
      await writeFile(path, text, { flag: 'wx', mode: 0o644 });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  });
  return { path, state: isNew ? 'written' : 'kept' };
}

async function orExplain<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new UsageError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

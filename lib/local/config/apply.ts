/** Gives a command its settings from `airlock.config.json`. An option on the command line, or a variable, has priority. */
import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { type Console, complain, UsageError } from '../console.ts';
import { type Config, readConfig } from './file.ts';
import { type ConfigChoice, findConfig } from './find.ts';
import { type ConfigRow, optionOf } from './row.ts';
import { CONFIG_ROWS } from './table.ts';
import { Secret } from './values.ts';

/** The settings of a file for this run. */
export interface Applied {
  readonly path: string;
  readonly rows: readonly ConfigRow[];
}

/** Commands whose stderr is a log of JSON lines. */
const LOGGING = ['gateway', 'milter', 'serve'];

/** Returns the words of a command after `airlock`: `quarantine release`. */
export function nameOf(command: Command): string {
  return chainOf(command)
    .slice(0, -1)
    .map((each) => each.name())
    .reverse()
    .join(' ');
}

/**
 * Sets options that were not given, and passes unset variables to `fill`. Returns null when nothing was set. Throws UsageError for an
 * unusable file. Also throws UsageError for a found file with settings that only a named file may have.
 */
export async function applyConfig(
  console: Console,
  command: Command,
  fill: (variable: string, value: string) => void,
): Promise<Applied | null> {
  const choice = command.optsWithGlobals<{ config?: ConfigChoice }>().config;
  const rows = CONFIG_ROWS.filter(({ commands }) => commands.includes(nameOf(command)));
  // A file in the folder must not stop a command that takes no settings from it. `doctor` reads the file itself.
  if (rows.length === 0) return null;
  const found = await findConfig(console, choice);
  if (found === null) return null;
  const config = readConfig(found);
  const wanted = rows.filter((row) => config.values.has(row.key) && !isReplaced(console, command, row));
  if (config.isFound) refuseUnnamed(config, wanted);
  for (const row of wanted) await apply(console, command, row, config.values.get(row.key), fill);
  if (wanted.length === 0) return null;
  tell(console, command, config, wanted);
  return { path: config.path, rows: wanted };
}

/** Adds to a complaint about an option that the file has set it, because nobody typed it. */
export function originOf({ path, rows }: Applied, message: string): string {
  const named = rows.filter((row) => message.includes(flagOf(row)) || message.includes(row.variable ?? '\0'));
  return named.map((row) => `\n${row.variable ?? flagOf(row)} is set by ${row.key} in ${path}.`).join('');
}

const flagOf = (row: ConfigRow) => `--${optionOf(row).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function isReplaced({ env }: Console, command: Command, row: ConfigRow): boolean {
  if (row.variable !== undefined) return Boolean(env[row.variable]);
  const replacements = [optionOf(row), ...(row.unless ?? [])];
  return chainOf(command).some((each) => replacements.some((name) => each.getOptionValueSource(name) === 'cli'));
}

/** Returns keys that count only in a named file. */
export const namedOnly = (rows: readonly ConfigRow[]): string[] =>
  rows.filter(({ isFound }) => !isFound).map(({ key }) => key);

function refuseUnnamed({ path }: Config, wanted: readonly ConfigRow[]): void {
  const keys = namedOnly(wanted);
  if (keys.length === 0) return;
  throw new UsageError(
    `${path} was found, and it sets ${keys.join(', ')}. A folder from somebody else could change by that what is checked, and by whom. If the file is yours, name it: --config ${path}, or AIRLOCK_CONFIG=${path}. --no-config leaves it out.`,
  );
}

async function apply(
  console: Console,
  command: Command,
  row: ConfigRow,
  value: unknown,
  fill: (variable: string, value: string) => void,
): Promise<void> {
  const secret = Secret.safeParse(value);
  const said = secret.success ? await secretText(console, row, secret.data) : value;
  if (row.variable !== undefined) fill(row.variable, String(said));
  else command.setOptionValueWithSource(optionOf(row), typeof said === 'number' ? String(said) : said, 'config');
}

async function secretText({ env }: Console, { key }: ConfigRow, secret: Secret): Promise<string> {
  if ('env' in secret) {
    const text = env[secret.env];
    if (text) return text;
    throw new UsageError(`${key} of the configuration names the variable ${secret.env}, which is not set.`);
  }
  const text = await readFile(secret.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${key} of the configuration: ${secret.file} cannot be read (${error.code}).`);
  });
  if (text.trim() !== '') return text.trim();
  throw new UsageError(`${key} of the configuration: ${secret.file} is empty.`);
}

function tell(console: Console, command: Command, { path, isFound }: Config, rows: readonly ConfigRow[]): void {
  const keys = rows.map(({ key }) => key);
  if (!LOGGING.includes(nameOf(command))) {
    complain(console, `Configuration: ${path}${isFound ? ' (found)' : ''} sets ${keys.join(', ')}.`);
    return;
  }
  const time = new Date().toISOString();
  console.stderr.write(`${JSON.stringify({ time, level: 'info', event: 'configuration', path, keys })}\n`);
}

/** Returns the command, its parent, and so on up to the program. */
function chainOf(command: Command): Command[] {
  return command.parent === null ? [command] : [command, ...chainOf(command.parent)];
}

/** Adds options that switch off a setting of a file: `--no-online`. The help of a command does not list them. */
export function addNegations(program: Command): void {
  for (const row of CONFIG_ROWS) {
    if (row.variable !== undefined || !row.value.schema.safeParse(false).success) continue;
    for (const name of row.commands)
      commandNamed(program, name).addOption(new Option(flagOf(row).replace('--', '--no-')).hideHelp());
  }
}

/** Returns a command by its words. Throws TypeError for an unknown one. */
export function commandNamed(program: Command, name: string): Command {
  return name.split(' ').reduce((parent, word) => {
    const command = parent.commands.find((each) => each.name() === word);
    if (command === undefined) throw new TypeError(`there is no command ${name}`);
    return command;
  }, program);
}

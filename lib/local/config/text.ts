/** The text of an `airlock.config.json` in which every key is a comment. It follows from the tables. */
import { type CommentedEntry, commentedText } from './commented-text.ts';
import type { ConfigRow } from './row.ts';
import { CONFIG_SCHEMA_FILE } from './schema.ts';
import { STACK_ROWS } from './stack.ts';
import { CONFIG_ROWS } from './table.ts';

const HEAD = [
  'The configuration of Mail Airlock. Every setting is a comment here, so this file changes nothing. Take the slashes away in front of what you want to set. Paths are relative to this file.',
  'A command that only finds this file takes from it where results go. For everything else name it: --config airlock.config.json, or AIRLOCK_CONFIG. The command airlock doctor says what it sets.',
];

const SCHEMA: CommentedEntry = {
  name: '$schema',
  says: 'The schema for editors, when the package mail-airlock is installed in this folder:',
  value: { setting: `./node_modules/mail-airlock/${CONFIG_SCHEMA_FILE}` },
};

/** The purpose of each section, in the order of the file. */
const SECTIONS: Readonly<Record<string, string>> = {
  scan: 'airlock scan',
  watch: 'airlock watch',
  disarm: 'airlock disarm',
  desk: 'airlock desk',
  serve: 'airlock serve: the analysis service',
  gateway: 'airlock gateway: between two mail servers',
  milter: 'airlock milter: judges the mail of a mail server while its sender waits',
  stack: 'The stack on AWS. The command cdk synth reads this.',
};

/** Writes the whole file. Throws TypeError for a section of the tables that has no sentence here. */
export function configText(): string {
  const stack = STACK_ROWS.map((row) => ({ ...row, key: `stack.${row.name}` }));
  const rows = [...CONFIG_ROWS, ...stack];
  const top = rows.filter(({ key }) => !key.includes('.')).map(entryOf);
  const sections = new Set(rows.filter(({ key }) => key.includes('.')).map(({ key }) => key.split('.')[0] ?? ''));
  const below = [...sections].map((name): CommentedEntry => {
    const says = SECTIONS[name];
    if (says === undefined) throw new TypeError(`the section ${name} needs a sentence`);
    const entries = rows.filter(({ key }) => key.startsWith(`${name}.`)).map(entryOf);
    return { name, says, value: { entries } };
  });
  return commentedText(HEAD, [SCHEMA, ...top, ...below]);
}

type Row = Pick<ConfigRow, 'key' | 'says' | 'value' | 'default' | 'example'>;

function entryOf(row: Row): CommentedEntry {
  const { key, says, value, default: byDefault, example } = row;
  const literal = literalOf(row);
  const end = literal === undefined ? `Without it: ${byDefault}. An example:` : 'The default:';
  const setting = literal === undefined ? example : literal;
  return {
    name: key.slice(key.lastIndexOf('.') + 1),
    says: `${says[0]?.toUpperCase()}${says.slice(1)}. Accepted: ${value.accepts}. ${end}`,
    value: { setting },
  };
}

/** Returns the default as a value, when the table has it as code and nothing else. */
function literalOf({ default: byDefault, value }: Row): unknown {
  const [, code] = /^`([^`]+)`$/.exec(byDefault) ?? [];
  if (code === undefined) return undefined;
  return /^(?:true|false|\d+)$/.test(code) && value.schema.safeParse(JSON.parse(code)).success
    ? JSON.parse(code)
    : code;
}

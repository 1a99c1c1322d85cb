/** The manual page `airlock(1)`: the `--help` text of every command, as roff (man(7)). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { createProgram } from '../lib/local/cli.ts';
import { allNodes, type CommandNode, type CommandWord, treeOf } from '../lib/local/command-tree.ts';

/** Its place in a package. */
export const MAN_PAGE = 'man/airlock.1';

/** Writes the page into the folder of a package. */
export function writeManPage(version: string, folder: string): void {
  const page = join(folder, MAN_PAGE);
  mkdirSync(dirname(page), { recursive: true });
  writeFileSync(page, manPage(version));
}

/** Returns the page. It has no date, so the same sources give the same bytes. */
export function manPage(version: string): string {
  const root = treeOf(createProgram(nobody(), () => undefined));
  const below = allNodes(root).filter((node) => node !== root && (node.commands.length === 0 || node.after !== ''));
  const lines = [
    `.TH AIRLOCK 1 "" "mail\\-airlock ${escaped(version)}" "Mail Airlock"`,
    '.SH NAME',
    'airlock \\- takes in hostile mail and gives out mail that is safe to open',
    '.SH SYNOPSIS',
    root.commands.map(synopsis).join('\n.br\n'),
    '.SH DESCRIPTION',
    ...text(root.description),
    '.SH OPTIONS',
    ...root.options.flatMap(term),
    '.SH COMMANDS',
    ...below.flatMap(section),
    '.SH EXIT STATUS AND EXAMPLES',
    ...verbatim(root.after),
  ];
  return `${lines.join('\n')}\n`;
}

/** The program asks for a console only when a command runs, and no command runs here. */
function nobody() {
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return { stdin: Readable.from([]), stdout: sink(), stderr: sink(), env: {}, signal: new AbortController().signal };
}

const synopsis = ({ path, usage }: CommandNode) => `\\fB${escaped(path)}\\fR ${escaped(usage)}`;

function section(node: CommandNode): string[] {
  return [
    `.SS ${escaped(node.path)}`,
    synopsis(node),
    '.PP',
    ...text(node.description),
    ...node.arguments.flatMap(term),
    ...node.options.flatMap(term),
    ...verbatim(node.after),
  ];
}

const term = ({ name, description }: CommandWord) => ['.TP', `\\fB${escaped(name)}\\fR`, ...text(description)];

const text = (words: string) => (words === '' ? [] : [lineOf(words)]);

/** The text keeps the line breaks of the help. */
function verbatim(words: string): string[] {
  return words === '' ? [] : ['.PP', '.nf', ...words.split('\n').map(lineOf), '.fi'];
}

/** Escapes a line. A line that begins with a point or a quotation mark would be a request of roff. */
const lineOf = (line: string) => escaped(line).replace(/^([.'])/, '\\&$1');

/** A plain `-` becomes a hyphen, which nobody can copy into a shell. */
const escaped = (words: string) => words.replaceAll('\\', '\\e').replaceAll('-', '\\-');

/** The commands of `airlock` that documents name, held against the program itself. */
import type { Command } from 'commander';
import { createProgram } from '../../lib/local/cli.ts';
import { allNodes, type CommandNode, treeOf } from '../../lib/local/command-tree.ts';
import { quietConsole } from '../local/console.ts';

const TREE = treeOf(createProgram(quietConsole(), () => undefined));

/** Every command with all below it, the program itself first. */
export const COMMANDS: readonly CommandNode[] = allNodes(TREE);

/**
 * The calls of `airlock` in a document: in blocks of code, and between backquotes. `AIRLOCK_…=… airlock scan` is one, too. A line of
 * Postfix's `master.cf` begins with the name of a service, which is no call.
 */
export function callsIn(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh|bash)?\n(.*?)^```/gms)].flatMap(([, block = '']) => block.split('\n'));
  const spans = [...text.replace(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...blocks, ...spans].flatMap(
    (line) => /^(?:[A-Z_]+=\S+ )*airlock (?!unix -)([a-z].*)$/.exec(line.trim())?.[1] ?? [],
  );
}

/** Why the program would refuse a call because of its words: a verb or an option that it does not have. Null when it has them. */
export function unknownWord(call: string): string | null {
  const words = call
    .replace(/(?:^|\s)[#|].*$/, '')
    .replace(/"[^"]*"/g, 'TEXT')
    .split(/\s+/);
  let nodes: readonly CommandNode[] = [TREE];
  for (const word of words) {
    const named = word.split('|').map((each) => nodes.flatMap(({ commands }) => commands).find(isCalled(each)));
    const found = named.filter((node) => node !== undefined);
    // A small letter begins a verb here: what users choose themselves is written in capitals.
    const isVerb =
      /^[a-z]/.test(word) && nodes.every((node) => node.commands.length > 0 && node.arguments.length === 0);
    if (isVerb && found.length < named.length) return word;
    if (found.length === 0) break;
    nodes = found;
  }
  const known = nodes.flatMap(allNodes).flatMap(({ options, globalOptions }) => [...options, ...globalOptions]);
  const names = new Set(known.flatMap((option) => option.names));
  const options = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.replace(/[=,.].*$/, ''));
  return options.find((option) => !names.has(option)) ?? null;
}

const isCalled =
  (name: string) =>
  ({ path }: CommandNode) =>
    path.endsWith(` ${name}`);

/** The page docs/commands.md: each command by what people want to do, with what it is for. */
export function commandsPage(program: Command): string {
  const groups = new Map<string, Command[]>();
  for (const command of program.commands.filter((each) => each.name() !== 'help'))
    groups.set(command.helpGroup(), [...(groups.get(command.helpGroup()) ?? []), command]);
  const sections = [...groups].map(([heading, commands]) => [
    `## ${heading.replace(/:$/, '')}`,
    '',
    '| command | does |',
    '|---|---|',
    ...commands.flatMap((command) => allNodes(treeOf(command, 'airlock')).map(rowOf)),
    '',
  ]);
  return [...INTRODUCTION, ...sections.flat()].join('\n');
}

const rowOf = ({ path, usage, description }: CommandNode) => {
  const words = usage.replace(/ ?\[(?:options|command)\]/g, '').trim();
  return `| \`${`${path} ${words}`.trim().replaceAll('|', '\\|')}\` | ${description} |`;
};

const INTRODUCTION = [
  '# Commands',
  '',
  'Every command of `airlock`, as its help has it. `airlock COMMAND --help` prints the options of one, with exit codes and examples.',
  '[README](../README.md#install) sets the command up, and [configuration](configuration.md) has the options that can stand in a file.',
  '',
  'The test of this page writes it: `npx vitest run test/documents/commands.test.ts -u`.',
  '',
];

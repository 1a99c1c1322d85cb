/** The commands as their help shows them. Completion and the manual page are made of them. */
import type { EventEmitter } from 'node:events';
import type { Command, Option } from 'commander';

/** A command with everything that may follow it. */
export interface CommandNode {
  /** The words that start it: `airlock keys create`. */
  readonly path: string;
  readonly description: string;
  /** Behind the path: `[options] <path...>`. */
  readonly usage: string;
  readonly arguments: readonly CommandWord[];
  /** Its own options, and `--help`. */
  readonly options: readonly CommandOption[];
  /** Options of all commands. */
  readonly globalOptions: readonly CommandOption[];
  readonly commands: readonly CommandNode[];
  /** The text of its help after the lists: exit codes, examples. */
  readonly after: string;
}

export interface CommandWord {
  readonly name: string;
  readonly description: string;
  /** The only accepted values; empty when there are others, too. */
  readonly choices: readonly string[];
}

export interface CommandOption extends CommandWord {
  /** As typed: `--out`, or `-o` and `--output`. */
  readonly names: readonly string[];
  readonly takesValue: boolean;
}

/** Returns the command and all commands below it. Commands and options that help hides are left out. */
export function treeOf(command: Command, above = ''): CommandNode {
  const help = command.createHelp();
  const path = `${above} ${command.name()}`.trim();
  const own = help.visibleOptions(command).map((option) => optionOf(option, help.optionDescription(option)));
  const globals = help.visibleGlobalOptions(command);
  return {
    path,
    description: help.commandDescription(command) || help.subcommandDescription(command),
    usage: command.usage(),
    arguments: help.visibleArguments(command).map((each) => ({
      name: help.argumentTerm(each),
      description: help.argumentDescription(each),
      choices: each.argChoices ?? [],
    })),
    options: own,
    globalOptions: globals.map((option) => optionOf(option, help.optionDescription(option))),
    commands: help
      .visibleCommands(command)
      .filter((each) => each.name() !== 'help')
      .map((each) => treeOf(each, path)),
    after: afterHelp(command),
  };
}

/** Returns a node and all below it. */
export function allNodes(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(allNodes)];
}

function optionOf(
  { flags, short, long, required, optional, argChoices = [] }: Option,
  description: string,
): CommandOption {
  const names = [short, long].filter((name) => name !== undefined && name !== null);
  return { name: flags, names, takesValue: required || optional, description, choices: argChoices };
}

function afterHelp(command: Command): string {
  let text = '';
  const write = (piece: string) => {
    text += piece;
  };
  // This object is a command, though its types do not say so: `addHelpText` listens to this event.
  (command as unknown as EventEmitter).emit('afterHelp', { error: false, command, write });
  return text.trim();
}

/** `airlock completion SHELL`: prints the script with which a shell completes verbs and options. */
import { Argument, type Command } from 'commander';
import { treeOf } from '../command-tree.ts';
import { type Console, writeLine } from '../console.ts';
import { EXIT } from '../outcome.ts';
import { SHELLS, type Shell } from './scripts.ts';

/** Adds the verb to the program. */
export function addCompletion(program: Command, console: Console, done: (code: number) => void): void {
  program
    .command('completion')
    .description('print the completion of commands and options for a shell')
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices(Object.keys(SHELLS)))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => {
      await writeLine(console.stdout, SHELLS[shell](treeOf(program)).trimEnd());
      done(EXIT.delivered);
    });
}

const HELP = `
Examples:
  source <(airlock completion bash)                           in ~/.bashrc
  source <(airlock completion zsh)                            in ~/.zshrc, behind compinit
  airlock completion fish > ~/.config/fish/completions/airlock.fish`;

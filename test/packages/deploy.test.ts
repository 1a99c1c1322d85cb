/** The files in deploy/: the Containerfile is well formed, and what they start is a command with options that there are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { createProgram } from '../../lib/local/cli.ts';
import { commandNamed } from '../../lib/local/config/apply.ts';
import { quietConsole } from '../local/console.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../deploy', name), 'utf8');
const containerfile = read('Containerfile');
const compose = read('compose.yaml');
const stages = [...containerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name);
const program = createProgram(quietConsole(), () => undefined);

/** Words behind `airlock` that are no verb, option or value of one. */
function unknownWords(words: readonly string[]): string[] {
  const [verb = '', ...rest] = words;
  if (verb.startsWith('-')) return isOption(program, verb) ? [] : [verb];
  const command = commandNamed(program, verb);
  return rest.filter((word) => word.startsWith('-') && !isOption(command, word));
}

const isOption = (command: Command, word: string): boolean =>
  word === '--help' || command.options.some(({ long, short }) => long === word || short === word);

/** Of each unit, the commands that it starts, and those with the options that its first lines propose. */
const UNITS = readdirSync(join(import.meta.dirname, '../../deploy'))
  .filter((name) => name.endsWith('.service'))
  .map((name) => {
    const unit = read(name);
    const commands = [...unit.matchAll(/^ExecStart=\S+ airlock (.*)$/gm)].map(([, words]) => (words ?? '').split(' '));
    const options = [...unit.matchAll(/^# {3}(\w+)_OPTIONS=(.*)$/gm)].map(([, verb, words]) => [
      verb === 'SERVICE' ? 'serve' : (verb ?? '').toLowerCase(),
      ...(words ?? '').split(' '),
    ]);
    return { name, commands, options };
  });

test('a linter finds nothing in the Containerfile, and something in a broken one', () => {
  expect(validate(containerfile)).toEqual([]);
  expect(validate(`${containerfile}\nFOO bar\n`)).toHaveLength(1);
});

test('its stages copy from stages that there are, and run without being root', () => {
  for (const [, from] of containerfile.matchAll(/--from=(\S+)/g)) expect(stages).toContain(from);
  const images = containerfile.split(/^FROM /m).filter((stage) => stage.includes('ENTRYPOINT'));
  expect(images).toHaveLength(3);
  for (const image of images) expect(image).toMatch(/^USER airlock$/m);
});

test('images, services and units start commands with options that there are', () => {
  const entries = [...containerfile.matchAll(/^(?:ENTRYPOINT|CMD) (\[.*\])$/gm)].map(([, json]) =>
    JSON.parse(json ?? ''),
  );
  expect(entries).toHaveLength(4);
  const ends = entries
    .map((words: string[]) => words.filter((word) => word !== 'airlock'))
    .filter((words) => words.length > 0);
  const services = [...compose.matchAll(/target: (\S+) \}\n\s+command: (\[.*\])$/gm)];
  expect(services.map(([, target]) => target)).toEqual(['service', 'gateway']);
  const composed = services.map(([, target, json]) => [
    target === 'service' ? 'serve' : 'gateway',
    ...JSON.parse(json ?? ''),
  ]);
  const units = UNITS.flatMap(({ options, commands }) => [...options, ...commands]);
  const verbs = ['digest', 'gateway', 'milter', 'recall', 'recheck', 'serve'];
  expect(units.map(([verb]) => verb).sort()).toEqual(verbs.flatMap((verb) => [verb, verb]));
  for (const words of [...ends, ...composed, ...units]) {
    expect(words.length).toBeGreaterThan(0);
    expect(unknownWords(words)).toEqual([]);
  }
  expect(unknownWords(['serve', '--prot', '8080'])).toEqual(['--prot']);
});

test('each unit that ends by itself has a timer, which makes up for what it missed, and no other unit has one', () => {
  const isOnce = (name: string) => read(name).includes('\nType=oneshot\n');
  const timers = readdirSync(join(import.meta.dirname, '../../deploy')).filter((name) => name.endsWith('.timer'));
  expect(timers).toEqual(['airlock-digest.timer', 'airlock-recheck.timer']);
  expect(UNITS.filter(({ name }) => isOnce(name)).map(({ name }) => name.replace('.service', '.timer'))).toEqual(
    timers,
  );
  for (const timer of timers) expect(read(timer)).toMatch(/^OnCalendar=.+\n[\s\S]*^Persistent=true$/m);
});

test('the recall of a night comes also when the recheck before it has found something, which is exit code 1', () => {
  const unit = read('airlock-recheck.service');
  expect([...unit.matchAll(/^ExecStart=\S+ airlock (\w+)/gm)].map(([, verb]) => verb)).toEqual(['recheck', 'recall']);
  expect(unit).toMatch(/^SuccessExitStatus=1$/m);
});

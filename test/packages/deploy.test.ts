/** The files in deploy/: the Containerfile is well formed, and what they start is a command with options that there are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { createProgram } from '../../lib/local/cli.ts';
import { commandNamed } from '../../lib/local/config-apply.ts';
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
  const units = ['airlock-serve.service', 'airlock-gateway.service', 'airlock-milter.service'].map(
    (name) => /^ExecStart=\S+ airlock (.*)$/m.exec(read(name))?.[1]?.split(' ') ?? [],
  );
  for (const words of [...ends, ...composed, ...units]) {
    expect(words.length).toBeGreaterThan(0);
    expect(unknownWords(words)).toEqual([]);
  }
  expect(unknownWords(['serve', '--prot', '8080'])).toEqual(['--prot']);
});

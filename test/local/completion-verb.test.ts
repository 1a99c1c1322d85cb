/** `airlock completion`: the scripts that shells read, held against the help and tried in the shells that are installed. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../lib/local/cli.ts';
import { allNodes, treeOf } from '../../lib/local/command-tree.ts';
import { isInstalled } from '../checkers/tools.ts';
import { testWith } from '../programs.ts';
import { airlock, quietConsole } from './console.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-completion-'));
const file = (shell: string) => join(folder, `airlock.${shell}`);
const scripts: Record<string, string> = {};
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await airlock(['completion', shell]);
    expect([code, stderr]).toEqual([0, '']);
    scripts[shell] = stdout;
    writeFileSync(file(shell), stdout);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const nodes = allNodes(treeOf(createProgram(quietConsole(), () => undefined)));
const node = (path: string) => nodes.find((each) => each.path === path);
const bash = (script: string) => execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });

/** What bash offers for the words, of which the last is being typed. */
function offered(...words: string[]): string[] {
  const list = words.map((word) => `'${word}'`).join(' ');
  const at = words.length - 1;
  const script = `source ${file('bash')}; COMP_WORDS=(${list}); COMP_CWORD=${at}; _airlock; echo "\${COMPREPLY[@]}"`;
  return bash(script).trim().split(' ').filter(Boolean);
}

describe('bash', () => {
  test('takes the script for both names of the command', () => {
    const said = bash(`source ${file('bash')}; complete -p airlock mail-airlock`);
    expect(said).toBe('complete -o default -F _airlock airlock\ncomplete -o default -F _airlock mail-airlock\n');
  });

  test('offers every verb that the help shows, and those that begin as typed', () => {
    const verbs = node('airlock')?.commands.map(({ path }) => path.replace('airlock ', '')) ?? [];
    expect(offered('airlock', '')).toEqual(verbs);
    expect(offered('airlock', 'ke')).toEqual(['keys']);
    expect(offered('airlock', '--no-config', 'keys', 'c')).toEqual(['create']);
  });

  test.each(nodes.map(({ path }) => path))('offers every option of the help: %s', (path) => {
    const { options = [], globalOptions = [] } = node(path) ?? {};
    const names = [...options, ...globalOptions].flatMap((option) => option.names);
    expect(offered(...path.split(' '), '-')).toEqual(names);
    expect(names).toContain('--help');
  });

  test('offers values where only some are accepted', () => {
    expect(offered('airlock', 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(offered('airlock', 'gateway', '--next-tls', 'r')).toEqual(['required']);
    expect(offered('airlock', 'redrive', '--reason', 'tim')).toEqual(['timeout']);
  });

  test('leaves the value of an option, and a path, to the shell', () => {
    expect(offered('airlock', 'scan', '--out', '')).toEqual([]);
    expect(offered('airlock', 'scan', 'ma')).toEqual([]);
  });
});

describe.each(['zsh', 'fish'])('%s', (shell) => {
  test('has every verb and option', () => {
    const script = scripts[shell] ?? '';
    for (const { path, options } of nodes) {
      expect(script).toContain(`'${path.split(' ').at(-1)}`);
      for (const name of options.flatMap(({ names }) => names))
        expect(script).toContain(
          shell === 'zsh' ? `'${name}:` : name.replace(/^--/, '-l ').replace(/^-(?=\w$)/, '-s '),
        );
    }
  });

  testWith(shell, isInstalled(shell))('reads it without an objection', () => {
    expect(execFileSync(shell, ['-n', file(shell)], { encoding: 'utf8' })).toBe('');
  });
});

testWith('fish', isInstalled('fish'))('fish offers what may follow, with what it does', () => {
  const fish = (typed: string) =>
    execFileSync('fish', ['-c', `source ${file('fish')}; complete -C '${typed}'`], { encoding: 'utf8' });
  expect(fish('airlock ke')).toMatch(/^keys\t/);
  expect(fish('airlock keys cr')).toMatch(/^create\t/);
  expect(fish('airlock scan --pol')).toMatch(/^--policy\ta policy file/m);
});

test('another shell is wrong usage, which names those that there are', async () => {
  const { code, stderr } = await airlock(['completion', 'tcsh']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish.')]);
});

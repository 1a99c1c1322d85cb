/** `airlock init`: files in which every setting is a comment with its default. */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../lib/local/cli.ts';
import { commandNamed } from '../../lib/local/config/apply.ts';
import { readConfig } from '../../lib/local/config/file.ts';
import { policyText } from '../../lib/local/config/policy-text.ts';
import { optionOf } from '../../lib/local/config/row.ts';
import { STACK_ROWS } from '../../lib/local/config/stack.ts';
import { CONFIG_ROWS } from '../../lib/local/config/table.ts';
import { configText } from '../../lib/local/config/text.ts';
import { withoutComments } from '../../lib/pipeline/policy/commented-json.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { emailWith } from '../pipeline/rig.ts';
import { airlock, quietConsole } from './console.ts';

let folder: string;
const path = (...names: string[]) => join(folder, ...names);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-init-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The file after somebody has taken the slashes away in front of every setting. */
const uncommented = (text: string) => text.replace(/^( *)\/\/( +["\]])/gm, '$1$2');
const jsonOf = (text: string) => JSON.parse(withoutComments(text).json);
const configOf = (text: string) => readConfig({ path: path('airlock.config.json'), text, isFound: false }).values;

describe('what is written', () => {
  test('is accepted by doctor and scan, and changes nothing', async () => {
    const { code, stdout, stderr } = await airlock(['init', path('new', 'here')]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`wrote ${path('new', 'here', 'policy.json')}\nwrote `);
    const here = { folder: path('new', 'here') };
    const doctor = await airlock(['doctor', '--json', '--port', '0'], here);
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining('airlock.config.json sets nothing')]);
    await writeFile(path('mail.eml'), emailWith({ subject: 'Good', text: 'hello' }));
    const policy = ['--policy', path('new', 'here', 'policy.json')];
    const scan = await airlock(['scan', ...policy, '--out', path('out'), path('mail.eml')], here);
    expect([scan.code, scan.stderr]).toEqual([0, expect.not.stringContaining('Configuration')]);
  });

  test('is the default policy, before and after the slashes are taken away', () => {
    expect(parsePolicy(policyText())).toEqual(DEFAULT_POLICY);
    expect(jsonOf(uncommented(policyText()))).toEqual(DEFAULT_POLICY);
  });

  test('sets nothing, and has every key with a value that is accepted', () => {
    expect([...configOf(configText())]).toEqual([]);
    const keys = [...CONFIG_ROWS.map(({ key }) => key), ...STACK_ROWS.map(({ name }) => `stack.${name}`)];
    expect([...configOf(uncommented(configText())).keys()]).toEqual(keys);
  });

  test('has the defaults of the commands', () => {
    const program = createProgram(quietConsole(), () => undefined);
    const values = jsonOf(uncommented(configText()));
    const settingAt = (key: string) => key.split('.').reduce((inner, name) => inner[name], values);
    const rows = CONFIG_ROWS.filter(({ variable, default: byDefault }) => !variable && /^`[^`]+`$/.test(byDefault));
    for (const row of rows) {
      const option = commandNamed(program, row.commands[0] ?? '').options.find(
        (each) => each.attributeName() === optionOf(row) && !each.negate,
      );
      const byDefault = option?.defaultValue ?? /\(default: (.+)\)/.exec(option?.description ?? '')?.[1];
      expect(String(byDefault ?? settingAt(row.key)), row.key).toBe(String(settingAt(row.key)));
    }
    expect(rows.length).toBeGreaterThan(10);
  });
});

describe('a file that is there', () => {
  test('stays as it is, and the other one is written', async () => {
    await airlock(['init', path('half')]);
    await writeFile(path('half', 'policy.json'), 'mine');
    await rm(path('half', 'airlock.config.json'));
    const { code, stdout } = await airlock(['init', path('half')]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining(`left ${path('half', 'policy.json')} as it is: there is one already.`),
    ]);
    expect(await readFile(path('half', 'policy.json'), 'utf8')).toBe('mine');
    expect(await readFile(path('half', 'airlock.config.json'), 'utf8')).toBe(configText());
    const again = await airlock(['init', '--json', path('half')]);
    const states = again.stdout.trimEnd().split('\n').map(jsonOf);
    expect([again.code, states.map(({ state }) => state)]).toEqual([1, ['kept', 'kept']]);
  });

  test('is not written through when it is a link that leads nowhere', async () => {
    await airlock(['init', path('linked')]);
    await rm(path('linked', 'policy.json'));
    await symlink(path('elsewhere.json'), path('linked', 'policy.json'));
    expect((await airlock(['init', path('linked')])).code).toBe(1);
    await expect(readFile(path('elsewhere.json'))).rejects.toThrow('ENOENT');
  });
});

test('a folder that cannot be made is wrong usage', async () => {
  await writeFile(path('file'), '');
  const { code, stderr } = await airlock(['init', path('file', 'below')]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/below cannot be written \(ENOTDIR\)/)]);
});

import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Command } from 'commander';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SETTINGS } from '../../lib/infra/settings.ts';
import { createProgram } from '../../lib/local/cli.ts';
import { nameOf } from '../../lib/local/config/apply.ts';
import { stackContext } from '../../lib/local/config/context.ts';
import { distrust } from '../../lib/local/config/find.ts';
import { optionOf } from '../../lib/local/config/row.ts';
import { CONFIG_SCHEMA, configSchema } from '../../lib/local/config/schema.ts';
import { STACK_ROWS } from '../../lib/local/config/stack.ts';
import { CONFIG_ROWS } from '../../lib/local/config/table.ts';
import { configuration } from '../../lib/local/doctor/config.ts';
import { emailWith } from '../pipeline/rig.ts';
import { airlock, quietConsole } from './console.ts';

let folder: string;
const path = (...names: string[]) => join(folder, ...names);
const configFile = () => path('airlock.config.json');
const write = (config: unknown) =>
  writeFile(configFile(), typeof config === 'string' ? config : JSON.stringify(config), { mode: 0o644 });

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'airlock-config-')));
  await mkdir(path('below', 'here'), { recursive: true });
  await writeFile(path('mail.eml'), emailWith({ subject: 'Good', text: 'hello' }));
  await writeFile(path('note.html'), '<p>hello</p><script>1</script>');
  await writeFile(
    path('strict.json'),
    '{\n  // nothing is left to chance\n  "types": { "text": { "verdicts": { "benign": "remove" }, }, },\n}',
  );
});
beforeEach(() => rm(configFile(), { force: true }));
afterAll(() => rm(folder, { recursive: true }));

describe('a file that is found', () => {
  test('upwards of the working folder counts, and stderr says once which it is', async () => {
    await write({ out: 'results', scan: { html: 'pages', quiet: true } });
    const { code, stdout, stderr } = await airlock(['scan', path('mail.eml')], { folder: path('below', 'here') });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe(`Configuration: ${configFile()} (found) sets out, scan.html, scan.quiet.\n`);
    expect(await readdir(path('pages'))).toHaveLength(1);
    expect((await airlock(['runs', 'list', '--json', '--out', path('results')])).stdout).toContain('"delivered"');
  });

  test.each([
    ['policy', 'scan', { policy: 'strict.json' }],
    ['service', 'scan', { service: 'https://evil.example/' }],
    ['apiKey', 'watch', { apiKey: { env: 'AIRLOCK_API_KEY' } }],
    ['online, proxy', 'scan', { online: true, proxy: 'http://evil.example:1' }],
    ['yaraRules', 'scan', { yaraRules: 'rules' }],
    ['disarm.keepMetadata', 'disarm', { disarm: { keepMetadata: true } }],
    ['serve.host', 'serve', { serve: { host: '0.0.0.0' } }],
    ['gateway.next', 'gateway', { gateway: { next: '192.0.2.1:25' } }],
  ])('may not set %s, and says how to name it', async (keys, verb, config) => {
    await write(config);
    const { code, stderr } = await airlock([verb, ...(['gateway', 'serve'].includes(verb) ? [] : [folder])], {
      folder,
    });
    expect(code).toBe(2);
    expect(stderr).toContain(`${configFile()} was found, and it sets ${keys}.`);
    expect(stderr).toContain(`name it: --config ${configFile()}`);
  });

  test('is no hindrance for a command that takes nothing of it, or whose options replace it', async () => {
    await write({ policy: 'missing.json', disarm: { out: 'disarmed' } });
    const parsed = await airlock(['parse', path('mail.eml')], { folder });
    expect([parsed.code, parsed.stderr]).toEqual([0, '']);
    const scanned = await airlock(['scan', '--policy', path('strict.json'), '--out', path('o'), path('mail.eml')], {
      folder,
    });
    expect([scanned.code, scanned.stderr]).toEqual([0, expect.not.stringContaining('Configuration')]);
    const disarmed = await airlock(['disarm', '-o', path('safe.html'), path('note.html')], { folder });
    expect([disarmed.code, disarmed.stderr]).toEqual([0, '']);
  });

  test('is left out with --no-config', async () => {
    await write('{ nope');
    const { code, stderr } = await airlock(['scan', '--no-config', '--out', path('o2'), path('mail.eml')], { folder });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Configuration')]);
  });

  test.each([
    ['above', { out: '../elsewhere' }],
    ['elsewhere', { out: '/elsewhere' }],
    ['the folder itself', { out: '.' }],
  ])('may not send results %s', async (_, config) => {
    await write(config);
    const { code, stderr } = await airlock(['scan', path('mail.eml')], { folder });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/out: a file that was only found may name folders below/),
    ]);
  });

  test('that everybody may write to, or that is a link or a folder, is refused with the reason', async () => {
    const told = async () => (await airlock(['scan', path('mail.eml')], { folder })).stderr;
    await write({});
    await chmod(configFile(), 0o666);
    expect(await told()).toContain(`${configFile()} was found, but not used: everybody may write to it.`);
    await rm(configFile());
    await symlink(path('strict.json'), configFile());
    expect(await told()).toContain('it is a link');
    await rm(configFile());
    await mkdir(configFile());
    expect(await told()).toContain('it is no file');
    await rm(configFile(), { recursive: true });
  });

  test.each([
    ['of another user', { uid: 1_001, mode: 0o100644 }, 0o40755, /another user/],
    ['that everybody may write to', { uid: 1_000, mode: 0o100646 }, 0o40755, /write to it/],
    ['in a folder of everybody', { uid: 1_000, mode: 0o100644 }, 0o40777, /its folder/],
    ['of this user', { uid: 1_000, mode: 0o100644 }, 0o40755, null],
    ['of this user, in a folder where nobody replaces files of others', { uid: 1_000, mode: 0o100644 }, 0o41777, null],
    ['of root', { uid: 0, mode: 0o100644 }, 0o40755, null],
  ])('trust in a file %s', (_, file, mode, why) => {
    const said = distrust(file, { mode }, 1_000);
    if (why === null) expect(said).toBeNull();
    else expect(said).toMatch(why);
  });
});

describe('a file that is named', () => {
  test('by --config or AIRLOCK_CONFIG may set everything, also as JSON with comments', async () => {
    await write('{\n  // the policy\n  "policy": "strict.json", /* and */ "out": "named",\n}');
    for (const [args, env] of [
      [['--config', configFile()], {}],
      [[], { AIRLOCK_CONFIG: configFile() }],
    ] as const) {
      const { code, stdout, stderr } = await airlock(['scan', ...args, path('mail.eml')], { env });
      expect(code).toBe(0);
      expect(stderr).toContain(`Configuration: ${configFile()} sets policy, out.\n`);
      expect(stdout).toMatch(/remove +benign/);
    }
  });

  test('loses to an option, to --no-NAME and to a variable', async () => {
    await write({ out: 'named', online: true, scan: { quiet: true }, chromium: 'nowhere' });
    const args = [
      'scan',
      '--config',
      configFile(),
      '--out',
      path('typed'),
      '--no-online',
      '--no-quiet',
      path('mail.eml'),
    ];
    const { code, stdout, stderr } = await airlock(args, { env: { AIRLOCK_CHROMIUM: 'none' } });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Configuration')]);
    expect(stdout).toContain(path('typed'));
  });

  test('a complaint about an option says that the file has set it', async () => {
    await write({ serve: { proxy: 'http://proxy.example:3128' } });
    const { code, stderr } = await airlock(['serve', '--config', configFile()]);
    expect(code).toBe(2);
    expect(stderr).toContain(`--proxy is set by serve.proxy in ${configFile()}.`);
  });

  test('gives a secret by the name of a variable or of a file', async () => {
    await writeFile(path('key.txt'), 'secret-1\n');
    const call = async (apiKey: unknown, env = {}) => {
      await write({ service: 'http://127.0.0.1:1/', apiKey });
      return await airlock(['scan', '--config', configFile(), '--out', path('o3'), path('mail.eml')], { env });
    };
    // Both get as far as the service, which is not there.
    for (const called of [await call({ file: 'key.txt' }), await call({ env: 'MY_KEY' }, { MY_KEY: 'secret-2' })])
      expect(called.stderr).toMatch(/127\.0\.0\.1:1/);
    expect((await call({ env: 'MY_KEY' })).stderr).toContain('names the variable MY_KEY, which is not set');
    expect((await call({ file: 'none.txt' })).stderr).toContain('none.txt cannot be read (ENOENT)');
  });

  test('that is not there, or no file, is wrong usage', async () => {
    for (const named of [path('none.json'), folder]) {
      const { code, stderr } = await airlock(['scan', '--config', named, path('mail.eml')]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--config: ${named} cannot be read`)]);
    }
  });
});

describe('what is wrong is said all at once, with file, line, key, what was found and what is accepted', () => {
  const complaint = async (config: unknown) => {
    await write(config);
    const { code, stderr } = await airlock(['scan', '--config', configFile(), path('mail.eml')]);
    expect(code).toBe(2);
    return stderr;
  };

  test('unknown keys, wrong types, values outside bounds', async () => {
    const said = await complaint(
      '{\n"polcy": "a",\n"serve": {\n"port": 65536,\n"drain": "20",\n"hots": "x" },\n"scan": 1,\n"online": "yes",\n"out": "a",\n"out": "b"\n}',
    );
    expect(said).toContain(`${configFile()} cannot be used:\n`);
    for (const fault of [
      'line 2: polcy is no key of it. Keys there are policy, out,',
      'line 4: serve.port: a whole number from 0 to 65535 is expected, not 65536',
      'line 5: serve.drain: a whole number from 0 to 600 is expected, not "20"',
      'line 6: serve.hots is no key of it. Keys of serve are port, host,',
      'line 7: scan: an object { … } is expected, not 1',
      'line 8: online: true or false is expected, not "yes"',
      'out is there twice',
    ])
      expect(said).toContain(fault);
  });

  test.each([
    ['apiKey', { apiKey: 'hunter2' }],
    ['serve.database', { serve: { database: 'postgres://airlock:hunter2@db.example/airlock' } }],
    ['proxy', { proxy: 'http://me:hunter2@proxy.example:1' }],
    ['service', { service: 'https://me:hunter2@a.example/' }],
  ])('a secret in %s is refused and not shown', async (key, config) => {
    const said = await complaint(config);
    expect(said).toMatch(new RegExp(`${key}: .*is expected, not this text`));
    expect(said).not.toContain('hunter2');
  });

  test('a variable that hostile files could read holds no secret', async () => {
    expect(await complaint({ apiKey: { env: 'HOME' } })).toContain('apiKey: ');
  });

  test('what is not JSON', async () => {
    expect(await complaint('{ "out": }')).toContain('it is not JSON');
    expect(await complaint('[]')).toContain('an object { … } is expected, not []');
    expect(await complaint('{ /* }')).toContain('it is not JSON');
  });
});

describe('one table', () => {
  const program = createProgram(quietConsole(), () => undefined);
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  const commands = all(program);
  const optionNames = (command: Command) => command.options.map((option) => option.attributeName());

  test.each(CONFIG_ROWS.map((row) => [row.key, row] as const))('%s is an option of its commands', (_, row) => {
    const named = row.commands.map((name) => commands.find((command) => nameOf(command) === name));
    expect(named.every((command) => command !== undefined)).toBe(true);
    if (row.variable === undefined)
      expect(named.filter((command) => command && !optionNames(command).includes(optionOf(row)))).toEqual([]);
  });

  test('has every option of scan, watch, disarm, serve, desk and gateway, but for those of one call', () => {
    const ofOneCall: Readonly<Record<string, readonly string[]>> = {
      scan: ['json', 'resume'],
      watch: ['json'],
      disarm: ['output', 'name', 'json', 'password'],
      serve: [],
      desk: ['as', 'role'],
      gateway: [],
    };
    for (const [name, calls] of Object.entries(ofOneCall)) {
      const command = commands.find((each) => nameOf(each) === name);
      const inTable = CONFIG_ROWS.filter((row) => row.commands.includes(name)).map(optionOf);
      const missing = [...new Set(command ? optionNames(command) : [''])].filter((option) => !inTable.includes(option));
      expect({ name, missing }).toEqual({ name, missing: calls });
    }
  });

  test('has the folder of scan for every command that works on it', () => {
    const withFolder = commands.filter(({ options }) =>
      options.some(({ long, description }) => long === '--out' && description === 'the folder of airlock scan'),
    );
    const row = CONFIG_ROWS.find(({ key }) => key === 'out');
    expect(withFolder.map(nameOf).filter((name) => !row?.commands.includes(name))).toEqual([]);
  });

  test('has every setting of the stack, and every example is a value that the stack takes', () => {
    expect(STACK_ROWS.map(({ name }) => name)).toEqual(SETTINGS.map(({ name }) => name));
  });

  test('accepts every example, and the schema does, too', async () => {
    const config: Record<string, Record<string, unknown> | unknown> = {};
    const rows = [...CONFIG_ROWS, ...STACK_ROWS.map(({ name, ...row }) => ({ ...row, key: `stack.${name}` }))];
    for (const { key, value, example } of rows) {
      expect(value.schema.safeParse(example).success, key).toBe(true);
      const [section = '', name] = key.split('.');
      if (name === undefined) config[section] = example;
      else config[section] = { ...(config[section] as object), [name]: example };
    }
    const validate = new Ajv2020({ strict: true }).compile(configSchema());
    expect(validate(config), JSON.stringify(validate.errors)).toBe(true);
    for (const wrong of [{ polcy: 'a' }, { serve: { port: 65_536 } }, { apiKey: 'secret' }, { online: 'yes' }])
      expect(validate(wrong)).toBe(false);
    await write(config);
    const context = await stackContext({ env: {} }, configFile());
    expect(context).toMatchObject({
      policyFile: path('policy.json'),
      sesRecipients: 'example.org',
      deadlineMinutes: 30,
    });
    expect(Object.keys(context).sort()).toEqual(SETTINGS.map(({ name }) => name).sort());
  });

  test('is the schema that is published', async () => {
    await expect(`${JSON.stringify(configSchema(), null, 2)}\n`).toMatchFileSnapshot(
      '../../schema/airlock-config-1.json',
    );
    expect(CONFIG_SCHEMA).toBe('mail-airlock/config/1');
  });

  test('is the page', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
    const code = (example: unknown) => `\`${JSON.stringify(example)}\``;
    const lines = CONFIG_ROWS.map(({ key, says, value, default: byDefault, example, isFound }) =>
      row(`\`${key}\``, says, value.accepts, byDefault, code(example), isFound ? 'yes' : 'no'),
    );
    expect(page).toContain(table(['key', 'says', 'accepted', 'default', 'example', 'when found'], lines));
    const stack = STACK_ROWS.map(({ name, says, value, default: byDefault, example }) =>
      row(`\`stack.${name}\``, says, value.accepts, byDefault, code(example)),
    );
    expect(page).toContain(table(['key', 'says', 'accepted', 'default', 'example'], stack));
  });

  const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
  const table = (head: string[], lines: string[]) =>
    [row(...head), `|${'---|'.repeat(head.length)}`, ...lines, ''].join('\n');
});

test('doctor says which file it found, and what of it counts only when it is named', async () => {
  await write({ policy: 'strict.json', out: 'a' });
  const { stdout } = await airlock(['doctor', '--json', '--port', '0'], { folder });
  expect(stdout).toContain(`${configFile()} sets policy, out; it was only found, so policy need`);
  await write({ polcy: 1 });
  await expect(configuration(quietConsole(), configFile())).rejects.toThrow('polcy is no key of it');
});

import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../lib/local/cli.ts';
import { ReaderGone } from '../../lib/local/console.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { referenceOf } from '../../lib/words/reference.ts';
import manifest from '../../package.json' with { type: 'json' };
import { emailWith, PDF } from '../pipeline/rig.ts';
import { airlock, quietConsole } from './console.ts';

let folder: string;
const path = (name: string) => join(folder, name);
const out = () => path('out');
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-cli-'));
  await writeFile(path('good.eml'), emailWith({ subject: 'Good', text: 'hello' }));
  await writeFile(path('bad.eml'), emailWith({ subject: 'Bad', files: [{ name: 'x.com', bytes: EICAR }] }));
  await writeFile(path('empty.eml'), '');
  await writeFile(path('note.txt'), 'just a note');
  await writeFile(path('not-json.json'), '{ nope');
  await writeFile(path('typo.json'), '{"types":{"pdf":{"verdicts":{"unknown":"keep"}}}}');
  await writeFile(
    path('two.mbox'),
    ['one', 'two']
      .map(
        (name) => `From a@b.example Fri Nov 20 12:00:00 2026\n${emailWith({ subject: name }).replaceAll('\r\n', '\n')}`,
      )
      .join('\n'),
  );
  await mkdir(path('nothing'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('wrong usage exits 2 and says what to do', () => {
  test.each([
    ['no verb', [], /Usage: airlock/],
    ['an unknown verb', ['scam'], /unknown command 'scam'[\s\S]*scan/],
    ['an unknown option', ['scan', '--bogus', 'x'], /unknown option '--bogus'\nRun "airlock scan --help" to see/],
    ['no path', ['scan'], /missing required argument 'path'/],
    [
      'no reason for a verb of a verb',
      ['quarantine', 'release', 'x'],
      /--reason[\s\S]*"airlock quarantine release --help"/,
    ],
    [
      'a policy that is not there',
      ['scan', '--policy', '/nowhere.json', 'x'],
      /\/nowhere\.json does not exist.*needs only the fields that differ/,
    ],
    ['a service without its key', ['scan', '--service', 'https://a.example', 'x'], /AIRLOCK_API_KEY/],
    ['a CDR service without its token', ['scan', '--cdr-service', 'https://a.example', 'x'], /AIRLOCK_CDR_TOKEN/],
    ['a key for seals that nobody asked for', ['scan', '--seal-key', '/nowhere.pem', 'x'], /authentication\.seal/],
    ['a port that is none', ['serve', '--port', 'http'], /--port takes a number/],
  ] as const)('%s', async (_, args, sentence) => {
    const { code, stderr, stdout } = await airlock(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
  });

  test('a policy that is not JSON, or would fail open', async () => {
    const notJson = await airlock(['scan', '--policy', path('not-json.json'), 'x']);
    expect([notJson.code, notJson.stderr]).toEqual([
      2,
      expect.stringMatching(/cannot be used:\n {2}- line 1: it is not JSON/),
    ]);
    const failsOpen = await airlock(['scan', '--policy', path('typo.json'), 'x']);
    expect([failsOpen.code, failsOpen.stderr]).toEqual([
      2,
      expect.stringContaining('types.pdf.verdicts.unknown: "disarm" or "remove" is expected, not'),
    ]);
  });
});

test.each([['--help'], ['scan', '--help'], ['parse', '--help'], ['serve', '--help']])(
  'help %s %s shows examples and exits 0',
  async (...args) => {
    const { code, stdout } = await airlock(args.filter((arg) => arg));
    expect(code).toBe(0);
    expect(stdout).toContain('Examples:');
  },
);

test.each(['--version', '-V'])('%s tells the versions of package, Node and engines', async (flag) => {
  const { code, stdout, stderr } = await airlock([flag]);
  expect([code, stderr]).toEqual([0, '']);
  const [own, node, ...engines] = stdout.trimEnd().split('\n');
  expect([own, node]).toEqual([`mail-airlock ${manifest.version}`, `Node ${process.versions.node}`]);
  expect(engines.length).toBeGreaterThan(4);
  for (const line of engines) expect(line).toMatch(/^engine (\w+): [a-z]+-\d+-[0-9a-f]{12}$/);
});

test('help names no file of the repository, which users of the package do not have', () => {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  const helps = all(createProgram(quietConsole(), () => undefined)).map((command) => command.helpInformation());
  expect(helps.length).toBeGreaterThan(30);
  expect(helps.filter((help) => /\b(?:lib|bin|test|lambdas)\/[\w.-]+/.test(help))).toEqual([]);
});

describe('scan', () => {
  test('delivers a good mail: exit 0, and says where everything is', async () => {
    const { code, stdout } = await airlock(['scan', '--out', out(), path('good.eml')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/DELIVERED[\s\S]*clean message +\S+message\.eml[\s\S]*ledger +\S+ledger\.json/);
    const message = /clean message +(\S+)/.exec(stdout)?.[1] ?? '';
    expect(await readFile(message, 'utf8')).toContain('Subject: Good');
  });

  test('quarantines a malicious one: exit 1, reason and record, nothing clean', async () => {
    const { code, stdout } = await airlock(['scan', '--out', path('out-bad'), path('bad.eml')]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/QUARANTINED[\s\S]*because: malicious[\s\S]*quarantine record +\S+record\.json/);
    expect(await readdir(path('out-bad'))).not.toContain('clean');
    expect(stdout).toContain(`airlock quarantine list --out ${path('out-bad')}`);
  });

  test('says where the page of a mail is, and nothing of held mail when none is', async () => {
    const { stdout } = await airlock(['scan', '--html', path('pages'), '--out', path('out-page'), path('good.eml')]);
    const page = / page +(\S+\.html)\n/.exec(stdout)?.[1] ?? '';
    expect(await readFile(page, 'utf8')).toContain('<h1>');
    expect(stdout).not.toContain('airlock quarantine');
  });

  test('breaks neither the paths of parts nor the ends of sentences, which are no addresses', async () => {
    const code = "var s = new ActiveXObject('WScript.Shell'); s.Run('cmd /c echo x'); eval(unescape('%61'));";
    const nested = emailWith({ files: [{ name: 'a.js', bytes: code }] });
    await writeFile(path('deep.eml'), nested);
    const { stdout } = await airlock(['scan', '--out', path('out-deep'), path('deep.eml')]);
    expect(stdout).toMatch(/because: malicious/);
    expect(stdout).not.toMatch(/\[\.\];/);
  });

  test('says that a notice tells of a held mail only when one was written', async () => {
    const notices = { notify: 'admin', admin: 'it@corp.example', from: 'airlock@corp.example' };
    await writeFile(path('notices.json'), JSON.stringify({ notices }));
    const why = 'The message holds something that can harm your computer.';
    const told = async (args: readonly string[]) => (await airlock(['scan', ...args, path('bad.eml')])).stdout;
    expect(await told(['--out', path('out-silent')])).toContain(`in plain words: ${why}`);
    const spoken = await told(['--out', path('out-notice'), '--policy', path('notices.json')]);
    expect(spoken).toContain(`the notice says: ${why}`);
    expect(spoken).toMatch(/notice +\S+notice\.eml/);
  });

  test('every path is in the output with a state, in order, as one JSON line, and nothing else is on stdout', async () => {
    const names = ['good.eml', 'missing.eml', 'nothing', 'empty.eml', 'note.txt', 'two.mbox', 'bad.eml'];
    const { code, stdout } = await airlock(['scan', '--json', '--out', out(), ...names.map(path)]);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ input, state }) => [input.replace(`${folder}/`, ''), state])).toEqual([
      ['good.eml', 'delivered'],
      ['missing.eml', 'rejected'],
      ['nothing', 'rejected'],
      ['empty.eml', 'quarantined'],
      ['note.txt', 'delivered'],
      ['two.mbox#1', 'delivered'],
      ['two.mbox#2', 'delivered'],
      ['bad.eml', 'quarantined'],
    ]);
    expect(lines[3].ledger.reasons[0].code).toBe('unreadable');
    expect(code).toBe(2);
  });

  test('a second scan is the same run with new output, and the old output is gone', async () => {
    const first = JSON.parse((await airlock(['scan', '--json', '--out', out(), path('good.eml')])).stdout);
    await writeFile(join(first.written.message, '..', 'stale'), 'x');
    const again = JSON.parse((await airlock(['scan', '--json', '--out', out(), path('good.eml')])).stdout);
    expect(again.runId).toBe(first.runId);
    expect(await readdir(join(again.written.message, '..'))).toEqual(['evidence.json', 'message.eml']);
  });

  test('what was delivered is proven by its run, its message, or its file; and what was changed is not', async () => {
    const mail = JSON.parse((await airlock(['scan', '--json', '--out', out(), path('good.eml')])).stdout);
    const file = JSON.parse((await airlock(['scan', '--json', '--out', out(), path('note.txt')])).stdout);
    const byName = (name: string) => ['--out', out(), name];
    const ofRun = [mail.runId, referenceOf(mail.runId), referenceOf(mail.runId).toLowerCase()].map(byName);
    for (const target of [...ofRun, [mail.written.message], [file.written.files[0]]])
      expect(await airlock(['verify', ...target])).toMatchObject({ code: 0, stdout: expect.stringContaining('FITS') });
    const { stdout } = await airlock(['verify', '--json', mail.written.message]);
    expect(JSON.parse(stdout)).toMatchObject({ fits: true, runId: mail.runId, attempt: 1 });
    expect(JSON.parse(stdout).parts[0].analyses[0].engines).toMatch(/ static-\d+-[0-9a-f]+/);

    await writeFile(mail.written.message, `${await readFile(mail.written.message, 'utf8')}x`);
    const changed = await airlock(['verify', mail.written.message]);
    expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining('DOES NOT FIT') });
    expect(changed.stdout).toContain('the message is not the one that was rebuilt: its SHA-256 is ');

    // A file larger than verifiedBytes is not read; one of that size is.
    await truncate(mail.written.message, DEFAULT_LIMITS.verifiedBytes + 1);
    const huge = await airlock(['verify', mail.written.message]);
    expect(huge).toMatchObject({ code: 1, stdout: expect.stringContaining('limit verifiedBytes') });
    await truncate(mail.written.message, DEFAULT_LIMITS.verifiedBytes);
    const largest = await airlock(['verify', mail.written.message]);
    expect(largest).toMatchObject({ code: 1, stdout: expect.stringContaining('its SHA-256 is ') });
  });

  test('a delivery under another name, with another file, or in the folder of another run does not fit', async () => {
    const scanned = async (name: string) =>
      JSON.parse((await airlock(['scan', '--json', '--out', out(), path(name)])).stdout);
    const [mail, file] = [await scanned('good.eml'), await scanned('note.txt')];
    const problemsOf = async (...target: string[]) =>
      JSON.parse((await airlock(['verify', '--json', ...target])).stdout).problems ?? [];
    const byRun = (run: string) => ['--out', out(), run];
    const [bare, folder] = [file.written.files[0], dirname(mail.written.message)];

    await writeFile(`${bare}.exe`, 'another program');
    const more = [`the file ${basename(bare)}.exe was not delivered by this run`];
    expect([await problemsOf(...byRun(file.runId)), await problemsOf(bare)]).toEqual([more, more]);
    await rename(bare, `${bare}.exe`);
    expect([await problemsOf(...byRun(file.runId)), await problemsOf(`${bare}.exe`)]).toEqual([more, more]);
    await rename(`${bare}.exe`, bare);

    await writeFile(join(folder, 'message2.eml'), 'From: another');
    const other = ['the file message2.eml was not delivered by this run'];
    expect([await problemsOf(...byRun(mail.runId)), await problemsOf(mail.written.message)]).toEqual([other, other]);
    await rm(join(folder, 'message2.eml'));

    // What a person has copied to a folder of his own, under a name of his own, fits with the evidence beside it.
    await mkdir(path('copied'));
    await cp(join(folder, 'evidence.json'), path('copied/evidence.json'));
    await cp(mail.written.message, path('copied/saved.eml'));
    expect(await problemsOf('--keys', join(out(), 'clean/keys'), path('copied/saved.eml'))).toEqual([]);
    await cp(join(dirname(bare), '..', 'evidence.json'), path('copied/evidence.json'));
    await cp(bare, path('copied/saved.txt'));
    expect(await problemsOf('--keys', join(out(), 'clean/keys'), path('copied/saved.txt'))).toEqual([]);

    const place = dirname(dirname(bare));
    await rm(place, { recursive: true });
    await cp(folder, place, { recursive: true });
    const swapped = [`the evidence is that of another run, ${mail.runId}`];
    expect([await problemsOf(...byRun(file.runId)), await problemsOf(join(place, 'message.eml'))]).toEqual([
      swapped,
      swapped,
    ]);
  });

  test.each([
    [['verify', '--out', 'nowhere', 'ab'.repeat(16)], 'no run of this id was delivered below --out'],
    [['verify', '--out', 'nowhere', 'A7-4KQ9'], 'no run of this reference was delivered below --out'],
    [['verify', 'nowhere/message.eml'], 'nowhere/message.eml cannot be read (ENOENT)'],
  ])('%j is wrong usage, and says what is missing', async (args, sentence) => {
    expect(await airlock(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });

  test('a bare file comes out as the safe file', async () => {
    const result = JSON.parse((await airlock(['scan', '--json', '--out', out(), path('note.txt')])).stdout);
    expect(result.written.message).toBeNull();
    expect(await readFile(result.written.files[0], 'utf8')).toBe('just a note');
  });

  test('--quiet says on stderr which mail was not delivered', async () => {
    const { code, stdout, stderr } = await airlock(['scan', '--quiet', '--out', path('out-bad'), path('bad.eml')]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/QUARANTINED[\s\S]*malicious/);
  });

  test('a folder and a mail in it are one input, and links to mails are inputs', async () => {
    await mkdir(path('box'));
    await writeFile(path('box/a.eml'), emailWith({ subject: 'A' }));
    await symlink(path('good.eml'), path('box/link.eml'));
    await symlink(path('nothing'), path('box/loop'));
    const { stdout } = await airlock(['scan', '--json', '--out', out(), path('box'), path('box/a.eml')]);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ input, state }) => [input.replace(`${folder}/box/`, ''), state])).toEqual([
      ['a.eml', 'delivered'],
      ['link.eml', 'delivered'],
      ['loop', 'rejected'],
    ]);
  });

  test('a long name in another script does not fail', async () => {
    const name = `${'请查收附件发票二零二六年'.repeat(5)}.eml`;
    await writeFile(path(name), emailWith({}));
    expect((await airlock(['scan', '--quiet', '--out', out(), path(name)])).code).toBe(0);
  });

  test('a file that is no email, and may not be delivered, gets a sentence that says so', async () => {
    await writeFile(path('tool.exe'), new Uint8Array([0x4d, 0x5a, 0x90, 0, 3]));
    const { code, stdout } = await airlock(['scan', '--out', out(), path('tool.exe')]);
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toContain('it is not an email but a single file');
  });

  test('--quiet prints nothing when nothing went wrong', async () => {
    expect(await airlock(['scan', '--quiet', '--out', out(), path('good.eml')])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  test('when it is stopped before it began, every input says so and it exits 3', async () => {
    const { code, stdout } = await airlock(['scan', '--json', '--out', out(), path('good.eml'), path('bad.eml')], {
      signal: AbortSignal.abort(),
    });
    expect(code).toBe(3);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).state),
    ).toEqual(['interrupted', 'interrupted']);
  });

  test('a service that cannot be reached is told once, nothing is scanned, and it exits 3', async () => {
    const mails = [path('good.eml'), path('bad.eml')];
    const args = ['scan', '--json', '--out', path('out-away'), '--service', 'http://127.0.0.1:9', ...mails];
    const { code, stdout, stderr } = await airlock(args, { env: { AIRLOCK_API_KEY: 'k' } });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toBe(
      'airlock failed: the analysis service at http://127.0.0.1:9 does not answer (ECONNREFUSED); nothing was scanned. Start it, or check --service\n',
    );
  });

  test('a folder that cannot be written into is told once, before anything is scanned', async () => {
    await writeFile(path('taken'), '');
    for (const [folder, why] of [
      [path('taken'), 'is no folder'],
      [path('taken/below'), 'a part of its path is a file'],
      ['/proc/airlock', 'cannot be written into'],
    ] as const) {
      const { code, stdout, stderr } = await airlock(['scan', '--out', folder, path('good.eml'), path('bad.eml')]);
      expect([code, stdout, stderr.split('\n').length]).toEqual([2, '', 2]);
      expect(stderr).toContain(why);
    }
  });

  test('what it writes is no input, also when it is written below the folder that is scanned', async () => {
    const below = path('with-results');
    await mkdir(below);
    await copyFile(path('good.eml'), join(below, 'a.eml'));
    for (let scans = 0; scans < 2; scans += 1) {
      const { stdout } = await airlock(['scan', '--json', '--out', join(below, 'out'), below]);
      expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    }
  });

  test('a scan that goes on leaves out what is done, and says so to programs', async () => {
    const folder = path('out-resume');
    await airlock(['scan', '--quiet', '--out', folder, path('good.eml')]);
    const again = await airlock(['scan', '--resume', '--out', folder, path('good.eml'), path('bad.eml')]);
    expect(again.stdout).not.toContain('good.eml');
    expect(again.stdout).toContain('bad.eml');
    const lines = (await airlock(['scan', '--json', '--resume', '--out', folder, path('good.eml')])).stdout;
    expect(JSON.parse(lines)).toMatchObject({ state: 'delivered', isEarlier: true });
  });

  test('when it is stopped, a person is told in one line how far it came', async () => {
    const { code, stdout, stderr } = await airlock(['scan', '--out', out(), path('good.eml'), path('bad.eml')], {
      signal: AbortSignal.abort(),
    });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^Stopped: nothing is done\. The same command with --resume does the rest/);
  });

  test('when nobody reads any more, it ends without a word', async () => {
    const signal = AbortSignal.abort(new ReaderGone());
    const ended = await airlock(['scan', '--out', out(), path('good.eml')], { signal });
    expect(ended).toEqual({ code: 3, stdout: '', stderr: '' });
  });

  test('a hostile subject or file name cannot act on the terminal', async () => {
    const mail = emailWith({
      subject: '\u001b]0;owned\u0007\u202Eevil',
      files: [{ name: 'a\u001b[2Jb.pdf', bytes: PDF }],
    });
    await writeFile(path('terminal.eml'), mail);
    const scan = await airlock(['scan', '--out', out(), path('terminal.eml')]);
    const parse = await airlock(['parse', path('terminal.eml')]);
    const printed = [scan.stdout, scan.stderr, parse.stdout].join('');
    for (const acting of ['\u001b', '\u0007', '\u202e']) expect(printed).not.toContain(acting);
  });
});

describe('parse', () => {
  test('prints the tree of a mail and writes nothing', async () => {
    const before = await readdir(folder);
    const { code, stdout } = await airlock(['parse', path('bad.eml')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Subject +Bad[\s\S]*1 {2}multipart\/mixed[\s\S]*1\.2 {2}attachment "x\[\.\]com"/);
    expect(await readdir(folder)).toEqual(before);
  });

  test('--json prints a line per input in their order, each with its path, even when the input fails', async () => {
    const names = ['bad.eml', 'missing.eml', 'empty.eml', 'nothing', 'note.txt', 'bad.eml'];
    const { code, stdout } = await airlock(['parse', '--json', ...names.map(path)]);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ input }) => input)).toEqual(names.map(path));
    expect(lines.map(({ ledger, error }) => ledger?.failure?.class ?? ledger?.kind ?? error.code)).toEqual([
      'email',
      'input_missing',
      'unreadable',
      'folder_without_mail',
      'file',
      'email',
    ]);
    expect(code).toBe(2);
  });
});

test('serve answers with the key that it was given, and stops on Ctrl-C', async () => {
  const stop = new AbortController();
  const served = airlock(['serve', '--in-memory', '--port', '0'], {
    env: { AIRLOCK_API_KEY: 'given-key' },
    signal: stop.signal,
  });
  setTimeout(() => stop.abort(), 0);
  const { code, stdout } = await served;
  expect(code).toBe(0);
  expect(stdout).toMatch(/analysis service +http:\/\/127\.0\.0\.1:\d+\n/);
  expect(stdout).not.toContain('given-key');
});

/** `airlock runs`, `quarantine` and `index`: what an analyst sees of scanned mail, also when the index or a chain was tampered with. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';

let folder: string;
let out: string;
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const EICAR_SHA256 = createHash('sha256').update(EICAR).digest('hex');

const run = (...args: string[]) => airlock([...args, '--out', out]);

async function rows(...args: string[]) {
  const { stdout } = await run(...args, '--json');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-runs-'));
  out = join(folder, 'out');
  const good = emailWith({ subject: 'Good news \u001b[31m', text: 'see https://www.one.example/x' });
  await writeFile(join(folder, 'good.eml'), good);
  const bad = emailWith({ subject: 'Bad news', files: [{ name: 'x.com', bytes: EICAR }] });
  await writeFile(join(folder, 'bad.eml'), bad);
  await run('scan', '--quiet', join(folder, 'good.eml'), join(folder, 'bad.eml'));
});
afterAll(() => rm(folder, { recursive: true }));

test('lists what is held, and shows why in its first line', async () => {
  const held = await rows('quarantine', 'list');
  expect(held).toMatchObject([{ state: 'quarantined', subject: 'Bad news', reasons: ['malicious'] }]);
  const earlier = held[0].runId.slice(0, 12).replace(/(.{4})(?=.)/g, '$1-');
  for (const name of [held[0].runId, held[0].reference, held[0].reference.toLowerCase(), earlier]) {
    const { code, stdout } = await run('quarantine', 'show', name);
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'Held because of x[.]com: EICAR test file.']);
    expect(stdout).toContain('x[.]com');
    expect(stdout).toMatch(/because: malicious - .*; policy removes/s);
    expect(stdout).not.toContain('.;');
  }
});

test('says in a sentence that nothing fits', async () => {
  const { code, stdout } = await run('quarantine', 'list', '--subject', 'nobody');
  expect([code, stdout]).toEqual([0, 'No run is in this list.\n']);
});

test('says why a run is not begun again, and does not count it', async () => {
  const [{ runId }] = await rows('runs', 'list', '--state', 'delivered');
  const { code, stdout } = await run('redrive', runId);
  expect([code, stdout]).toEqual([2, `${runId}: it was delivered\n0 runs begun again, 1 run not begun again\n`]);
});

test('says where ids and references are listed when a name is neither', async () => {
  const { code, stderr } = await run('quarantine', 'show', 'zz-zzzz');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/"zz-zzzz" is neither .*"airlock runs list" shows both\./)]);
});

test('scan --html writes a page about each mail in the wanted language, and replaces what lies there', async () => {
  const pages = join(folder, 'pages');
  for (const [language, said] of [
    ['en', 'Held because of x[.]com: EICAR test file.'],
    ['de', 'Zurückgehalten wegen x[.]com: Die Nachricht enthält etwas, das Ihrem Computer schaden kann.'],
  ] as const) {
    const scanned = await airlock([
      'scan',
      '--quiet',
      '--out',
      join(folder, `html-${language}`),
      '--language',
      language,
      '--html',
      pages,
      join(folder, 'bad.eml'),
    ]);
    expect(scanned.code).toBe(1);
    const [name = '', ...others] = await readdir(pages);
    expect([name, others]).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.html$/), []]);
    const page = await readFile(join(pages, name), 'utf8');
    expect(page).toContain(said);
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toContain('To: bob[@]recipient[.]example');
  }
  const twice = ['scan', '--quiet', '--out', join(folder, 'html-en'), '--html', pages];
  await writeFile(
    join(folder, 'again.eml'),
    emailWith({ subject: 'Once more', files: [{ name: 'y.com', bytes: EICAR }] }),
  );
  const before = await readdir(pages);
  await airlock([...twice, join(folder, 'again.eml')]);
  const [later = ''] = (await readdir(pages)).filter((name) => !before.includes(name));
  const page = await readFile(join(pages, later), 'utf8');
  expect(page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')).toContain('a file, the sender held Bad news');
  expect(page).not.toContain('<a ');
});

test('finds a run by each filter, and none by another value', async () => {
  const subjects = async (...args: string[]) => (await rows('runs', ...args)).map(({ subject }) => subject);
  expect(await subjects('search', EICAR_SHA256)).toEqual(['Bad news']);
  expect(await subjects('list', '--hash', EICAR_SHA256, '--state', 'delivered')).toEqual([]);
  expect(await subjects('list', '--subject', 'NEWS bad')).toEqual(['Bad news']);
  expect(await subjects('list', '--reason', 'malicious')).toEqual(['Bad news']);
  expect(await subjects('search', 'www.one.example')).toHaveLength(1);
  expect(await subjects('search', 'www[.]one[.]example')).toHaveLength(1);
  expect(await subjects('list', '--sender', 'nobody@nowhere.example')).toEqual([]);
  expect(await subjects('list', '--until', '2020-01-01T00:00Z')).toEqual([]);
});

test.each([
  ['list', '--subject', '*'],
  ['search', '*'],
  ['search', '--', '-%'],
])('%s %s %s has nothing to search for, and lists nothing', async (...args) => {
  const { code, stdout, stderr } = await run('runs', ...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('has no letter and no digit to search for');
});

test('goes on behind a page, and lets nothing of a sender act on the terminal', async () => {
  const [first, { next }] = await rows('runs', 'list', '--limit', '1');
  const [second, ...rest] = await rows('runs', 'list', '--limit', '1', '--after', next);
  expect([first.subject, second.subject].map((subject) => subject.slice(0, 3)).sort()).toEqual(['Bad', 'Goo']);
  expect(rest).toEqual([]);
  expect((await run('runs', 'list')).stdout).not.toContain('\u001b');
});

test.each([
  [['--limit', '0'], '1 to 1000'],
  [['--hash', 'x'], 'SHA-256'],
  [['--since', 'soon'], 'is no time'],
  [['--after', "1' OR 1"], 'where a page ended'],
  [['--reason', 'x'], 'Known are'],
])('refuses %j and says why', async (options, text) => {
  expect(await run('runs', 'list', ...options)).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
});

test('a broken index stops no mail, is told of, and is made anew from the chains', async () => {
  const before = await rows('runs', 'list');
  // Another file: this process may still have the old one open.
  for (const end of ['-wal', '-shm', '']) await rm(join(out, 'index', `runs.sqlite${end}`), { force: true });
  await writeFile(join(out, 'index', 'runs.sqlite'), 'this is no database, and it is long enough. '.repeat(40));
  const scanned = await run('scan', '--quiet', join(folder, 'good.eml'));
  expect(scanned.code).toBe(0);
  const listed = await run('runs', 'list');
  expect([listed.code, listed.stderr]).toEqual([2, expect.stringContaining('airlock index rebuild')]);
  expect(await run('index', 'rebuild')).toMatchObject({ code: 0, stdout: '2 runs in the index\n' });
  const after = await rows('runs', 'list');
  const names = (list: typeof after) => list.map(({ runId, state }) => `${runId} ${state}`).sort();
  expect(names(after)).toEqual(names(before));
});

test('shows nothing of a chain that was changed', async () => {
  const [{ runId }] = await rows('quarantine', 'list');
  const path = join(out, 'work', 'runs', runId, '1', 'quarantine.json');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replaceAll('Bad news', 'Dad news'));
  const shown = await run('quarantine', 'show', runId);
  expect([shown.code, shown.stdout]).toEqual([3, '']);
  const rebuilt = await run('index', 'rebuild');
  expect([rebuilt.code, rebuilt.stdout]).toEqual([1, expect.stringContaining(`${runId} is not in the index`)]);
  // That mail is held, so every list says that something is missing until its chain can be read.
  expect((await run('quarantine', 'list')).stderr).toContain('this list may lack them');
  await writeFile(path, text);
  expect(await run('index', 'rebuild')).toMatchObject({ code: 0 });
  expect((await run('quarantine', 'list')).stderr).toBe('');
});

test('an index in which another process writes is not made anew', async () => {
  const other = new Database(join(out, 'index', 'runs.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  const rebuilt = await run('index', 'rebuild');
  expect([rebuilt.code, rebuilt.stderr]).toEqual([2, expect.stringContaining('Try again')]);
  other.exec('COMMIT');
  other.close();
  expect(await run('index', 'rebuild')).toMatchObject({ code: 0 });
});

describe('a person decides', () => {
  const who = ['--as', 'pat', '--reason', 'the sender called'];
  const held = async () => (await rows('quarantine', 'list', '--subject', 'bad'))[0].runId as string;

  test('a release delivers without what was held, is in the first line of show, verifies, and a scan does not undo it', async () => {
    const runId = await held();
    const released = await run('quarantine', 'release', runId, ...who);
    expect([released.code, released.stdout.split('\n')[0]]).toEqual([0, 'Released: the rebuilt mail is delivered.']);
    expect((await run('runs', 'show', runId)).stdout).toMatch(/^It was held, and pat \(the sender called\) released /);
    expect(await run('verify', runId)).toMatchObject({ code: 0, stdout: expect.stringContaining('signed by review') });
    const again = await run('scan', join(folder, 'bad.eml'));
    expect([again.code, again.stdout]).toEqual([2, expect.stringContaining('pat released this mail')]);
    expect(await rows('runs', 'list', '--state', 'delivered', '--subject', 'bad')).toHaveLength(1);
    const kim = ['--as', 'kim', '--reason', 'the sender called'];
    expect((await run('quarantine', 'release', runId, ...kim)).stdout).toContain('it was released by pat');
    expect(await run('quarantine', 'delete', runId, ...who)).toMatchObject({ code: 2 });
    expect(await run('quarantine', 'release', runId, ...who)).toMatchObject({ code: 0, stdout: released.stdout });
    expect(await rows('audit', 'list')).toHaveLength(1);
  });

  test('a delete removes the original, and a scan does not bring it back', async () => {
    await writeFile(
      join(folder, 'bad.eml'),
      emailWith({ subject: 'Bad day', files: [{ name: 'x.com', bytes: EICAR }] }),
    );
    await run('scan', '--quiet', join(folder, 'bad.eml'));
    const runId = await held();
    expect(await run('quarantine', 'delete', runId, ...who)).toMatchObject({ code: 0 });
    expect(existsSync(join(out, 'quarantine', runId))).toBe(false);
    expect(await rows('runs', 'list', '--state', 'deleted')).toHaveLength(1);
    expect((await run('scan', join(folder, 'bad.eml'))).stdout).toContain('pat deleted this mail');
    expect((await run('quarantine', 'release', runId, ...who)).stdout).toContain('it was deleted by pat');
  });

  test('the trail has both decisions with what became of them, and a flipped byte or a missing end is found', async () => {
    const trail = (await run('audit', 'list', '--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(trail.map(({ action, became }) => [action, became])).toEqual([
      ['release', 'delivered'],
      ['delete', 'deleted'],
    ]);
    expect((await run('audit', 'list')).stdout).toContain('by pat (the sender called)');
    expect(await run('audit', 'verify')).toMatchObject({ code: 0, stdout: '2 records, all as they were signed\n' });
    const last = join(out, 'work', 'audit', '000000002.json');
    const text = await readFile(last, 'utf8');
    await writeFile(last, text.replace('the sender called', 'the sender caller'));
    expect(await run('audit', 'verify')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not that of review'),
    });
    await rm(last);
    expect(await run('audit', 'verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('is not in the trail'),
    });
    await writeFile(last, text);
    expect(await run('audit', 'verify', '--json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"isWhole":true'),
    });
  });

  test('the newest record is missed although no run names it, and a head that was put back by whoever noted a record', async () => {
    const trail = join(out, 'work', 'audit');
    const head = await readFile(join(trail, 'head.json'), 'utf8');
    await run('block', 'add', '--sender', 'evil.example', ...who);
    const { newest } = JSON.parse((await run('audit', 'verify', '--json')).stdout);
    const noted = ['--noted', `${newest.sequence}:${newest.hash}`];
    expect([newest.sequence, (await run('audit', 'verify', ...noted)).code]).toEqual([3, 0]);
    await rm(join(trail, '000000003.json'));
    expect(await run('audit', 'verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('ends at record 2, and its head names record 3'),
    });
    expect((await run('audit', 'list')).code).toBe(1);
    expect((await run('scan', '--quiet', join(folder, 'good.eml'))).code).not.toBe(0);
    await writeFile(join(trail, 'head.json'), head);
    expect((await run('audit', 'verify')).code).toBe(0);
    expect(await run('audit', 'verify', ...noted)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('record 3 is not in the trail as it was noted'),
    });
    expect((await run('audit', 'verify', '--noted', '3')).code).toBe(2);
  });

  test('a lost end of the trail holds all mail until a person seals it, and that is on record', async () => {
    const trail = join(out, 'work', 'audit');
    const seal = () => run('audit', 'seal', '--as', 'pat', '--reason', 'the disk is lost');
    expect(await seal()).toMatchObject({
      code: 1,
      stdout: 'Nothing was changed: the audit trail ends where its head says.\n',
    });
    const { newest } = JSON.parse((await run('audit', 'verify', '--json')).stdout);
    await rm(join(trail, '000000003.json'), { force: true });
    await rm(join(trail, '000000002.json'));
    await writeFile(join(folder, 'late.eml'), emailWith({ subject: 'Late news', text: 'hello' }));
    const late = () => run('scan', join(folder, 'late.eml'));
    const failed = await late();
    expect([failed.code, failed.stdout]).toEqual([3, expect.stringContaining('airlock audit seal')]);
    expect((await run('audit', 'verify')).stdout).toContain('accept the loss with "airlock audit seal"');
    expect(await seal()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Record 2 of the audit trail is the seal/),
    });
    const list = await run('audit', 'list');
    expect([list.code, list.stdout]).toEqual([
      0,
      expect.stringMatching(/\n2 {2}\S+ \S+Z {2}seal {2}the head named .*; by pat \(the disk is lost\)\n$/),
    ]);
    const verified = await run('audit', 'verify');
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringMatching(
        /\n1 time the end of the trail was missing and accepted: by pat \(the disk is lost\), .*\n2 records, all as they were signed\n$/,
      ),
    ]);
    expect(verified.stdout).toMatch(
      /^the delete of run [0-9a-f]{32} \(attempt 2\) is not in the trail, which was accepted later\n/,
    );
    expect((await run('audit', 'verify', '--noted', `${newest.sequence}:${newest.hash}`)).code).toBe(1);
    expect((await late()).code).toBe(0);
    const first = await readFile(join(trail, '000000001.json'));
    await rm(join(trail, '000000001.json'));
    expect(await seal()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a gap in the middle cannot be sealed'),
    });
    await writeFile(join(trail, '000000001.json'), first);
  });

  test('wrong usage is said', async () => {
    const odd = await run('quarantine', 'release', 'ab'.repeat(16), '--as', 'pat', '--reason', ' ');
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('the reason')]);
    const nowhere = ['quarantine', 'delete', 'ab'.repeat(16), ...who, '--out', join(folder, 'nowhere')];
    expect(await airlock(nowhere)).toMatchObject({ code: 2, stderr: expect.stringContaining('has no runs') });
    const noRun = await run('quarantine', 'delete', 'ab'.repeat(16), ...who);
    expect([noRun.code, noRun.stdout]).toEqual([2, expect.stringContaining('Nothing was changed')]);
    for (const options of [
      ['--port', '70000'],
      ['--as', ' '],
    ])
      expect(await run('desk', ...options)).toMatchObject({ code: 2 });
  });
});

/** The folder of lists that AIRLOCK_LISTS names: it counts for each verb that judges, and a change counts from the next mail on. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOperatorLists } from '../../lib/local/operator-lists.ts';
import { urlIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';

let folder: string;
const HEAD = 'verdict: malicious\nsource: abuse desk\nsince: 2026-11-01\nreason: seen in attacks\n';
const path = (...names: string[]) => join(folder, ...names);
const link = (host: string) => {
  const untrustedUrl = `https://${host}/`;
  return { type: 'url', id: urlIdOf(untrustedUrl), untrustedUrl } as const;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-lists-'));
  await mkdir(path('lists'));
  await writeFile(path('lists', 'soc.txt'), `${HEAD}evil.example\n`);
  await writeFile(path('lists', 'notes.md'), 'no list\n');
  await writeFile(path('mail.eml'), emailWith({ subject: 'a', text: 'see https://evil.example/x now' }));
});
afterAll(() => rm(folder, { recursive: true }));

const scan = (lists: string) =>
  airlock(['scan', '--json', '--out', path('out', lists), path('mail.eml')], { env: { AIRLOCK_LISTS: path(lists) } });

test('a link on a list holds the mail, and the ledger says which list', async () => {
  const { code, stdout } = await scan('lists');
  expect(code).toBe(1);
  expect(stdout).toContain('on a list as malicious: seen in attacks (abuse desk, since 2026-11-01; soc.txt, line 5)');
});

test('a list with a fault is told with its file and line, and nothing is scanned', async () => {
  await mkdir(path('faulty'));
  await writeFile(path('faulty', 'soc.txt'), `${HEAD}evil.example\nhttp//typo\n`);
  await writeFile(path('faulty', 'web.txt'), 'evil.example\n');
  const { code, stdout, stderr } = await scan('faulty');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('soc.txt:6: "http//typo" is neither a SHA-256');
  expect(stderr).toContain('web.txt:1: a line with "verdict:"');
});

test('a list may not allow a suffix below which anybody gets a name, and may block one', async () => {
  await mkdir(path('suffixes'));
  const allowing = HEAD.replace('malicious', 'allow');
  await writeFile(
    path('suffixes', 'ours.txt'),
    `${allowing}bank.co.uk\nco.uk\nus.github.io\nGitHub.io\nintern.corp\nhttps://github.io/a/\nevil.example\n`,
  );
  await writeFile(path('suffixes', 'web.txt'), `${HEAD}github.io\n`);
  const { code, stderr } = await scan('suffixes');
  expect(code).toBe(2);
  expect(stderr.match(/\w+\.txt:\d+: \S+/g)).toEqual(['ours.txt:6: "co.uk"', 'ours.txt:8: "github.io"']);
});

test('a folder that is not there is told, too', async () => {
  const { code, stderr } = await scan('missing');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('missing cannot be used:\n  - it cannot be read (ENOENT)'),
  ]);
});

test('a changed list counts at once, and one that is broken by a change does not take away what counted', async () => {
  await mkdir(path('live'));
  await writeFile(path('live', 'a.txt'), `${HEAD}one.example\n`);
  const faults: string[] = [];
  const lists = openOperatorLists(path('live'), (fault) => faults.push(fault));
  const found = () => ['one', 'two', 'three'].filter((host) => lists.current(link(`${host}.example`)) !== null);
  const refreshed = () => {
    lists.refresh();
    return found();
  };
  expect(refreshed()).toEqual(['one']);
  await writeFile(path('live', 'b.txt'), `${HEAD}two.example\n`);
  expect([found(), refreshed()]).toEqual([['one'], ['one', 'two']]);
  await writeFile(path('live', 'b.txt'), `${HEAD}two.example\nthree\n`);
  expect([refreshed(), refreshed()]).toEqual([
    ['one', 'two'],
    ['one', 'two'],
  ]);
  expect(faults).toEqual([expect.stringContaining('b.txt:6: "three" is neither')]);
  await writeFile(path('live', 'b.txt'), `${HEAD}three.example\nfour.example\n`);
  await rm(path('live', 'a.txt'));
  expect([refreshed(), faults.length]).toEqual([['three'], 1]);
});

test('a link to itself in the folder is told as a fault, and stops no mail', async () => {
  await mkdir(path('looped'));
  await writeFile(path('looped', 'a.txt'), `${HEAD}one.example\n`);
  const faults: string[] = [];
  const lists = openOperatorLists(path('looped'), (fault) => faults.push(fault));
  await symlink('loop.txt', path('looped', 'loop.txt'));
  lists.refresh();
  expect(faults).toEqual([expect.stringContaining('loop.txt: it cannot be read (ELOOP)')]);
  expect(lists.current(link('one.example'))).not.toBeNull();
});

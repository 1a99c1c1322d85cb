/** `airlock digest` and `airlock recipients`: from a held mail over a mail server to a request that the desk shows. */
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../lib/local/cli.ts';
import { nextHopStub } from '../gateway/next-hop-stub.ts';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';

const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const URL_OPTION = ['--url', 'https://airlock.example'];
let folder: string;
let out: string;
let policy: string[];
let today: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-digest-'));
  out = join(folder, 'out');
  policy = ['--policy', join(folder, 'policy.json')];
  await writeFile(
    join(folder, 'policy.json'),
    '{"notices":{"from":"airlock@recipient.example","domains":["recipient.example"]}}',
  );
  await writeFile(join(folder, 'bad.eml'), emailWith({ subject: 'Bad', files: [{ name: 'x.com', bytes: EICAR }] }));
  await airlock(['scan', '--quiet', '--out', out, join(folder, 'bad.eml')]);
  const { stdout } = await airlock(['quarantine', 'list', '--json', '--out', out]);
  today = new Date(JSON.parse(stdout).endedAt).toISOString().slice(0, 10);
});
afterAll(() => rm(folder, { recursive: true }));

const digest = (...options: string[]) => airlock(['digest', '--out', out, ...URL_OPTION, ...options]);

test('writes one file for each recipient, the same again when it is repeated', async () => {
  const to = join(folder, 'digests');
  for (const _ of [1, 2]) {
    const { code, stdout } = await digest(...policy, '--day', today, '--to', to);
    expect([code, stdout]).toEqual([0, 'bob@recipient.example  1 held  written\n']);
  }
  const names = await readdir(to);
  expect(names).toEqual([expect.stringMatching(new RegExp(`^${today}-[0-9a-f]{16}\\.eml$`))]);
  const path = join(to, names[0] as string);
  expect(await readFile(path, 'utf8')).toContain('To: bob@recipient.example\r\n');
  expect((await stat(path)).mode & 0o077).toBe(0);
});

describe('to a mail server', () => {
  test('each is sent once a day, with the null sender', async () => {
    const stub = await nextHopStub();
    const next = ['--next', `127.0.0.1:${stub.port}`, '--day', today];
    try {
      expect((await digest(...policy, ...next)).stdout).toContain('sent');
      expect((await digest(...policy, ...next)).stdout).toContain('sent before');
      expect(stub.received).toMatchObject([
        { from: expect.stringMatching(/^MAIL FROM:<> /), to: ['RCPT TO:<bob@recipient.example>'] },
      ]);
      expect(stub.received[0]?.data).toContain('X-Airlock-Notice: digest');
    } finally {
      await stub.close();
    }
  });

  test('each is sent once by two that run at the same moment', async () => {
    const other = join(folder, 'at-once');
    await airlock(['scan', '--quiet', '--out', other, join(folder, 'bad.eml')]);
    const stub = await nextHopStub();
    const next = ['--next', `127.0.0.1:${stub.port}`, '--day', today, '--json', '--out', other];
    const both = await Promise.all([digest(...policy, ...next), digest(...policy, ...next)]);
    await stub.close();
    const states = both.map(({ stdout }) => JSON.parse(stdout).state);
    expect([states.filter((state) => state === 'sent'), stub.received]).toMatchObject([
      ['sent'],
      [{ to: [expect.any(String)] }],
    ]);
  });

  test('what the server refuses is told, and sent at the next time', async () => {
    const other = join(folder, 'other');
    await airlock(['scan', '--quiet', '--out', other, join(folder, 'bad.eml')]);
    const stub = await nextHopStub({ answer: (command) => (command === '.' ? '451 4.3.0 later' : null) });
    const next = ['--next', `127.0.0.1:${stub.port}`, '--day', today, '--json', '--out', other];
    const { code, stdout } = await digest(...policy, ...next);
    await stub.close();
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { state: 'later', why: expect.stringContaining('later') }]);
    const again = await nextHopStub();
    const sent = await digest(...policy, '--next', `127.0.0.1:${again.port}`, '--day', today, '--out', other);
    await again.close();
    expect([sent.code, again.received]).toMatchObject([0, [{ to: ['RCPT TO:<bob@recipient.example>'] }]]);
  });
});

test('a link of it leads to a page of airlock recipients, on which the recipient asks', async () => {
  const stop = new AbortController();
  const stdout = new PassThrough({ encoding: 'utf8' });
  const console = { stdin: Readable.from([]), stdout, stderr: new PassThrough(), env: {}, signal: stop.signal };
  const args = ['recipients', '--out', out, '--port', '0', '--url', 'http://localhost'];
  const ended = runCli(args, console);
  const [line] = await once(stdout, 'data');
  const port = /127\.0\.0\.1:(\d+)/.exec(String(line))?.[1];
  const to = join(folder, 'here');
  await digest(...policy, '--day', today, '--to', to, '--url', 'http://localhost');
  const [name = ''] = await readdir(to);
  const body = (await readFile(join(to, name), 'utf8')).split('\r\n\r\n')[1] ?? '';
  const path = /http:\/\/localhost(\/r\/\S+)/.exec(Buffer.from(body, 'base64').toString())?.[1] ?? '';
  const { request } = await import('node:http');
  const send = (method: string, headers: Record<string, string>, text = '') =>
    new Promise<{ status: number | undefined; text: string }>((resolve) => {
      const asked = request({ host: '127.0.0.1', port, path, method, headers: { host: 'localhost', ...headers } });
      asked.on('response', async (answer) => {
        const chunks = await answer.toArray();
        resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() });
      });
      asked.end(text);
    });
  const page = await send('GET', {});
  expect(page.text).toContain('This message was held back.');
  const form = new URLSearchParams({ form: /name="form" value="([^"]+)/.exec(page.text)?.[1] ?? '', why: 'mine' });
  const type = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost' };
  expect((await send('POST', { ...type, 'content-length': String(`${form}`.length) }, `${form}`)).status).toBe(303);
  expect((await send('GET', {})).text).toContain('You asked for this message');
  stop.abort();
  expect(await ended).toBe(0);
});

test.each([
  [[], '--policy'],
  [['--policy', 'POLICY', '--day', '2026-02-30', '--to', 'x'], '--day takes a day'],
  [['--policy', 'POLICY', '--link-days', '0', '--to', 'x'], '--link-days takes a number'],
  [['--policy', 'POLICY'], 'Name one place'],
  [['--policy', 'POLICY', '--to', 'x', '--next', '127.0.0.1:25'], 'Name one place'],
  [['--policy', 'POLICY', '--to', 'x', '--url', 'http://airlock.example'], '--url takes an origin'],
  [['--policy', 'POLICY', '--to', 'x', '--url', 'https://airlock.example/path'], '--url takes an origin'],
  [['--policy', 'EMPTY', '--to', 'x'], 'notices.from'],
])('%j is explained', async (options, why) => {
  await writeFile(join(folder, 'empty.json'), '{}');
  const places: Record<string, string> = { POLICY: join(folder, 'policy.json'), EMPTY: join(folder, 'empty.json') };
  const { code, stderr } = await digest(...options.map((option) => places[option] ?? option));
  expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
});

test('held mail whose record is damaged is named, and no success is shown', async () => {
  const { stdout: held } = await airlock(['quarantine', 'list', '--json', '--out', out]);
  const { runId } = JSON.parse(held);
  await rm(join(out, 'work', 'runs', runId, '1', 'quarantine.json'));
  const { code, stdout, stderr } = await digest(...policy, '--day', today, '--to', join(folder, 'untold'));
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`The records of 1 held mails are damaged or gone, so nobody is told of them: ${runId}.`);
});

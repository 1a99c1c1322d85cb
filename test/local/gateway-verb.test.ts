/** `airlock gateway` as its user runs it: real judge, real engines, a mail server of the test behind it. */

import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { serve } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { passwordCheck } from '../../lib/gateway/passwords.ts';
import { runCli } from '../../lib/local/cli.ts';
import { passwordVerb } from '../../lib/local/gateway/gateway-status-verb.ts';
import { createFakeService } from '../../lib/service/fake/fake-service.ts';
import { packed } from '../formats/archives/archives.ts';
import { nextHopStub, type Stub } from '../gateway/next-hop-stub.ts';
import { greeted, sendWith } from '../gateway/raw-client.ts';
import { MEMORY_OF_TESTS } from '../gateway/rig.ts';
import { NET_MS } from '../runner/net.ts';
import { airlock } from './console.ts';

const PATIENT = { interval: 20, timeout: NET_MS };
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', 'STANDARD-ANTIVIRUS', 'TEST-FILE!$H+H*'].join('-');

let stub: Stub;
let spool: string;
beforeAll(async () => {
  stub = await nextHopStub();
  spool = await mkdtemp(join(tmpdir(), 'airlock-verb-'));
});
afterAll(async () => {
  await latest?.stop();
  await stub.close();
  for (const end of ['', '.memory.json', '.pages', '.later'])
    await rm(`${spool}${end}`, { recursive: true, force: true });
});

/** A stream that keeps what is written, and wakes who waits for a text. */
function kept() {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString('utf8');
      done();
    },
  });
  return { stream, text: () => text };
}

interface Started {
  readonly port: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Sends SIGTERM, and returns the exit code. */
  stop(): Promise<number>;
}

/** The gateway that was started last. One that a failed test left running would keep the spool from all tests behind it. */
let latest: Started | null = null;

async function start(env: Readonly<Record<string, string>>, ...options: string[]): Promise<Started> {
  await latest?.stop();
  const [stdout, stderr] = [kept(), kept()];
  const signal = new AbortController();
  const places = ['--listen', '127.0.0.1:0', '--next', `127.0.0.1:${stub.port}`, '--spool', spool];
  // Limits of a test stand behind these, and count instead. The process has the memory of all test files that ran in it before.
  const limits = join(spool, '..', `${basename(spool)}.memory.json`);
  await writeFile(limits, JSON.stringify({ residentBytes: MEMORY_OF_TESTS }));
  const more = ['--metrics', '127.0.0.1:0', '--name', 'gateway.example', '--limits', limits];
  const args = ['gateway', ...places, ...more, ...options];
  const ended = runCli(args, {
    ...{ stdin: new PassThrough(), stdout: stdout.stream, stderr: stderr.stream },
    ...{ env, signal: signal.signal },
  });
  const listens = vi.waitFor(() => expect(stdout.text()).toContain('Stop with SIGTERM'), PATIENT);
  const refused = ended.then((code) => Promise.reject(new Error(`it ended with ${code}: ${stderr.text()}`)));
  await Promise.race([listens, refused]);
  refused.catch(() => undefined);
  latest = {
    port: Number(/from 127\.0\.0\.1:(\d+)/.exec(stdout.text())?.[1]),
    ...{ stdout: stdout.text, stderr: stderr.text },
    stop() {
      signal.abort();
      return ended;
    },
  };
  return latest;
}

async function send(port: number, data: string, to = ['b@rcpt.example']): Promise<string> {
  const client = await greeted(port);
  const reply = await sendWith(client, { data, to });
  client.end();
  expect(reply).toMatch(/^250 2\.0\.0 Accepted as [0-9a-z]{21}$/);
  return reply.slice(-21);
}

function withFile(name: string, bytes: Uint8Array): string {
  const base64 = Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n');
  return [
    'From: a@sender.example',
    'To: b@rcpt.example',
    'Subject: A file',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/plain',
    '',
    'See the file.',
    '--x',
    `Content-Type: application/octet-stream; name=${name}`,
    `Content-Disposition: attachment; filename=${name}`,
    'Content-Transfer-Encoding: base64',
    '',
    base64,
    '--x--',
    '',
  ].join('\r\n');
}

const status = async () => {
  const { code, stdout } = await airlock(['gateway', 'status', '--json', '--spool', spool]);
  return {
    code,
    ...(JSON.parse(stdout) as { isRunning: boolean; counts: object; messages: { id: string; runId: string }[] }),
  };
};

/** The beginning of the page of a held mail. */
const HELD = 'class="verdict quarantined"';

describe('a running gateway', () => {
  let gateway: Started;
  beforeAll(async () => {
    gateway = await start({}, '--html', `${spool}.pages`, '--language', 'de');
  });

  test('sends what is safe on to each recipient, with what could act taken out, and holds what is malicious', async () => {
    const clean = 'From: a@sender.example\r\nSubject: Lunch\r\nMessage-ID: <1@sender.example>\r\n\r\nAt one?\r\n';
    const invoice = await readFile('test/fixtures/emails/invoice-with-macro.eml', 'latin1');
    await send(gateway.port, clean, ['b@rcpt.example', 'c@rcpt.example']);
    await send(gateway.port, invoice.replace(/\r?\n/g, '\r\n').replace(/^\./gm, '..'));
    const held = await send(gateway.port, withFile('test.txt', Buffer.from(EICAR)));
    await vi.waitFor(() => expect(stub.received).toHaveLength(2), PATIENT);
    await vi.waitFor(() => expect(gateway.stderr()).toMatch(/(?:"event":"(?:done|held)"[\s\S]*){3}/), PATIENT);
    const [lunch, disarmed] = [/^Subject: Lunch/m, /^Subject: Invoice/m].map((subject) =>
      stub.received.find(({ data }) => subject.test(data)),
    );
    expect(lunch?.to).toEqual(['RCPT TO:<b@rcpt.example>', 'RCPT TO:<c@rcpt.example>']);
    expect(lunch?.data).toContain('\r\n\r\nAt one?\r\n');
    expect(lunch?.data).toMatch(/^X-Airlock-Pass: 1; [0-9a-f]{32}\r\n[\s\S]*^Received: from client\.example /m);
    expect(disarmed?.data).toContain('invoice-2026-117.docx');
    expect(disarmed?.data).not.toContain('<script');
    const { code, isRunning, counts, messages } = await status();
    expect({ code, isRunning, counts }).toEqual({
      ...{ code: 0, isRunning: true },
      counts: { judging: 0, sending: 0, held: 1, undelivered: 0, damaged: 0 },
    });
    expect(messages[0]).toMatchObject({ id: held, state: 'held', untrustedDetail: 'malicious', isTrouble: false });
    const text = (await airlock(['gateway', 'status', '--spool', spool])).stdout;
    expect(text).toMatch(/^The gateway is running\.\n.*held 1.*\n.* MiB are free\.\n {2}\S{21} {2}held /);
    const listed = await airlock(['quarantine', 'list', '--out', spool]);
    expect(listed.stdout).toContain('malicious');
  });

  test('keeps its spool to itself', async () => {
    const second = await airlock(['gateway', '--listen', '127.0.0.1:0', '--next', '127.0.0.1:1', '--spool', spool]);
    expect([second.code, second.stderr]).toEqual([
      2,
      `Another gateway uses ${spool}. Stop it, or name another folder with --spool.\n`,
    ]);
  });

  test('ends with SIGTERM what is in progress, and exits with 0', async () => {
    await send(gateway.port, 'From: a@sender.example\r\nSubject: Last\r\n\r\nGoodbye.\r\n');
    expect(await gateway.stop()).toBe(0);
    const isSent = stub.received.some(({ data }) => /^Subject: Last/m.test(data));
    expect((await readdir(join(spool, 'intake/gateway'))).length).toBe(isSent ? 1 : 2);
    expect((await status()).isRunning).toBe(false);
  });

  test('has written a page about each mail that was judged by then', async () => {
    const folder = `${spool}.pages`;
    const names = await readdir(folder);
    const pages = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    const [held = ''] = (await status()).messages.map(({ runId }) => `${runId}.html`);
    expect(names.every((name) => /^[0-9a-f]{32}\.html$/.test(name))).toBe(true);
    // A page names other mail of the sender, too.
    for (const subject of ['Lunch', 'Invoice 2026-117', 'A file'])
      expect(pages.filter((page) => page.includes(`Betreff</th><td>${subject}<`))).toHaveLength(1);
    expect(pages[names.indexOf(held)]).toContain('<html lang="de"');
    expect(pages.join()).not.toMatch(/<script|<form/);
  });
});

describe('a gateway that is started again', () => {
  test('goes on with what is left, and does what was asked for while it was away', async () => {
    const [held] = (await status()).messages.filter((message) => 'state' in message && message.state === 'held');
    const asked = await airlock(['gateway', 'drop', held?.id ?? '', '--spool', spool]);
    expect([asked.code, asked.stdout]).toEqual([0, 'Noted: the gateway will drop 1 when it is started.\n']);
    const gateway = await start({});
    await vi.waitFor(async () => expect((await status()).messages).toEqual([]), PATIENT);
    expect(stub.received.filter(({ data }) => /^Subject: Last/m.test(data))).toHaveLength(1);
    expect((await airlock(['quarantine', 'list', '--out', spool])).stdout).not.toContain('malicious');
    expect(await gateway.stop()).toBe(0);
  });

  test('sends a held message on once it was redriven and delivered, and its page says so', async () => {
    const gateway = await start({}, '--html', `${spool}.later`);
    await send(gateway.port, withFile('again.txt', Buffer.from(EICAR)));
    await vi.waitFor(() => expect(gateway.stderr()).toContain('"event":"held"'), PATIENT);
    const { runId } = (await status()).messages[0] ?? {};
    const page = () => readFile(join(`${spool}.later`, `${runId}.html`), 'utf8');
    await vi.waitFor(async () => expect(await page()).toContain(HELD), PATIENT);
    const milder = join(spool, 'milder.json');
    await writeFile(milder, JSON.stringify({ message: { quarantineVerdicts: [] } }));
    const redriven = await airlock(['redrive', '--out', spool, '--policy', milder, runId ?? '']);
    expect([redriven.code, redriven.stderr]).toEqual([0, expect.any(String)]);
    await vi.waitFor(() => expect(gateway.stderr()).toContain('"event":"done"'), PATIENT);
    const sent = stub.received.at(-1)?.data ?? '';
    expect(sent).toMatch(/^Subject: A file\r$/m);
    expect(sent).not.toContain(Buffer.from(EICAR).toString('base64').slice(0, 40));
    await vi.waitFor(async () => expect(await page()).toContain('class="verdict delivered"'), PATIENT);
    expect(await page()).not.toContain(HELD);
    expect(await gateway.stop()).toBe(0);
  });

  test('writes the page of a held message anew when somebody deletes it', async () => {
    const gateway = await start({}, '--html', `${spool}.later`);
    await send(gateway.port, withFile('gone.txt', Buffer.from(`${EICAR}`)));
    await vi.waitFor(() => expect(gateway.stderr()).toContain('"event":"held"'), PATIENT);
    const { runId = '' } = (await status()).messages[0] ?? {};
    const page = () => readFile(join(`${spool}.later`, `${runId}.html`), 'utf8');
    await vi.waitFor(async () => expect(await page()).toContain(HELD), PATIENT);
    const why = ['--as', 'kim', '--reason', 'spam'];
    expect((await airlock(['quarantine', 'delete', runId, '--out', spool, ...why])).code).toBe(0);
    await vi.waitFor(async () => expect(await page()).toContain('class="verdict deleted"'), PATIENT);
    expect(await gateway.stop()).toBe(0);
  });

  test('refuses an id that is none', async () => {
    const { code, stderr } = await airlock(['gateway', 'retry', '../queue', '--spool', spool]);
    expect([code, stderr]).toEqual([2, '../queue is no id of a message. "airlock gateway status" lists them.\n']);
  });
});

describe('a second mail that tells the password of an archive that was held', () => {
  test('has the held mail sent on, whether the next hop got the password before or not', async () => {
    const policy = join(spool, '..', `${basename(spool)}-policy.json`);
    await writeFile(policy, JSON.stringify({ failures: { encrypted: 'quarantine' } }));
    const gateway = await start({}, '--policy', policy, '--processes', '2');
    const zip = await packed('zip', { 'report.txt': 'All is well.' }, { password: 'Sonne#42' });
    const told = stub.received.length;
    await send(gateway.port, withFile('report.zip', zip));
    await vi.waitFor(() => expect(gateway.stderr()).toContain('"event":"held"'), PATIENT);
    const head = 'From: a@sender.example\r\nTo: b@rcpt.example\r\nSubject: One more thing\r\n\r\n';
    await send(gateway.port, `${head}The password is Sonne#42\r\n`);
    await vi.waitFor(() => expect(stub.received.length).toBe(told + 2), PATIENT);
    const file = stub.received.find(({ data }) => /^Subject: A file/m.test(data) && data.includes('report.zip'));
    expect(file?.data).not.toContain('Sonne#42');
    expect(await gateway.stop()).toBe(0);
    await rm(policy);
  });
});

describe('a policy by recipient', () => {
  test('splits the message: each gets it under the rule for his address, and the index knows the recipients', async () => {
    const policy = join(spool, '..', `${basename(spool)}-policy.json`);
    const rule = { types: { office: { verdicts: { suspicious: 'remove' } } } };
    await writeFile(policy, JSON.stringify({ recipients: { 'strict.example': rule } }));
    const gateway = await start({}, '--policy', policy);
    const before = stub.received.length;
    const invoice = (await readFile('test/fixtures/emails/invoice-with-macro.eml', 'latin1')).replace(/\r?\n/g, '\r\n');
    await send(gateway.port, invoice.replace(/^\./gm, '..'), [
      'b@rcpt.example',
      'c@desk.strict.example',
      'd@rcpt.example',
    ]);
    await vi.waitFor(() => expect(stub.received).toHaveLength(before + 2), PATIENT);
    const shares = new Map(stub.received.slice(before).map(({ to, data }) => [to.join(' '), data]));
    expect([...shares.keys()].sort()).toEqual([
      'RCPT TO:<b@rcpt.example> RCPT TO:<d@rcpt.example>',
      'RCPT TO:<c@desk.strict.example>',
    ]);
    const hasFile = (to: string) => shares.get(to)?.includes('filename="invoice-2026-117.docx"') ?? null;
    expect(hasFile('RCPT TO:<b@rcpt.example> RCPT TO:<d@rcpt.example>')).toBe(true);
    expect(hasFile('RCPT TO:<c@desk.strict.example>')).toBe(false);
    expect(await gateway.stop()).toBe(0);
    const { stdout } = await airlock(['runs', 'search', 'c@desk.strict.example', '--out', spool, '--json']);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ to: 'c[@]desk[.]strict[.]example' });
    await rm(policy);
  });
});

describe('an outside service that takes long', () => {
  test('gets the files of as many messages as may wait for it, and of no more', async () => {
    const fake = createFakeService({ scenarios: { '*': 'times-out' } });
    const server = serve({ fetch: fake.fetch, hostname: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const limits = join(spool, '..', `${basename(spool)}.limits.json`);
    await writeFile(
      limits,
      JSON.stringify({
        concurrentJudgements: 1,
        awaitedJudgements: 3,
        drainSeconds: 1,
        residentBytes: MEMORY_OF_TESTS,
      }),
    );
    const { port } = server.address() as AddressInfo;
    const service = ['--service', `http://127.0.0.1:${port}`, '--limits', limits, '--processes', '1'];
    const gateway = await start({ AIRLOCK_API_KEY: fake.apiKey }, ...service);
    for (const name of ['one.txt', 'two.txt', 'three.txt', 'four.txt'])
      await send(gateway.port, withFile(name, Buffer.from(`A file called ${name}, which nobody knows.`)));
    const submitted = () => fake.requests.filter(({ method, path }) => method === 'POST' && /static/.test(path)).length;
    // Three files, and the text that is the same in all messages.
    await vi.waitFor(() => expect(submitted()).toBe(4), PATIENT);
    expect(await gateway.stop()).toBe(0);
    expect(submitted()).toBe(4);
    await rm(limits);
    server.close();
  });
});

describe('a password', () => {
  const said = async (name: string, password: string) => {
    const stdin = Readable.from([password]);
    const { stream, text } = kept();
    const console = { stdin, stdout: stream, stderr: stream, env: {}, signal: new AbortController().signal };
    await passwordVerb(console, name);
    return text();
  };

  test('is printed as a line that knows it, and holds it nowhere', async () => {
    const line = await said('scanner', 'correct horse battery\n');
    expect(line).toMatch(/^scanner:[0-9a-f]{32}:[0-9a-f]{64}\n$/);
    const isRight = passwordCheck(`# who may send\n${line}`);
    expect([await isRight('scanner', 'correct horse battery'), await isRight('scanner', 'wrong')]).toEqual([
      true,
      false,
    ]);
  });

  test.each([
    ['a:b', 'correct horse battery\n', /no colon/],
    ['scanner', 'short\n', /fewer than 12/],
    ['scanner', '', /no password on stdin/],
  ])('for %j is refused: %j', async (name, stdin, says) => {
    await expect(said(name, stdin)).rejects.toThrow(says);
  });

  test('file with a line that is none names the line', () => {
    expect(() => passwordCheck('# comment\nscanner:plain\n')).toThrow(/^line 2 is not name:salt:hash$/);
  });
});

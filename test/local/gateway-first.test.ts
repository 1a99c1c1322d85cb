/** Text first, files later: the gateway with a real judge and an analysis service of ours whose answer about one file the test holds back. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { type ParsedMail, simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';
import { runCli } from '../../lib/local/cli.ts';
import { type RunningService, startService } from '../../lib/service/server/listen.ts';
import { nextHopStub, type Stub } from '../gateway/next-hop-stub.ts';
import { greeted, sendWith } from '../gateway/raw-client.ts';
import { MEMORY_OF_TESTS } from '../gateway/rig.ts';
import { emailWith } from '../pipeline/rig.ts';
import { NET_MS } from '../runner/net.ts';
import { airlock } from './console.ts';

const PATIENT = { interval: 20, timeout: NET_MS };
const API_KEY = 'ma_key_of_a_test';
/** Harmless for the engines; what holds it back is the service. */
const TABLE = 'name,amount\r\nAna,1\r\n';
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', 'STANDARD-ANTIVIRUS', 'TEST-FILE!$H+H*'].join('-');

let pool: EnginePool;
let service: RunningService;
let stub: Stub;
let root: string;
/** The files above wait until this is resolved. */
let held: { readonly told: Promise<void>; readonly goOn: () => void };

function hold() {
  let goOn: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  held = { told, goOn };
}

beforeAll(async () => {
  hold();
  pool = createEnginePool({ threads: 1 });
  const runner: EnginePool = {
    ...pool,
    run: async (task, group) => {
      const text = task.engine === 'url' ? '' : Buffer.from(task.input.bytes).toString('latin1');
      if (text.includes('amount') || text.includes('EICAR')) await held.told;
      return pool.run(task, group);
    },
  };
  service = await startService({ port: 0, apiKey: API_KEY, cdrToken: 'token_of_a_test', pool: runner });
  stub = await nextHopStub();
  root = await mkdtemp(join(tmpdir(), 'airlock-first-'));
});
afterAll(async () => {
  held.goOn();
  await service.close();
  await pool.close();
  await stub.close();
  await rm(root, { recursive: true, force: true });
});

/** The verb, as its user starts it. What it says goes nowhere but its first lines. */
async function opened() {
  const [policy, limits] = [join(root, 'policy.json'), join(root, 'limits.json')];
  await writeFile(policy, JSON.stringify({ firstMessage: { afterSeconds: 0 } }));
  await writeFile(limits, JSON.stringify({ freeDiskBytes: 1, drainSeconds: 1, residentBytes: MEMORY_OF_TESTS }));
  const stop = new AbortController();
  let said = '';
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said += chunk.toString('utf8');
      done();
    },
  });
  const places = ['--listen', '127.0.0.1:0', '--next', `127.0.0.1:${stub.port}`, '--spool', root];
  const args = [...places, '--policy', policy, '--limits', limits, '--name', 'gateway.example', '--processes', '1'];
  const ended = runCli(['gateway', ...args, '--service', service.url], {
    ...{ stdin: new PassThrough(), stdout, stderr: new PassThrough().resume() },
    ...{ env: { AIRLOCK_API_KEY: API_KEY }, signal: stop.signal },
  });
  await vi.waitFor(() => expect(said).toContain('Stop with SIGTERM'), PATIENT);
  const close = async () => {
    stop.abort();
    expect(await ended).toBe(0);
  };
  return { port: Number(/from 127\.0\.0\.1:(\d+)/.exec(said)?.[1]), close };
}

async function send(port: number, name: string, bytes: string): Promise<void> {
  const data = emailWith({ text: 'See the table.', files: [{ name, type: 'text/plain', bytes }] });
  const client = await greeted(port);
  expect(await sendWith(client, { data, to: ['b@rcpt.example'] })).toMatch(/^250/);
  client.end();
}

async function arrived(count: number): Promise<ParsedMail> {
  await vi.waitFor(() => expect(stub.received).toHaveLength(count), PATIENT);
  return simpleParser(Buffer.from(stub.received[count - 1]?.data ?? '', 'latin1'));
}

const runOf = (mail: ParsedMail) => String(mail.headers.get('x-airlock-run'));

test('people get the text, then the whole message, and both are proven; a restart in between changes nothing', async () => {
  const before = await opened();
  await send(before.port, 'table.csv', TABLE);
  const first = await arrived(1);
  expect(first.text).toContain('See the table.');
  expect(first.attachments.map(({ filename }) => filename)).toEqual(['table.csv (follows).html']);
  expect(stub.received[0]?.data).not.toContain(Buffer.from(TABLE).toString('base64').slice(0, 20));
  const clean = join(root, 'clean', runOf(first));
  const early = await airlock(['verify', join(clean, 'first.eml')]);
  expect([early.code, early.stdout]).toEqual([0, expect.stringContaining('It went out first')]);
  await before.close();

  const after = await opened();
  held.goOn();
  const whole = await arrived(2);
  expect(whole.attachments.map(({ filename, content }) => [filename, content.toString()])).toEqual([
    ['table.csv', TABLE],
  ]);
  expect(whole.subject).toBe(`Now complete: ${first.subject}`);
  expect([whole.inReplyTo, runOf(whole)]).toEqual([first.messageId, runOf(first)]);
  const both = await airlock(['verify', '--out', root, '--json', runOf(whole)]);
  expect([both.code, JSON.parse(both.stdout)]).toMatchObject([0, { fits: true, first: { fits: true } }]);
  await after.close();
  expect(stub.received).toHaveLength(2);
});

test('when the files are held, a note says so in the same conversation', async () => {
  hold();
  const gateway = await opened();
  await send(gateway.port, 'test.txt', EICAR);
  const first = await arrived(3);
  expect(first.attachments.map(({ filename }) => filename)).toEqual(['test.txt (follows).html']);
  held.goOn();
  const note = await arrived(4);
  expect(note.subject).toMatch(/^The files of a message were withheld \(/);
  expect(note.text).toContain('You have the text of this message already.');
  expect(note.text).toContain('The message holds something that can harm your computer.');
  expect([note.inReplyTo, note.from?.text, note.to]).toEqual([
    first.messageId,
    '"Mail Airlock" <postmaster@gateway.example>',
    expect.anything(),
  ]);
  expect(stub.received[3]?.from).toMatch(/^MAIL FROM:<>/);
  await gateway.close();
  const early = await airlock(['verify', '--out', root, runOf(first)]);
  expect([early.code, early.stdout]).toEqual([0, expect.stringContaining('It went out first')]);
});

test('a first message of another run is not taken for that of this one', async () => {
  const [, whole, other] = await Promise.all(
    stub.received.map(({ data }) => simpleParser(Buffer.from(data, 'latin1'))),
  );
  const [run, from] = [whole, other].map((mail) => runOf(mail as ParsedMail)) as [string, string];
  for (const name of ['first.eml', 'first-evidence.json'])
    await cp(join(root, 'clean', from, name), join(root, 'clean', run, name));
  const both = await airlock(['verify', '--out', root, '--json', run]);
  expect([both.code, JSON.parse(both.stdout)]).toMatchObject([
    1,
    { fits: true, first: { fits: false, problems: [`the evidence is that of another run, ${from}`] } },
  ]);
});

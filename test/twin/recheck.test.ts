/** The deployed thing with rechecks: a service changes its mind about a delivered file, and whoever delivered it is told of. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import { STACK, synthesizeTo } from './assembly/synthesize.ts';
import { onTwin } from './run/command-line.ts';
import { mailWithFile } from './run/mails.ts';
import { contextWith, type Sent, startTwin, type Twin } from './run/twin.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-recheck-twin-'));
/** Bounds a run that hangs. It measures nothing. */
const NET_SECONDS = 500;
const NOTES = Buffer.from('Only notes, and nothing else.\r\n');

let engines: EnginePool;
let twin: Twin;
let sent: readonly Sent[];

beforeAll(async () => {
  const assembly = join(folder, 'cdk.out');
  const policyFile = join(folder, 'policy.json');
  const notices = { from: 'airlock@recipient.example', domains: ['recipient.example'] };
  writeFileSync(policyFile, JSON.stringify({ version: 1, notices }));
  synthesizeTo(assembly, {
    ...contextWith('service'),
    indexRuns: true,
    recheck: true,
    policyFile,
    recallMails: 50,
    mailPages: 'de',
  });
  engines = createEnginePool({ threads: 1 });
  twin = await startTwin({ assembly, folder, engines, analyst: 'service', processes: 1 });
  const notes = () => mailWithFile('notes.txt', 'text/plain', NOTES, 'delivered');
  sent = [await twin.send(notes()), await twin.send(notes())];
  await twin.settled(NET_SECONDS);
});
afterAll(async () => {
  await twin.close();
  await engines.close();
  rmSync(folder, { recursive: true });
});

const recalled = () => twin.deployment.bus.events.filter((event) => event['detail-type'] === 'MessageRecalled');

/** The files that were asked about, once for each day. */
const rechecked = () =>
  twin.deployment
    .bucket('BucketsWork')
    .keys()
    .filter((key) => key.startsWith('rechecked/'))
    .map((key) => key.split('/')[2]);

async function nextDay(): Promise<void> {
  await twin.pause(86_400);
  twin.deployment.bus.tick('Recheck');
  await twin.settled(NET_SECONDS);
}

test('the page of each mail lies beside its chain, in the language that was chosen', () => {
  const work = twin.deployment.bucket('BucketsWork');
  for (const { runId, mail } of sent) {
    const page = String(work.newest(keys.mailPage(runId))?.body);
    expect([page.includes('<html lang="de"'), page.includes(mail.word), /<script|<form/.test(page)]).toEqual([
      ...[true, true, false],
    ]);
  }
  // The function that writes the pages waits for another one, and there is one processor.
  const log = readFileSync(join(folder, 'WaysOutMailPages.log'), 'utf8');
  expect(log).not.toContain('a page without a part of the mail');
});

// It comes first of those that ask: AWS refuses a signature of another time, and the command line has the time of this process.
test('the command line has it asked at once, and the day asks nothing twice', async () => {
  const first = await onTwin(twin, 'recheck', '--stack', STACK, '--json');
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('"worse":0,"unanswered":0') });
  expect(rechecked()).toContain(sha256Hex(NOTES));
  const again = await onTwin(twin, 'recheck', '--stack', STACK);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('0 files asked about') });
});

test('what the service says as before recalls nothing', async () => {
  await nextDay();
  expect(rechecked().filter((sha256) => sha256 === sha256Hex(NOTES))).toHaveLength(2);
  expect(recalled()).toEqual([]);
  expect((await onTwin(twin, 'recall', '--stack', STACK)).code).toBe(0);
});

test('what it says otherwise is told of on the bus, once for each mail, and listed', async () => {
  twin.service.fault = {
    after: ({ method }, answer) => {
      const text = answer.body.toString();
      if (method !== 'GET') return answer;
      return { ...answer, body: Buffer.from(text.replaceAll('"level":"benign"', '"level":"malicious"')) };
    },
  };
  await nextDay();
  const details = recalled().map(({ detail }) => detail);
  const notes = details.filter(({ sha256 }) => sha256 === sha256Hex(NOTES));
  expect(notes.map(({ runId }) => runId).sort()).toEqual(sent.map(({ runId }) => runId).sort());
  expect(notes[0]).toMatchObject({ before: 'benign', after: 'malicious' });
  expect(twin.deployment.bucket('BucketsWork').keys()).toContain(keys.worse(sha256Hex(NOTES)));
  expect(await onTwin(twin, 'recall', '--stack', STACK)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('is malicious now'),
  });
  const mails = () => twin.deployment.outbox.map(({ from, to }) => [from, to.join()]);
  const [before, mailed] = [recalled().length, mails()];
  expect(mailed).toEqual(sent.map(() => ['airlock@recipient.example', 'bob@recipient.example']));
  await nextDay();
  expect([recalled().length, mails()]).toEqual([before, mailed]);
});

test('nothing was denied, and each permission of recheck was used', () => {
  expect(twin.deployment.gate.denials).toEqual([]);
  expect(twin.deployment.front.unknowns).toEqual([]);
  const unused = twin.deployment.gate.unused().filter(({ where }) => /^(?:Recheck|WaysOutMailPagesRole)/.test(where));
  const lines = unused.map(({ where, action, resource }) => `${where} ${action} ${resource}`);
  // A rest for another round, the other form of the identity, and a part of a chain that is missing.
  expect(lines.filter((line) => !/sqs:SendMessage|identity\/airlock@|s3:ListBucket/.test(line))).toEqual([]);
});

/** Whom the gateway tells of the end of a message, also when the process dies between the end and the telling. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { nodeFiles } from '../../lib/gateway/files.ts';
import { NET_MS } from '../runner/net.ts';
import { faultyFiles } from './faulty-files.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, sendWith } from './raw-client.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';
import { runIdOfTest, scriptedJudge } from './scripted-judge.ts';

const ADMIN = { from: 'airlock@gateway.example', to: 'admin@gateway.example' };
const ADMIN_LINE = 'RCPT TO:<admin@gateway.example>';
const PATIENT = { interval: 2, timeout: NET_MS };
let stub: Stub;
beforeAll(async () => {
  stub = await nextHopStub({ answer: (line) => (line.startsWith('RCPT TO:<gone') ? '550 5.1.1 nobody' : null) });
});
afterAll(() => stub.close());

const noticesAbout = (id: string) =>
  stub.received.filter(({ to, data }) => to[0] === ADMIN_LINE && data.includes(`message ${id} was not delivered`))
    .length;

/** Accepts a message that is refused, and dies at an operation of the disk. Null when there was no such operation, or no acceptance. */
async function dieAt(at: number): Promise<{ readonly isOver: boolean; readonly notices: number | null }> {
  const root = await mkdtemp(join(tmpdir(), 'airlock-notices-'));
  const faulty = faultyFiles(nodeFiles(root), at, 'after');
  const shared = {
    root,
    nextPort: stub.port,
    notices: ADMIN,
    judgeInstead: scriptedJudge(root),
    limits: { drainSeconds: 1 },
  };
  const opened = openRig({ ...shared, files: faulty.files });
  let id = '';
  const said = opened.then(async (rig) => {
    const client = await greeted(rig.gateway.port);
    const reply = await sendWith(client, { to: ['gone@rcpt.example'] });
    client.end();
    if (reply.startsWith('250')) id = reply.split(' ').at(-1) ?? '';
    return rig;
  });
  const isTold = (rig: Rig) =>
    vi.waitFor(async () => {
      expect(noticesAbout(id)).toBeGreaterThan(0);
      expect(await rig.list('queue')).toEqual([`${id}.json`]);
    }, PATIENT);
  await Promise.race([said.then(isTold), faulty.died]);
  const isOver = !faulty.hasFailed();
  void said.then((rig) => rig.stop()).catch(() => undefined);
  const again = await openRig(shared);
  if (id !== '') await isTold(again);
  await again.close();
  await faulty.close();
  await rm(root, { recursive: true, force: true });
  return { isOver, notices: id === '' ? null : noticesAbout(id) };
}

test('a process that dies at any operation tells the administrator once, or twice where it died while telling', async () => {
  const counts = [];
  let last = { isOver: false, notices: null as number | null };
  for (let at = 25; !last.isOver; at += 1) {
    last = await dieAt(at);
    if (last.notices !== null) counts.push(last.notices);
  }
  expect(counts.length).toBeGreaterThan(15);
  expect([...new Set(counts)].sort()).toEqual([1, 2]);
  expect(counts.filter((count) => count === 2).length).toBeLessThan(counts.length / 2);
});

test('a notice is not sent before it is noted that it was written', async () => {
  const root = await mkdtemp(join(tmpdir(), 'airlock-notices-'));
  const real = nodeFiles(root);
  const notes: string[] = [];
  let goOn: () => void = () => undefined;
  const noted = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const rename = async (from: string, to: string) => {
    if (to.startsWith('queue/')) notes.push(to);
    // The first note of the first message says that it has failed, the second that people were told.
    if (to === notes[0] && notes.filter((path) => path === to).length === 2) await noted;
    await real.rename(from, to);
  };
  const rig = await openRig({ root, nextPort: stub.port, notices: ADMIN, files: { ...real, rename } });
  const client = await greeted(rig.gateway.port);
  const reply = await sendWith(client, { to: ['gone@rcpt.example'] });
  const id = reply.split(' ').at(-1) ?? '';
  await vi.waitFor(() => expect(notes).toHaveLength(2), PATIENT);
  await sendWith(client, { to: ['here@rcpt.example'] });
  client.end();
  await rig.event('done');
  expect(noticesAbout(id)).toBe(0);
  goOn();
  await rig.event('done', 2);
  expect(noticesAbout(id)).toBe(1);
  await rig.close();
});

describe('what policy holds', () => {
  const NOTICE = [
    'From: airlock@gateway.example',
    'To: b@rcpt.example, stranger@elsewhere.example, ADMIN@gateway.example',
    'Subject: A message was held',
    '',
    'It was held.',
    '',
  ].join('\r\n');
  const options: Partial<RigOptions> = {
    judge: (_, { id }) => ({ state: 'quarantined', runId: runIdOfTest(id), reasons: ['malicious'], isPassing: false }),
  };

  async function hold(notice: string | null, more: Partial<RigOptions> = {}): Promise<Rig> {
    const root = await mkdtemp(join(tmpdir(), 'airlock-held-'));
    const judge = scriptedJudge(root, options);
    const noticeOf = async () => (notice === null ? null : Buffer.from(notice));
    const rig = await openRig({ root, nextPort: stub.port, judgeInstead: { ...judge, noticeOf }, ...more });
    const client = await greeted(rig.gateway.port);
    await sendWith(client);
    client.end();
    await rig.event('held');
    return rig;
  }

  test('is told of to recipients of the message and to the administrator, and to nobody else', async () => {
    const before = stub.received.length;
    const rig = await hold(NOTICE, { notices: ADMIN });
    await rig.event('done');
    const [sent] = stub.received.slice(before);
    expect(sent?.to).toEqual(['RCPT TO:<b@rcpt.example>', 'RCPT TO:<ADMIN@gateway.example>']);
    expect(sent?.from).toMatch(/^MAIL FROM:<>/);
    expect(sent?.data).toContain('It was held.');
    await rig.close();
  });

  test('is told of to nobody where policy says nothing', async () => {
    const before = stub.received.length;
    const rig = await hold(null, { notices: ADMIN });
    await rig.stop();
    expect([stub.received.length, await rig.metric('notices_total')]).toEqual([before, Number.NaN]);
    await rig.close();
  });
});

test('trouble is counted when nobody is named to be told of it', async () => {
  const rig = await openRig({ nextPort: stub.port });
  const client = await greeted(rig.gateway.port);
  await sendWith(client, { to: ['gone@rcpt.example'] });
  client.end();
  await rig.event('undelivered');
  const line = 'airlock_gateway_notices_total{end="nobody_to_tell"} 1\n';
  await vi.waitFor(async () => expect(await rig.gateway.metricsText()).toContain(line), PATIENT);
  await rig.close();
});

/** The process dies at every operation of the disk while a mail server offers a message by milter: nothing is lost, and nothing comes twice. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { nodeFiles } from '../../lib/gateway/files.ts';
import type { Judgement } from '../../lib/gateway/judge.ts';
import { NET_MS } from '../runner/net.ts';
import { type Fault, faultyFiles } from './faulty-files.ts';
import { milterClient } from './milter-client.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { openRig } from './rig.ts';
import { runIdOfTest, scriptedJudge } from './scripted-judge.ts';

let stub: Stub;
beforeAll(async () => {
  stub = await nextHopStub();
});
afterAll(() => stub.close());

const PATIENT = { interval: 2, timeout: NET_MS };
const messageOf = (name: string) => `From: a@sender.example\r\nSubject: ${name}\r\n\r\nHello.\r\n`;
const ruleOf = (recipient: string) => (recipient.startsWith('strict') ? 'strict' : '');
const arrived = (name: string) => stub.received.filter(({ data }) => data.includes(`Subject: ${name}\r\n`)).length;

/** How a message is taken: at once, because of its recipients, or because policy holds it. `accept` is not taken. */
type Way = 'accept' | 'split' | 'hold';
const TO: Readonly<Record<Way, string[]>> = {
  accept: ['b@rcpt.example'],
  split: ['b@rcpt.example', 'strict@rcpt.example'],
  hold: ['b@rcpt.example'],
};

/** One message through a milter that dies at operation `at`, and through the one that is started over the same folder. */
async function dieAt(at: number, fault: Fault, name: string, way: Way) {
  const root = await mkdtemp(join(tmpdir(), 'airlock-milter-faults-'));
  const faulty = faultyFiles(nodeFiles(root), at, fault);
  const judge = (_: string, { id }: { readonly id: string }): Judgement | null =>
    way === 'hold' ? { state: 'quarantined', runId: runIdOfTest(id), reasons: ['policy'], isPassing: false } : null;
  const judgeInstead = scriptedJudge(root, { ruleOf, judge });
  const shared = { root, nextPort: stub.port, milter: {}, judgeInstead, limits: { drainSeconds: 1 } };
  const opened = openRig({ ...shared, files: faulty.files });
  let said = 'closed';
  const work = async () => {
    const client = await milterClient((await opened).gateway.port);
    void faulty.died.then(() => client.end());
    said = (await client.send({ data: messageOf(name), to: TO[way] })).said;
    client.end();
  };
  await Promise.race([work(), faulty.died]);
  const filesLeft = async () => {
    const rig = await opened;
    const names = [
      await rig.list('incoming'),
      await rig.list('intake/gateway'),
      await rig.list('intake/envelopes'),
      await rig.list('queue'),
    ];
    return names.flat().length;
  };
  // What is held keeps its message, its envelope, its note and that it is ours.
  const isSettled = async () => faulty.hasFailed() || (await filesLeft()) === (way === 'hold' ? 4 : 0);
  await Promise.race([vi.waitFor(async () => expect(await isSettled()).toBe(true), PATIENT), faulty.died]);
  // A process that died cannot end. It does nothing more, and its door closes.
  const stopped = opened.then((rig) => rig.stop());
  await Promise.race([stopped, faulty.died]);
  const isOver = !faulty.hasFailed();
  const again = await openRig(shared);
  let held = 0;
  await vi.waitFor(async () => {
    held = (await again.list('intake/gateway')).length;
    const isQuiet =
      (await again.metric('oldest_seconds')) === 0 &&
      (await again.list('queue')).every((file) => way === 'hold' || !file.endsWith('.sending'));
    expect([isQuiet, way === 'hold' || held === 0]).toEqual([true, true]);
  }, PATIENT);
  const duplicates = await again.metric('possible_duplicates_total');
  await again.close();
  await faulty.close();
  await rm(root, { recursive: true, force: true });
  return { isOver, said, held, duplicates };
}

test.each<[Way, Fault]>([
  ['accept', 'after'],
  ['split', 'before'],
  ['hold', 'torn'],
])('a process that dies at any operation: the message is in one place (%s, %s)', async (way, fault) => {
  let answers = 0;
  let at = 0;
  for (let isOver = false; !isOver; ) {
    at += 1;
    const name = `${way}-${fault}-${at}`;
    const ended = await dieAt(at, fault, name, way);
    isOver = ended.isOver;
    const here = way === 'hold' ? ended.held : arrived(name);
    const whole = way === 'split' ? 2 : 1;
    // A mail server that got no answer, or 4xx, offers the message again. One that has it must not find it here, too.
    if (ended.said === 'accept') expect([name, here]).toEqual([name, 0]);
    if (ended.said === 'discard')
      expect([name, here >= whole, here <= whole + ended.duplicates]).toEqual([name, true, true]);
    expect(['accept', 'discard', 'closed', expect.stringMatching(/^45/)]).toContainEqual(ended.said);
    answers += ended.said === 'accept' || ended.said === 'discard' ? 1 : 0;
  }
  expect(at).toBeGreaterThan(12);
  expect(answers).toBeGreaterThanOrEqual(1);
});

/** The gateway sends the text of a message before its files are judged, and then the rest or a note, whatever the next hop says. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { nodeFiles } from '../../lib/gateway/files.ts';
import type { Judgement } from '../../lib/gateway/judge.ts';
import { makeRequest } from '../../lib/gateway/requests.ts';
import { readStatus } from '../../lib/gateway/status.ts';
import { NET_MS } from '../runner/net.ts';
import { faultyFiles } from './faulty-files.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, sendWith } from './raw-client.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';
import { runIdOfTest, scriptedJudge } from './scripted-judge.ts';

const PATIENT = { interval: 2, timeout: NET_MS };
const FIRST = 'Subject: First\r\n\r\nThe text.\r\n';
const WHOLE = 'Subject: Whole\r\n\r\nAll of it.\r\n';

let stub: Stub;
let answer: (line: string) => string | null;
beforeEach(async () => {
  answer = () => null;
  stub = await nextHopStub({ answer: (line) => answer(line) });
});
afterEach(() => stub.close());

/** The subjects that each recipient got, in their order. */
const gotBy = (address: string) =>
  stub.received
    .filter(({ to }) => to.includes(`RCPT TO:<${address}>`))
    .map(({ data }) => /^Subject: (\w+)/m.exec(data)?.[1]);

/** A gateway whose judge hands out the first message, and ends when the test says how. */
async function opened(options: Partial<RigOptions> = {}) {
  let end: (judgement: Judgement | string) => void = () => undefined;
  const ended = new Promise<Judgement | string>((resolve) => {
    end = resolve;
  });
  const rig = await openRig({
    nextPort: stub.port,
    judge: async (_, __, onFirst) => {
      await onFirst(FIRST);
      return ended;
    },
    ...options,
  });
  return { rig, end };
}

const held = (id: string): Judgement => ({
  state: 'quarantined',
  runId: runIdOfTest(id),
  reasons: ['malicious'],
  isPassing: false,
});

async function send(rig: Rig, to = ['b@rcpt.example']): Promise<string> {
  const client = await greeted(rig.gateway.port);
  const reply = await sendWith(client, { to });
  client.end();
  expect(reply).toMatch(/^250/);
  return reply.split(' ').at(-1) ?? '';
}

describe('a message whose files are examined for long', () => {
  test('arrives twice: its text at once, and then all of it', async () => {
    const { rig, end } = await opened();
    await send(rig, ['b@rcpt.example', 'c@rcpt.example']);
    await vi.waitFor(() => expect(gotBy('b@rcpt.example')).toEqual(['First']), PATIENT);
    await vi.waitFor(async () => expect(await rig.list('queue')).toHaveLength(1), PATIENT);
    end(WHOLE);
    await vi.waitFor(() => expect(gotBy('c@rcpt.example')).toEqual(['First', 'Whole']), PATIENT);
    expect(gotBy('b@rcpt.example')).toEqual(['First', 'Whole']);
    await vi.waitFor(async () => expect(await rig.list('queue')).toEqual([]), PATIENT);
    expect(await rig.list('intake/gateway')).toEqual([]);
    expect(await rig.metric('first_messages_total')).toBe(1);
    expect(stub.received[0]?.data).toMatch(/^X-Airlock-Pass: 1; /m);
    await rig.close();
  });

  test('that is held is followed by a note to those who have its text', async () => {
    answer = (line) => (line.startsWith('RCPT TO:<gone') ? '550 5.1.1 nobody' : null);
    const { rig, end } = await opened();
    const id = await send(rig, ['b@rcpt.example', 'gone@rcpt.example']);
    await vi.waitFor(() => expect(gotBy('b@rcpt.example')).toEqual(['First']), PATIENT);
    end(held(id));
    await vi.waitFor(() => expect(gotBy('b@rcpt.example')).toEqual(['First', 'Note']), PATIENT);
    expect(gotBy('gone@rcpt.example')).toEqual([]);
    await vi.waitFor(async () => expect(await rig.list('intake/gateway')).toEqual([`${id}.eml`]), PATIENT);
    await rig.close();
  });

  test('that is held before its text has gone is followed by nothing', async () => {
    answer = (line) => (line.startsWith('MAIL') ? '451 4.3.0 later' : null);
    const { rig, end } = await opened();
    const id = await send(rig);
    await vi.waitFor(() => expect(rig.log.some(({ event }) => event === 'sending')).toBe(true), PATIENT);
    const { messages } = await readStatus(nodeFiles(rig.root), rig.time.now);
    expect(messages.map(({ state, firstOf }) => [state, firstOf]).sort()).toEqual([
      ['judging', null],
      ['sending', id],
    ]);
    end(held(id));
    await vi.waitFor(async () => expect(await rig.list('intake/gateway')).toEqual([`${id}.eml`]), PATIENT);
    answer = () => null;
    rig.time.advance(3_600_000);
    await rig.gateway.lookAround();
    expect(stub.received).toEqual([]);
    await rig.close();
  });

  test('goes on whole and alone to whom its text has not reached, and whom the next hop refuses twice is told of once', async () => {
    answer = (line) => {
      if (line.startsWith('RCPT TO:<gone')) return '550 5.1.1 nobody';
      return line.startsWith('RCPT TO:<later') ? '451 4.2.1 later' : null;
    };
    const { rig, end } = await opened();
    const id = await send(rig, ['b@rcpt.example', 'later@rcpt.example', 'gone@rcpt.example']);
    await vi.waitFor(() => expect(gotBy('b@rcpt.example')).toEqual(['First']), PATIENT);
    answer = (line) => (line.startsWith('RCPT TO:<gone') ? '550 5.1.1 nobody' : null);
    end(WHOLE);
    await vi.waitFor(() => expect(gotBy('later@rcpt.example')).toEqual(['Whole']), PATIENT);
    expect(gotBy('b@rcpt.example')).toEqual(['First', 'Whole']);
    expect(gotBy('gone@rcpt.example')).toEqual([]);
    expect((await rig.event('undelivered')).fields).toMatchObject({ id, untrustedDetail: '550 5.1.1 nobody' });
    await rig.close();
  });

  test('goes on whole when the next hop takes no pages in the place of files', async () => {
    let refused = 0;
    answer = (line) => {
      if (line !== '.' || refused > 0) return null;
      refused += 1;
      return '554 5.7.1 no web pages here';
    };
    const { rig, end } = await opened();
    await send(rig);
    await vi.waitFor(() => expect(refused).toBe(1), PATIENT);
    end(WHOLE);
    await vi.waitFor(() => expect(gotBy('b@rcpt.example')).toEqual(['Whole']), PATIENT);
    await vi.waitFor(async () => expect(await rig.list('queue')).toEqual([]), PATIENT);
    await rig.close();
  });

  test('is dropped whole once it is held, and nothing of it is left', async () => {
    const { rig, end } = await opened();
    const id = await send(rig);
    await vi.waitFor(() => expect(gotBy('b@rcpt.example')).toEqual(['First']), PATIENT);
    end(held(id));
    await vi.waitFor(() => expect(gotBy('b@rcpt.example')).toEqual(['First', 'Note']), PATIENT);
    await makeRequest(nodeFiles(rig.root), { id, kind: 'drop' });
    await vi.waitFor(async () => {
      await rig.gateway.lookAround();
      expect(await rig.list('intake/gateway')).toEqual([]);
    }, PATIENT);
    expect(rig.judge.forgotten).toEqual([runIdOfTest(id)]);
    await rig.close();
  });
});

/** One message that arrives twice, and a process that dies at an operation of the disk. */
async function dieAt(
  at: number,
  isHeld: boolean,
): Promise<{ readonly isOver: boolean; readonly got: readonly unknown[] }> {
  const root = await mkdtemp(join(tmpdir(), 'airlock-first-'));
  const faulty = faultyFiles(nodeFiles(root), at, 'after');
  const before = stub.received.length;
  let id = '';
  const judge: RigOptions['judge'] = async (_, message, onFirst) => {
    await onFirst(FIRST);
    if (!isHeld) return WHOLE;
    // What is held before anything went out is followed by nothing. A process that has died waits in vain.
    await vi.waitFor(() => expect(stub.received.length).toBeGreaterThan(before), PATIENT).catch(() => undefined);
    return held(message.id);
  };
  const shared = {
    root,
    nextPort: stub.port,
    judgeInstead: scriptedJudge(root, { judge }),
    limits: { drainSeconds: 1 },
  };
  const opening = openRig({ ...shared, files: faulty.files });
  const said = opening.then(async (rig) => {
    const client = await greeted(rig.gateway.port);
    const reply = await sendWith(client, { to: ['b@rcpt.example'] });
    client.end();
    if (reply.startsWith('250')) id = reply.split(' ').at(-1) ?? '';
    return rig;
  });
  const isEnded = (rig: Rig) =>
    vi.waitFor(async () => {
      if (id === '') return;
      expect(gotBy('b@rcpt.example').slice(before)).toContain(isHeld ? 'Note' : 'Whole');
      expect(await rig.list('intake/gateway')).toEqual(isHeld ? [`${id}.eml`] : []);
      expect(await rig.list('queue')).toEqual(isHeld ? [`${id}.json`] : []);
    }, PATIENT);
  await Promise.race([said.then(isEnded), faulty.died]);
  const isOver = !faulty.hasFailed();
  void said.then((rig) => rig.stop()).catch(() => undefined);
  const again = await openRig(shared);
  await isEnded(again);
  await again.close();
  await faulty.close();
  await rm(root, { recursive: true, force: true });
  return { isOver, got: id === '' ? [] : gotBy('b@rcpt.example').slice(before) };
}

test.each([
  ['delivered', false],
  ['held', true],
] as const)(
  'a process that dies at any operation of one that is %s: no message comes three times, and none is missing',
  async (_, isHeld) => {
    const all: (readonly unknown[])[] = [];
    let last = { isOver: false, got: [] as readonly unknown[] };
    for (let at = 20; !last.isOver; at += isHeld ? 2 : 1) {
      last = await dieAt(at, isHeld);
      if (last.got.length > 0) all.push(last.got);
    }
    expect(all.length).toBeGreaterThan(10);
    for (const got of all) {
      const count = (subject: string) => got.filter((each) => each === subject).length;
      expect(count('Note')).toBeLessThanOrEqual(2);
      expect(count('First')).toBeLessThanOrEqual(2);
      expect(count('Whole')).toBeLessThanOrEqual(2);
      if (!isHeld) expect(got.at(-1)).toBe('Whole');
      if (isHeld) expect([count('First') > 0, got.at(-1)]).toEqual([count('Note') > 0, 'Note']);
    }
  },
);

/** The process dies, or the disk is full, at every operation of the spool in turn: nothing that was accepted is lost. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { nodeFiles } from '../../lib/gateway/files.ts';
import { NET_MS } from '../runner/net.ts';
import { type Fault, faultyFiles } from './faulty-files.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, type RawClient, sendWith } from './raw-client.ts';
import { openRig, type Rig } from './rig.ts';
import { scriptedJudge } from './scripted-judge.ts';
import { toldTime } from './told-time.ts';

let stub: Stub;
beforeAll(async () => {
  stub = await nextHopStub();
});
afterAll(() => stub.close());

const PATIENT = { interval: 2, timeout: NET_MS };
const FOLDERS = ['incoming', 'intake/gateway', 'intake/envelopes', 'queue'];
const messageOf = (name: string) => `From: a@sender.example\r\nSubject: ${name}\r\n\r\nHello.\r\n`;
const arrived = (name: string) => stub.received.filter(({ data }) => data.includes(`Subject: ${name}\r\n`)).length;

async function filesIn(rig: Rig): Promise<string[]> {
  const found: string[] = [];
  for (const folder of FOLDERS) found.push(...(await rig.list(folder)));
  return found;
}

/** Recipients who are strict get their mail under a rule of their own. */
const ruleOf = (recipient: string) => (recipient.startsWith('strict') ? 'strict' : '');

const isEmpty = (rig: Rig) => vi.waitFor(async () => expect(await filesIn(rig)).toEqual([]), PATIENT);

interface Ended {
  readonly isOver: boolean;
  readonly reply: string | null;
  readonly duplicates: number;
}

/** One message through a gateway that dies at operation `at`, and through the gateway that is started over the same folder. */
async function dieAt(at: number, fault: Fault, name: string, to = ['b@rcpt.example']): Promise<Ended> {
  const root = await mkdtemp(join(tmpdir(), 'airlock-faults-'));
  const faulty = faultyFiles(nodeFiles(root), at, fault);
  const shared = {
    root,
    nextPort: stub.port,
    judgeInstead: scriptedJudge(root, { ruleOf }),
    limits: { drainSeconds: 1 },
  };
  const opened = openRig({ ...shared, files: faulty.files });
  const clients: RawClient[] = [];
  const work = async () => {
    const rig = await opened;
    const client = await greeted(rig.gateway.port);
    clients.push(client);
    const reply = await sendWith(client, { data: messageOf(name), to });
    return reply;
  };
  let reply: string | null = null;
  const answered = work().then((said) => {
    // A process that died says nothing: its connection just ends.
    reply = said === 'closed' ? null : said;
  });
  await Promise.race([answered, faulty.died]);
  if (!faulty.hasFailed()) await Promise.race([isEmpty(await opened), faulty.died]);
  for (const client of clients) client.end();
  const isOver = !faulty.hasFailed();
  if (isOver) await (await opened).stop();
  // A gateway whose disk never answers cannot end. It does nothing more, and its door closes.
  else
    void Promise.race([opened, new Promise<null>((resolve) => setImmediate(resolve, null))]).then((rig) => rig?.stop());

  const again = await openRig(shared);
  await isEmpty(again);
  const duplicates = await again.metric('possible_duplicates_total');
  await again.close();
  await faulty.close();
  await rm(root, { recursive: true, force: true });
  return { isOver, reply, duplicates };
}

describe.each<Fault>(['before', 'after', 'torn'])('the process dies (%s)', (fault) => {
  test('at each operation: nothing accepted is lost, and only what was being sent may come twice', async () => {
    let last: Ended | null = null;
    let accepted = 0;
    let at = 0;
    while (!last?.isOver) {
      at += 1;
      const name = `${fault}-${at}`;
      last = await dieAt(at, fault, name);
      if (last.reply !== null) {
        expect([name, last.reply]).toEqual([name, expect.stringMatching(/^250 /)]);
        accepted += 1;
        expect([name, arrived(name)]).not.toEqual([name, 0]);
      }
      expect(arrived(name)).toBeLessThanOrEqual(1 + last.duplicates);
    }
    // Far more operations than a message needs would mean that this loop tests something else.
    expect(at).toBeGreaterThan(30);
    expect(accepted).toBeGreaterThanOrEqual(10);
  });
});

test('a message that is split by recipient, when the process dies at any operation, reaches each once, or is counted', async () => {
  const to = ['b@rcpt.example', 'strict@rcpt.example', 'c@rcpt.example'];
  let splits = 0;
  for (let at = 1, isOver = false; !isOver; at += 1) {
    const name = `split-${at}`;
    const ended = await dieAt(at, 'after', name, to);
    isOver = ended.isOver;
    const shares = stub.received
      .filter(({ data }) => data.includes(`Subject: ${name}\r\n`))
      .map((mail) => mail.to.join(' '));
    const wanted = ['RCPT TO:<b@rcpt.example> RCPT TO:<c@rcpt.example>', 'RCPT TO:<strict@rcpt.example>'];
    expect([name, [...new Set(shares)].sort()]).toEqual([
      name,
      ended.reply === null && shares.length === 0 ? [] : wanted,
    ]);
    expect(shares.length).toBeLessThanOrEqual(wanted.length + ended.duplicates);
    splits += shares.length > 0 ? 1 : 0;
  }
  expect(splits).toBeGreaterThan(30);
});

test('a disk that is full at any operation: 4xx, or 250 and delivered exactly once when there is room', async () => {
  const replies = new Set<string>();
  for (let at = 1, isOver = false; !isOver; at += 1) {
    const root = await mkdtemp(join(tmpdir(), 'airlock-full-'));
    const faulty = faultyFiles(nodeFiles(root), at, 'full');
    const time = toldTime();
    const rig = await openRig({ root, nextPort: stub.port, files: faulty.files, time }).catch(() => null);
    // A gateway that cannot make its folders does not open, and has accepted nothing.
    if (rig === null) {
      await rm(root, { recursive: true, force: true });
      continue;
    }
    const name = `full-${at}`;
    const client = await greeted(rig.gateway.port);
    const reply = await sendWith(client, { data: messageOf(name) });
    replies.add(reply.slice(0, 9));
    expect([name, reply]).toEqual([name, expect.stringMatching(/^(?:250 2|452 4|451 4)\./)]);
    const isAccepted = reply.startsWith('250');
    // The fault comes, or the message has gone without it.
    await vi.waitFor(async () => {
      if (!faulty.hasFailed()) expect([name, await filesIn(rig)]).toEqual([name, []]);
    }, PATIENT);
    if (faulty.hasFailed()) await rig.event('fault');
    isOver = !faulty.hasFailed();
    faulty.free();
    await vi.waitFor(async () => {
      time.advance(60_000);
      if (isAccepted) expect([name, await rig.list('queue')]).toEqual([name, []]);
      expect(arrived(name)).toBe(isAccepted ? 1 : 0);
    }, PATIENT);
    client.end();
    await rig.stop();
    const again = await openRig({ root, nextPort: stub.port, judgeInstead: rig.judge });
    await isEmpty(again);
    expect([name, arrived(name)]).toEqual([name, isAccepted ? 1 : 0]);
    await again.close();
    await faulty.close();
  }
  expect([...replies].sort()).toEqual(['250 2.0.0', '451 4.3.0', '452 4.3.1']);
});

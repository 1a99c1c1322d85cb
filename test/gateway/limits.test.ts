/** Each limit of lib/gateway/limits.ts, at the door or in the queue: what is beyond it is answered, and others are served. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOver, waitMs } from '../../lib/gateway/backoff.ts';
import { nodeFiles } from '../../lib/gateway/files.ts';
import { DEFAULT_GATEWAY_LIMITS, GatewayLimits } from '../../lib/gateway/limits.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, PLAIN, type RawClient, rawClient, sendWith } from './raw-client.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';
import { runIdOfTest } from './scripted-judge.ts';

let stub: Stub;
beforeAll(async () => {
  stub = await nextHopStub();
});
afterAll(() => stub.close());

type Work = (rig: Rig, client: RawClient) => Promise<void>;
const MINUTE_MS = 60_000;

async function within(options: Partial<RigOptions>, work: Work): Promise<void> {
  const rig = await openRig({ nextPort: stub.port, ...options });
  const client = await greeted(rig.gateway.port);
  try {
    await work(rig, client);
  } finally {
    client.end();
    await rig.close();
  }
}

/** A judge that comes to no end before it is abandoned. */
function endless(limits: Partial<GatewayLimits>): Partial<RigOptions> {
  const abandoned = new AbortController();
  return {
    limits: { drainSeconds: 1, ...limits },
    judge: () =>
      new Promise((resolve) => {
        abandoned.signal.addEventListener('abort', () => resolve({ state: 'unfinished', why: 'stopped' }));
      }),
    abandonJudgements: () => abandoned.abort(),
  };
}

/** One row for each limit: the limits it sets, and what must follow. */
const ROWS: Partial<Record<keyof GatewayLimits, { readonly options: Partial<RigOptions>; readonly work: Work }>> = {
  connections: {
    options: { limits: { connections: 1 } },
    work: async (rig) => expect(await (await rawClient(rig.gateway.port)).reply()).toMatch(/^421 4\.7\.0/),
  },
  connectionsPerPeer: {
    options: { limits: { connectionsPerPeer: 1 } },
    work: async (rig) => expect(await (await rawClient(rig.gateway.port)).reply()).toMatch(/^421 4\.7\.0/),
  },
  messageBytes: {
    options: { limits: { messageBytes: 1_000 } },
    async work(_rig, client) {
      for (const size of ['1001', '9223372036854775808', '99999999999999999999'])
        expect(await client.ask(`MAIL FROM:<a@b.example> SIZE=${size}`)).toMatch(/^552 5\.3\.4/);
      expect(await client.ask('MAIL FROM:<a@b.example> SIZE=-1')).toMatch(/^501/);
      expect(await sendWith(client, { data: `${PLAIN}${'x'.repeat(990)}\r\n` })).toMatch(/^552/);
      expect(await sendWith(client)).toMatch(/^250/);
    },
  },
  excessRecipients: {
    options: { limits: { recipients: 1, excessRecipients: 40, refusedCommands: 2 } },
    async work(_rig, client) {
      for (const line of ['MAIL FROM:<a@b.example>', 'RCPT TO:<b@rcpt.example>']) await client.ask(line);
      for (let count = 1; count <= 40; count += 1)
        expect(await client.ask(`RCPT TO:<b${count}@rcpt.example>`)).toMatch(/^452 4\.5\.3/);
      // The sender sends this message to the first one, and another to the rest, over the same connection.
      await client.ask('DATA');
      expect(await client.ask(`${PLAIN}.`)).toMatch(/^250/);
      expect(await sendWith(client, { to: ['b1@rcpt.example'] })).toMatch(/^250/);
      expect(await sendWith(client, { to: ['b2@rcpt.example', 'b3@rcpt.example'] })).toMatch(/^421 4\.7\.0/);
    },
  },
  recipients: {
    options: { limits: { recipients: 2 } },
    async work(_rig, client) {
      await client.ask('MAIL FROM:<a@b.example>');
      for (const expected of [/^250/, /^250/, /^452 4\.5\.3/])
        expect(await client.ask('RCPT TO:<b@rcpt.example>')).toMatch(expected);
    },
  },
  lineBytes: {
    options: { limits: { lineBytes: 100 } },
    work: async (_rig, client) =>
      expect(await sendWith(client, { data: `${PLAIN}${'x'.repeat(101)}\r\n` })).toMatch(/^550 5\.6\.0 A line/),
  },
  commandBytes: {
    options: { limits: { commandBytes: 600 } },
    work: async (_rig, client) => expect(await client.ask(`NOOP ${'x'.repeat(700)}`)).toMatch(/^(?:5\d\d|421|closed)/),
  },
  idleCommands: {
    options: { limits: { idleCommands: 3 } },
    async work(_rig, client) {
      for (const expected of [/^250/, /^250/, /^421 4\.7\.0/, /^closed/])
        expect(await client.ask('NOOP')).toMatch(expected);
    },
  },
  refusedCommands: {
    options: { limits: { refusedCommands: 2 } },
    async work(_rig, client) {
      for (const expected of [/^500/, /^500/, /^500/, /^421 4\.7\.0/, /^closed/])
        expect(await client.ask('WHAT')).toMatch(expected);
    },
  },
  messagesPerConnection: {
    options: { limits: { messagesPerConnection: 1 } },
    async work(_rig, client) {
      expect(await sendWith(client)).toMatch(/^250/);
      expect(await sendWith(client)).toMatch(/^421 4\.7\.0/);
    },
  },
  commandSeconds: {
    options: { limits: { commandSeconds: 60 } },
    async work(rig, client) {
      rig.time.advance(MINUTE_MS + 1);
      await rig.gateway.lookAround();
      expect(await client.reply()).toMatch(/^421 4\.4\.2/);
    },
  },
  dataBytesPerMinute: {
    options: { limits: { commandSeconds: 60, dataBytesPerMinute: 100 } },
    async work(rig, client) {
      for (const line of ['MAIL FROM:<a@b.example>', 'RCPT TO:<b@rcpt.example>', 'DATA']) await client.ask(line);
      await client.say('x');
      for (let minute = 0; minute < 2; minute += 1) {
        rig.time.advance(MINUTE_MS + 1);
        await rig.gateway.lookAround();
      }
      expect(await client.reply()).toMatch(/^421 4\.4\.2 the message arrives too slowly/);
    },
  },
  dataSeconds: {
    options: { limits: { dataSeconds: 120, dataBytesPerMinute: 1 } },
    async work(rig, client) {
      for (const line of ['MAIL FROM:<a@b.example>', 'RCPT TO:<b@rcpt.example>', 'DATA']) await client.ask(line);
      rig.time.advance(2 * MINUTE_MS + 1);
      await rig.gateway.lookAround();
      expect(await client.reply()).toMatch(/^421 4\.4\.2 the message takes too long/);
    },
  },
  receivedFields: {
    options: { limits: { receivedFields: 3 } },
    async work(_rig, client) {
      const field = 'Received: from a by b; Mon, 23 Nov 2026 09:00:00 +0000\r\n';
      expect(await sendWith(client, { data: `${field.repeat(3)}${PLAIN}` })).toMatch(/^250/);
      expect(await sendWith(client, { data: `${field.repeat(4)}${PLAIN}` })).toMatch(/^554 5\.4\.6/);
    },
  },
  queuedMessages: {
    options: endless({ queuedMessages: 1 }),
    async work(_rig, client) {
      expect(await sendWith(client)).toMatch(/^250/);
      expect(await sendWith(client)).toMatch(/^452 4\.3\.1/);
    },
  },
  freeDiskBytes: {
    options: { limits: { freeDiskBytes: Number.MAX_SAFE_INTEGER } },
    work: async (_rig, client) => expect(await sendWith(client)).toMatch(/^452 4\.3\.1/),
  },
  residentBytes: {
    options: { limits: { residentBytes: 1 } },
    work: async (_rig, client) => expect(await sendWith(client)).toMatch(/^452 4\.3\.1/),
  },
  concurrentJudgements: {
    options: endless({ concurrentJudgements: 1 }),
    async work(rig, client) {
      for (let count = 0; count < 3; count += 1) expect(await sendWith(client)).toMatch(/^250/);
      expect(rig.judge.judged).toHaveLength(1);
    },
  },
  judgements: {
    options: {
      limits: { judgements: 2 },
      judge: (_text, { id }) => ({
        ...{ state: 'quarantined', runId: runIdOfTest(id), reasons: ['run_failed'], isPassing: true },
      }),
    },
    async work(rig, client) {
      await sendWith(client);
      await rig.event('judging');
      rig.time.advance(MINUTE_MS);
      await rig.event('held');
      expect(rig.judge.judged).toHaveLength(2);
    },
  },
  noticesPerHour: {
    options: {
      limits: { noticesPerHour: 1, judgements: 1 },
      notices: { from: 'airlock@gateway.example', to: 'admin@gateway.example' },
      judge: () => ({ state: 'unfinished', why: 'a fault' }),
    },
    async work(rig, client) {
      const before = stub.received.length;
      for (let count = 1; count <= 3; count += 1) {
        await sendWith(client);
        await rig.event('held', count);
      }
      await rig.event('done');
      expect(stub.received.length - before).toBe(1);
    },
  },
  keptDays: {
    options: { limits: { keptDays: 1 } },
    async work(rig) {
      const files = nodeFiles(rig.root);
      await files.makeFolder('work/runs/old');
      rig.time.advance(Date.now() - rig.time.now());
      expect(await rig.gateway.removeOld()).toBe(0);
      rig.time.advance(25 * 60 * MINUTE_MS);
      expect(await rig.gateway.removeOld()).toBe(1);
      expect(await rig.list('work/runs')).toEqual([]);
    },
  },
};

test.each(Object.entries(ROWS))('%s', async (_name, { options, work }) => within(options, work));

test('firstRetrySeconds, longestRetrySeconds and giveUpSeconds', () => {
  const limits = { ...DEFAULT_GATEWAY_LIMITS, firstRetrySeconds: 10, longestRetrySeconds: 35, giveUpSeconds: 100 };
  expect([1, 2, 3, 4, 1_000].map((tries) => waitMs(limits, tries) / 1000)).toEqual([10, 20, 35, 35, 35]);
  const at = '2026-11-23T09:00:00.000Z';
  expect([100, 101].map((seconds) => isOver(limits, at, Date.parse(at) + seconds * 1000))).toEqual([false, true]);
});

/**
 * `awaitedJudgements`: local/gateway-verb.test.ts. `concurrentSends`, `replySeconds`, `sendSeconds`: next-hop.test.ts. `passes`: dialogue.test.ts. `wrongPasswords`: tls.test.ts. `milterPacketBytes`: milter.test.ts. `drainSeconds`: the judges here that
 * come to no end.
 */
const ELSEWHERE = [
  'awaitedJudgements',
  'concurrentSends',
  'replySeconds',
  'sendSeconds',
  'passes',
  'wrongPasswords',
  'milterPacketBytes',
  'drainSeconds',
];
const TOGETHER = ['firstRetrySeconds', 'longestRetrySeconds', 'giveUpSeconds'];

test('every limit has a test', () => {
  expect([...Object.keys(ROWS), ...TOGETHER, ...ELSEWHERE].sort()).toEqual(Object.keys(DEFAULT_GATEWAY_LIMITS).sort());
});

test.each([0, -1, 1.5, '10', null])('a limit of %j is refused', (value) => {
  for (const name of Object.keys(DEFAULT_GATEWAY_LIMITS))
    expect(GatewayLimits.safeParse({ [name]: value }).success).toBe(false);
});

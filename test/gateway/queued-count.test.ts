/** The number of messages that wait is kept beside the messages, and not counted anew for each MAIL. It must never differ from them. */
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { KnownMessages } from '../../lib/gateway/known-messages.ts';
import { newProgress, Progress } from '../../lib/gateway/progress.ts';
import type { Entry } from '../../lib/gateway/spool-reading.ts';
import { nextHopStub } from './next-hop-stub.ts';
import { greeted, sendWith } from './raw-client.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';
import { runIdOfTest } from './scripted-judge.ts';
import { toldTime } from './told-time.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const STATES = Progress.shape.state.options;
const entryOf = (id: string, state: Progress['state']) =>
  ({
    envelope: { id },
    progress: { ...newProgress({ recipients: [], origin: 'smtp' }, 0), state },
  }) as unknown as Entry;

test('the number is that of a walk over the messages, whatever is added, replaced and removed', () => {
  const change = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), state: fc.constantFrom(...STATES, null) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const known = new KnownMessages();
      for (const { id, state } of changes) {
        if (state === null) known.delete(id);
        else known.set(entryOf(id, state));
        const open = [...known.values()].filter(({ progress }) => ['judging', 'sending'].includes(progress.state));
        expect(known.openCount()).toBe(open.length);
      }
    }),
  );
});

const MOST = 3;
const FULL = /^452 4\.3\.1/;

/** Sends messages until the gateway says that too many wait, and returns how many it took. */
async function taken({ gateway }: Rig): Promise<number> {
  const client = await greeted(gateway.port);
  try {
    for (let count = 0; count <= MOST; count += 1) {
      const reply = await sendWith(client);
      if (FULL.test(reply)) return count;
      expect(reply).toMatch(/^250/);
    }
    throw new Error(`more than ${MOST} messages were taken`);
  } finally {
    client.end();
  }
}

async function rigWith(options: Partial<RigOptions>): Promise<Rig> {
  const rig = await openRig({ nextPort: 1, limits: { queuedMessages: MOST, drainSeconds: 1 }, ...options });
  closers.push(rig.close);
  return rig;
}

test('messages that wait for the next hop count after a restart, and no longer when they have expired', async () => {
  const stub = await nextHopStub({ answer: (command) => (command.startsWith('MAIL') ? '451 4.3.0 later' : null) });
  closers.push(stub.close);
  const time = toldTime();
  const first = await rigWith({ nextPort: stub.port, time });
  expect(await taken(first)).toBe(MOST);
  await first.event('sending', 2 * MOST);
  await first.stop();

  const second = await rigWith({ nextPort: stub.port, time, root: first.root });
  expect(await taken(second)).toBe(0);
  time.advance(6 * 86_400_000);
  await second.event('undelivered', MOST);
  expect(await taken(second)).toBe(MOST);
});

test('messages that are delivered or held make room for others, each once', async () => {
  const stub = await nextHopStub();
  closers.push(stub.close);
  let open: () => void = () => undefined;
  let gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let judged = 0;
  const rig = await rigWith({
    nextPort: stub.port,
    async judge(_text, { id }) {
      judged += 1;
      const isHeld = judged % MOST === 0;
      await gate;
      return isHeld ? { state: 'quarantined', runId: runIdOfTest(id), reasons: ['policy'], isPassing: false } : null;
    },
  });
  expect(await taken(rig)).toBe(MOST);
  open();
  await rig.event('done', MOST - 1);
  await rig.event('held', 1);
  gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  expect(await taken(rig)).toBe(MOST);
  open();
  await rig.event('done', 2 * (MOST - 1));
});

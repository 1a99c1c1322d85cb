/** A message that is held goes on once when somebody releases it, whenever that happens. */
import { afterEach, expect, test, vi } from 'vitest';
import type { Judgement } from '../../lib/gateway/judge.ts';
import { NET_MS } from '../runner/net.ts';
import { nextHopStub } from './next-hop-stub.ts';
import { greeted, sendWith } from './raw-client.ts';
import { openRig } from './rig.ts';
import { runIdOfTest } from './scripted-judge.ts';

const PATIENT = { interval: 5, timeout: NET_MS };
const RELEASED = Buffer.from('Subject: released\r\n\r\nAll is well.\r\n');
const hold = (_: string, { id }: { readonly id: string }): Judgement => ({
  ...{ state: 'quarantined', runId: runIdOfTest(id), reasons: ['malicious'], isPassing: false },
});

const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of toClose.splice(0).reverse()) await each.close();
});

async function withHeldMessage() {
  const stub = await nextHopStub();
  const rig = await openRig({ nextPort: stub.port, judge: hold });
  toClose.push(stub, rig);
  const client = await greeted(rig.gateway.port);
  const reply = await sendWith(client);
  client.end();
  await rig.event('held');
  return { stub, rig, runId: runIdOfTest(reply.split(' ').at(-1) ?? '') };
}

const faultsOf = ({ log }: { readonly log: readonly { readonly event: string }[] }) =>
  log.filter(({ event }) => event === 'fault');

test('a message whose release is told of several times at once goes on once', async () => {
  const { stub, rig, runId } = await withHeldMessage();
  for (let told = 0; told < 3; told += 1) rig.judge.release(runId, RELEASED);
  await rig.event('done');
  expect([stub.received.length, faultsOf(rig)]).toEqual([1, []]);
  expect(await rig.list('queue')).toEqual([]);
});

test('a message that is released while the gateway stops goes on once with the next start', async () => {
  const { stub, rig, runId } = await withHeldMessage();
  rig.judge.release(runId, RELEASED);
  await rig.stop();
  const again = await openRig({ nextPort: stub.port, root: rig.root, judgeInstead: rig.judge });
  toClose.push(again);
  await vi.waitFor(() => expect(stub.received).toHaveLength(1), PATIENT);
  await vi.waitFor(async () => expect(await again.list('queue')).toEqual([]), PATIENT);
  expect([faultsOf(rig), faultsOf(again)]).toEqual([[], []]);
});

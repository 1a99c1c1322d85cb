/** A server that hands on mail and does not say whose is named once, until it says so. */
import { afterEach, expect, test } from 'vitest';
import { nodeFiles } from '../../lib/gateway/files.ts';
import { readStatus } from '../../lib/gateway/status.ts';
import { nextHopStub } from './next-hop-stub.ts';
import { greeted, sendWith } from './raw-client.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';

const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of toClose.splice(0).reverse()) await each.close();
});

async function behind(options: Partial<RigOptions> = {}): Promise<Rig> {
  const stub = await nextHopStub();
  const rig = await openRig({ nextPort: stub.port, ...options });
  toClose.push(stub, rig);
  return rig;
}

async function send(rig: Rig, count: number, before: readonly string[] = []): Promise<void> {
  const client = await greeted(rig.gateway.port);
  for (const line of before) expect(await client.ask(line)).toMatch(/^2/);
  for (let sent = 0; sent < count; sent += 1) expect(await sendWith(client)).toMatch(/^250/);
  client.end();
}

const told = ({ log }: Rig) => log.filter(({ event }) => event === 'without_xforward');
const status = async ({ root }: Rig) => (await readStatus(nodeFiles(root), Date.now)).withoutXforward;

test('after ten messages it is named once, in the log and in the status, until it says whose a message is', async () => {
  const rig = await behind();
  await send(rig, 9);
  expect(told(rig)).toEqual([]);
  await send(rig, 3);
  expect(told(rig)).toHaveLength(1);
  expect(told(rig)[0]?.fields).toMatchObject({ peer: '127.0.0.1', meaning: expect.stringContaining('look like one') });
  await rig.gateway.lookAround();
  await rig.stop();
  expect(await status(rig)).toEqual(['127.0.0.1']);
});

test('one that says so is not named, and one that was named is no longer', async () => {
  const rig = await behind();
  await send(rig, 10);
  expect(told(rig)).toHaveLength(1);
  await send(rig, 12, ['XFORWARD ADDR=192.0.2.7']);
  await send(rig, 9);
  await rig.stop();
  expect(told(rig)).toHaveLength(1);
  expect(await status(rig)).toEqual([]);
});

test('a restart looks anew', async () => {
  const first = await behind();
  await send(first, 10);
  await first.stop();
  const again = await behind({ root: first.root });
  expect(await status(again)).toEqual([]);
});

test('a client that would not be believed is not asked for it', async () => {
  const rig = await behind({ door: { xforward: [] } });
  await send(rig, 12);
  await rig.stop();
  expect([told(rig), await status(rig)]).toEqual([[], []]);
});

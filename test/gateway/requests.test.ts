/** What a person asks of a running gateway: try again, or forget. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { nodeFiles } from '../../lib/gateway/files.ts';
import type { Judgement } from '../../lib/gateway/judge.ts';
import { makeRequest, type RequestKind } from '../../lib/gateway/requests.ts';
import { NET_MS } from '../runner/net.ts';
import { nextHopStub, type StubOptions } from './next-hop-stub.ts';
import { greeted, sendWith } from './raw-client.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';
import { runIdOfTest } from './scripted-judge.ts';

const PATIENT = { interval: 5, timeout: NET_MS };

const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of toClose.splice(0).reverse()) await each.close();
});

async function behind(stubOptions: StubOptions, options: Partial<RigOptions> = {}) {
  const stub = await nextHopStub(stubOptions);
  const rig = await openRig({ nextPort: stub.port, ...options });
  toClose.push(stub, rig);
  const client = await greeted(rig.gateway.port);
  const reply = await sendWith(client, { to: ['b@rcpt.example', 'c@rcpt.example'] });
  client.end();
  return { stub, rig, id: reply.split(' ').at(-1) ?? '' };
}

async function ask(rig: Rig, kind: RequestKind, id: string): Promise<void> {
  await makeRequest(nodeFiles(rig.root), { id, kind });
  // While a message is in progress, which its being told of is too, the request is kept.
  await vi.waitFor(async () => {
    await rig.gateway.lookAround();
    expect(await rig.list('requests')).toEqual([]);
  }, PATIENT);
}

const held = (id: string): Judgement => ({
  ...{ state: 'quarantined', runId: runIdOfTest(id), reasons: ['malicious'], isPassing: false },
});

describe('retry', () => {
  test('judges what is held again', async () => {
    let isWanted = false;
    const { stub, rig, id } = await behind({}, { judge: (_, message) => (isWanted ? null : held(message.id)) });
    expect((await rig.event('held')).fields).toMatchObject({ id, untrustedDetail: 'malicious' });
    isWanted = true;
    await ask(rig, 'retry', id);
    await rig.event('done');
    expect(stub.received).toHaveLength(1);
    expect(await rig.list('requests')).toEqual([]);
  });

  test('sends what was refused again, to those who do not have it', async () => {
    let isWanted = false;
    const answer = (line: string) => (line.startsWith('RCPT TO:<c@') && !isWanted ? '550 5.1.1 nobody' : null);
    const { stub, rig, id } = await behind({ answer });
    await rig.event('undelivered');
    isWanted = true;
    await ask(rig, 'retry', id);
    await rig.event('done');
    expect(stub.received.map(({ to }) => to)).toEqual([['RCPT TO:<b@rcpt.example>'], ['RCPT TO:<c@rcpt.example>']]);
  });

  test('does not wait for the time of the next try', async () => {
    let isAway = true;
    const { stub, rig, id } = await behind({ answer: (line) => (line === 'CONNECT' && isAway ? '421 later' : null) });
    await rig.event('sending', 2);
    isAway = false;
    await ask(rig, 'retry', id);
    await rig.event('done');
    expect(stub.received).toHaveLength(1);
  });
});

describe('drop', () => {
  test('forgets a held message with its run, and tells nobody', async () => {
    const { stub, rig, id } = await behind({}, { judge: (_, message) => held(message.id) });
    await rig.event('held');
    await ask(rig, 'drop', id);
    for (const folder of ['intake/gateway', 'intake/envelopes', 'queue', 'requests'])
      expect([folder, await rig.list(folder)]).toEqual([folder, []]);
    expect([rig.judge.forgotten, stub.received]).toEqual([[runIdOfTest(id)], []]);
  });

  test('forgets what the next server does not take', async () => {
    const { rig, id } = await behind({ answer: (line) => (line === 'CONNECT' ? '421 later' : null) });
    await rig.event('sending', 2);
    await ask(rig, 'drop', id);
    expect(await rig.list('intake/gateway')).toEqual([]);
  });
});

test('a request about a message in progress is kept until it can be done', async () => {
  let goOn: () => void = () => undefined;
  const judge = (_text: string, { id }: { id: string }) =>
    new Promise<Judgement>((resolve) => {
      goOn = () => resolve(held(id));
    });
  const { rig, id } = await behind({}, { judge });
  await makeRequest(nodeFiles(rig.root), { id, kind: 'drop' });
  await rig.gateway.lookAround();
  expect(await rig.list('requests')).toEqual([`${id}.drop`]);
  goOn();
  await rig.event('held');
  await vi.waitFor(async () => {
    await rig.gateway.lookAround();
    expect([await rig.list('requests'), await rig.list('intake/gateway')]).toEqual([[], []]);
  }, PATIENT);
});

test('a request that was done when the process died is done again, to no harm', async () => {
  const { rig, id } = await behind({}, { judge: (_, message) => held(message.id) });
  await rig.event('held');
  await ask(rig, 'drop', id);
  await ask(rig, 'drop', id);
  expect(rig.log.filter(({ event }) => event === 'request').map(({ fields }) => fields.end)).toEqual([
    'done',
    'unknown',
  ]);
  expect(await rig.list('requests')).toEqual([]);
});

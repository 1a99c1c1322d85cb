import { expect, test } from 'vitest';
import { decide } from '../../lib/pipeline/decide.ts';
import { deliver } from '../../lib/pipeline/deliver.ts';
import { NotFoundError, TransientError } from '../../lib/pipeline/errors.ts';
import { fetch } from '../../lib/pipeline/fetch.ts';
import { keys, runIdOf } from '../../lib/pipeline/keys.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { poll } from '../../lib/pipeline/poll.ts';
import { quarantine, quarantineIntake } from '../../lib/pipeline/quarantine.ts';
import { rebuild } from '../../lib/pipeline/rebuild.ts';
import { submit } from '../../lib/pipeline/submit.ts';
import { claimEnd } from '../../lib/pipeline/terminal.ts';
import { createRig, emailWith } from './rig.ts';

const MAIL = emailWith({});
const failure = { Error: 'States.Timeout', Cause: '{"errorMessage":"no \\u001b[31manswer"}' };

async function parsed() {
  const rig = createRig();
  return { rig, run: await parse(rig.ctx, await rig.intake(MAIL)) };
}

test('files the original byte for byte, and a record that says why', async () => {
  const { rig, run } = await parsed();
  await quarantine(rig.ctx, { ...run, failure });
  const original = await rig.blobs.get('quarantine', keys.quarantinedOriginal(run.runId), { maxBytes: 100_000 });
  expect(Buffer.from(original).toString()).toBe(MAIL);
  const record = JSON.parse(
    Buffer.from(await rig.blobs.get('quarantine', keys.quarantineRecord(run.runId), { maxBytes: 100_000 })).toString(),
  );
  expect(record.reasons).toEqual([{ code: 'run_failed', text: 'States.Timeout: no \ufffd[31manswer' }]);
  expect(record.ledger.runId).toBe(run.runId);
  expect((await rig.ledger(run.runId)).terminal?.state).toBe('quarantined');
});

test('run twice, it files once', async () => {
  const { rig, run } = await parsed();
  await quarantine(rig.ctx, { ...run, failure });
  const before = await rig.ledger(run.runId);
  await quarantine(rig.ctx, { ...run, failure: { Error: 'Other', Cause: 'later' } });
  expect(await rig.ledger(run.runId)).toEqual(before);
  expect(rig.events).toHaveLength(1);
});

test('leaves a run alone that was delivered', async () => {
  const rig = createRig();
  const { runId, ledger } = await rig.scan(MAIL);
  const after = await quarantine(rig.ctx, {
    runId,
    outstanding: 0,
    waitSeconds: 0,
    polls: 0,
    disposition: 'deliver',
    failure,
  });
  expect(after.disposition).toBe('deliver');
  expect(await rig.ledger(runId)).toEqual(ledger);
  expect(rig.blobs.list('quarantine')).toEqual([]);
});

test('waits while a delivery that was cut off may still be writing, then takes over', async () => {
  const { rig, run } = await parsed();
  await claimEnd(rig.ctx, run.runId, 'delivered');
  await expect(quarantine(rig.ctx, { ...run, failure })).rejects.toThrow(TransientError);
  rig.advance(15 * 60 * 1000);
  expect((await quarantine(rig.ctx, { ...run, failure })).disposition).toBe('quarantine');
});

test('takes over at once from a delivery that has failed', async () => {
  const { rig, run } = await parsed();
  await claimEnd(rig.ctx, run.runId, 'delivered');
  const failed = { ...run, failure: { Error: 'RebuildMismatchError', Cause: '{}' } };
  expect((await quarantine(rig.ctx, failed)).disposition).toBe('quarantine');
});

test.each([
  ['missing', null],
  ['damaged', '{ not json'],
  ['of another schema', '{}'],
  ['too large to read', ' '.repeat(17 * 1024 * 1024)],
])('a run whose ledger is %s is filed all the same, with its original', async (_, content) => {
  const { rig, run } = await parsed();
  const objects = rig.blobs;
  const lost = async (...args: Parameters<typeof objects.get>) => {
    if (args[1] === keys.ledger(run.runId)) throw new NotFoundError(args[0], args[1]);
    return objects.get(...args);
  };
  if (content !== null) await objects.put('work', keys.ledger(run.runId), new TextEncoder().encode(content));
  const blobs = content === null ? { ...objects, get: lost } : objects;
  await quarantine({ ...rig.ctx, blobs }, { ...run, failure });
  expect(objects.list('quarantine')).toEqual([`${run.runId}/original`, `${run.runId}/record.json`]);
  const record = await objects.get('quarantine', keys.quarantineRecord(run.runId), { maxBytes: 100_000 });
  expect(JSON.parse(Buffer.from(record).toString()).reasons.map(({ code }: { code: string }) => code)).toEqual([
    'ledger_lost',
    'run_failed',
  ]);
});

test('a delivery that was whole stays delivered, when only its ledger could not be written', async () => {
  const rig = createRig();
  let isDelivered = false;
  const blobs = {
    ...rig.blobs,
    put: async (...args: Parameters<typeof rig.blobs.put>) => {
      if (isDelivered && args[1].endsWith('ledger.json')) throw new Error('the store is full');
      isDelivered = args[0] === 'clean' || isDelivered;
      return rig.blobs.put(...args);
    },
  };
  let run = await parse(rig.ctx, await rig.intake(MAIL));
  for (const stage of [submit, poll, poll, fetch, decide, rebuild]) run = await stage(rig.ctx, run);
  await expect(deliver({ ...rig.ctx, blobs }, run)).rejects.toThrow('the store is full');
  const after = await quarantine(rig.ctx, { ...run, failure: { Error: 'Error', Cause: 'the store is full' } });
  expect(after.disposition).toBe('deliver');
  expect((await rig.ledger(run.runId)).terminal?.state).toBe('delivered');
  expect(rig.blobs.list('quarantine')).toEqual([]);
  expect(new Set(rig.events.map(({ type }) => type))).toEqual(new Set(['MessageDelivered']));
});

test('an event that could not be sent is sent when the stage is repeated', async () => {
  const { rig, run } = await parsed();
  const silent = { ...rig.ctx, events: { emit: async () => Promise.reject(new TransientError('throttled')) } };
  await expect(quarantine(silent, { ...run, failure })).rejects.toThrow(TransientError);
  await quarantine(rig.ctx, { ...run, failure });
  expect(rig.events).toEqual([{ type: 'MessageQuarantined', runId: run.runId }]);
});

test('an event that never became a run gets a ledger, a record and its original', async () => {
  const rig = createRig();
  const intake = await rig.intake(MAIL);
  await quarantineIntake(rig.ctx, intake, { code: 'dead_letter', text: 'parse failed five times' });
  const runId = runIdOf(intake);
  expect(rig.blobs.list('quarantine')).toEqual([`${runId}/original`, `${runId}/record.json`]);
  expect((await rig.ledger(runId)).reasons[0]?.text).toContain('parse failed five times');
});

test('an original that is gone does not keep the record from being filed', async () => {
  const rig = createRig();
  const intake = { bucket: 'intake', untrustedKey: 'gone.eml', versionId: '1', size: 10 };
  const run = await quarantineIntake(rig.ctx, intake, { code: 'dead_letter', text: 'x' });
  expect(rig.blobs.list('quarantine')).toEqual([`${run.runId}/record.json`]);
});

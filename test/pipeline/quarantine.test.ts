import { expect, test } from 'vitest';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import { claimEnd } from '../../lib/pipeline/chain/terminal.ts';
import { deliver } from '../../lib/pipeline/deliver.ts';
import { NotFoundError, TransientError } from '../../lib/pipeline/errors.ts';
import { keys, runIdOf } from '../../lib/pipeline/keys.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { quarantine, quarantineIntake } from '../../lib/pipeline/quarantine.ts';
import { rebuild } from '../../lib/pipeline/rebuild.ts';
import { withoutEvidence } from './delivered-keys.ts';
import { writeLedger } from './forge.ts';
import { createRig, emailWith, PDF } from './rig.ts';
import { runUpTo, wayBefore } from './way.ts';

const MAIL = emailWith({});
const failure = { Error: 'States.Timeout', Cause: '{"errorMessage":"no \\u001b[31manswer"}' };

async function parsed() {
  const rig = createRig();
  return { rig, run: await parse(rig.ctx, await rig.intake(MAIL)) };
}

async function decided() {
  const { rig, run } = await parsed();
  return { rig, run: await runUpTo(rig.ctx, run, 'rebuild') };
}

test('files the original byte for byte, and a record that says why', async () => {
  const { rig, run } = await parsed();
  await quarantine(rig.ctx, { ...run, failure });
  const original = await rig.blobs.get('quarantine', keys.quarantinedOriginal(run.runId), { maxBytes: 100_000 });
  expect(Buffer.from(original).toString()).toBe(MAIL);
  const record = JSON.parse(
    Buffer.from(
      await rig.blobs.get('quarantine', keys.quarantineRecord(run.runId, 1), { maxBytes: 100_000 }),
    ).toString(),
  );
  expect(record.reasons).toEqual([{ code: 'run_failed', text: 'States.Timeout: no \ufffd[31manswer' }]);
  expect(record.ledger.runId).toBe(run.runId);
  expect((await rig.ledger(run.runId)).terminal?.state).toBe('quarantined');
});

/** The record as it was filed. */
async function recordOf(rig: Awaited<ReturnType<typeof parsed>>['rig'], runId: string) {
  const bytes = await rig.blobs.get('quarantine', keys.quarantineRecord(runId, 1), { maxBytes: 1_000_000 });
  return JSON.parse(Buffer.from(bytes).toString());
}

test('says what it wrote: in the record, in the event, in the ledger, and to the store', async () => {
  const { rig, run } = await decided();
  const told: unknown[] = [];
  const writes: unknown[] = [];
  const ctx = {
    ...rig.ctx,
    events: {
      emit: async (event: unknown) => {
        rig.advance(250);
        told.push(event);
      },
    },
    blobs: {
      ...rig.blobs,
      put: (...args: Parameters<typeof rig.blobs.put>) => {
        if (args[0] === 'quarantine') writes.push([args[1], args[3]]);
        return rig.blobs.put(...args);
      },
    },
  };
  const held: Ledger['reasons'] = [{ code: 'malicious', text: 'a trap' }];
  await writeLedger(rig, { ...(await rig.ledger(run.runId)), reasons: held });
  const startedAt = new Date(rig.ctx.clock.now()).toISOString();
  expect(await quarantine(ctx, run)).toEqual({ ...run, disposition: 'quarantine' });
  const record = await recordOf(rig, run.runId);
  expect(record).toMatchObject({ runId: run.runId, quarantinedAt: startedAt, hasOriginal: true, reasons: held });
  expect(record.ledger.disposition).toBe('quarantine');
  expect(writes).toEqual([
    [keys.quarantineRecord(run.runId, 1), { contentType: 'application/json', tags: { airlock: 'quarantined' } }],
  ]);
  expect(told).toMatchObject([{ type: 'MessageQuarantined', runId: run.runId, detail: { reasons: ['malicious'] } }]);
  const { terminal, stages, reasons } = await rig.ledger(run.runId);
  expect(reasons).toEqual(held);
  expect(stages.map(({ stage }) => stage)).toEqual(['parse', ...wayBefore('rebuild'), 'quarantine']);
  expect(stages.at(-1)).toEqual({ stage: 'quarantine', startedAt, durationMs: 250 });
  expect(terminal).toEqual({
    state: 'quarantined',
    at: new Date(Date.parse(startedAt) + 250).toISOString(),
    keys: [keys.quarantinedOriginal(run.runId), keys.quarantineRecord(run.runId, 1)],
  });
});

test.each<[string, unknown, string]>([
  ['Error', 'a text', 'Error: a text'],
  ['Error', '{"errorMessage":"the message","errorType":"Error"}', 'Error: the message'],
  ['Error', '{"other":1}', 'Error: {"other":1}'],
  ['Error', 'null', 'Error: null'],
  ['Error', '7', 'Error: 7'],
  ['Error', { errorMessage: 'no text' }, 'Error: no text'],
  [
    'TransientError',
    'away',
    'a service or store did not answer after several tries; scan the message again when it does (away)',
  ],
])('a failure of %s with the cause %j is told in words', async (name, Cause, text) => {
  const { rig, run } = await parsed();
  await quarantine(rig.ctx, { ...run, failure: { Error: name, Cause: Cause as string } });
  expect((await recordOf(rig, run.runId)).reasons).toEqual([{ code: 'run_failed', text }]);
});

test('a failure text of megabytes is cut to five hundred characters', async () => {
  const { rig, run } = await parsed();
  await quarantine(rig.ctx, { ...run, failure: { Error: 'Error', Cause: 'x'.repeat(1_000_000) } });
  expect((await recordOf(rig, run.runId)).reasons[0].text).toHaveLength(500);
});

test('files a record for an unknown run that says that nothing is known', async () => {
  const rig = createRig();
  const run = newRun('ab'.repeat(16));
  await quarantine(rig.ctx, run);
  const { hasOriginal, ledger, reasons } = await recordOf(rig, run.runId);
  expect(hasOriginal).toBe(false);
  expect(ledger.intake).toEqual({ bucket: 'unknown', untrustedKey: 'unknown', versionId: '', size: null });
  expect(reasons).toHaveLength(1);
  expect(reasons[0].code).toBe('ledger_lost');
  expect(reasons[0].text).toMatch(/^the ledger of the run cannot be read: ./);
  expect((await rig.ledger(run.runId)).terminal?.keys).toEqual([keys.quarantineRecord(run.runId, 1)]);
});

test('a store that does not answer for a moment is no lost ledger: the stage is repeated', async () => {
  const { rig, run } = await parsed();
  const away = { ...rig.blobs, get: async () => Promise.reject(new TransientError('s3 get failed for now')) };
  await expect(quarantine({ ...rig.ctx, blobs: away }, { ...run, failure })).rejects.toThrow(TransientError);
  const uncopied = { ...rig.blobs, copy: async () => Promise.reject(new TransientError('s3 copy failed for now')) };
  await expect(quarantine({ ...rig.ctx, blobs: uncopied }, { ...run, failure })).rejects.toThrow(TransientError);
  expect(rig.blobs.list('quarantine')).toEqual([]);
});

test('run twice, it files once', async () => {
  const { rig, run } = await parsed();
  await quarantine(rig.ctx, { ...run, failure });
  const before = await rig.ledger(run.runId);
  await quarantine(rig.ctx, { ...run, failure: { Error: 'Other', Cause: 'later' } });
  expect(await rig.ledger(run.runId)).toEqual(before);
  expect(rig.events).toHaveLength(1);
});

test('does nothing to a run that was delivered', async () => {
  const rig = createRig();
  const { runId, ledger } = await rig.scan(MAIL);
  const after = await quarantine(rig.ctx, {
    ...newRun(runId),
    disposition: 'deliver',
    failure,
  });
  expect(after.disposition).toBe('deliver');
  expect(await rig.ledger(runId)).toEqual(ledger);
  expect(rig.blobs.list('quarantine')).toEqual([]);
});

/** Where a stage may go on after its caller has given it up, as on AWS. */
const MAX_STAGE_MS = 15 * 60 * 1000;
const outliving = <T extends object>(ctx: T) => ({ ...ctx, longestStageMs: MAX_STAGE_MS });

/** A run whose `deliver` has claimed the end and stands still before it writes. `goOn` lets it go on. */
async function delivering() {
  const { rig, run: begun } = await decided();
  const run = await rebuild(rig.ctx, begun);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let claimed = () => {};
  const hasClaimed = new Promise<void>((resolve) => {
    claimed = resolve;
  });
  const put = async (...args: Parameters<typeof rig.blobs.put>) => {
    if (args[0] === 'clean') {
      claimed();
      await held;
    }
    return rig.blobs.put(...args);
  };
  const delivered = deliver({ ...rig.ctx, blobs: { ...rig.blobs, put } }, run);
  await hasClaimed;
  return { rig, run, goOn, delivered };
}

test.each([
  'Lambda.SdkClientException',
  'Lambda.Unknown',
  'Lambda.ServiceException',
  'Lambda.ClientExecutionTimeoutException',
  'Sandbox.Timedout',
  'States.Timeout',
  'ExecutionFailed',
  'ExecutionTimedOut',
  'ExecutionAborted',
  // The last try of a stage may have failed while an earlier one goes on.
  'RebuildMismatchError',
  'StageError',
])('a delivery that is alive is not overridden, whatever its execution heard of it: %s', async (name) => {
  const { rig, run, goOn, delivered } = await delivering();
  const failed = { ...run, failure: { Error: name, Cause: 'x' } };
  // It claimed its end long ago, and a retry of it may have begun just now.
  rig.advance(60 * 60 * 1000);
  await expect(quarantine(outliving(rig.ctx), failed)).rejects.toThrow(TransientError);
  rig.advance(MAX_STAGE_MS - 1);
  await expect(quarantine(outliving(rig.ctx), failed)).rejects.toThrow('may still be delivered');
  expect(rig.blobs.list('quarantine')).toEqual([]);
  goOn();
  await delivered;
  expect((await quarantine(outliving(rig.ctx), failed)).disposition).toBe('deliver');
  expect(rig.blobs.list('quarantine')).toEqual([]);
  expect(new Set(rig.events.map(({ type }) => type))).toEqual(new Set(['MessageDelivered']));
});

test('a delivery that has died is taken over when one that had begun cannot be alive any more', async () => {
  const { rig, run } = await delivering();
  const failed = { ...run, failure: { Error: 'Lambda.Unknown', Cause: 'x' } };
  await expect(quarantine(outliving(rig.ctx), failed)).rejects.toThrow(TransientError);
  rig.advance(MAX_STAGE_MS);
  expect((await quarantine(outliving(rig.ctx), failed)).disposition).toBe('quarantine');
  expect(rig.blobs.list('clean')).toEqual([]);
});

test('no delivery begins after quarantine has begun to wait for its end', async () => {
  const { rig, run } = await delivering();
  const failed = { ...run, failure: { Error: 'Lambda.Unknown', Cause: 'x' } };
  await expect(quarantine(outliving(rig.ctx), failed)).rejects.toThrow(TransientError);
  await expect(deliver(rig.ctx, run)).rejects.toThrow('was given up before');
  expect(rig.blobs.list('clean')).toEqual([]);
});

test('where nothing outlives its caller, a delivery that has failed is taken over at once', async () => {
  const { rig, run } = await parsed();
  await claimEnd(rig.ctx, run, 'delivered');
  expect((await quarantine(rig.ctx, { ...run, failure })).disposition).toBe('quarantine');
});

test.each([
  ['missing', null],
  ['damaged', '{ not json'],
  ['of another schema', '{}'],
  ['too large to read', ' '.repeat(17 * 1024 * 1024)],
])('a run whose ledger is %s is filed all the same, with its original', async (_, content) => {
  const { rig, run } = await parsed();
  const objects = rig.blobs;
  const parsedKey = keys.entry(run.runId, 1, 'parse');
  const lost = async (...args: Parameters<typeof objects.get>) => {
    if (args[1] === parsedKey) throw new NotFoundError(args[0], args[1]);
    return objects.get(...args);
  };
  if (content !== null) await objects.put('work', parsedKey, new TextEncoder().encode(content));
  const blobs = content === null ? { ...objects, get: lost } : objects;
  await quarantine({ ...rig.ctx, blobs }, { ...run, failure });
  expect(objects.list('quarantine')).toEqual([`${run.runId}/original`, `${run.runId}/record.json`]);
  const record = await objects.get('quarantine', keys.quarantineRecord(run.runId, 1), { maxBytes: 100_000 });
  expect(JSON.parse(Buffer.from(record).toString()).reasons.map(({ code }: { code: string }) => code)).toEqual([
    'ledger_lost',
    'run_failed',
  ]);
});

test('a complete delivery stays delivered when only its ledger could not be written', async () => {
  const rig = createRig();
  let isDelivered = false;
  const blobs = {
    ...rig.blobs,
    put: async (...args: Parameters<typeof rig.blobs.put>) => {
      if (isDelivered && args[1].endsWith('deliver.json')) throw new Error('the store is full');
      isDelivered = args[0] === 'clean' || isDelivered;
      return rig.blobs.put(...args);
    },
  };
  const run = await runUpTo(rig.ctx, await parse(rig.ctx, await rig.intake(MAIL)), 'deliver');
  await expect(deliver({ ...rig.ctx, blobs }, run)).rejects.toThrow('the store is full');
  const after = await quarantine(rig.ctx, { ...run, failure: { Error: 'Error', Cause: 'the store is full' } });
  expect(after.disposition).toBe('deliver');
  expect((await rig.ledger(run.runId)).terminal?.state).toBe('delivered');
  expect(rig.blobs.list('quarantine')).toEqual([]);
  expect(new Set(rig.events.map(({ type }) => type))).toEqual(new Set(['MessageDelivered']));
  expect((await rig.ledger(run.runId)).terminal?.keys).toEqual([keys.cleanMessage(run.runId)]);
});

test('a completely delivered bare file stays delivered, and so does a message whose ledger is lost', async () => {
  const rig = createRig();
  const { runId, ledger } = await rig.scan(PDF, 'a.pdf');
  const told: unknown[] = [];
  const ctx = { ...rig.ctx, events: { emit: async (event: unknown) => void told.push(event) } };
  const run = { ...newRun(runId), disposition: 'deliver' } as const;
  await writeLedger(rig, { ...ledger, terminal: null });
  expect((await quarantine(ctx, { ...run, failure })).disposition).toBe('deliver');
  expect(told).toMatchObject([
    { type: 'MessageDelivered', runId, detail: { keys: withoutEvidence(rig.blobs.list('clean')) } },
  ]);
  expect((await rig.ledger(runId)).terminal).toMatchObject({
    state: 'delivered',
    keys: withoutEvidence(rig.blobs.list('clean')),
  });

  const mail = await rig.scan(MAIL);
  await rig.blobs.put('work', keys.entry(mail.runId, 1, 'deliver'), new TextEncoder().encode('{'));
  told.length = 0;
  expect((await quarantine(ctx, { ...run, runId: mail.runId, failure })).disposition).toBe('deliver');
  expect(told).toMatchObject([{ type: 'MessageDelivered', detail: { keys: [keys.cleanMessage(mail.runId)] } }]);
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

test('a record is filed even when the original is gone', async () => {
  const rig = createRig();
  const intake = { bucket: 'intake', untrustedKey: 'gone.eml', versionId: '1', size: 10 };
  const run = await quarantineIntake(rig.ctx, intake, { code: 'dead_letter', text: 'x' });
  expect(rig.blobs.list('quarantine')).toEqual([`${run.runId}/record.json`]);
  expect((await recordOf(rig, run.runId)).hasOriginal).toBe(false);
});

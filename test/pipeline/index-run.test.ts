/** What the index is told of a run that began, and of one that somebody asks for: the chain counts, and nothing else. */
import { describe, expect, test } from 'vitest';
import { readLedger } from '../../lib/pipeline/chain/ledger-store.ts';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys, runIdOf } from '../../lib/pipeline/keys.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { quarantine } from '../../lib/pipeline/quarantine.ts';
import { type RunEvent, runEvent } from '../../lib/pipeline/results/run-event.ts';
import { indexLookOf, indexLookText } from '../../lib/pipeline/runs/index-look.ts';
import { indexRun, lookAtRun } from '../../lib/pipeline/runs/index-run.ts';
import { indexedRun } from '../../lib/pipeline/runs/row.ts';
import { openSqliteRuns } from '../../lib/storage/sqlite/runs.ts';
import { decided } from './review-rig.ts';
import { createRig, emailWith, PDF } from './rig.ts';

const MAIL = emailWith({ subject: 'Invoice', files: [{ name: 'a.pdf', bytes: PDF }] });

function opened() {
  const rig = createRig({ script: { polls: 0 } });
  const runs = openSqliteRuns(':memory:');
  return { rig, runs, ctx: { ...rig.ctx, runs } };
}

test('a run that was begun again is listed with what all of its attempts have used', async () => {
  const verdict = (request: object) =>
    'filename' in request && String(request.filename).endsWith('.pdf') ? { verdict: 'malicious' as const } : {};
  const rig = createRig({ script: { polls: 0, answer: verdict } });
  const runs = openSqliteRuns(':memory:');
  const ctx = { ...rig.ctx, runs };
  const { runId } = await rig.scan(emailWith({ subject: 'Invoice', files: [{ name: 'a.pdf', bytes: PDF }] }));
  await lookAtRun(ctx, { runId, attempt: 1 });
  const first = (await runs.get(runId))?.spent;
  rig.advance(60_000);
  expect((await decided(rig, runId, 'release')).state).toBe('delivered');
  await lookAtRun(ctx, { runId, attempt: 2 });
  const both = (await runs.get(runId))?.spent;
  // The second attempt asks for the same, and knows what the first was told.
  const analyses = (spent: typeof first) => (spent?.sent ?? 0) + (spent?.shared ?? 0);
  expect([analyses(first) > 0, analyses(both)]).toEqual([true, 2 * analyses(first)]);
  expect((both?.usd ?? 0) > (first?.usd ?? 0)).toBe(true);
  // A chain of before that was changed counts for nothing.
  await rig.blobs.put('work', keys.entry(runId, 1, 'quarantine'), new TextEncoder().encode('{}'));
  await lookAtRun(ctx, { runId, attempt: 2 });
  expect(await runs.get(runId)).toMatchObject({ state: 'delivered', attempt: 2 });
});

describe('a run that began', () => {
  test('is listed as under way, and with its end as soon as it has ended', async () => {
    const { rig, runs, ctx } = opened();
    const intake = await rig.intake(MAIL);
    const runId = runIdOf(intake);
    await parse(rig.ctx, intake);
    await lookAtRun(ctx, { runId, attempt: 1 });
    expect(await runs.get(runId)).toMatchObject({ state: 'running', endedAt: null, subject: 'Invoice' });
    const { ledger } = await rig.scan(MAIL);
    const event: RunEvent = runEvent(rig.ctx, ledger, { bucket: 'clean', keys: [] });
    await indexRun(ctx, event, 1);
    expect(await runs.get(runId)).toMatchObject({ state: 'delivered' });
  });

  test('and has ended before anybody looked is listed with its end', async () => {
    const { rig, runs, ctx } = opened();
    const { runId } = await rig.scan(MAIL);
    await lookAtRun(ctx, { runId, attempt: 1 });
    await lookAtRun(ctx, { runId, attempt: 1 });
    expect(await runs.get(runId)).toMatchObject({ state: 'delivered', attempt: 1 });
  });

  test.each([
    ['that nobody knows', 'ab'.repeat(16), 1],
    ['of which there is no such attempt', null, 2],
  ])('%s is not listed', async (_, unknown, attempt) => {
    const { rig, runs, ctx } = opened();
    const { runId } = await rig.scan(MAIL);
    await lookAtRun(ctx, { runId: unknown ?? runId, attempt });
    expect(await runs.get(unknown ?? runId)).toBeNull();
  });

  test('whose chain was changed is not listed', async () => {
    const { rig, runs, ctx } = opened();
    const { runId } = await rig.scan(MAIL);
    await rig.blobs.put('work', keys.entry(runId, 1, 'deliver'), new TextEncoder().encode('{}'));
    await lookAtRun(ctx, { runId, attempt: 1 });
    expect(await runs.get(runId)).toBeNull();
  });
});

describe('a delivery that `quarantine` notes, because `deliver` did not come to it', () => {
  /** A delivered mail whose note of `deliver` is on its way, and the note. */
  async function delivered() {
    const { rig, runs, ctx } = opened();
    const { ledger, runId } = await rig.scan(MAIL);
    const late = keys.entry(runId, 1, 'deliver');
    const bytes = await rig.blobs.get('work', late, { maxBytes: 1_000_000 });
    rig.blobs.remove('work', late);
    await quarantine(rig.ctx, newRun(runId, 1));
    const event = runEvent(rig.ctx, ledger, { bucket: 'clean', keys: [] });
    return { rig, runs, ctx, event, note: () => rig.blobs.put('work', late, bytes) };
  }

  test('is listed, and listed again when `deliver` has noted it, too', async () => {
    const { rig, runs, ctx, event, note } = await delivered();
    await expect(indexRun(ctx, event, 1)).rejects.toThrow(TransientError);
    expect((await runs.get(event.runId))?.stages).toHaveProperty('quarantine');
    await note();
    await indexRun(ctx, event, 2);
    expect(await runs.get(event.runId)).toEqual(indexedRun(await readLedger(rig.ctx, event.runId)).row);
    expect((await runs.get(event.runId))?.stages).not.toHaveProperty('quarantine');
  });

  test('is listed by the note of `deliver`, also when an event says that it is held', async () => {
    const { runs, ctx, event, note } = await delivered();
    await note();
    await indexRun(ctx, { ...event, bucket: 'quarantine' }, 1);
    const row = await runs.get(event.runId);
    expect([row?.state, Object.keys(row?.stages ?? {}).includes('quarantine')]).toEqual(['delivered', false]);
  });

  test('is not looked at without end', async () => {
    const { runs, ctx, event } = await delivered();
    await indexRun(ctx, event, 3);
    expect(await runs.get(event.runId)).toMatchObject({ state: 'delivered' });
  });
});

describe('a run that is held', () => {
  test('is looked at again while its end is not noted, and then listed with it', async () => {
    const { rig, runs, ctx } = opened();
    const intake = await rig.intake(MAIL);
    const run = await parse(rig.ctx, intake);
    const event = runEvent(rig.ctx, await readLedger(rig.ctx, run.runId), { bucket: 'quarantine', keys: [] });
    await expect(indexRun(ctx, event, 1)).rejects.toThrow(TransientError);
    await quarantine(rig.ctx, run);
    await indexRun(ctx, event, 2);
    expect(await runs.get(run.runId)).toMatchObject({ state: 'quarantined' });
  });

  test('and whose end is in no chain is not waited for without end', async () => {
    const { rig, runs, ctx } = opened();
    const run = await parse(rig.ctx, await rig.intake(MAIL));
    const event = runEvent(rig.ctx, await readLedger(rig.ctx, run.runId), { bucket: 'quarantine', keys: [] });
    await indexRun(ctx, event, 3);
    expect(await runs.get(run.runId)).toBeNull();
  });
});

describe('a request to look', () => {
  const look = { runId: 'ab'.repeat(16), attempt: 3 };

  test('is read as it was written', () => {
    expect(indexLookOf(JSON.parse(indexLookText(look)))).toEqual(look);
  });

  test.each([{}, null, { look: { ...look, runId: '../x' } }, { look: { ...look, attempt: 0 } }, { look: {} }])(
    '%j is none',
    (body) => expect(indexLookOf(body)).toBeNull(),
  );
});

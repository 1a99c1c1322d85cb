/** A run ends once: the first claim of its end holds until somebody takes it over. */
import { expect, test } from 'vitest';
import { claimEnd, overrideEnd, stopDelivery } from '../../lib/pipeline/chain/terminal.ts';
import { CorruptDataError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { createRig } from './rig.ts';

const RUN_ID = 'ab'.repeat(16);
const RUN = { runId: RUN_ID, attempt: 1 };
const AT = '2026-11-20T12:00:00.000Z';

async function stored(rig: ReturnType<typeof createRig>): Promise<unknown> {
  const bytes = await rig.blobs.get('work', keys.terminal(RUN_ID, 1), { maxBytes: 1_000 });
  return JSON.parse(Buffer.from(bytes).toString());
}

test('the first claim is stored with its time, and whoever comes later is told of it', async () => {
  const rig = createRig();
  expect(await claimEnd(rig.ctx, RUN, 'delivered')).toEqual({ state: 'delivered', at: AT });
  expect(await stored(rig)).toEqual({ state: 'delivered', at: AT });
  rig.advance(1_000);
  expect(await claimEnd(rig.ctx, RUN, 'quarantined')).toEqual({ state: 'delivered', at: AT });
  expect(await stored(rig)).toEqual({ state: 'delivered', at: AT });
});

test('a claim that is taken over holds from then on', async () => {
  const rig = createRig();
  await claimEnd(rig.ctx, RUN, 'delivered');
  rig.advance(1_000);
  await overrideEnd(rig.ctx, RUN, 'quarantined');
  const taken = { state: 'quarantined', at: '2026-11-20T12:00:01.000Z' };
  expect(await stored(rig)).toEqual(taken);
  expect(await claimEnd(rig.ctx, RUN, 'delivered')).toEqual(taken);
});

test('a delivery that is stopped keeps its claim, which says since when', async () => {
  const rig = createRig();
  const claim = await claimEnd(rig.ctx, RUN, 'delivered');
  rig.advance(1_000);
  await stopDelivery(rig.ctx, RUN, claim);
  const stopped = { state: 'delivered', at: AT, stoppedAt: '2026-11-20T12:00:01.000Z' };
  expect(await claimEnd(rig.ctx, RUN, 'delivered')).toEqual(stopped);
  expect(await claimEnd(rig.ctx, RUN, 'quarantined')).toEqual(stopped);
});

test('both are stored as JSON, and only the first write is for an absent claim', async () => {
  const rig = createRig();
  const options: unknown[] = [];
  const put: typeof rig.blobs.put = (...args) => {
    options.push(args[3]);
    return rig.blobs.put(...args);
  };
  const ctx = { ...rig.ctx, blobs: { ...rig.blobs, put } };
  await claimEnd(ctx, RUN, 'delivered');
  await overrideEnd(ctx, RUN, 'quarantined');
  expect(options).toEqual([{ contentType: 'application/json', ifAbsent: true }, { contentType: 'application/json' }]);
});

test.each([
  ['no JSON', 'delivered'],
  ['of another end', `{"state":"kept","at":"${AT}"}`],
  ['without a time', '{"state":"delivered"}'],
  ['of no time', '{"state":"delivered","at":"yesterday"}'],
  ['empty', '{}'],
])('a claim that is %s is damaged, and the error names the run', async (_, claim) => {
  const rig = createRig();
  await rig.blobs.put('work', keys.terminal(RUN_ID, 1), Buffer.from(claim));
  await expect(claimEnd(rig.ctx, RUN, 'delivered')).rejects.toThrow(CorruptDataError);
  await expect(claimEnd(rig.ctx, RUN, 'delivered')).rejects.toThrow(`the terminal claim of run ${RUN_ID}`);
});

/** The page that is kept beside the chain of a mail: what it says after each thing that becomes of the mail. */
import { expect, test } from 'vitest';
import { type KeptPageContext, keepMailPage } from '../../lib/desk/mail/kept-page.ts';
import type { ReviewContext } from '../../lib/pipeline/context.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { runEvent } from '../../lib/pipeline/results/run-event.ts';
import { lastAttempt } from '../../lib/pipeline/review/redrive.ts';
import { discard, release } from '../../lib/pipeline/review/review.ts';
import { createRig, emailWith, PDF, type Rig } from '../pipeline/rig.ts';

const HELD = emailWith({ subject: 'Invoice', files: [{ name: 'a.pdf', bytes: PDF }] });
const WHO = { name: 'pat', why: 'the sender called' };

async function heldMail() {
  const answer = (request: object) =>
    'filename' in request && String(request.filename).endsWith('.pdf') ? { verdict: 'malicious' as const } : {};
  const rig = createRig({ script: { polls: 0, answer } });
  const { runId, ledger } = await rig.scan(HELD);
  const headerOf: KeptPageContext['headerOf'] = async () => 'X-Own: a header';
  const newDrawing = () => ({ draw: async () => null, isOver: () => true });
  const ctx: KeptPageContext = { ...rig.ctx, language: 'en', headerOf, newDrawing };
  return { rig, runId, ctx, event: runEvent(rig.ctx, ledger, { bucket: 'quarantine', keys: [] }) };
}

const reviewingOf = (rig: Rig): ReviewContext => ({
  ...rig.ctx,
  parseAgain: () => Promise.reject(new Error('nothing is read again')),
  removeHeld: async () => {},
});

async function pageOf(rig: Rig, runId: string): Promise<string> {
  return Buffer.from(await rig.blobs.get('work', keys.mailPage(runId), { maxBytes: 200_000 })).toString();
}

const stateIn = (page: string) => /class="verdict (\w+)"/.exec(page)?.[1];

test('it has the header, and is written anew when the mail is deleted, of which no event tells', async () => {
  const { rig, runId, ctx, event } = await heldMail();
  await keepMailPage(ctx, event, 1);
  const held = await pageOf(rig, runId);
  const costIn = (page: string) => page.replace(/<[^>]+>/g, '|').match(/\|Cost on AWS\|+(\$[\d.]+)\|/)?.[1];
  expect([stateIn(held), held.includes('a header')]).toEqual(['quarantined', true]);
  rig.advance(60_000);
  const reviewing = reviewingOf(rig);
  expect(await discard(reviewing, await lastAttempt(reviewing, runId), WHO)).toMatchObject({ state: 'deleted' });
  await keepMailPage(ctx, { runId, attempt: 2 }, 1);
  const deleted = await pageOf(rig, runId);
  // A delete runs no stage, and the mail has cost what it cost.
  expect([stateIn(deleted), costIn(deleted)]).toEqual(['deleted', costIn(held) ?? 'none']);
  // The queue hands out the end of before once more.
  await keepMailPage(ctx, event, 1);
  expect(stateIn(await pageOf(rig, runId))).toBe('deleted');
});

test('an end that is told late does not bring back that the mail was held', async () => {
  const { rig, runId, ctx, event } = await heldMail();
  const reviewing = reviewingOf(rig);
  const begun = await release(reviewing, await lastAttempt(reviewing, runId), 'rebuilt', WHO);
  expect(begun).toMatchObject({ state: 'begun' });
  await keepMailPage(ctx, event, 1);
  expect(stateIn(await pageOf(rig, runId))).toBe('running');
});

test('of a run of which nothing is known, none is written', async () => {
  const { rig, ctx } = await heldMail();
  await keepMailPage(ctx, { runId: 'ab'.repeat(16), attempt: 1 }, 1);
  expect(rig.blobs.list('work').filter((key) => key.endsWith('page.html'))).toEqual([]);
});

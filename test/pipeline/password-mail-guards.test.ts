/** Each guard around passwords of other mail by itself: the search does not name what may not be tried, and who begins does not believe the search. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { beginWithPasswords, passwordTries } from '../../lib/pipeline/passwords/password-mail.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { lastAttempt } from '../../lib/pipeline/review/redrive.ts';
import { discard } from '../../lib/pipeline/review/review.ts';
import { indexedRun } from '../../lib/pipeline/runs/row.ts';
import { airlock, closedZip, DAY_MS, TELLS, told } from './password-rig.ts';
import { emailWith } from './rig.ts';

const WRONG = 'The password is Mond#43';
const FOR_A_WEEK = parsePolicy('{"failures":{"encrypted":"quarantine"},"containers":{"passwordDays":7}}');
const CHATTER = told('We meet at one. '.repeat(20));

let held: string;
/** The same, with a text that tells another password. */
let heldWithText: string;
beforeAll(async () => {
  const files = [{ name: 'report.zip', bytes: await closedZip() }];
  held = emailWith({ subject: 'The report', files });
  heldWithText = emailWith({ subject: 'The report', text: WRONG, files });
});

describe('the search', () => {
  const triesOf = async ({ ctx, rig }: ReturnType<typeof airlock>, runId: string) =>
    passwordTries(ctx, await rig.ledger(runId));

  test('does not name the held mail itself, nor mail for a password that a deleted one tells', async () => {
    const one = airlock();
    const { runId } = await one.scan(heldWithText);
    expect(await triesOf(one, runId)).toEqual([]);
    const other = await one.rig.scan(told(), 'other.eml');
    await one.runs.put(indexedRun(other.ledger));
    expect(await triesOf(one, other.runId)).toEqual([{ runId, from: [other.runId] }]);
    const deleted = { ...other.ledger, terminal: { ...other.ledger.terminal, state: 'deleted' } } as Ledger;
    expect(await passwordTries(one.ctx, deleted)).toEqual([]);
  });

  test('goes back no further than the days of the policy', async () => {
    const one = airlock({ policy: FOR_A_WEEK });
    const { runId } = await one.scan(held);
    one.rig.advance(7 * DAY_MS);
    const atTheEnd = await one.rig.scan(CHATTER, 'end.eml');
    one.rig.advance(1_000);
    const beyond = await one.rig.scan(CHATTER, 'beyond.eml');
    expect(await triesOf(one, atTheEnd.runId)).toEqual([{ runId, from: [atTheEnd.runId] }]);
    expect(await triesOf(one, beyond.runId)).toEqual([]);
  });

  test('names the newest earlier mail first, and as many as the limit although the held mail is newer than all', async () => {
    const one = airlock({ limits: { earlierPasswordMails: 2 } });
    const came: string[] = [];
    for (const subject of ['a', 'b', 'c']) {
      came.push((await one.scan(told('We meet at one. '.repeat(20), subject))).runId);
      one.rig.advance(1_000);
    }
    const { runId } = await one.scan(held);
    expect(await triesOf(one, runId)).toEqual([{ runId, from: [came[2], came[1]] }]);
  });

  test('finds mail that is held for either reason, and the limit heldPerPasswordMail is for both together', async () => {
    const byReason = async (limit: number) => {
      const one = airlock({ limits: { heldPerPasswordMail: limit } });
      const ids: string[] = [];
      for (const code of ['encrypted', 'container_encrypted'] as const) {
        const { ledger, runId } = await one.rig.scan(held.replace('The report', code), `${code}.eml`);
        const reasons = ledger.reasons.flatMap((reason) => (reason.code === 'encrypted' ? [{ ...reason, code }] : []));
        await one.runs.put(indexedRun({ ...ledger, reasons }));
        ids.push(runId);
      }
      const { ledger } = await one.rig.scan(told(), 'told.eml');
      return { ids, found: (await passwordTries(one.ctx, ledger)).map(({ runId }) => runId) };
    };
    const both = await byReason(2);
    expect(both.found.toSorted()).toEqual(both.ids.toSorted());
    expect((await byReason(1)).found).toHaveLength(1);
  });
});

describe('who begins', () => {
  /** A held mail, another one that may tell the password, and a way to begin with a record that was changed. */
  async function pair(first: string, options: Parameters<typeof airlock>[0] = {}) {
    const one = airlock(options);
    const { runId } = await one.scan(first);
    const { runId: other } = await one.rig.scan(told(), 'told.eml');
    const last = await lastAttempt(one.ctx, runId);
    const begin = async (from: readonly string[], change: (ledger: Ledger) => object = () => ({})) => {
      if (last.chain === null) throw new Error('the chain is there');
      const ledger = { ...last.chain.ledger, ...change(last.chain.ledger) } as Ledger;
      return (await beginWithPasswords(one.ctx, { ...last, chain: { ...last.chain, ledger } }, from))?.attempt ?? null;
    };
    return { ...one, runId, other, begin };
  }

  const openingAs = (as: string, outcome: string) => (ledger: Ledger) => ({
    artifacts: ledger.artifacts.map((one) =>
      one.opening ? { ...one, opening: { ...one.opening, as, outcome } } : one,
    ),
  });
  test.each<[string, (ledger: Ledger) => object]>([
    [
      'that a person released',
      ({ attempt }) => ({ attempt: { ...attempt, release: { form: 'rebuilt', covers: [] } } }),
    ],
    ['of which a first message went out', () => ({ early: { at: '2026-11-20T12:00:00.000Z', leaves: [] } })],
    ['that a person deleted', ({ terminal }) => ({ terminal: { ...terminal, state: 'deleted' } })],
    ['that has not ended', () => ({ terminal: null })],
    ['that is held for something else', () => ({ reasons: [{ code: 'malicious', text: 'x', artifactId: null }] })],
    ['whose closed file is no archive', openingAs('pdf', 'encrypted')],
    ['whose archive is damaged', openingAs('zip', 'damaged')],
  ])('begins nothing of a mail %s', async (_, change) => {
    const { begin, other } = await pair(held);
    expect(await begin([other], change)).toBeNull();
    expect(await begin([other])).toBe(2);
  });

  test('tries no words of the held mail itself, which were tried', async () => {
    const { begin, runId } = await pair(heldWithText);
    expect(await begin([runId])).toBeNull();
  });

  test('reads no more of the mails that a message names than the limit earlierPasswordMails', async () => {
    const { begin, other, rig } = await pair(held, { limits: { earlierPasswordMails: 1 } });
    const { runId: silent } = await rig.scan(CHATTER, 'silent.eml');
    expect(await begin([silent, other])).toBeNull();
    expect(await begin([other, silent])).toBe(2);
  });

  test('counts the days in both directions', async () => {
    for (const [days, begun] of [
      [7, 2],
      [8, null],
    ] as const) {
      const one = airlock({ policy: FOR_A_WEEK });
      const { runId: early } = await one.rig.scan(told(TELLS), 'early.eml');
      one.rig.advance(days * DAY_MS);
      const { runId } = await one.scan(held);
      const run = await beginWithPasswords(one.ctx, await lastAttempt(one.ctx, runId), [early]);
      expect([days, run?.attempt ?? null]).toEqual([days, begun]);
    }
  });

  test('tries no words of a copy that a person dropped at a desk, and none on one', async () => {
    for (const [isTold, isHeld] of [
      [false, false],
      [true, false],
      [false, true],
    ]) {
      const one = airlock({ policy: FOR_A_WEEK });
      const tells = await one.rig.scan(told(TELLS), 'tells.eml', isTold ? { dropped: true } : {});
      const closed = await one.rig.scan(held, 'held.eml', isHeld ? { dropped: true } : {});
      const run = await beginWithPasswords(one.ctx, await lastAttempt(one.ctx, closed.runId), [tells.runId]);
      expect(run === null).toBe(isTold || isHeld);
    }
  });

  test('believes a person who deleted the mail before its end was written anew', async () => {
    const { ctx, runId, other } = await pair(held);
    const review = { ...ctx, removeHeld: async () => undefined };
    await discard(review, await lastAttempt(ctx, runId), { name: 'Pat', why: 'not for us' });
    expect(await beginWithPasswords(ctx, await lastAttempt(ctx, runId), [other])).toBeNull();
  });
});

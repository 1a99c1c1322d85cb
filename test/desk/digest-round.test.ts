/** Rounds of digests: each recipient once, whatever the next server says and whenever a process dies. */
import { describe, expect, test } from 'vitest';
import type { RoundRequest } from '../../lib/desk/recipients/digest-round.ts';
import { digestRound } from '../../lib/desk/recipients/digest-round.ts';
import { linkSigner } from '../../lib/desk/recipients/links.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import type { Relay, RelayMessage, RelayReply } from '../../lib/pipeline/results/relay-port.ts';
import { HELD, openDesk } from './desk-rig.ts';
import { DAY, ORIGIN, policyFor } from './recipients-rig.ts';

/** In the order in which they are told on this day. */
const placeOf = (recipient: string) => sha256Hex(`${DAY} ${recipient}`);
const PEOPLE = ['ann', 'bob', 'kim']
  .map((name) => `${name}@recipient.example`)
  .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
const noteOf = (recipient: string) => keys.digest(DAY, sha256Hex(recipient));

async function opened() {
  const desk = await openDesk();
  for (const recipient of PEOPLE) await desk.scan(HELD.replace('bob@recipient.example', recipient));
  const { rig } = desk;
  const sent: RelayMessage[] = [];
  const warned: string[] = [];
  let answer: (recipient: string) => RelayReply['outcome'] = () => 'sent';
  const relay: Relay = {
    async send(message) {
      const [recipient = ''] = message.recipients;
      const outcome = answer(recipient);
      if (outcome === 'sent') sent.push(message);
      return [{ recipient, outcome, text: `it says ${outcome}` }];
    },
  };
  const now = { ms: rig.ctx.clock.now() };
  let left = Number.POSITIVE_INFINITY;
  const round = (request: Partial<RoundRequest> = {}) =>
    digestRound(
      {
        ...{ runs: desk.runs, policy: policyFor(), links: linkSigner('a secret'), origin: ORIGIN, linkDays: 14 },
        ledgerOf: (runId) => rig.ledger(runId),
        now: now.ms,
        isOver: () => --left <= 0,
        sending: {
          ...{ blobs: rig.blobs, relay, now: () => now.ms },
          log: { warn: (message) => warned.push(message) },
        },
      },
      { day: DAY, after: null, ...request },
    );
  return {
    ...{ rig, round, warned, now },
    recipients: () => sent.map(({ recipients }) => recipients.join()),
    senders: () => sent.map(({ sender }) => sender),
    answers: (other: typeof answer) => {
      answer = other;
    },
    /** A round is over after so many. */
    lasts: (count: number) => {
      left = count;
    },
  };
}

test('each recipient gets one, with the null sender, and none when the round is repeated', async () => {
  const { round, recipients, senders } = await opened();
  expect(await round()).toMatchObject({ sent: 3, sentBefore: 0, next: null });
  expect(await round()).toMatchObject({ sent: 0, sentBefore: 3, next: null });
  expect([recipients(), [...new Set(senders())]]).toEqual([PEOPLE, ['']]);
});

test('a round whose time is up names who comes next, and the next one goes on there', async () => {
  const { round, recipients, lasts } = await opened();
  lasts(2);
  const { sent, next } = await round();
  expect([sent, next]).toEqual([2, placeOf(PEOPLE[1] ?? '')]);
  lasts(1);
  expect(await round({ after: next })).toMatchObject({ sent: 1, sentBefore: 0, next: null });
  expect(recipients()).toEqual(PEOPLE);
});

describe('a recipient whom the next server', () => {
  test('refuses keeps nobody else from his, and is tried again in every round', async () => {
    const { round, recipients, answers } = await opened();
    answers((recipient) => (recipient === PEOPLE[0] ? 'refused' : 'sent'));
    expect(await round()).toMatchObject({ sent: 2, refused: 1 });
    expect(await round()).toMatchObject({ sent: 0, refused: 1 });
    answers(() => 'sent');
    expect(await round()).toMatchObject({ sent: 1, refused: 0 });
    expect(recipients()).toEqual([...PEOPLE.slice(1), PEOPLE[0]]);
  });

  test('asks to wait for gets his in a later round', async () => {
    const { round, recipients, answers } = await opened();
    answers((recipient) => (recipient === PEOPLE[1] ? 'later' : 'sent'));
    expect(await round()).toMatchObject({ sent: 2, later: 1 });
    answers(() => 'sent');
    expect(await round()).toMatchObject({ sent: 1, sentBefore: 2, later: 0 });
    expect(recipients()).toEqual([PEOPLE[0], PEOPLE[2], PEOPLE[1]]);
  });
});

test('two rounds that try again at the same time send one digest', async () => {
  const { round, recipients, answers } = await opened();
  answers(() => 'later');
  await round();
  answers(() => 'sent');
  const both = await Promise.all([round(), round()]);
  expect(both.reduce((sum, { sent }) => sum + sent, 0)).toBe(3);
  expect(recipients()).toEqual(PEOPLE);
});

test('a recipient to whom fifty tries failed is tried no more', async () => {
  const { round, recipients, answers } = await opened();
  answers(() => 'refused');
  for (let time = 0; time < 50; time++) expect(await round()).toMatchObject({ refused: 3 });
  answers(() => 'sent');
  expect(await round()).toMatchObject({ sent: 0, refused: 3 });
  expect(recipients()).toEqual([]);
});

describe('a note of somebody who sends', () => {
  const claim = (at: number) => new TextEncoder().encode(JSON.stringify({ state: 'sending', at, why: '' }));

  test('keeps others away as long as a function can live, and then a digest may come twice, which is said', async () => {
    const { rig, round, recipients, warned, now } = await opened();
    await rig.blobs.put('work', noteOf(PEOPLE[0] ?? ''), claim(now.ms));
    expect(await round()).toMatchObject({ sent: 2, later: 1 });
    now.ms += 20 * 60_000;
    expect(await round()).toMatchObject({ sent: 1, sentBefore: 2 });
    expect([recipients(), warned]).toEqual([[...PEOPLE.slice(1), PEOPLE[0]], ['a mail may arrive twice']]);
  });

  test('an earlier version noted only what was sent', async () => {
    const { rig, round, recipients } = await opened();
    await rig.blobs.put('work', noteOf(PEOPLE[0] ?? ''), new TextEncoder().encode(DAY));
    expect(await round()).toMatchObject({ sent: 2, sentBefore: 1 });
    expect(recipients()).toEqual(PEOPLE.slice(1));
  });
});

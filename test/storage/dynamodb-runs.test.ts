/** The index of runs in DynamoDB, over the server of the twin: the contract, writers that die or are overtaken, and what a sender chose. */
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test } from 'vitest';
import { TransientError } from '../../lib/pipeline/errors.ts';
import type { Runs } from '../../lib/pipeline/ports.ts';
import type { Hold } from '../../lib/pipeline/runs/hold.ts';
import type { Fact, IndexedRun, RunState } from '../../lib/pipeline/runs/row.ts';
import { writeAll } from '../../lib/storage/dynamodb/batches.ts';
import {
  ANY_RUN,
  factItemKey,
  factKey,
  HELD as HELD_TIMES,
  itemOf,
  MAX_FACTS,
} from '../../lib/storage/dynamodb/run-items.ts';
import { createDynamoRuns } from '../../lib/storage/dynamodb/runs.ts';
import { RUNS_TABLE, type ServerRig, serverRig } from '../twin/rig.ts';
import { AwsError } from '../twin/servers/call.ts';
import type { Interruption } from '../twin/servers/front.ts';
import { describeRuns } from './runs-contract.ts';

const open: ServerRig[] = [];
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close();
});

async function make(interrupt?: () => Interruption | null) {
  const rig = await serverRig(interrupt ? { interrupt } : {});
  open.push(rig);
  const table = { client: rig.dynamo, tableName: RUNS_TABLE, keptDays: 30, clock: rig.clock };
  return { rig, table, runs: createDynamoRuns(table) };
}

describeRuns('DynamoDB', async () => (await make()).runs);

const DAY = 24 * 3_600_000;
const BORN = 1_800_000_000_000;
const RUN = 'ab'.repeat(16);
const HELD: Fact = { kind: 'state', value: 'quarantined' };
const DELIVERED: Fact = { kind: 'state', value: 'delivered' };
const hosts = (from: number, to: number): Fact[] =>
  Array.from({ length: to - from }, (_, number) => ({ kind: 'host', value: `host-${from + number}` }));

function run(attempt: number, facts: readonly Fact[], runId = RUN, state: RunState = 'quarantined'): IndexedRun {
  const texts = { from: 'a', to: 'b', subject: 'c', messageId: '' };
  const rest = { reference: '00-0000', reasons: [], endedAt: BORN + attempt, bornAt: BORN, size: 5 };
  return { row: { runId, attempt, state, ...rest, ...texts, parts: { keep: 1, disarm: 2, remove: 3 } }, facts };
}

const all = (fact: Fact) => ({ facts: [fact], since: null, until: null, after: null, most: 10 });
/** How many runs with a fact came in during the hour of `BORN`, and the hour itself. */
const HOUR = 3_600_000;
const hour = { since: BORN, until: BORN + HOUR, slotMs: HOUR };
const inTheHour = async (runs: Runs, ...facts: readonly Fact[]) =>
  Promise.all(facts.map(async (fact) => (await runs.tally(fact, hour)).reduce((sum, slot) => sum + slot.runs, 0)));
const idsOf = async (runs: Runs, fact: Fact) => (await runs.list(all(fact))).rows.map(({ runId }) => runId);

/** How many items lie under the key of a fact. */
async function itemsUnder({ dynamo }: ServerRig, key: string): Promise<number> {
  const KeyConditionExpression = 'pk = :key';
  const ExpressionAttributeValues = { ':key': { S: key } };
  const query = new QueryCommand({ TableName: RUNS_TABLE, KeyConditionExpression, ExpressionAttributeValues });
  return (await dynamo.send(query)).Count ?? 0;
}

/** Refuses the call of this number, and all that come while `isAway`. */
function failingAt() {
  const faults = { call: Number.POSITIVE_INFINITY, calls: 0 };
  const interrupt = (): Interruption | null => {
    faults.calls += 1;
    const error = new AwsError('InternalServerError', 500, 'away');
    return faults.calls === faults.call ? { do: 'refuse', error } : null;
  };
  return { faults, interrupt };
}

test('a search by several facts ends with one request when no run has the first of them', async () => {
  const { faults, interrupt } = failingAt();
  const { runs } = await make(interrupt);
  await runs.put(run(1, [HELD, DELIVERED]));
  faults.calls = 0;
  const encrypted: Fact = { kind: 'reason', value: 'encrypted' };
  expect(await runs.list({ ...all(encrypted), facts: [encrypted, HELD, DELIVERED] })).toEqual({ rows: [], next: null });
  expect(faults.calls).toBe(1);
});

test('whichever call fails, the repetition leaves the same index as if none had', async () => {
  const { faults, interrupt } = failingAt();
  const { rig, runs } = await make(interrupt);
  const holding = ({ row, facts }: IndexedRun, ...holds: readonly Hold[]) => ({ row: { ...row, holds }, facts });
  const hold = (at: number, code: string): Hold => ({ at, reasons: [code] });
  const [first, other, late] = [hold(0, 'timeout'), hold(1, 'blocked'), hold(2, 'unknown')];
  const before = holding(run(1, [HELD, ...hosts(0, 30)]), first, other);
  const after = holding(run(2, [DELIVERED, ...hosts(20, 60)]), other, late);
  let failed = 0;
  for (let call = 1; ; call += 1) {
    await runs.remove(RUN);
    await runs.put(before);
    Object.assign(faults, { call, calls: 0 });
    const isDone = await runs.put(after).then(
      () => true,
      (error: unknown) => {
        expect(error).toBeInstanceOf(TransientError);
        return false;
      },
    );
    faults.call = Number.POSITIVE_INFINITY;
    // Whatever was reached, a run is shown only under facts that it has.
    const shown = await Promise.all([HELD, DELIVERED].map((fact) => idsOf(runs, fact)));
    expect(shown.flat().length).toBeLessThanOrEqual(1);
    await runs.put(after);
    expect(await Promise.all([HELD, DELIVERED].map((fact) => itemsUnder(rig, factKey(fact))))).toEqual([0, 1]);
    for (const fact of hosts(0, 60)) {
      const isThere = Number(fact.value.slice(5)) >= 20;
      expect(await itemsUnder(rig, factKey(fact)), fact.value).toBe(isThere ? 1 : 0);
    }
    expect(await runs.holds([0, 2])).toEqual([other, late].map(({ at, reasons }) => ({ reasons, holds: [1, at - 1] })));
    expect(await itemsUnder(rig, HELD_TIMES)).toBe(2);
    expect(await inTheHour(runs, HELD, DELIVERED)).toEqual([0, 1]);
    if (isDone) break;
    failed += 1;
  }
  expect(failed).toBeGreaterThanOrEqual(5);
});

test('of writers of the same run at the same time, the latest attempt stays, and no fact of the others', async () => {
  const { rig, runs } = await make();
  const reason: Fact = { kind: 'reason', value: 'blocked' };
  const attempts = [1, 2, 3, 4].map((attempt) =>
    run(attempt, [{ kind: 'host', value: `attempt-${attempt}` }, attempt % 2 === 0 ? reason : HELD]),
  );
  // Those that are refused are told again, as a queue does.
  const told = (one: IndexedRun) => runs.put(one).catch(() => runs.put(one));
  await Promise.all([...attempts, ...attempts].map(told));
  for (const one of attempts) await runs.put(one);
  expect((await runs.get(RUN))?.attempt).toBe(4);
  const counts = attempts.map(({ facts }) => itemsUnder(rig, factKey(facts[0] as Fact)));
  expect(await Promise.all(counts)).toEqual([0, 0, 0, 1]);
  expect(await itemsUnder(rig, ANY_RUN)).toBe(1);
  expect(await inTheHour(runs, HELD, reason)).toEqual([0, 1]);
});

test('a whole hour is told by some counts, and no item of a mail is read for it', async () => {
  const { rig, table, runs } = await make();
  const ids = Array.from({ length: 40 }, (_, number) => (number * 0x1234567).toString(16).padStart(8, '0').repeat(4));
  const hold: Hold = { at: BORN + 7, reasons: ['blocked'] };
  for (const runId of ids) {
    const { row, facts } = run(1, [HELD], runId);
    await runs.put({ row: { ...row, holds: [hold] }, facts });
  }
  const item = (runId: string, key: string, born: number) => factItemKey(runId, { key, born });
  const items = ids.flatMap((id) => [item(id, factKey(HELD), BORN), item(id, `${HELD_TIMES}=blocked`, hold.at)]);
  await writeAll(table, [], items);
  expect(await runs.count(HELD, 100)).toBe(0);
  expect(await inTheHour(runs, HELD)).toEqual([ids.length]);
  expect(await runs.holds([BORN, BORN - HOUR])).toEqual([{ reasons: ['blocked'], holds: [ids.length, ids.length] }]);
  expect(await itemsUnder(rig, `count=${factKey(HELD)}`)).toBeLessThanOrEqual(16);
});

test('a run that an earlier version wrote without counts is counted when it is written again', async () => {
  const { table, runs } = await make();
  const { row } = run(1, [HELD]);
  const facts = [ANY_RUN, factKey(HELD)];
  await writeAll(table, [itemOf({ row, facts, counts: [], loose: [], isSettled: true, version: 1 }, {})]);
  expect(await inTheHour(runs, HELD)).toEqual([0]);
  for (const _ of [1, 2]) await runs.put(run(1, [HELD]));
  expect(await inTheHour(runs, HELD)).toEqual([1]);
});

test('what is told twice is written once', async () => {
  const { faults, interrupt } = failingAt();
  const { runs } = await make(interrupt);
  await runs.put(run(1, [HELD]));
  faults.calls = 0;
  await runs.put(run(1, [HELD]));
  expect(faults.calls).toBe(1);
});

test('a run with as many facts as an item takes is found by each; what is over it is not written', async () => {
  const { rig, runs } = await make();
  await runs.put(run(1, [HELD, ...hosts(0, 3_000)]));
  // All of the earlier facts go, and as many come.
  await runs.put(run(2, [DELIVERED, ...hosts(3_000, 8_000)]));
  const found = async (number: number) => (await idsOf(runs, { kind: 'host', value: `host-${number}` })).length;
  const last = 3_000 + MAX_FACTS - 3;
  expect(await Promise.all([0, 2_999, 3_000, last, last + 1].map(found))).toEqual([0, 0, 1, 1, 0]);
  expect(await itemsUnder(rig, factKey({ kind: 'host', value: 'host-2999' }))).toBe(0);
});

test('is gone when the time is over for which runs are kept, but not at once when it is written late', async () => {
  const { rig, table, runs } = await make();
  const idOf = (days: number) => String(days).padStart(32, '0');
  const putEarlier = async (days: number, earlierDays: number) => {
    const now = rig.clock.now();
    const { row, facts } = run(1, [HELD], idOf(days));
    const ended = { ...row, bornAt: now - days * DAY, endedAt: now - days * DAY };
    const clock = { now: () => now - earlierDays * DAY };
    await createDynamoRuns({ ...table, clock }).put({ row: ended, facts });
  };
  await putEarlier(29, 29);
  await putEarlier(50, 0);
  expect((await idsOf(runs, HELD)).sort()).toEqual([idOf(29), idOf(50)]);
  // DynamoDB deletes some time after it may, at the latest after two days.
  await putEarlier(33, 33).catch(() => undefined);
  expect(await runs.get(idOf(33))).toBeNull();
});

test('pages of two frequent facts that hardly occur together end early, and the next find what there is', async () => {
  const { runs, table } = await make();
  const word: Fact = { kind: 'word', value: 'news' };
  const items = (number: number, facts: readonly Fact[]) => {
    const { row } = run(1, facts, number.toString(16).padStart(32, '0'));
    const stored = {
      row: { ...row, bornAt: number },
      facts: facts.map(factKey),
      counts: [],
      loose: [],
      isSettled: true,
      version: 1,
    };
    const place = (key: string) => factItemKey(row.runId, { key, born: number });
    return [itemOf(stored, {}), ...stored.facts.map(place)];
  };
  const from = (first: number, last: number, facts: readonly Fact[]) =>
    Array.from({ length: last - first + 1 }, (_, number) => items(first + number, facts)).flat();
  // The oldest run has both facts, then come runs of the one, and then runs of the other.
  await writeAll(table, [...items(1, [HELD, word]), ...from(2, 2_600, [HELD]), ...from(2_601, 5_300, [word])]);
  const query = { facts: [HELD, word], since: null, until: null, most: 5 };
  const first = await runs.list({ ...query, after: null });
  expect([first.rows.length, first.next === null]).toEqual([0, false]);
  const second = await runs.list({ ...query, after: first.next });
  expect([second.rows.map(({ bornAt }) => bornAt), second.next]).toEqual([[1], null]);
});

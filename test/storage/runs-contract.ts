/** What every adapter of the Runs port does, whatever is behind it. */
import { describe, expect, test } from 'vitest';
import type { RunQuery, Runs } from '../../lib/pipeline/ports.ts';
import type { Hold } from '../../lib/pipeline/runs/hold.ts';
import type { Fact, IndexedRun, RunState } from '../../lib/pipeline/runs/row.ts';

const ALL: RunQuery = { facts: [], since: null, until: null, after: null, most: 10 };
const idOf = (number: number) => number.toString(16).padStart(32, '0');

function run(
  number: number,
  facts: readonly Fact[] = [],
  bornAt = number,
  state: RunState = 'quarantined',
): IndexedRun {
  const runId = idOf(number);
  const texts = { from: 'a', to: 'b', subject: `mail ${number}`, messageId: '' };
  const parts = { keep: 1, disarm: 2, remove: 3 };
  const row = {
    runId,
    reference: '00-0000',
    attempt: 1,
    state,
    reasons: [],
    bornAt,
    endedAt: null,
    ...texts,
    size: 5,
    parts,
  };
  return { row, facts };
}

/** Runs the suite over an adapter. `make` gives an index of its own, empty, for each test. */
export function describeRuns(name: string, make: () => Runs | Promise<Runs>): void {
  const numbers = async (runs: Runs, query: Partial<RunQuery>) =>
    (await runs.list({ ...ALL, ...query })).rows.map(({ runId }) => Number.parseInt(runId, 16));

  describe(`${name} as Runs`, () => {
    test('gives back the row that was put, and null for others', async () => {
      const runs = await make();
      await runs.put(run(1));
      expect(await runs.get(idOf(1))).toEqual(run(1).row);
      expect(await runs.get(idOf(2))).toBeNull();
    });

    test('replaces a run with all of its facts', async () => {
      const runs = await make();
      await runs.put(run(1, [{ kind: 'state', value: 'running' }], 1, 'running'));
      await runs.put(run(1, [{ kind: 'state', value: 'delivered' }], 1, 'delivered'));
      expect(await numbers(runs, { facts: [{ kind: 'state', value: 'running' }] })).toEqual([]);
      expect(await numbers(runs, { facts: [{ kind: 'state', value: 'delivered' }] })).toEqual([1]);
      expect(await numbers(runs, {})).toEqual([1]);
    });

    test('keeps what is known of a later attempt, and of an end, in whatever order it is told', async () => {
      const runs = await make();
      const state = (value: RunState): Fact => ({ kind: 'state', value });
      const told = (attempt: number, value: RunState, endedAt: number | null): IndexedRun => {
        const one = run(1, [state(value)], 1, value);
        return { ...one, row: { ...one.row, attempt, endedAt } };
      };
      const [held, again, delivered] = [told(1, 'quarantined', 2), told(2, 'running', null), told(2, 'delivered', 4)];
      for (const one of [again, held, delivered, again, held, delivered]) await runs.put(one);
      expect(await runs.get(idOf(1))).toEqual(delivered.row);
      for (const value of ['quarantined', 'running'] as const)
        expect(await numbers(runs, { facts: [state(value)] })).toEqual([]);
      expect(await numbers(runs, { facts: [state('delivered')] })).toEqual([1]);
    });

    test('moves a run that begins at another time', async () => {
      const runs = await make();
      const fact: Fact = { kind: 'host', value: 'x' };
      await runs.put(run(1, [fact], 5));
      await runs.put(run(2, [fact], 6));
      await runs.put(run(1, [fact], 7));
      expect(await numbers(runs, { facts: [fact] })).toEqual([1, 2]);
      expect(await numbers(runs, {})).toEqual([1, 2]);
      expect(await runs.count(fact, 10)).toBe(2);
    });

    test('finds facts of any text and length, each by itself', async () => {
      const runs = await make();
      const long = 'x'.repeat(9_000);
      const odd = ['', ' ', 'a=b', '\0', '😀', "' OR 1=1", long, `${long}y`, '%', 'ä'];
      for (const [number, value] of odd.entries()) await runs.put(run(number + 1, [{ kind: 'message-id', value }]));
      for (const [number, value] of odd.entries())
        expect(await numbers(runs, { facts: [{ kind: 'message-id', value }] }), value.slice(0, 9)).toEqual([
          number + 1,
        ]);
    });

    test('lists nothing of a span that ends before it begins', async () => {
      const runs = await make();
      await runs.put(run(3));
      expect(await numbers(runs, { since: 4, until: 2 })).toEqual([]);
    });

    test('lists the newest first, from a time on and before another', async () => {
      const runs = await make();
      for (const number of [2, 4, 1, 3]) await runs.put(run(number));
      expect(await numbers(runs, {})).toEqual([4, 3, 2, 1]);
      expect(await numbers(runs, { since: 2, until: 4 })).toEqual([3, 2]);
    });

    test('lists only runs of which every fact holds, of the kind that was asked', async () => {
      const runs = await make();
      const [host, word]: Fact[] = [
        { kind: 'host', value: 'x' },
        { kind: 'word', value: 'x' },
      ];
      if (!host || !word) throw new Error('no facts');
      await runs.put(run(1, [host]));
      await runs.put(run(2, [host, word]));
      await runs.put(run(3, [word]));
      expect(await numbers(runs, { facts: [host] })).toEqual([2, 1]);
      expect(await numbers(runs, { facts: [host, word] })).toEqual([2]);
      expect(await numbers(runs, { facts: [host, word], until: 2 })).toEqual([]);
    });

    test('pages through runs of the same moment without a gap, also when others come in meanwhile', async () => {
      const runs = await make();
      for (let number = 1; number <= 5; number += 1) await runs.put(run(number, [], 7));
      const first = await runs.list({ ...ALL, most: 2 });
      await runs.put(run(9, [], 8));
      const second = await runs.list({ ...ALL, most: 2, after: first.next });
      const third = await runs.list({ ...ALL, most: 2, after: second.next });
      const found = [first, second, third].flatMap(({ rows }) => rows.map(({ runId }) => runId));
      expect(found).toEqual([5, 4, 3, 2, 1].map(idOf));
      expect(third.next).toBeNull();
    });

    test('has no next page when the runs fill the last one exactly', async () => {
      const runs = await make();
      for (const number of [1, 2]) await runs.put(run(number));
      expect((await runs.list({ ...ALL, most: 2 })).next).toBeNull();
    });

    test('refuses a place that no page has named', async () => {
      await expect((await make()).list({ ...ALL, after: "1' OR 1=1" })).rejects.toThrow(TypeError);
    });

    test('counts the runs of a fact, up to a number', async () => {
      const runs = await make();
      const fact: Fact = { kind: 'reason', value: 'malicious' };
      for (const number of [1, 2, 3]) await runs.put(run(number, [fact]));
      await runs.put(run(4));
      expect(await runs.count(fact, 10)).toBe(3);
      expect(await runs.count(fact, 2)).toBe(2);
      expect(await runs.count({ ...fact, value: 'suspicious' }, 2)).toBe(0);
    });

    test('counts those that came in at a time or later', async () => {
      const runs = await make();
      const fact: Fact = { kind: 'reason', value: 'malicious' };
      for (const number of [1, 2, 3]) await runs.put(run(number, [fact]));
      const { bornAt } = (await runs.list({ ...ALL, most: 3 })).rows[1] ?? { bornAt: 0 };
      expect(await runs.count(fact, 10, bornAt)).toBe(2);
      expect(await runs.count(fact, 1, bornAt)).toBe(1);
      expect(await runs.count(fact, 10, bornAt + 1)).toBe(1);
      expect(await runs.count(fact, 10, null)).toBe(3);
    });

    test('forgets a run with its facts', async () => {
      const runs = await make();
      const fact: Fact = { kind: 'hash', value: 'a' };
      await runs.put(run(1, [fact]));
      await runs.remove(idOf(1));
      await runs.remove(idOf(2));
      expect(await numbers(runs, { facts: [fact] })).toEqual([]);
      expect(await runs.get(idOf(1))).toBeNull();
    });

    test('counts how often mail was held at a time or later, by the reasons of each time', async () => {
      const runs = await make();
      const put = async (number: number, holds: readonly Hold[], attempt = 1) => {
        const { row, facts } = run(number);
        await runs.put({ row: { ...row, attempt, holds }, facts });
      };
      const hour = 3_600_000;
      await put(1, [
        { at: hour - 1, reasons: ['malicious'] },
        { at: hour, reasons: ['timeout', 'blocked'] },
      ]);
      await put(2, [{ at: hour + 9, reasons: ['blocked', 'timeout'] }]);
      await put(3, [{ at: 5 * hour, reasons: [] }]);
      await put(4, [{ at: 5 * hour + 1, reasons: ['malicious'] }]);
      await put(5, []);
      await runs.put(run(6));
      const counted = async (...sinces: number[]) =>
        (await runs.holds(sinces)).map(({ reasons, holds }) => `${[...reasons].sort()}: ${holds}`).sort();
      expect(await counted(hour - 1, hour, hour + 1, 5 * hour, 5 * hour + 2)).toEqual([
        ': 1,1,1,1,0',
        'blocked,timeout: 2,2,1,0,0',
        'malicious: 2,1,1,1,0',
      ]);
      expect(await counted(6 * hour)).toEqual([]);
      // What is told of a run takes the place of what was told before; that of an earlier attempt changes nothing.
      const early: Hold = { at: hour - 1, reasons: ['malicious'] };
      await put(1, [early, { at: 7 * hour, reasons: ['malicious'] }], 2);
      await put(1, [{ at: hour, reasons: ['unknown'] }]);
      await runs.remove(idOf(3));
      expect(await counted(0, hour)).toEqual(['blocked,timeout: 1,1', 'malicious: 3,2']);
    });

    test('tallies whole hours and the rest of one, of runs as they are now', async () => {
      const runs = await make();
      const hour = 3_600_000;
      const fact = (value: RunState): Fact => ({ kind: 'state', value });
      const put = (number: number, bornAt: number, state: RunState, attempt = 1) => {
        const { row, facts } = run(number, [fact(state), { kind: 'reason', value: 'blocked' }], bornAt, state);
        return runs.put({ row: { ...row, attempt }, facts });
      };
      const born = [hour - 1, hour, 2 * hour - 1, 2 * hour, 3 * hour, 4 * hour + 5, 4 * hour + 6];
      for (const [number, at] of born.entries()) await put(number, at, 'quarantined');
      // One of them is released, one comes in at another time, and one is forgotten.
      await put(1, hour, 'delivered', 2);
      await put(3, 3 * hour + 9, 'quarantined', 2);
      await runs.remove(idOf(4));
      const tally = async (value: Fact, since: number, until: number, slotMs: number) =>
        (await runs.tally(value, { since, until, slotMs })).map(({ at, runs: count }) => `${at / hour}: ${count}`);
      const held = fact('quarantined');
      expect(await tally(held, hour, 4 * hour + 6, hour)).toEqual(['1: 1', '3: 1', '4: 1']);
      expect(await tally(held, 0, 4 * hour, 2 * hour)).toEqual(['0: 2', '2: 1']);
      expect(await tally(held, hour, 4 * hour + 6, 4 * hour)).toEqual(['1: 3']);
      expect(await tally(held, hour / 2, 4 * hour + 6, hour)).toEqual(['0.5: 1', '1.5: 1', '2.5: 1', '3.5: 1']);
      expect(await tally(fact('delivered'), 0, 4 * hour + 6, hour)).toEqual(['1: 1']);
      expect(await tally({ kind: 'reason', value: 'blocked' }, 0, 5 * hour, 5 * hour)).toEqual(['0: 6']);
    });

    test('tallies the runs of a fact in slots of a span, and says which came in first', async () => {
      const runs = await make();
      const held: Fact = { kind: 'state', value: 'quarantined' };
      for (const bornAt of [99, 100, 109, 110, 135, 140]) await runs.put(run(bornAt, [held], bornAt));
      await runs.put(run(1, [{ kind: 'state', value: 'delivered' }], 105));
      expect(await runs.tally(held, { since: 100, until: 140, slotMs: 10 })).toEqual([
        { at: 100, runs: 2 },
        { at: 110, runs: 1 },
        { at: 130, runs: 1 },
      ]);
      expect((await runs.oldest(held))?.bornAt).toBe(99);
      expect(await runs.oldest({ kind: 'state', value: 'running' })).toBeNull();
    });
  });
}

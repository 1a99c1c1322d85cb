/** Rounds of rechecks: what is asked, once a day and within the budget, and who is told that delivered mail is worse now. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import type { Verdict } from '../../lib/pipeline/model.ts';
import type { RunQuery } from '../../lib/pipeline/ports.ts';
import type { RecallEvent } from '../../lib/pipeline/recall-event.ts';
import { type RoundRequest, recheckRound } from '../../lib/pipeline/recheck-round.ts';
import { indexedRun } from '../../lib/pipeline/run-row.ts';
import { openSqliteRuns } from '../../lib/storage/sqlite-runs.ts';
import { createRig, emailWith } from './rig.ts';

const DAY = '2026-11-20';
const mailOf = (subject: string, text = `notes of ${subject}`) =>
  emailWith({ subject, text: '', files: [{ name: 'notes.txt', bytes: text }] });

async function opened(mails: readonly string[]) {
  const worse = new Map<string, Verdict>();
  const rig = createRig({
    script: {
      polls: 0,
      answer: (request) => {
        if (request.kind === 'cdr' || !('bytes' in request)) return {};
        const verdict = worse.get(Buffer.from(request.bytes).toString());
        return verdict === undefined ? {} : { verdict, reasons: ['seen today'] };
      },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'airlock-recheck-'));
  const index = openSqliteRuns(join(folder, 'runs.sqlite'));
  onTestFinished(() => {
    index.close();
    rmSync(folder, { recursive: true });
  });
  const ids: string[] = [];
  for (const [at, mail] of mails.entries()) {
    rig.advance(1_000);
    const { runId } = await rig.scan(mail, `${at}.eml`);
    await index.put(indexedRun(await rig.ledger(runId)));
    ids.push(runId);
  }
  const told: RecallEvent[] = [];
  let isOver = () => false;
  const round = (request: Partial<RoundRequest> = {}) =>
    recheckRound(
      {
        ...rig.ctx,
        runs: { list: (query: RunQuery) => index.list(query) },
        tellRecalled: async (event) => void told.push(event),
        pause: async (seconds) => rig.advance(seconds * 1000),
        patienceSeconds: 60,
        isOver: () => isOver(),
      },
      { day: DAY, since: 0, after: null, budget: 100, ...request },
    );
  const asked = () => rig.analyzer.requests.length;
  const endsAtOnce = () => {
    isOver = () => true;
  };
  return { rig, ids, worse, told, round, asked, endsAtOnce };
}

const total = ({ same, worse, unanswered }: Awaited<ReturnType<typeof recheckRound>>['counts']) =>
  same + worse + unanswered;

test('each delivered file is asked about once a day, and again on the next', async () => {
  const { round, asked } = await opened([mailOf('A'), mailOf('B'), mailOf('C', 'notes of A')]);
  const first = await round();
  const before = asked();
  expect([total(first.counts) > 1, first.counts.worse, first.next]).toEqual([true, 0, null]);
  expect(total((await round()).counts)).toBe(0);
  expect(asked()).toBe(before);
  expect(total((await round({ day: '2026-11-21' })).counts)).toBe(total(first.counts));
});

describe('a file that is worse now', () => {
  test('is noted, and each mail that delivered it is told of once', async () => {
    const { rig, ids, worse, told, round } = await opened([mailOf('A', 'one'), mailOf('B', 'one'), mailOf('C', 'two')]);
    worse.set('one', 'malicious');
    const { counts, worse: found } = await round();
    expect([counts.worse, counts.recalled, found.map(({ sha256 }) => sha256)]).toEqual([1, 2, [sha256Hex('one')]]);
    expect(told.map(({ runId }) => runId).sort()).toEqual(ids.slice(0, 2).sort());
    expect(told[0]).toMatchObject({
      before: 'benign',
      after: 'malicious',
      delivered: 'keep',
      untrustedReasons: ['seen today'],
    });
    expect(await rig.blobs.has('work', keys.worse(sha256Hex('one')))).toBe(true);
    expect((await round({ day: '2026-11-21' })).counts).toMatchObject({ worse: 1, recalled: 0 });
    expect(told).toHaveLength(2);
  });

  test('is told of again when nobody took the event', async () => {
    const { rig, worse, told, round } = await opened([mailOf('A', 'one')]);
    worse.set('one', 'suspicious');
    const put = rig.blobs.put;
    rig.blobs.put = async (bucket, key, ...rest) => {
      if (key.startsWith('recalled/')) throw new Error('the store is away');
      return put(bucket, key, ...rest);
    };
    await expect(round()).rejects.toThrow('the store is away');
    rig.blobs.put = put;
    expect((await round()).counts.recalled).toBe(1);
    expect(told).toHaveLength(2);
  });
});

test('the budget is that of all rounds together, and the newest mail comes first', async () => {
  const mails = Array.from({ length: 40 }, (_, at) => mailOf(`Mail ${at}`));
  const { rig, ids, round, endsAtOnce } = await opened(mails);
  endsAtOnce();
  const first = await round({ budget: 30 });
  expect(first.next).toMatchObject({ day: DAY, budget: 30 - total(first.counts) });
  let [count, next] = [total(first.counts), first.next];
  while (next !== null) {
    const { counts, next: following } = await round(next);
    count += total(counts);
    next = following;
  }
  expect(count).toBe(30);
  const isAsked = (at: number) => rig.blobs.has('work', keys.rechecked(DAY, sha256Hex(`notes of Mail ${at}`)));
  expect([await isAsked(39), await isAsked(0), ids.length]).toEqual([true, false, 40]);
});

/** What every adapter of the Submissions port does, whatever is behind it. */
import { describe, expect, test } from 'vitest';
import type { Report } from '../../lib/pipeline/model.ts';
import type { SubmissionRecord, Submissions } from '../../lib/pipeline/ports.ts';

/** Seconds, in the year 2096: DynamoDB of the twin deletes by its own clock what has expired. */
const NOW = 4_000_000_000;
const KEY = `0123456789abcdef:static:${'ab'.repeat(32)}`;

const REPORT: Report = {
  verdict: 'suspicious',
  score: 40,
  reasons: ['a macro that starts with the document'],
  failure: { class: 'unsupported', detail: 'no environment can run this' },
  removed: ['macro'],
  sanitized: [],
  readAs: 'office',
  hasDisarmedFile: true,
};

function claimOf(claimedBy: string, fields: Partial<SubmissionRecord> = {}): SubmissionRecord {
  const expiresAtSeconds = NOW + 60;
  return { key: KEY, claimedBy, submissionId: null, report: null, disarmed: null, expiresAtSeconds, ...fields };
}

/** Runs the suite over an adapter. `make` gives a store of its own, empty, for each test. */
export function describeSubmissions(name: string, make: () => Submissions | Promise<Submissions>): void {
  describe(`${name} as Submissions`, () => {
    test('gives a free key to whoever claims it first', async () => {
      const submissions = await make();
      expect(await submissions.claim(claimOf('run-a'), NOW)).toEqual({ record: claimOf('run-a'), won: true });
      expect(await submissions.claim(claimOf('run-b'), NOW)).toEqual({ record: claimOf('run-a'), won: false });
    });

    test('lets exactly one of many simultaneous claims win, and tells the others who did', async () => {
      const submissions = await make();
      const claims = Array.from({ length: 8 }, (_, index) => submissions.claim(claimOf(`run-${index}`), NOW));
      const results = await Promise.all(claims);
      expect(results.filter(({ won }) => won)).toHaveLength(1);
      expect(new Set(results.map(({ record }) => record.claimedBy)).size).toBe(1);
    });

    test('tells a run that claims again that it holds the key already', async () => {
      const submissions = await make();
      await submissions.claim(claimOf('run-a', { expiresAtSeconds: NOW + 10 }), NOW);
      const again = await submissions.claim(claimOf('run-a'), NOW + 1);
      expect(again).toEqual({ record: claimOf('run-a', { expiresAtSeconds: NOW + 10 }), won: false });
    });

    test('frees a key at the very second its record expires, whether or not the store has deleted it', async () => {
      const submissions = await make();
      await submissions.claim(claimOf('run-a'), NOW);
      expect((await submissions.claim(claimOf('run-b'), NOW + 59)).won).toBe(false);
      const late = claimOf('run-b', { expiresAtSeconds: NOW + 120 });
      expect(await submissions.claim(late, NOW + 60)).toEqual({ record: late, won: true });
    });

    test('finds an unexpired record whole, and nothing for a key nobody claimed', async () => {
      const submissions = await make();
      const disarmed = { sha256: 'cd'.repeat(32), size: 17 };
      const full = claimOf('run-a', { submissionId: 'submission-1', report: REPORT, disarmed });
      await submissions.claim(full, NOW);
      expect(await submissions.find(KEY, NOW + 59)).toEqual(full);
      expect(await submissions.find(KEY, NOW + 60)).toBeNull();
      expect(await submissions.find(`${KEY}0`, NOW)).toBeNull();
    });

    test('lets the holder replace its record', async () => {
      const submissions = await make();
      await submissions.claim(claimOf('run-a'), NOW);
      const known = claimOf('run-a', { submissionId: 'submission-1', report: REPORT, expiresAtSeconds: NOW + 900 });
      expect(await submissions.update(known)).toBe(true);
      expect(await submissions.find(KEY, NOW + 899)).toEqual(known);
    });

    test('refuses an update by a run that has lost the key', async () => {
      const submissions = await make();
      await submissions.claim(claimOf('run-a'), NOW);
      const taken = claimOf('run-b', { expiresAtSeconds: NOW + 200 });
      await submissions.claim(taken, NOW + 100);
      expect(await submissions.update(claimOf('run-a', { submissionId: 'late', report: REPORT }))).toBe(false);
      expect(await submissions.find(KEY, NOW + 100)).toEqual(taken);
    });

    test('refuses an update of a key that nobody claimed, and makes none', async () => {
      const submissions = await make();
      expect(await submissions.update(claimOf('run-a'))).toBe(false);
      expect(await submissions.find(KEY, NOW)).toBeNull();
    });

    test('gives up a claim, so that another run can make it at once', async () => {
      const submissions = await make();
      await submissions.claim(claimOf('run-a'), NOW);
      await submissions.release(KEY, 'run-a');
      expect((await submissions.claim(claimOf('run-b'), NOW)).won).toBe(true);
    });

    test('gives up nothing that another run holds, or that is not there', async () => {
      const submissions = await make();
      await submissions.claim(claimOf('run-a'), NOW);
      await submissions.release(KEY, 'run-b');
      await submissions.release(`${KEY}0`, 'run-b');
      expect((await submissions.find(KEY, NOW))?.claimedBy).toBe('run-a');
    });

    test('keeps keys apart', async () => {
      const submissions = await make();
      const other = claimOf('run-b', { key: KEY.replace('static', 'cdr') });
      await submissions.claim(claimOf('run-a'), NOW);
      expect((await submissions.claim(other, NOW)).won).toBe(true);
      expect((await submissions.find(KEY, NOW))?.claimedBy).toBe('run-a');
    });
  });
}

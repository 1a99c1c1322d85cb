/** `airlock runs overview`: the figures of the desk on the command line. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRuns } from '../../lib/local/session/run-index.ts';
import type { RunRow } from '../../lib/pipeline/runs/row.ts';
import { airlock } from './console.ts';

const HELD: RunRow = {
  runId: 'ab'.repeat(16),
  reference: '11-2222',
  attempt: 1,
  state: 'quarantined',
  reasons: ['run_failed', 'malicious'],
  bornAt: 0,
  endedAt: 1,
  from: '',
  to: '',
  subject: '',
  messageId: '',
  size: 1,
  parts: { keep: 0, disarm: 0, remove: 1 },
  stages: { parse: 70, quarantine: 3 },
};

async function folderWith(rows: readonly RunRow[]): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'airlock-overview-'));
  onTestFinished(() => rmSync(out, { recursive: true }));
  mkdirSync(join(out, 'work', 'runs'), { recursive: true });
  const runs = await openRuns(out);
  for (const row of rows) {
    const reasons = row.reasons.map((value) => ({ kind: 'reason', value }) as const);
    await runs.put({ row, facts: [{ kind: 'state', value: row.state }, ...reasons] });
  }
  runs.close();
  return out;
}

const ago = (days: number): Partial<RunRow> => ({ bornAt: Date.now() - days * 86_400_000 });

test('prints what the desk shows, as lines and as JSON', async () => {
  const out = await folderWith([
    { ...HELD, ...ago(0), holds: [{ at: Date.now() - 1_000, reasons: ['malicious'] }] },
    {
      ...{ ...HELD, ...ago(5), runId: 'cd'.repeat(16), state: 'running', endedAt: null, reasons: [] },
      holds: [{ at: Date.now() - 5 * 86_400_000, reasons: ['timeout'] }],
    },
  ]);
  const { code, stdout } = await airlock(['runs', 'overview', '--out', out]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/mails +running 0, delivered 0, quarantined 1, deleted 0/);
  expect(stdout).toMatch(/failures +run_failed 1\n/);
  expect(stdout).toMatch(/held +1 in the last hour, 1 in 24 hours, 2 in 7 days, 2 in 30 days, whatever became of it/);
  expect(stdout).toContain('timeout: 0 in the last hour, 0 in 24 hours, 1 in 7 days, 1 in 30 days');
  expect(stdout).toContain('analyses  0 sent, 0 known or shared, 0 not asked for want of budget');
  expect(stdout).toMatch(/cost +0\.0000 US dollars on AWS/);
  expect(stdout).toMatch(/parse +p50 70 ms, p95 70 ms/);
  expect(stdout).toContain(`not ended 11-2222  ${'cd'.repeat(16)}`);
  const json = JSON.parse((await airlock(['runs', 'overview', '--out', out, '--days', '7', '--json'])).stdout);
  expect(json).toMatchObject({ days: 7, slotHours: 6, states: { running: 1, quarantined: 1 }, measuredRuns: 1 });
  expect(json.timesHeld.all).toEqual({ hour: 1, day: 1, week: 2, days30: 2 });
  expect(json.slots).toHaveLength(28);
});

test('says when runs are missing from the index, and which spans there are', async () => {
  const out = await folderWith([]);
  writeFileSync(join(out, 'index', 'incomplete'), '');
  expect((await airlock(['runs', 'overview', '--out', out])).stderr).toContain('airlock index rebuild');
  const { code, stderr } = await airlock(['runs', 'overview', '--out', out, '--days', '2']);
  expect([code, stderr.includes('1, 7, 30')]).toEqual([2, true]);
});

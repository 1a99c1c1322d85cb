/** What old runs left is removed; nothing of a message in the spool or in quarantine is. */
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeFiles } from '../../lib/gateway/files.ts';
import { removeOld } from '../../lib/gateway/retention.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'airlock-retention-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const run = (digit: string) => digit.repeat(32);
const [OLD, NEW, QUEUED, HELD] = [run('1'), run('2'), run('3'), run('4')];
const DAY_SECONDS = 86_400;

async function make(path: string, ageDays: number): Promise<void> {
  await mkdir(join(root, path), { recursive: true });
  await writeFile(join(root, path, 'file'), 'x');
  const time = Date.now() / 1000 - ageDays * DAY_SECONDS;
  await utimes(join(root, path), time, time);
}

test('removes by age, and forgets the run of each ledger', async () => {
  for (const runId of [OLD, QUEUED, HELD]) await make(`work/runs/${runId}`, 4);
  await make(`work/runs/${NEW}`, 1);
  await make(`clean/${OLD}`, 4);
  await make(`quarantine/${HELD}`, 4);
  await make('work/artifacts/a', 4);
  await make('work/artifacts/b', 1);
  await make('secrets/loop', 400);
  const forgotten: string[] = [];
  const forget = async (runId: string) => void forgotten.push(runId);
  const before = Date.now() - 3 * DAY_SECONDS * 1000;
  expect(await removeOld({ files: nodeFiles(root), before, runs: new Set([QUEUED]), forget })).toBe(3);
  expect([...new Set(forgotten)]).toEqual([OLD]);
  expect(await readdir(join(root, 'work/runs'))).toEqual([NEW, QUEUED, HELD]);
  expect(await readdir(join(root, 'work/artifacts'))).toEqual(['b']);
  expect([await readdir(join(root, 'clean')), await readdir(join(root, 'quarantine'))]).toEqual([[], [HELD]]);
});

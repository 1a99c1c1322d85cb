/** An index that gathers writes runs together, and a kill loses none of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { gatherRuns } from '../../lib/local/session/gathered-runs.ts';
import { ledgerIfAny, storesOf } from '../../lib/local/session/run-context.ts';
import { isIncomplete, openRunIndex, openRuns, type RunIndex } from '../../lib/local/session/run-index.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { indexedRunOf } from '../../lib/pipeline/runs/indexed-run.ts';
import type { IndexedRun } from '../../lib/pipeline/runs/row.ts';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';

const ALL = { facts: [], since: null, until: null, after: null, most: 10 };

let out: string;
let ledgers: Ledger[];
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'airlock-run-index-'));
  const mails = ['one', 'two'].map((subject) => join(out, `${subject}.eml`));
  for (const mail of mails) await writeFile(mail, emailWith({ subject: mail }));
  await airlock(['scan', '--out', out, ...mails]);
  ledgers = [];
  for (const name of await readdir(join(out, 'work', 'runs')))
    ledgers.push((await ledgerIfAny(storesOf(out), name)) as Ledger);
});
afterAll(() => rm(out, { recursive: true }));

let index: RunIndex;
beforeEach(async () => {
  index = openRunIndex(out, true);
  for (const { runId } of ledgers) await index.forget(runId);
});
afterEach(async () => {
  await index.close();
  expect(isIncomplete(out)).toBe(false);
});

/** What another process finds. */
async function found(): Promise<string[]> {
  const runs = await openRuns(out);
  try {
    return (await runs.list(ALL)).rows.map(({ runId }) => runId).sort();
  } finally {
    runs.close();
  }
}

const ids = () => ledgers.map(({ runId }) => runId).sort();

test('runs that end together are written together, and all of them before a search', async () => {
  for (const ledger of ledgers) await index.note(ledger);
  expect(await found()).toEqual([]);
  expect((await index.list(ALL)).rows).toHaveLength(2);
  expect(await found()).toEqual(ids());
});

test('they are written a moment later, and when the index is closed', async () => {
  const [first, second] = ledgers as [Ledger, Ledger];
  await index.note(first);
  await index.written();
  expect(await found()).toEqual([first.runId]);
  await index.note(second);
  await index.close();
  expect(await found()).toEqual(ids());
  expect(await readdir(join(out, 'index', 'unwritten'))).toEqual([]);
});

test('a run that is forgotten before it was written is not written', async () => {
  const [first, second] = ledgers as [Ledger, Ledger];
  await index.note(first);
  await index.note(second);
  await index.forget(first.runId);
  expect((await index.list(ALL)).rows.map(({ runId }) => runId)).toEqual([second.runId]);
});

test('a run that ends while others are written stays in the journal', async () => {
  const [first, second] = await Promise.all(ledgers.map((ledger) => indexedRunOf(storesOf(out), ledger)));
  if (first === undefined || second === undefined) throw new Error('there are not two runs');
  const written: string[][] = [];
  const putAll = async (runs: readonly IndexedRun[]) => {
    written.push(runs.map(({ row }) => row.runId));
    if (written.length === 1) gathered.add(second);
  };
  const gathered = gatherRuns(out, { putAll }, () => {
    throw new Error('the rows were not written');
  });
  const journal = async () => {
    const folder = join(out, 'index', 'unwritten');
    const names = (await readdir(folder)).filter((name) => !name.includes('.'));
    return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('');
  };
  gathered.add(first);
  await gathered.flush();
  expect(await journal()).toContain(second.row.runId);
  await gathered.flush();
  expect(await journal()).toBe('');
  expect(written).toEqual([[first.row.runId], [second.row.runId]]);
  await gathered.close();
});

test('what a killed process had not written is written by the next that opens the index, and not before', async () => {
  const module = (name: string) => JSON.stringify(new URL(`../../lib/local/session/${name}`, import.meta.url).href);
  const script = `
    const { openRunIndex } = await import(${module('run-index.ts')});
    const { ledgerIfAny, storesOf } = await import(${module('run-context.ts')});
    const index = openRunIndex(${JSON.stringify(out)}, true);
    for (const id of ${JSON.stringify(ids())}) await index.note(await ledgerIfAny(storesOf(${JSON.stringify(out)}), id));
    (await import('node:fs')).writeSync(1, 'noted');
    // Its timer never comes.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  await once(child.stdout, 'data');
  expect(await found()).toEqual([]);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  expect(await found()).toEqual(ids());
  expect(await readdir(join(out, 'index', 'unwritten'))).toEqual([]);
});

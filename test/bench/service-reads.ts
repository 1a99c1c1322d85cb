/** Reading from a service that has a hundred thousand submissions: one by its id, and lists by every filter. */
import { join } from 'node:path';
import { Pool } from 'undici';
import { withScratch } from './baselines.ts';
import { type Figure, type Measured, ms, type Part, type Progress, quantity } from './figure.ts';
import { BENCH_HEADERS, bareProcess, serveProcess } from './service-process.ts';
import { FIRST_MS, hashesOf, STEP_MS, STORED, seed } from './service-seed.ts';
import { percentile } from './statistics.ts';

const CONNECTIONS = 32;
const MEASURE_MS = 8_000;
const LIST_REPETITIONS = 40;
const GET_P99_MS = 10;
const LIST_P50_MS = 15;

const day = (number: number) => new Date(FIRST_MS + number * STEP_MS).toISOString().slice(0, 10);

/** Every filter by itself, in a broad and a narrow form where there are both, and all of them together. */
const FILTERS: readonly (readonly [string, string])[] = [
  ['no filter', ''],
  ['page', 'page=700&limit=100'],
  ['level', 'level=malicious'],
  ['level (two)', 'level=malicious,suspicious'],
  ['type', 'type=url'],
  ['sha256', `sha256=${hashesOf(4_243).sha256}`],
  ['sha256 (first digits)', `sha256=${hashesOf(4_243).sha256.slice(0, 2)}`],
  ['filename (rare)', 'filename=invoice+4245'],
  ['filename (common)', 'filename=invoice'],
  ['filename (two letters)', 'filename=cv'],
  ['startDate', `startDate=${day(STORED / 2)}`],
  ['endDate', `endDate=${day(STORED / 2)}`],
  ['private', 'private=true'],
  ['tags', 'tags=office-macro'],
  ['tags (three)', 'tags=office-macro&tags=docx&tags=pdf'],
  ['all at once', `level=malicious&type=file&filename=cv&private=false&startDate=${day(STORED / 4)}&tags=xlsx,docx`],
];

export const serviceReads: Part = {
  name: 'service-reads',
  title: `The service with ${STORED} submissions: reading one, and listing by each filter`,
  measure: (progress) =>
    withScratch(async (folder) => {
      const data = join(folder, 'data');
      const ids = await seed(data, progress);
      const service = await serveProcess(data);
      const pool = new Pool(service.url, { connections: CONNECTIONS, pipelining: 1 });
      try {
        return await measureOver(pool, ids, progress);
      } finally {
        await pool.close();
        await service.stop();
      }
    }),
};

async function textOf(pool: Pool, path: string): Promise<string> {
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers: BENCH_HEADERS });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`);
  return text;
}

async function read(pool: Pool, path: string): Promise<number> {
  const started = performance.now();
  await textOf(pool, path);
  return performance.now() - started;
}

/** What the machine and this process take for themselves. */
async function bareTimes(text: string, perSecond: number): Promise<number[]> {
  const bare = await bareProcess(text);
  const pool = new Pool(bare.url, { connections: CONNECTIONS, pipelining: 1 });
  try {
    await underLoad(pool, () => '/', 1_000);
    return await atRate(pool, () => '/', perSecond, MEASURE_MS);
  } finally {
    await pool.close();
    await bare.stop();
  }
}

async function measureOver(pool: Pool, ids: readonly string[], progress: Progress): Promise<Measured> {
  const any = () => `/submissions/${ids[Math.floor(Math.random() * ids.length)]}`;
  progress('warm up');
  await underLoad(pool, any, 2_000);
  progress('GET by id, as fast as possible');
  const full = await underLoad(pool, any, MEASURE_MS);
  const perSecond = full.length / (MEASURE_MS / 1_000);
  progress(`GET by id, at half of ${perSecond.toFixed(0)} requests per second`);
  const half = await atRate(pool, any, perSecond / 2, MEASURE_MS);
  progress('a bare web server, at the same rate');
  const bare = await bareTimes(await textOf(pool, any()), perSecond / 2);
  const against = (value: number) => [{ name: 'a bare web server at the same rate', value }];
  const half50 = { measured: ms(percentile(half, 0.5)), baselines: against(percentile(bare, 0.5)) };
  const half99 = { measured: ms(percentile(half, 0.99)), baselines: against(percentile(bare, 0.99)) };
  const figures: Figure[] = [
    { name: 'GET by id, as fast as possible', measured: quantity(perSecond, '/s'), atMost: null, baselines: [] },
    { name: 'GET by id, p50 at half load', ...half50, atMost: null },
    { name: 'GET by id, p99 at half load', ...half99, atMost: GET_P99_MS },
  ];
  const first: [string, ReturnType<typeof ms>][] = [];
  for (const [name, query] of FILTERS) {
    progress(`list by ${name}`);
    const path = `/submissions?${query}`;
    first.push([name, ms(await read(pool, path))]);
    const times: number[] = [];
    for (let n = 0; n < LIST_REPETITIONS; n += 1) times.push(await read(pool, path));
    figures.push({
      name: `list by ${name}, p50`,
      measured: ms(percentile(times, 0.5)),
      atMost: LIST_P50_MS,
      baselines: [],
    });
  }
  const tables = [
    { title: 'The first time a filter is used, its total is counted', columns: ['filter', 'time'], rows: first },
  ];
  const notes = ['the service runs in a process of its own, the load comes from this one, and both share the cores'];
  return { figures, tables, notes };
}

/** Each connection sends its next request when it has its answer. */
async function underLoad(pool: Pool, path: () => string, forMs: number): Promise<number[]> {
  const end = performance.now() + forMs;
  const times: number[] = [];
  const sender = async () => {
    while (performance.now() < end) times.push(await read(pool, path()));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sender));
  return times;
}

/** Requests start when their time has come, whatever became of those before: a slow answer delays nobody else's clock. */
async function atRate(pool: Pool, path: () => string, perSecond: number, forMs: number): Promise<number[]> {
  const started = performance.now();
  const under: Promise<number>[] = [];
  const total = Math.floor((perSecond * forMs) / 1_000);
  while (under.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1_000) * perSecond));
    while (under.length < due) under.push(read(pool, path()));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return await Promise.all(under);
}

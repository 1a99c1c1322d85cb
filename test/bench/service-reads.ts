/** Reading from a service that has a hundred thousand submissions: one by its id, and lists by every filter. */
import { join } from 'node:path';
import { Pool } from 'undici';
import { withScratch } from './baselines.ts';
import { type Figure, type Measured, ms, type Part, type Progress } from './figure.ts';
import { measureById } from './service-by-id.ts';
import { BENCH_HEADERS, serveProcess } from './service-process.ts';
import { FIRST_MS, hashesOf, STEP_MS, STORED, seed } from './service-seed.ts';
import { percentile } from './statistics.ts';

const LIST_REPETITIONS = 40;
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
      const service = await serveProcess(data, { pinned: true });
      const pool = new Pool(service.url);
      try {
        const byId = await measureById(service.url, ids, folder, progress);
        const lists = await measureLists(pool, progress);
        return {
          figures: [...byId.figures, ...lists.figures],
          tables: [...byId.tables, ...lists.tables],
          notes: [...byId.notes, ...lists.notes],
        };
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

async function measureLists(pool: Pool, progress: Progress): Promise<Measured> {
  const figures: Figure[] = [];
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
  return { figures, tables, notes: [] };
}

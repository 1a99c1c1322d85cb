/** How long a page of the index takes when a million runs are in it. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import type { RunQuery } from '../../lib/pipeline/ports.ts';
import { overviewOf } from '../../lib/pipeline/runs/overview.ts';
import type { Fact, FactKind } from '../../lib/pipeline/runs/row.ts';
import { timesHeld } from '../../lib/pipeline/runs/times-held.ts';
import { openSqliteRuns, type SqliteRuns } from '../../lib/storage/sqlite/runs.ts';
import { referenceOf } from '../../lib/words/reference.ts';
import { count, type Figure, ms, type Part } from './figure.ts';
import { firstPageFigures } from './runs-desk.ts';
import { BORN, fact, fillIndex } from './runs-made-up.ts';
import { median, percentile, timed } from './statistics.ts';

const RUNS = 1_000_000;
const TIMES = 40;
const PAGE = 50;
const PAGE_TARGET_MS = 30;
const HASH_TARGET_MS = 5;
const OVERVIEW_TARGET_MS = 300;

export const runs: Part = {
  name: 'runs',
  title: 'A page of the index of 1,000,000 made-up runs, in SQLite',
  async measure(progress) {
    const folder = await mkdtemp(join(tmpdir(), 'airlock-bench-runs-'));
    const path = join(folder, 'index', 'runs.sqlite');
    await mkdir(dirname(path));
    openSqliteRuns(path).close();
    fillIndex(path, RUNS, progress);
    const index = openSqliteRuns(path);
    try {
      const pages = await figures(index);
      progress('a desk is started over them');
      return { figures: [...pages, ...(await firstPageFigures(folder, PAGE))], tables: [], notes: NOTES };
    } finally {
      index.close();
      await rm(folder, { recursive: true });
    }
  },
};

const NOTES = [
  `Each figure: ${TIMES} pages of ${PAGE} rows, p50. A page of several filters looks 2,500 runs of the rarest up, or reads 15,000 of each side by side, and then ends with the place to go on.`,
];

interface Asked {
  readonly facts: readonly Fact[];
  readonly since?: number;
  readonly until?: number;
  /** Rows on the page; null when that is not the matter. @default a whole page */
  readonly rows?: number | null;
  readonly atMost?: number;
}

const DAY_MS = 86_400_000;
/** Two days in the middle of the time in which the runs came in. */
const DAYS = { since: BORN + 5 * DAY_MS, until: BORN + 7 * DAY_MS };

/** Every filter that there is. A kind of fact without a figure does not compile. */
const BY_ONE: Readonly<Record<FactKind, Asked>> = {
  reference: { facts: [fact('reference', referenceOf(sha256Hex('run 500000').slice(0, 32)))], rows: null },
  state: { facts: [fact('state', 'quarantined')] },
  reason: { facts: [fact('reason', 'malicious')] },
  sender: { facts: [fact('sender', 'user77@sender.example')] },
  recipient: { facts: [fact('recipient', 'user77@corp.example')] },
  address: { facts: [fact('address', 'user77@corp.example')] },
  domain: { facts: [fact('domain', 'corp.example')] },
  word: { facts: [fact('word', 'invoice')] },
  'message-id': { facts: [fact('message-id', '500000@sender.example')], rows: 1 },
  hash: { facts: [fact('hash', sha256Hex('file 500000'))], rows: 1, atMost: HASH_TARGET_MS },
  host: { facts: [fact('host', 'www77.example')] },
  url: { facts: [fact('url', sha256Hex('link 77'))] },
};

const QUESTIONS: Readonly<Record<string, Asked>> = {
  'a page of everything': { facts: [] },
  ...Object.fromEntries(Object.entries(BY_ONE).map(([kind, asked]) => [`a page by ${kind}`, asked])),
  'a page since a day': { facts: [], since: DAYS.since },
  'a page until a day': { facts: [], until: DAYS.until },
  'a page between two days': { facts: [], ...DAYS },
  'a page by state between two days': { facts: [fact('state', 'quarantined')], ...DAYS },
  'a page by state and sender': {
    facts: [fact('state', 'quarantined'), fact('sender', 'user78@sender.example')],
    rows: null,
  },
  'a page by two frequent facts that never occur together': {
    facts: [fact('state', 'delivered'), fact('reason', 'suspicious')],
    rows: 0,
  },
  'the search behind each mail for one that its words may open, when none is held': {
    facts: [fact('reason', 'encrypted'), fact('state', 'quarantined'), fact('address', 'user77@corp.example')],
    rows: 0,
  },
};

async function figures(index: SqliteRuns): Promise<Figure[]> {
  const all: Figure[] = [];
  for (const [name, asked] of Object.entries(QUESTIONS)) {
    const { rows = PAGE, atMost = PAGE_TARGET_MS } = asked;
    const found = (await index.list(queryOf(asked))).rows.length;
    if (rows !== null && found !== rows) throw new Error(`${name}: ${found} rows, not ${rows}`);
    const times: number[] = [];
    for (let time = 0; time < TIMES; time += 1) times.push(await timed(() => index.list(queryOf(asked))));
    const slow = { name: 'p95', value: percentile(times, 0.95) };
    all.push({ name, measured: ms(median(times)), atMost, baselines: [slow] });
  }
  const slots: number[] = [];
  for (let time = 0; time < TIMES; time += 1) slots.push(await timed(() => overviewOf(index, 1, BORN + RUNS * 1_000)));
  const slow = { name: 'p95', value: percentile(slots, 0.95) };
  const name = 'the overview of 24 hours with 86,400 of them';
  all.push({ name, measured: ms(median(slots)), atMost: OVERVIEW_TARGET_MS, baselines: [slow] });
  const holds: number[] = [];
  for (let time = 0; time < TIMES; time += 1) holds.push(await timed(() => timesHeld(index, BORN + RUNS * 1_000)));
  const often = 'of it how often mail was held in 30 days, which was 333,334 times';
  all.push({ name: often, measured: ms(median(holds)), atMost: null, baselines: [] });
  return [...all, { name: 'runs in the index', measured: count(RUNS), atMost: null, baselines: [] }];
}

const queryOf = ({ facts, since, until }: Asked): RunQuery => {
  return { facts, since: since ?? null, until: until ?? null, after: null, most: PAGE };
};

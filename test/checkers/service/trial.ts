/** Two processes for requests and two for jobs, under load, while each of them is killed: nothing is lost, and nothing is done twice. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CDR_TOKEN_HEADER } from '../../../lib/service/contract/cdr.ts';
import { execute } from './cluster.ts';
import { problemOf, startReceiver, submit, type Target } from './load.ts';
import { newKey, type Place, type Served, serve } from './processes.ts';

export interface Trial {
  readonly problems: readonly string[];
  /** Lines for people. */
  readonly figures: readonly string[];
}

/** 100,000 submissions a day. */
const DAY_RATE = 100_000 / 86_400;
const SECONDS = 60;
/** For the highest rate: so many submissions at once. */
const BURST = 400;
const SENDERS = 16;

/** Runs everything over a new database. */
export async function trial(database: string, folder: string): Promise<Trial> {
  const place = { database, files: join(folder, 'files'), logFile: join(folder, 'service.log') };
  const token = await newKey(database);
  // Two starts of an empty database at the same time: one makes the tables, and the other waits.
  const apis = await Promise.all([serve(place, 'api'), serve(place, 'api')]);
  const workers = await Promise.all([serve(place, 'worker'), serve(place, 'worker')]);
  const target = { urls: () => apis.map(({ url }) => url), token };
  try {
    const killed = await underKills(place, target, apis, workers);
    const quotas = await quotasOf(database, target);
    const highest = await highestRate(target);
    return {
      problems: [...killed.problems, ...quotas, ...highest.problems],
      figures: [...killed.figures, ...highest.figures],
    };
  } finally {
    await Promise.all([...apis, ...workers].map((process) => process.stop()));
  }
}

async function underKills(place: Place, target: Target, apis: Served[], workers: Served[]): Promise<Trial> {
  const receiver = await startReceiver();
  const count = Math.round(DAY_RATE * SECONDS);
  const startMs = Date.now();
  const waits: number[] = [];
  const sent = Array.from({ length: count }, async (_, n) => {
    await pause((n / DAY_RATE) * 1_000);
    const fromMs = Date.now();
    const id = await submit(target, `load-${n}`, receiver.url);
    waits.push(Date.now() - fromMs);
    return id;
  });
  // A burst keeps the workers busy when they are killed.
  const burst = Array.from({ length: 60 }, (_, n) =>
    pause(9_000).then(() => submit(target, `burst-${n}`, receiver.url)),
  );
  const kills = killInTurn(place, apis, workers);
  const ids = await Promise.all([...sent, ...burst]);
  const killed = await kills;
  const found = await Promise.all(ids.map((id) => problemOf(target, id)));
  const problems = found.filter((problem) => problem !== null);
  await untilTold(receiver.told, ids);
  receiver.close();
  const untold = ids.filter((id) => !receiver.told.has(id));
  const twice = ids.filter((id) => (receiver.told.get(id) ?? 0) > 1);
  if (untold.length > 0) problems.push(`${untold.length} webhooks were not called`);
  // A webhook whose process is killed before the call is noted is called again. That is the only thing that can be twice.
  if (twice.length > killed) problems.push(`${twice.length} webhooks were called twice with ${killed} kills`);
  const [left] = await execute<{ jobs: string; rows: string; reports: string }>(
    place.database,
    `SELECT (SELECT count(*) FROM airlock_cdr.jobs) AS jobs, (SELECT count(*) FROM airlock_cdr.submissions) AS rows,
       (SELECT count(DISTINCT file_id) FROM airlock_cdr.submissions) AS reports`,
  );
  if (left?.jobs !== '0') problems.push(`${left?.jobs} jobs are left`);
  if (left?.rows !== left?.reports) problems.push(`${left?.rows} submissions have ${left?.reports} files`);
  waits.sort((one, other) => one - other);
  const seconds = (Date.now() - startMs) / 1_000;
  const figures = [
    `at the rate of 100,000 a day (1.16/s), with ${killed} kills   ${ids.length} sent in ${SECONDS} s, all done after ${seconds.toFixed(0)} s`,
    `  lost 0 = ${problems.length === 0}; rows beyond the answers ${Number(left?.rows) - ids.length}; webhooks called twice ${twice.length}`,
    `  time to accept   median ${waits[Math.floor(waits.length / 2)]} ms, slowest ${waits.at(-1)} ms`,
  ];
  return { problems, figures };
}

/** Kills each process once and starts another one. Resolves with the number of kills. */
async function killInTurn(place: Place, apis: Served[], workers: Served[]): Promise<number> {
  let kills = 0;
  for (const [processes, role] of [
    [workers, 'worker'],
    [apis, 'api'],
  ] as const) {
    for (const n of [0, 1]) {
      await pause(10_000);
      await processes[n]?.kill();
      kills += 1;
      processes[n] = await serve(place, role);
    }
  }
  return kills;
}

async function untilTold(told: ReadonlyMap<string, number>, ids: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 150 && !ids.every((id) => told.has(id)); tries += 1) await pause(200);
}

/** A key may submit five times a day and ask thirty times a minute: over both processes together. */
async function quotasOf(database: string, target: Target): Promise<readonly string[]> {
  const problems: string[] = [];
  const few = await newKey(database, ['--submissions-per-day', '5']);
  const statuses = await Promise.all(Array.from({ length: 20 }, (_, n) => statusOf(target, few, n, 'POST')));
  const taken = statuses.filter((status) => status === 201 || status === 200).length;
  if (taken !== 5) problems.push(`a key that may submit 5 times did ${taken} times: ${statuses.join(' ')}`);
  const slow = await newKey(database, ['--requests-per-minute', '30']);
  const answers = await Promise.all(Array.from({ length: 90 }, (_, n) => statusOf(target, slow, n, 'GET')));
  const refused = answers.filter((status) => status === 429).length;
  // The minute may end meanwhile, and then there are thirty more.
  if (refused !== 60 && refused !== 30)
    problems.push(`of 90 requests of a key that may ask 30 times, ${refused} were refused`);
  return problems;
}

async function statusOf({ urls }: Target, key: string, n: number, method: 'GET' | 'POST'): Promise<number> {
  const url = `${urls()[n % 2]}/cdr/${method === 'GET' ? 'listen/00000000-0000-4000-8000-000000000000' : 'start/upload-file'}`;
  const form = new FormData();
  form.set('file', new Blob([`page ${n}`]), `q${n}.html`);
  const body = method === 'POST' ? { body: form } : {};
  const response = await fetch(url, { method, headers: { [CDR_TOKEN_HEADER]: key }, ...body });
  await response.arrayBuffer();
  return response.status;
}

async function highestRate(target: Target): Promise<Trial> {
  const startMs = Date.now();
  let next = 0;
  const ids: string[] = [];
  const sender = async () => {
    while (next < BURST) {
      next += 1;
      ids.push(await submit(target, `fast-${next}`));
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  const takenMs = Date.now() - startMs;
  const problems = (await Promise.all(ids.map((id) => problemOf(target, id)))).filter((problem) => problem !== null);
  const doneMs = Date.now() - startMs;
  const perSecond = (ms: number) => (BURST / ms) * 1_000;
  const perDay = Math.round(perSecond(doneMs) * 86_400).toLocaleString('en');
  const figures = [
    `highest rate   ${BURST} sent: accepted ${perSecond(takenMs).toFixed(1)}/s, done ${perSecond(doneMs).toFixed(1)}/s (${perDay} a day)`,
  ];
  return { problems, figures };
}

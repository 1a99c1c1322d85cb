/**
 * The child process that sends the load of service-reads.ts, on a core of its own so that it does not take from the service what it
 * measures. Takes one LoadOrder as JSON; prints one LoadResult as JSON.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { BENCH_HEADERS } from './service-process.ts';

export interface LoadOrder {
  readonly url: string;
  /** A JSON file with the paths to ask for, at random. */
  readonly pathsFile: string;
  /** Requests per second at a constant rate; null sends as fast as answers come. */
  readonly perSecond: number | null;
  readonly forMs: number;
}

export interface LoadResult {
  readonly perSecond: number;
  /** From the time each request was meant to start to the end of its answer, in milliseconds. */
  readonly times: readonly number[];
  /** How much later than meant each request left: time that this process lost, not the service. In milliseconds, within `times`. */
  readonly lateness: readonly number[];
}

const CONNECTIONS = 32;
/** The timers of Node are a millisecond coarse and late under load: nearer than this, the next start is waited for awake. */
const AWAKE_MS = 3;

const order = JSON.parse(process.argv[2] ?? '') as LoadOrder;
const paths = JSON.parse(readFileSync(order.pathsFile, 'utf8')) as string[];
const pool = new Pool(order.url, { connections: CONNECTIONS, pipelining: 1 });
const result = order.perSecond === null ? await atFull(order.forMs) : await atRate(order.perSecond, order.forMs);
await pool.close();
process.stdout.write(JSON.stringify(result));

async function read(): Promise<void> {
  const path = paths[Math.floor(Math.random() * paths.length)] ?? '/';
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers: BENCH_HEADERS });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`);
}

/** Each connection sends its next request when it has its answer. */
async function atFull(forMs: number): Promise<LoadResult> {
  const started = performance.now();
  const times: number[] = [];
  const sender = async () => {
    for (let sent = started; sent < started + forMs; sent = performance.now()) {
      await read();
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sender));
  return { perSecond: (times.length / (performance.now() - started)) * 1_000, times, lateness: [] };
}

/** Requests start when their time has come, whatever became of those before: a slow answer delays nobody else's clock. */
async function atRate(perSecond: number, forMs: number): Promise<LoadResult> {
  const stepMs = 1_000 / perSecond;
  const total = Math.floor(forMs / stepMs);
  const times: number[] = [];
  const lateness: number[] = [];
  const measured = async (meantMs: number) => {
    lateness.push(performance.now() - meantMs);
    await read();
    times.push(performance.now() - meantMs);
  };
  const started = performance.now() + AWAKE_MS;
  const under: Promise<void>[] = [];
  while (under.length < total) {
    const nextMs = started + under.length * stepMs;
    const early = nextMs - performance.now();
    if (early <= 0) under.push(measured(nextMs));
    else if (early > AWAKE_MS) await sleep(early - AWAKE_MS);
    // Lets answers in.
    else await new Promise(setImmediate);
  }
  await Promise.all(under);
  return { perSecond, times, lateness };
}

/**
 * Lambda entry point of every engine: one job of its queue. The bytes are read in a thread without environment. This function reaches the
 * work bucket and nothing else, but for the engine of URLs where it visits them.
 */
import { existsSync } from 'node:fs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createEnginePool, type EnginePool } from '../lib/engines/threads/pool.ts';
import { OWN_VERSIONS } from '../lib/engines/threads/versions.ts';
import { optimiseWasmLater } from '../lib/formats/threads/wasm-tiering.ts';
import { versionsForVisit } from '../lib/jobs/own-versions.ts';
import { isForThese, type JobContext, runJob } from '../lib/jobs/run-job.ts';
import { DEFAULT_LIMITS } from '../lib/pipeline/limits.ts';
import { eachJob, receivesOf, workBucket } from './shared/engine-runtime.ts';
import { logger, optionalSetting, setting } from './shared/runtime.ts';

/** A function has one processor or two, and does one job at a time. */
const THREADS = 1;

/** The context without the versions, which depend on the day on which the sender of a job has asked. */
let context: Omit<JobContext, 'versions'> | null = null;

export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return await eachJob(event, async (job, record) => {
    if (job.kind !== setting('AIRLOCK_ENGINE')) throw new TypeError(`a job for ${job.kind} is in the wrong queue`);
    const versions = optionalSetting('AIRLOCK_VISITS') === null ? OWN_VERSIONS : versionsForVisit(job.versions);
    // During a deployment, the sender may be newer than this function. When the job comes again, this function is as new.
    if (!isForThese(versions, job) && receivesOf(record) === 1) return false;
    const started = performance.now();
    context ??= await newContext();
    const { failure } = await runJob({ ...context, versions }, job);
    logger.info('job done', { failure: failure?.class ?? null, seconds: (performance.now() - started) / 1_000 });
    return true;
  });
}

async function newContext(): Promise<Omit<JobContext, 'versions'>> {
  optimiseWasmLater();
  const pool = optionalSetting('AIRLOCK_VISITS') === null ? newPool() : await newVisitingPool();
  const { emailBytes, memberBytes } = DEFAULT_LIMITS;
  const maxBytes = Math.max(emailBytes, memberBytes);
  return { blobs: workBucket(), run: pool.run, maxBytes };
}

function newPool(): EnginePool {
  const bundled = new URL('./engines/worker-entry.mjs', import.meta.url);
  return createEnginePool({ threads: THREADS, ...(existsSync(bundled) && { workerFile: bundled }) });
}

/** Loaded where it is used: the other engines do without a client of the web. */
async function newVisitingPool(): Promise<EnginePool> {
  const { withVisits } = await import('../lib/engines/url/visit/visiting-runner.ts');
  // A function has no browser and no proxy: the NAT gateway is the way out.
  return withVisits(newPool(), { proxy: null, chromium: null });
}

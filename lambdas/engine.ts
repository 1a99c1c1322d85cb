/**
 * Lambda entry point of every engine. It does one job of its queue. A thread without environment reads the bytes. This function reaches
 * only the work bucket. The engine of URLs also reaches the web, where the deployment visits links.
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

/** A function has one or two processors, and does one job at a time. */
const THREADS = 1;

/** The context without the versions. Those depend on the day on which the sender of the job asked. */
let context: Omit<JobContext, 'versions'> | null = null;

export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return await eachJob(event, async (job, record) => {
    if (job.kind !== setting('AIRLOCK_ENGINE')) throw new TypeError(`a job for ${job.kind} is in the wrong queue`);
    const versions = optionalSetting('AIRLOCK_VISITS') === null ? OWN_VERSIONS : versionsForVisit(job.versions);
    // During a deployment, the sender may be newer than this function. By the time the job comes again, this function is as new.
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

/** Loaded where it is used, because the other engines need no web client. */
async function newVisitingPool(): Promise<EnginePool> {
  const { withVisits } = await import('../lib/engines/url/visit/visiting-runner.ts');
  // A function has no browser and no proxy. Its requests leave through the NAT gateway.
  return withVisits(newPool(), { proxy: null, chromium: null });
}

/**
 * Lambda entry point of every engine: one job of its queue. The bytes are read in a thread without environment. This function reaches the
 * work bucket and nothing else.
 */
import { existsSync } from 'node:fs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createEnginePool, type EnginePool } from '../lib/engines/threads/pool.ts';
import { OWN_VERSIONS } from '../lib/jobs/own-versions.ts';
import { isForThese, type JobContext, runJob } from '../lib/jobs/run-job.ts';
import { DEFAULT_LIMITS } from '../lib/pipeline/limits.ts';
import { eachJob, receivesOf, workBucket } from './engine-runtime.ts';
import { logger, setting } from './runtime.ts';

/** A function has one processor or two, and does one job at a time. */
const THREADS = 1;

let context: JobContext | null = null;

export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return await eachJob(event, async (job, record) => {
    if (job.kind !== setting('AIRLOCK_ENGINE')) throw new TypeError(`a job for ${job.kind} is in the wrong queue`);
    // During a deployment, the sender may be newer than this function. When the job comes again, this function is as new.
    if (!isForThese(OWN_VERSIONS, job) && receivesOf(record) === 1) return false;
    const started = performance.now();
    context ??= newContext();
    const { failure } = await runJob(context, job);
    logger.info('job done', { failure: failure?.class ?? null, seconds: (performance.now() - started) / 1_000 });
    return true;
  });
}

function newContext(): JobContext {
  const pool = newPool();
  const { emailBytes, memberBytes } = DEFAULT_LIMITS;
  const maxBytes = Math.max(emailBytes, memberBytes);
  return { blobs: workBucket(), run: pool.run, versions: OWN_VERSIONS, maxBytes };
}

function newPool(): EnginePool {
  const bundled = new URL('./engines/worker-entry.mjs', import.meta.url);
  return createEnginePool({ threads: THREADS, ...(existsSync(bundled) && { workerFile: bundled }) });
}

/**
 * Lambda entry point of `recheck`. A queue calls it once a day, and `airlock recheck --stack` at any time. It asks the engines or the
 * service again about delivered files, and notes which are worse. It tells of the runs that delivered such a file, or one that people have
 * blocked since. It delivers and holds nothing, and sends mail to recipients where the deployment says so.
 */
import { setTimeout } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import type { SQSBatchResponse } from 'aws-lambda';
import { type Round, recheckRound } from '../lib/pipeline/recall/recheck-round.ts';
import { createRecallEvents } from '../lib/storage/event-bridge.ts';
import { s3WorseFiles } from '../lib/storage/s3/worse-files.ts';
import { createSesRelay } from '../lib/storage/ses-relay.ts';
import { openedAnalyzer } from './shared/analysis.ts';
import { eachRecord, isBatch } from './shared/batches.ts';
import { blockListOf } from './shared/blocks.ts';
import { goOn } from './shared/go-on.ts';
import { readRuns } from './shared/read-runs.ts';
import { recheckRequestOf } from './shared/recheck-request.ts';
import { contextOf, logged, logger, setting } from './shared/runtime.ts';
import { NO_HANGING } from './shared/secrets.ts';

/** A function lives for a quarter of an hour. A caller waits for five minutes. */
const [WORK_MS, CALLED_MS] = [5 * 60_000, 60_000];
/** A later answer counts as no answer. */
const PATIENCE_SECONDS = 150;

const context = contextOf(async () => ({ analyzer: openedAnalyzer() }));
const bus = new EventBridgeClient({ requestHandler: NO_HANGING });
const s3 = new S3Client({ requestHandler: NO_HANGING });
const relay = createSesRelay();

export function handler(event: unknown): Promise<SQSBatchResponse | Round> {
  if (!isBatch(event)) return logged('recheck', null, () => round(event, CALLED_MS));
  return eachRecord('recheck', event.Records, async (body) => {
    const { next } = await round(body, WORK_MS);
    if (next !== null) await goOn(setting('AIRLOCK_RECHECK_QUEUE'), next);
  });
}

async function round(event: unknown, workMs: number): Promise<Round> {
  const ctx = await context();
  const { clock, blobs, log } = ctx;
  const [days, budget, mails] = ['RECHECK_DAYS', 'RECHECK_BUDGET', 'RECALL_MAILS'].map((name) =>
    Number(setting(`AIRLOCK_${name}`)),
  ) as [number, number, number];
  const until = clock.now() + workMs;
  const pause = (seconds: number) => setTimeout(seconds * 1000);
  const emitRecalled = createRecallEvents({ client: bus, eventBusName: setting('AIRLOCK_EVENT_BUS') });
  const rest = {
    runs: readRuns(ctx),
    pause,
    emitRecalled,
    blocks: () => blockListOf(ctx).current(),
    worseFiles: () => s3WorseFiles(s3, setting('AIRLOCK_WORK_BUCKET')),
    sending: mails === 0 ? null : { blobs, relay, log, now: clock.now },
    patienceSeconds: PATIENCE_SECONDS,
    isOver: () => clock.now() > until,
  };
  const done = await recheckRound({ ...ctx, ...rest }, recheckRequestOf(event, { days, budget, mails }, clock.now()));
  logger.info('rechecked', { ...done.counts, isDone: done.next === null });
  return done;
}

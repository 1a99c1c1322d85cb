/**
 * Lambda entry point of `index-run`. It takes the beginnings and ends of runs from a queue. Its role reads chains, and writes only the
 * index of runs.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { indexLookOf } from '../lib/pipeline/runs/index-look.ts';
import { type IndexRunContext, indexRun, lookAtRun } from '../lib/pipeline/runs/index-run.ts';
import { createDynamoRuns } from '../lib/storage/dynamodb/runs.ts';
import { fromQueue } from './shared/batches.ts';
import { endOf } from './shared/ends.ts';
import { begunOf } from './shared/events.ts';
import { noPorts } from './shared/ports.ts';
import { contextOf, setting } from './shared/runtime.ts';
import { NO_HANGING } from './shared/secrets.ts';

const client = new DynamoDBClient({ requestHandler: NO_HANGING });
const context = contextOf(noPorts);

export const handler = fromQueue('index-run', async (body, receipts) => {
  const ctx = await indexContext();
  const look = begunOf(body) ?? indexLookOf(body);
  return look === null ? indexRun(ctx, endOf(body), receipts) : lookAtRun(ctx, look);
});

async function indexContext(): Promise<IndexRunContext> {
  const ctx = await context();
  const table = { tableName: setting('AIRLOCK_RUNS_TABLE'), keptDays: Number(setting('AIRLOCK_RUNS_KEPT_DAYS')) };
  return { ...ctx, runs: createDynamoRuns({ client, ...table, clock: ctx.clock }) };
}

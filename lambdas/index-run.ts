/** Lambda entry point of `index-run`: the ends of runs, from a queue. Its role reads chains and writes the index of runs, and nothing else. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { indexRun } from '../lib/pipeline/index-run.ts';
import { createDynamoRuns } from '../lib/storage/dynamodb-runs.ts';
import { endHandler } from './ends.ts';
import { setting } from './runtime.ts';
import { NO_HANGING } from './secrets.ts';

const client = new DynamoDBClient({ requestHandler: NO_HANGING });

export const handler = endHandler('index-run', (ctx, event) => {
  const table = { tableName: setting('AIRLOCK_RUNS_TABLE'), keptDays: Number(setting('AIRLOCK_RUNS_KEPT_DAYS')) };
  return indexRun({ ...ctx, runs: createDynamoRuns({ client, ...table, clock: ctx.clock }) }, event);
});

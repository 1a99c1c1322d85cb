/** The index of runs, for functions that only read it. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context } from '../../lib/pipeline/context.ts';
import type { Runs } from '../../lib/pipeline/ports.ts';
import { createDynamoRuns } from '../../lib/storage/dynamodb/runs.ts';
import { setting } from './runtime.ts';
import { NO_HANGING } from './secrets.ts';

const client = new DynamoDBClient({ requestHandler: NO_HANGING });

/** Nothing expires by a number of days here, because nothing is written. */
export const readRuns = ({ clock }: Pick<Context, 'clock'>): Runs =>
  createDynamoRuns({ client, tableName: setting('AIRLOCK_RUNS_TABLE'), keptDays: 0, clock });

/** The runs of a deployment: its index, and the signed chains in its work bucket. The caller needs permission to read both. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { DEFAULT_LIMITS } from '../../pipeline/limits.ts';
import { createDynamoRuns } from '../../storage/dynamodb/runs.ts';
import { auditRecordsIn } from '../../storage/s3/audit-records.ts';
import { runIdsIn } from '../../storage/s3/run-ids.ts';
import { createS3Blobs } from '../../storage/s3/s3.ts';
import { createSigner } from '../../storage/signer.ts';
import { type IndexSettings, indexSettingsIn } from '../../storage/sqlite/index-settings.ts';
import { credentialsIn } from '../aws-credentials.ts';
import type { Console } from '../console.ts';
import { type Rebuilt, rebuiltFrom } from '../session/run-index.ts';
import { asked, deployedFunction } from './deployed-function.ts';
import type { RunsPlace } from './runs.ts';

/** Milliseconds. */
const TIMES = { connectionTimeout: 5_000, requestTimeout: 30_000 };
/** The description in the stack (lib/infra/way-out.ts). */
const DESCRIPTION = 'Mail Airlock, after the end of a run: index-run';
const NO_INDEX =
  'this account has no stack of this name with an index of runs in this region. Deploy it with -c indexRuns=true.';
/** A deployment has the entries of a chain in the folder of their run, and no summary of them. */
const VIEW = /ledger\.json$/;
/** Chains that are read at the same time. */
const AT_ONCE = 8;

/** Returns the index and the chains of a stack. Throws UsageError when it has none, and Error when AWS refuses. */
export async function openDeployedRuns(console: Console, stack: string): Promise<RunsPlace> {
  const { place } = await opened(console, stack);
  return place;
}

/** Writes the index of a stack anew from its chains. Runs whose chains were deleted disappear from it when their time is over. */
export async function rebuildDeployed(console: Console, stack: string): Promise<Rebuilt> {
  const { place, runs, s3, workBucket } = await opened(console, stack);
  try {
    return await asked(() => rebuiltFrom(runs, place.ctx, runIdsIn(s3, workBucket), AT_ONCE));
  } finally {
    await place.close();
  }
}

async function opened(console: Console, stack: string) {
  const aws = { requestHandler: TIMES, ...credentialsIn(console) };
  const { tableName, keptDays, workBucket } = await settingsOf(new LambdaClient(aws), stack);
  const [dynamo, s3] = [new DynamoDBClient(aws), new S3Client(aws)];
  const clock = { now: () => Date.now() };
  const blobs = createS3Blobs({ client: s3, buckets: { work: workBucket } });
  const signer = createSigner({ blobs, secretOf: async () => Promise.reject(new Error('nothing is signed here')) });
  const log = { info: () => {}, warn: () => {} };
  const runs = createDynamoRuns({ client: dynamo, tableName, keptDays, clock });
  const place: RunsPlace = {
    name: `the stack ${stack}`,
    index: async () => runs,
    ctx: { blobs, signer, limits: DEFAULT_LIMITS, clock, log },
    runIds: () => runIdsIn(s3, workBucket),
    auditRecords: () => auditRecordsIn(s3, workBucket),
    files: { pathOf: (bucket, key) => `${bucket} bucket: ${key.replace(VIEW, '')}` },
    async close() {
      dynamo.destroy();
      s3.destroy();
    },
  };
  return { place, runs, s3, workBucket };
}

async function settingsOf(client: LambdaClient, stack: string): Promise<IndexSettings> {
  try {
    const found = await deployedFunction(client, stack, DESCRIPTION, NO_INDEX);
    return indexSettingsIn(found.Environment?.Variables);
  } finally {
    client.destroy();
  }
}

/** The servers of the twin without a deployment: for the suites of the ports, with the real clients of the SDK. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { ToldClock } from './clock.ts';
import type { Gate } from './policies/gate.ts';
import { dynamoService } from './servers/dynamodb/service.ts';
import { type Front, type Interruption, startFront } from './servers/front.ts';
import { s3Service } from './servers/s3/service.ts';
import { BucketStore } from './servers/s3/store.ts';

export const CALLER = { name: 'test', pid: null, roleArn: 'arn:aws:iam::111122223333:role/test', service: null };
const CREDENTIALS = { accessKeyId: 'AKIATEST', secretAccessKey: 'test' };
export const BUCKETS = { intake: 'an-intake', work: 'a-work', clean: 'a-clean', quarantine: 'a-quarantine' };
export const TABLE = 'submissions';
export const RUNS_TABLE = 'runs';

export interface ServerRig {
  readonly front: Front;
  readonly clock: ToldClock;
  readonly s3: S3Client;
  readonly dynamo: DynamoDBClient;
  bucket(name: keyof typeof BUCKETS): BucketStore;
  close(): Promise<void>;
}

export interface ServerRigOptions {
  /** @default everything is allowed */
  readonly gate?: Gate;
  readonly interrupt?: () => Interruption | null;
  /** @default versioned */
  readonly isVersioned?: boolean;
}

/** S3 and DynamoDB on a port of their own, empty. */
export async function serverRig({ gate, interrupt, isVersioned = true }: ServerRigOptions = {}): Promise<ServerRig> {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-twin-rig-'));
  const clock = new ToldClock(join(folder, 'clock'));
  const stores = Object.values(BUCKETS).map(
    (name) =>
      new BucketStore({ name, arn: `arn:aws:s3:::${name}`, isVersioned, keyArn: null, tellsEventBridge: false }),
  );
  const table = (name: string, sortKey: string | null) => ({
    name,
    arn: `arn:aws:dynamodb:eu-central-1:111122223333:table/${name}`,
    partitionKey: 'pk',
    sortKey,
    keyArn: null,
    timeToLive: 'expiresAtSeconds',
  });
  const front = await startFront({
    clock,
    gate: () => gate ?? null,
    ...(interrupt && { interrupt }),
    services: {
      s3: s3Service({ clock, buckets: stores, mayList: (caller, need) => gate?.allows(caller, [need], true) ?? true }),
      dynamodb: dynamoService([table(TABLE, null), table(RUNS_TABLE, 'sk')], clock),
    },
  });
  front.admit(CREDENTIALS.accessKeyId, CALLER);
  const common = { endpoint: front.url, region: 'eu-central-1', credentials: CREDENTIALS, maxAttempts: 1 };
  const [s3, dynamo] = [new S3Client({ ...common, forcePathStyle: true }), new DynamoDBClient(common)];
  return {
    front,
    clock,
    s3,
    dynamo,
    bucket: (name) => stores.find((store) => store.settings.name === BUCKETS[name]) as BucketStore,
    async close() {
      s3.destroy();
      dynamo.destroy();
      await front.close();
      clock.close();
      rmSync(folder, { recursive: true });
    },
  };
}

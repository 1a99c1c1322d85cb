/**
 * Hands objects that were in a bucket before the airlock to its intake queue, as the events that S3 would have sent, at a rate. How far it came is
 * noted after each batch, so that a repetition goes on there. A batch may be handed out twice when the process dies in between: the same version
 * of an object is the same run, so it is not analysed twice.
 */
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { awsCall } from '../../storage/aws-errors.ts';
import type { ListedObject } from '../../storage/s3/s3-listing.ts';

/** The counts of the objects so far. */
export interface BackfillCounts {
  /** Objects in the queue, and their bytes. */
  readonly objects: number;
  readonly bytes: number;
  /** The objects among them that are over the size limit of the airlock, which will hold them. */
  readonly tooLarge: number;
  /** Left out, because they lie in an archive. */
  readonly archived: number;
  /** Left out, because they are only names of folders. */
  readonly folders: number;
  /** Left out, because they are not there any more. */
  readonly gone: number;
}

export const NO_COUNTS: BackfillCounts = { objects: 0, bytes: 0, tooLarge: 0, archived: 0, folders: 0, gone: 0 };

/** How far a backfill came: the position of the last object that was handed out or left out. */
export interface BackfillStep {
  readonly after: string;
  readonly counts: BackfillCounts;
}

/** Resolves when the objects are in the queue. */
export type HandOut = (objects: readonly ListedObject[]) => Promise<void>;

export interface BackfillOptions {
  readonly objects: AsyncIterable<ListedObject>;
  readonly counts: BackfillCounts;
  readonly largestBytes: number;
  readonly handOut: HandOut;
  /** Whether an object is still there. A list is always up to date; a report is not. */
  readonly isThere: (object: ListedObject) => Promise<boolean>;
  /** Waits until the next batch of so many objects may go. */
  readonly pause: (objects: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** SQS takes so many messages at once. */
const BATCH = 10;
/** How often a message is sent that SQS did not take. */
const ATTEMPTS = 5;

/** Hands the objects out, and yields after each batch how far it came. Ends early when the signal comes. */
export async function* backfill(options: BackfillOptions): AsyncGenerator<BackfillStep> {
  const { objects, largestBytes, handOut, isThere, pause, signal } = options;
  let { counts } = options;
  let batch: ListedObject[] = [];
  let after = '';
  const step = async (): Promise<BackfillStep> => {
    const found = await Promise.all(batch.map(isThere));
    const there = batch.filter((_, index) => found[index]);
    if (there.length > 0) await handOut(there);
    counts = there.reduce((sum, object) => counted(sum, object, largestBytes), counts);
    counts = { ...counts, gone: counts.gone + batch.length - there.length };
    batch = [];
    return { after, counts };
  };
  for await (const object of objects) {
    if (signal.aborted) break;
    after = object.position;
    if (object.isArchived) counts = { ...counts, archived: counts.archived + 1 };
    else if (isFolder(object)) counts = { ...counts, folders: counts.folders + 1 };
    else batch.push(object);
    if (batch.length < BATCH) continue;
    yield await step();
    await pause(BATCH);
  }
  if (after !== '') yield await step();
}

/** A console makes one of them for each folder that somebody makes in it. */
const isFolder = ({ key, size }: ListedObject) => size === 0 && key.endsWith('/');

function counted(sum: BackfillCounts, { size }: ListedObject, largestBytes: number): BackfillCounts {
  return {
    ...sum,
    objects: sum.objects + 1,
    bytes: sum.bytes + size,
    tooLarge: sum.tooLarge + (size > largestBytes ? 1 : 0),
  };
}

/** Sends events about objects of a bucket to a queue. Rejects with TransientError, also when SQS does not take a message at last. */
export function toQueue(client: SQSClient, queueUrl: string, bucket: string): HandOut {
  return async (objects) => {
    let left = objects.map((object, index) => ({ Id: String(index), MessageBody: eventOf(bucket, object) }));
    for (let attempt = 1; left.length > 0; attempt += 1) {
      const command = new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: left });
      const { Failed = [] } = await awsCall('sqs send', client.send(command));
      const failed = new Set(Failed.map(({ Id }) => Id));
      left = left.filter(({ Id }) => failed.has(Id));
      if (left.length > 0 && attempt === ATTEMPTS)
        throw new Error(`the queue did not take ${left.length} messages: ${Failed[0]?.Message ?? 'no reason given'}`);
    }
  };
}

/** As EventBridge tells of a new object. */
function eventOf(bucket: string, { key, versionId, etag, size }: ListedObject): string {
  const version = versionId === 'null' ? {} : { 'version-id': versionId };
  const detail = { bucket: { name: bucket }, object: { key, size, etag, ...version } };
  return JSON.stringify({ source: 'mail-airlock.backfill', 'detail-type': 'Object Created', detail });
}

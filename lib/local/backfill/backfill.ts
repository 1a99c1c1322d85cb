/**
 * Sends old objects of a bucket to the intake queue of the airlock, as the events that S3 would have sent, at a given rate. Its progress is
 * noted after each batch, so that a repetition continues there. A batch may be sent twice when the process dies in between. The same
 * version of an object is the same run, so it is not analysed twice.
 */
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { awsCall } from '../../storage/aws-errors.ts';
import type { ListedObject } from '../../storage/s3/listing.ts';

/** The counts of the objects so far. */
export interface BackfillCounts {
  /** Objects in the queue, and their bytes. */
  readonly objects: number;
  readonly bytes: number;
  /** The objects among them that are over the size limit of the airlock, which will hold them. */
  readonly tooLarge: number;
  /** Left out, because they are archived. */
  readonly archived: number;
  /** Left out, because they are only names of folders. */
  readonly folders: number;
  /** Left out, because they do not exist any more. */
  readonly gone: number;
}

export const NO_COUNTS: BackfillCounts = { objects: 0, bytes: 0, tooLarge: 0, archived: 0, folders: 0, gone: 0 };

/** The progress of a backfill: the position of the last object that was queued or left out. */
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
  /** Returns whether an object still exists. A list is always up to date, but a report is not. */
  readonly isThere: (object: ListedObject) => Promise<boolean>;
  /** Waits until the next batch of this many objects may be sent. */
  readonly pause: (objects: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** The number of messages that SQS takes at once. */
const BATCH = 10;
/** How often a message is sent that SQS did not take. */
const ATTEMPTS = 5;

/** Sends the objects, and yields its progress after each batch. Ends early when the signal comes. */
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

/** Returns true for the object that a console makes for each folder. */
const isFolder = ({ key, size }: ListedObject) => size === 0 && key.endsWith('/');

function counted(sum: BackfillCounts, { size }: ListedObject, largestBytes: number): BackfillCounts {
  return {
    ...sum,
    objects: sum.objects + 1,
    bytes: sum.bytes + size,
    tooLarge: sum.tooLarge + (size > largestBytes ? 1 : 0),
  };
}

/** Makes a sender of events about objects of a bucket. Rejects with TransientError, also when SQS finally refuses a message. */
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

/** Returns the event of EventBridge about a new object. */
function eventOf(bucket: string, { key, versionId, etag, size }: ListedObject): string {
  const version = versionId === 'null' ? {} : { 'version-id': versionId };
  const detail = { bucket: { name: bucket }, object: { key, size, etag, ...version } };
  return JSON.stringify({ source: 'mail-airlock.backfill', 'detail-type': 'Object Created', detail });
}

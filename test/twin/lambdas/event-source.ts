/** An event source mapping: Lambda reads a queue with the role of the function, and deletes what the function did. */
import type { Resource } from '../assembly/assembly.ts';
import { unknown } from '../assembly/refuse.ts';
import type { ToldClock } from '../clock.ts';
import type { Gate } from '../policies/gate.ts';
import type { Queue, QueueMessage } from '../servers/queues.ts';
import type { InvocationResult } from './function-process.ts';
import { type Functions, THROTTLED } from './functions.ts';

export interface EventSourceOptions {
  readonly clock: ToldClock;
  readonly gate: Gate;
  readonly functions: Functions;
  readonly queue: Queue;
  readonly mapping: Resource;
}

/** Pause before Lambda tries a throttled batch again. Milliseconds. */
const THROTTLED_PAUSE_MS = 1_000;

/** Connects a queue to a function for as long as the twin runs. */
export function connectQueue({ clock, gate, functions, queue, mapping }: EventSourceOptions): void {
  const { BatchSize, FunctionName, FunctionResponseTypes, ScalingConfig } = mapping.properties;
  const settings = functions.settings(String(FunctionName));
  const most = (ScalingConfig as { readonly MaximumConcurrency?: number } | undefined)?.MaximumConcurrency ?? 1000;
  const isPartial = ((FunctionResponseTypes ?? []) as string[]).includes('ReportBatchItemFailures');
  if (!isPartial) unknown('event source that reports no item failures', mapping.logicalId);
  let busy = 0;
  const poll = (): void => {
    if (busy >= most) return;
    const actions = ['sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];
    const needs = actions.map((action) => ({ action, resource: queue.arn, owner: queue.arn }));
    if (!gate.allows({ roleArn: settings.roleArn, service: null }, needs)) return;
    const batch = queue.receive(Number(BatchSize ?? 10));
    if (batch.length === 0) return;
    busy += 1;
    void clock.work(async () => {
      await handle(batch);
      busy -= 1;
      poll();
    });
    poll();
  };
  const handle = async (batch: readonly QueueMessage[]): Promise<void> => {
    let result = await functions.invoke(settings.arn, { Records: batch.map((message) => recordOf(message, queue)) });
    while ('error' in result && result.error.errorType === THROTTLED) {
      await clock.sleep(THROTTLED_PAUSE_MS);
      result = await functions.invoke(settings.arn, { Records: batch.map((message) => recordOf(message, queue)) });
    }
    const failed = failedItems(result, batch);
    const done = batch.filter(({ messageId }) => !failed.has(messageId));
    if (done.length === 0) return;
    const need = { action: 'sqs:DeleteMessage', resource: queue.arn, owner: queue.arn };
    if (!gate.allows({ roleArn: settings.roleArn, service: null }, [need])) return;
    for (const { messageId } of done) queue.delete(messageId);
  };
  queue.onVisible = poll;
}

/** Which messages stay in the queue: all of them when the function failed, or answered what Lambda cannot read. */
function failedItems(result: InvocationResult, batch: readonly QueueMessage[]): Set<string> {
  const all = new Set(batch.map(({ messageId }) => messageId));
  if ('error' in result) return all;
  const { batchItemFailures } = (result.result ?? {}) as {
    readonly batchItemFailures?: { readonly itemIdentifier: string }[];
  };
  if (batchItemFailures === undefined) return new Set();
  const named = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  return named.every((id) => all.has(id)) ? new Set(named) : all;
}

function recordOf({ messageId, body, receiveCount, sentAt }: QueueMessage, { arn }: Queue) {
  return {
    messageId,
    receiptHandle: messageId,
    body,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: String(Math.round(sentAt)),
      SenderId: 'twin',
      ApproximateFirstReceiveTimestamp: String(Math.round(sentAt)),
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: arn,
    awsRegion: arn.split(':')[3] ?? '',
  };
}

/** A queue as SQS has it, read by a function: at least once, in no order, with a visibility timeout, a receive count and a last place. */
import type { SQSBatchResponse } from 'aws-lambda';
import type { Faults } from './faults.ts';
import type { End } from './functions.ts';
import { roll } from './random.ts';
import type { Scheduler } from './scheduler.ts';

interface Message {
  readonly name: string;
  readonly body: string;
  receives: number;
  visibleAtMs: number;
  isDeleted: boolean;
}

export interface Received {
  readonly messageId: string;
  readonly body: string;
  /** As SQS writes them. */
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

export interface QueueOptions {
  readonly name: string;
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly visibilitySeconds: number;
  /** After this many receives a message goes to the next place. */
  readonly maxReceives: number;
  readonly deadLetter: (name: string, body: string) => void;
  readonly batch: number;
  readonly concurrency: number;
  readonly handle: (name: string, records: readonly Received[], ended: (end: End<SQSBatchResponse>) => void) => void;
}

export interface Queue {
  /** Takes a message, which can be received after the delay. Its name is one of its own. */
  send(name: string, body: string, delayMs: number): void;
}

/** A queue with the function that reads it. */
export function createQueue(options: QueueOptions): Queue {
  const { name, seed, scheduler, faults, visibilitySeconds, maxReceives } = options;
  const messages: Message[] = [];
  let working = 0;
  let batches = 0;

  const pump = () => {
    while (working < options.concurrency) {
      const batch = receive();
      if (batch.length === 0) return;
      work(batch);
    }
  };
  const pumpAfter = (delayMs: number) => scheduler.after(delayMs, pump);

  const receive = (): Message[] => {
    const now = scheduler.nowMs();
    const batch: Message[] = [];
    for (const message of messages) {
      if (message.isDeleted || message.visibleAtMs > now || batch.length === options.batch) continue;
      if (message.receives >= maxReceives) {
        message.isDeleted = true;
        options.deadLetter(message.name, message.body);
        continue;
      }
      message.receives++;
      const isTwice = faults.of(`${name} ${message.name} receive ${message.receives}`, ['message twice']) !== null;
      message.visibleAtMs = now + (isTwice ? roll(seed, `${message.name} again`) * 2_000 : visibilitySeconds * 1_000);
      batch.push(message);
      pumpAfter(message.visibleAtMs - now + 1);
    }
    return batch;
  };

  const work = (batch: readonly Message[]) => {
    working++;
    const records = batch.map(({ name: messageId, body, receives }) => ({
      messageId,
      body,
      attributes: { ApproximateReceiveCount: String(receives) },
    }));
    options.handle(`${name} batch ${++batches}`, records, (end) => {
      working--;
      const failed = end.isDone ? new Set(end.value.batchItemFailures.map((one) => one.itemIdentifier)) : null;
      for (const message of batch) {
        const isLost =
          faults.of(`${name} ${message.name} delete ${message.receives}`, ['message not deleted']) !== null;
        if (failed !== null && !failed.has(message.name) && !isLost) message.isDeleted = true;
      }
      pumpAfter(0);
    });
  };

  return {
    send(messageName, body, delayMs) {
      messages.push({
        name: messageName,
        body,
        receives: 0,
        visibleAtMs: scheduler.nowMs() + delayMs,
        isDeleted: false,
      });
      pumpAfter(delayMs + 1);
    },
  };
}

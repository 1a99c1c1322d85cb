/** SQS: visibility, receive counts, dead letters, retention. */
import { createHash, randomUUID } from 'node:crypto';
import type { Resource } from '../assembly/assembly.ts';
import { onlyKnown } from '../assembly/refuse.ts';
import type { ToldClock } from '../clock.ts';
import { AwsError, type Service } from './call.ts';
import { type Input, jsonService } from './json-service.ts';

export interface QueueMessage {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: number;
  receiveCount: number;
  visibleAt: number;
  /** Ends the wait for its next receipt. */
  wait: AbortController;
}

/** Bytes of a message. */
const MAX_MESSAGE_BYTES = 256 * 1024;

export class Queue {
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  readonly visibilityMs: number;
  readonly delayMs: number;
  /** What is in the queue, visible or not. */
  readonly messages: QueueMessage[] = [];
  /** Called when a message becomes visible. */
  onVisible: () => void = () => {};
  private readonly clock: ToldClock;
  private readonly retentionMs: number;
  private readonly redrive: { readonly deadLetterTargetArn: string; readonly maxReceiveCount: number } | null;
  private readonly queueOf: (arn: string) => Queue;

  constructor({ name, arn, ref, properties }: Resource, clock: ToldClock, queueOf: (arn: string) => Queue) {
    this.name = name;
    this.arn = arn;
    this.url = ref;
    this.clock = clock;
    this.queueOf = queueOf;
    this.visibilityMs = Number(properties.VisibilityTimeout ?? 30) * 1000;
    this.delayMs = Number(properties.DelaySeconds ?? 0) * 1000;
    this.retentionMs = Number(properties.MessageRetentionPeriod ?? 345_600) * 1000;
    this.redrive = (properties.RedrivePolicy as typeof this.redrive | undefined) ?? null;
    onlyKnown('key of a redrive policy', this.redrive ?? {}, ['deadLetterTargetArn', 'maxReceiveCount']);
  }

  /** Adds a message. `sentAt` stays that of the first queue it was in. */
  send(body: string, sentAt = this.clock.now(), messageId: string = randomUUID()): string {
    if (Buffer.byteLength(body) > MAX_MESSAGE_BYTES)
      throw new AwsError(
        'InvalidParameterValue',
        400,
        'One or more parameters are invalid. Reason: Message must be shorter.',
      );
    const visibleAt = this.clock.now() + this.delayMs;
    const message = { messageId, body, sentAt, receiveCount: 0, visibleAt, wait: new AbortController() };
    this.messages.push(message);
    if (this.delayMs > 0) this.tellLater(message);
    else this.onVisible();
    return messageId;
  }

  /** Takes up to `most` visible messages. One that was received too often goes to the dead letters instead. */
  receive(most: number): QueueMessage[] {
    const now = this.clock.now();
    const received: QueueMessage[] = [];
    for (const message of [...this.messages]) {
      if (received.length === most || message.visibleAt > now) continue;
      if (now - message.sentAt > this.retentionMs) this.delete(message.messageId);
      else if (this.redrive && message.receiveCount >= Number(this.redrive.maxReceiveCount)) {
        this.delete(message.messageId);
        this.queueOf(this.redrive.deadLetterTargetArn).send(message.body, message.sentAt, message.messageId);
      } else {
        message.receiveCount += 1;
        message.visibleAt = now + this.visibilityMs;
        received.push(message);
        this.tellLater(message);
      }
    }
    return received;
  }

  delete(messageId: string): void {
    const index = this.messages.findIndex((message) => message.messageId === messageId);
    const [deleted] = index < 0 ? [] : this.messages.splice(index, 1);
    deleted?.wait.abort();
  }

  private tellLater(message: QueueMessage): void {
    const { receiveCount } = message;
    void this.clock.work(async () => {
      await this.clock.sleep(message.visibleAt - this.clock.now(), message.wait.signal);
      if (this.messages.includes(message) && message.receiveCount === receiveCount) this.onVisible();
    });
  }
}

/** The queues of the assembly. */
export function queuesOf(resources: readonly Resource[], clock: ToldClock): Queue[] {
  const queues: Queue[] = [];
  const queueOf = (arn: string): Queue => {
    const found = queues.find((one) => one.arn === arn);
    if (!found) throw new Error(`no queue ${arn}`);
    return found;
  };
  queues.push(...resources.map((resource) => new Queue(resource, clock, queueOf)));
  return queues;
}

/** The service over these queues. */
export function queueService(queues: readonly Queue[]): Service {
  const queueOf = ({ QueueUrl }: Input): Queue => {
    const found = queues.find(({ url }) => url === QueueUrl);
    if (!found) throw new AwsError('QueueDoesNotExist', 400, `no queue ${QueueUrl}`);
    return found;
  };
  return jsonService('AmazonSQS', {
    SendMessage: {
      fields: ['MessageBody', 'MessageGroupId', 'QueueUrl'],
      needs(input) {
        const { arn } = queueOf(input);
        return [{ action: 'sqs:SendMessage', resource: arn, owner: arn }];
      },
      run(input) {
        const body = String(input.MessageBody);
        // The SDK compares it with what it sent.
        const MD5OfMessageBody = createHash('md5').update(body).digest('hex');
        return { MessageId: queueOf(input).send(body), MD5OfMessageBody };
      },
    },
  });
}

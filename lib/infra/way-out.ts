import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type * as logs from 'aws-cdk-lib/aws-logs';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { WayOut as WayOutName } from '../pipeline/model.ts';
import type { Buckets } from './buckets.ts';
import { LambdaFunction, type Network } from './lambda-function.ts';
import { takeFrom } from './queue-source.ts';
import { otherCode } from './sources/other-code.ts';

/** How often a queue gives out a message that cannot be handled, after which pause, and after which first delay. */
export interface Patience {
  readonly attempts?: number;
  readonly every?: Duration;
  readonly deliveryDelay?: Duration;
}

export interface WayOutProps {
  readonly name: WayOutName;
  /** The ends of runs that it gets. */
  readonly ends: readonly ('MessageDelivered' | 'MessageQuarantined')[];
  readonly buckets: Buckets;
  /** @default the default bus of the account */
  readonly eventBus?: events.IEventBus | undefined;
  readonly logRetention: logs.RetentionDays;
  /** The number of ends that are passed to the function at once. @default 5 */
  readonly batchSize?: number;
  /** How long the function may live. @default two minutes */
  readonly timeout?: Duration;
  /** @default ten times, every four minutes */
  readonly patience?: Patience;
  /** @default no VPC */
  readonly network?: Network | undefined;
  /** A policy document (JSON) for the bundle. @default the policy as shipped */
  readonly policyJson?: string | undefined;
}

const TIMEOUT = Duration.minutes(2);
const MEMORY_MB = 512;
/** The longest time that SQS keeps a message. */
const KEPT = Duration.days(14);
const EVERY = Duration.seconds(TIMEOUT.toSeconds() * 2);
const SAFE = { encryption: sqs.QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: KEPT };
const ATTEMPTS = 10;
const BATCH = 5;
const MAX_CONCURRENT = 10;

/**
 * The names that every way out reads in the work bucket: chains, and the public keys that verify them. A rebuilt message is no JSON, so it
 * cannot read one.
 */
const READS = ['runs/*.json', 'keys/*'];

/**
 * A function that works after runs have ended, without the rights of a stage. Its own queue tells it of ends. An end that it cannot handle
 * waits in `deadLetters`. A person can have SQS move it back into the queue.
 *
 * @example
 * ```ts
 * import type { Stack } from 'aws-cdk-lib';
 *
 * function hearAll(stack: Stack, props: Omit<WayOutProps, 'name' | 'ends'>): WayOut {
 *   return new WayOut(stack, 'Tag', { ...props, name: 'tag', ends: ['MessageDelivered', 'MessageQuarantined'] });
 * }
 * ```
 */
export class WayOut extends LambdaFunction {
  readonly deadLetters: sqs.Queue;
  /** The queue of ends that wait for it. */
  readonly queue: sqs.Queue;
  private readonly batchSize: number;

  constructor(scope: Construct, id: string, props: WayOutProps) {
    const { name, ends, buckets, eventBus } = props;
    super(scope, id, {
      description: `Mail Airlock, after the end of a run: ${name}`,
      code: otherCode(name, props.policyJson),
      timeout: props.timeout ?? TIMEOUT,
      memoryMb: MEMORY_MB,
      environment: {},
      logRetention: props.logRetention,
      network: props.network,
    });
    this.deadLetters = new sqs.Queue(this, 'DeadLetters', SAFE);
    this.batchSize = props.batchSize ?? BATCH;
    this.queue = this.newQueue('Queue', props.patience ?? {});
    new events.Rule(this, 'RunEnded', {
      description: `Mail Airlock: ${name} after the end of a run`,
      ...(eventBus && { eventBus }),
      eventPattern: { source: ['mail-airlock'], detailType: [...ends] },
      targets: [this.target(this.queue)],
    });
    this.readChains(buckets);
  }

  /** Returns a queue that the function reads. */
  protected newQueue(id: string, { attempts = ATTEMPTS, every = EVERY, deliveryDelay }: Patience): sqs.Queue {
    const queue = new sqs.Queue(this, id, {
      ...SAFE,
      visibilityTimeout: every,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: attempts },
      ...(deliveryDelay && { deliveryDelay }),
    });
    takeFrom(this.function, queue, { batchSize: this.batchSize, maxConcurrency: MAX_CONCURRENT });
    return queue;
  }

  /** Sends events into its own queue. */
  protected target(queue: sqs.IQueue): events.IRuleTarget {
    return new targets.SqsQueue(queue, { deadLetterQueue: this.deadLetters });
  }

  private readChains(buckets: Buckets): void {
    const work = buckets.of('work');
    this.allowNames(work, READS);
    this.allow(['kms:Decrypt'], [buckets.keyOf('work').keyArn]);
    this.function.addEnvironment('AIRLOCK_WORK_BUCKET', work.bucketName);
  }
}

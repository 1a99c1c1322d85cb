import { Duration } from 'aws-cdk-lib';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { bundleOtherLambda } from '#bundles';
import type { Kind, StageName } from '../../pipeline/model.ts';
import type { Buckets } from '../buckets.ts';
import { bundledCode, LambdaFunction, type Network } from '../lambda-function.ts';
import { takeFrom } from '../queue-source.ts';
import { ENGINE_WRITES, grantEngine, grantReports } from './access.ts';

export interface EnginesProps {
  /** The kinds of analysis that have an engine in the stack. */
  readonly kinds: readonly Kind[];
  readonly buckets: Buckets;
  readonly network: Network;
  /** The network from which the engine of URLs visits them; null when it judges only their text. */
  readonly visits: Network | null;
  /** How many files of each kind are analysed at the same time. */
  readonly maxConcurrent: number;
  /** How long a run waits for its analyses. */
  readonly deadline: Duration;
  readonly logRetention: logs.RetentionDays;
}

/** An engine and the queue of its jobs. */
export interface Engine {
  readonly kind: Kind;
  readonly queue: sqs.Queue;
  readonly target: LambdaFunction;
}

/** Engines hold several copies of a file of up to 64 MiB, and of its unpacked content. One of their threads has a gigabyte. */
const MEMORY_MB: Readonly<Record<Kind, number>> = { static: 3_008, cdr: 3_008, sandbox: 3_008, url_analysis: 1_536 };
const FAILED_MEMORY_MB = 256;
/** Measured by the clock. The limit of an engine is half a minute of processor time, so this ends only an engine that hangs. */
const TIMEOUT = Duration.minutes(6);
/** A job must not come back while a function may still work on it. After it killed its function, it comes back soon. */
const VISIBILITY = Duration.seconds(370);
/** How often a file that kills its function is tried. Then its report says that the engine failed. */
const ATTEMPTS = 3;
/** After the end of its run, nobody waits for a job. */
const AFTER_DEADLINE = Duration.hours(1);
const KEPT = Duration.days(14);
const FAILED_ATTEMPTS = 20;
const FEWEST_CONCURRENT = 2;
/** One job at a time: a file that uses up time or memory must not harm another. */
const BATCH = 1;
/** The variable that tells a function to visit URLs. */
const VISITS = { AIRLOCK_VISITS: 'on' } as const;
/** The stages that send jobs. */
const SENDERS: readonly StageName[] = ['submit', 'poll'];

/**
 * The engines of the stack: a queue and a function for each kind of analysis. A job that no function could do ends in a last queue. Its
 * function writes the report that the engine failed.
 *
 * @example
 * ```ts
 * import { Stack } from 'aws-cdk-lib';
 *
 * function enginesOf(stack: Stack, props: Omit<EnginesProps, 'kinds' | 'visits' | 'maxConcurrent'>): Engines {
 *   return new Engines(stack, 'Engines', { ...props, kinds: ['static', 'cdr'], visits: null, maxConcurrent: 20 });
 * }
 * ```
 */
export class Engines extends Construct {
  readonly engines: readonly Engine[];
  /** Jobs that no function could do. */
  readonly deadLetters: sqs.Queue;
  /** Messages that are no job, or have no report after many tries. No function reads it. An alarm tells when it is not empty. */
  readonly unanswered: sqs.Queue;
  /** Writes the reports of dead letters. */
  readonly failed: LambdaFunction;

  private readonly hasVisits: boolean;

  constructor(scope: Construct, id: string, props: EnginesProps) {
    super(scope, id);
    this.hasVisits = props.visits !== null;
    this.unanswered = this.newQueue('Unanswered', KEPT);
    this.deadLetters = this.newQueue('DeadLetters', KEPT, { queue: this.unanswered, maxReceiveCount: FAILED_ATTEMPTS });
    const code = bundledCode(['engine'], (outDir) => bundleOtherLambda('engine', outDir));
    this.engines = props.kinds.map((kind) => this.newEngine(kind, code, props));
    this.failed = this.newFailed(props);
  }

  /** Tells a stage where the queues are, and lets the stages that send jobs send them. */
  grantTo(stage: StageName, target: LambdaFunction): void {
    for (const { kind, queue } of this.engines)
      target.function.addEnvironment(`AIRLOCK_${kind.toUpperCase()}_QUEUE`, queue.queueUrl);
    // Reports of visits expire sooner than others. A stage must therefore know whether visits are on.
    if (this.hasVisits) target.function.addEnvironment('AIRLOCK_VISITS', VISITS.AIRLOCK_VISITS);
    if (!SENDERS.includes(stage)) return;
    target.allow(
      ['sqs:SendMessage'],
      this.engines.map(({ queue }) => queue.queueArn),
    );
  }

  /** Lets a function have delivered files judged again. */
  letAsk(target: LambdaFunction): void {
    const asked = this.engines.filter(({ kind }) => kind === 'static' || kind === 'sandbox');
    for (const { kind, queue } of asked)
      target.function.addEnvironment(`AIRLOCK_${kind.toUpperCase()}_QUEUE`, queue.queueUrl);
    if (asked.length > 0)
      target.allow(
        ['sqs:SendMessage'],
        asked.map(({ queue }) => queue.queueArn),
      );
  }

  private newEngine(kind: Kind, code: lambda.Code, props: EnginesProps): Engine {
    const name = kind.split('_').map(capitalised).join('');
    const retention = props.deadline.plus(AFTER_DEADLINE);
    const queue = this.newQueue(`${name}Jobs`, retention, { queue: this.deadLetters, maxReceiveCount: ATTEMPTS });
    const visits = kind === 'url_analysis' ? props.visits : null;
    const target = new LambdaFunction(this, name, {
      description: `Mail Airlock, engine of ${kind}`,
      code,
      timeout: TIMEOUT,
      memoryMb: MEMORY_MB[kind],
      environment: { AIRLOCK_ENGINE: kind, ...(visits && VISITS) },
      logRetention: props.logRetention,
      network: visits ?? props.network,
    });
    grantEngine(target, kind, props.buckets);
    takeFrom(target.function, queue, { batchSize: BATCH, maxConcurrency: props.maxConcurrent });
    return { kind, queue, target };
  }

  private newFailed({ buckets, logRetention, network }: EnginesProps): LambdaFunction {
    const target = new LambdaFunction(this, 'Failed', {
      description: 'Mail Airlock, reports of engines that failed',
      code: bundledCode(['engine-failed'], (outDir) => bundleOtherLambda('engine-failed', outDir)),
      timeout: Duration.minutes(1),
      memoryMb: FAILED_MEMORY_MB,
      environment: {},
      logRetention,
      network,
    });
    grantReports(target, ENGINE_WRITES, buckets);
    takeFrom(target.function, this.deadLetters, { batchSize: BATCH, maxConcurrency: FEWEST_CONCURRENT });
    return target;
  }

  private newQueue(id: string, retentionPeriod: Duration, deadLetterQueue?: sqs.DeadLetterQueue): sqs.Queue {
    return new sqs.Queue(this, id, {
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod,
      visibilityTimeout: VISIBILITY,
      ...(deadLetterQueue && { deadLetterQueue }),
    });
  }
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

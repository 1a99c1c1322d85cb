import { Annotations, Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { STAGE_NAMES, type StageName } from '../pipeline/model.ts';
import { gatewayOnly } from '../pipeline/policy/gateway.ts';
import { parsePolicy } from '../pipeline/policy/policy.ts';
import type { Bucket } from '../pipeline/ports.ts';
import { Buckets } from './buckets.ts';
import { deskOf, markDrops } from './desk/choice.ts';
import type { Desk } from './desk/desk.ts';
import { type Digests, digestsOf } from './desk/digest-choice.ts';
import { Doors } from './doors/doors.ts';
import { Intake } from './doors/intake.ts';
import { kindsOf } from './engines/analysis-choice.ts';
import { Engines, type EnginesProps } from './engines/engines.ts';
import { EngineNetwork } from './engines/network.ts';
import { expiringTable } from './expiring-table.ts';
import type { Network } from './lambda-function.ts';
import type { MailAirlockProps } from './mail-airlock-props.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { readPolicy } from './policy-text.ts';
import { checkProps } from './props-check.ts';
import { recheckOf } from './recheck-choice.ts';
import { Redrive } from './redrive.ts';
import type { Source } from './sources/source.ts';
import { Sources } from './sources/sources.ts';
import { StageFunction } from './stages/function.ts';
import { grantAccess } from './stages/grants.ts';
import { ENDING, forEachStage, ISOLATED, READING } from './stages/groups.ts';
import { SealSecret } from './stages/seal-secret.ts';
import { ServiceSecrets } from './stages/service-secrets.ts';
import { SigningSecrets } from './stages/signing-secrets.ts';
import { stateOf, stateTimeoutSeconds, Workflow } from './stages/workflow.ts';
import { WaysOut, type WaysOutProps } from './ways-out.ts';

const DEFAULT_DEADLINE = Duration.minutes(30);
/** Time for the stages after the deadline of the analysis: fetch, decide, rebuild and deliver. */
const AFTER_DEADLINE = Duration.minutes(30);
const DEFAULT_WORK_RETENTION = Duration.days(30);
const DEFAULT_PARSES = 20;
const DEFAULT_ENGINES = 20;
const DEFAULT_LOG_RETENTION = logs.RetentionDays.THREE_MONTHS;
/** A batch of emails is parsed one after the other. Each has up to 42 MiB. */
const PARSE_TIMEOUT = Duration.minutes(5);

/**
 * One airlock. Hostile mail arrives in one bucket, and mail that is safe to open is delivered to another.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * const stack = new Stack(new App(), 'Mail');
 * const airlock = new MailAirlock(stack, 'Airlock');
 * airlock.cleanBucket.bucketName;
 * ```
 */
export class MailAirlock extends Construct {
  readonly intakeBucket: s3.IBucket;
  readonly cleanBucket: s3.IBucket;
  readonly quarantineBucket: s3.IBucket;
  /** Secret for the key of the analysis service: set the key as its text value. Null when the engines of the stack do everything. */
  readonly apiKeySecret: secretsmanager.ISecret | null;
  /** Secret for the token of the CDR service; null when there is no CDR service. */
  readonly cdrTokenSecret: secretsmanager.ISecret | null;
  /** Secret for the private key that seals messages, in PEM; null when the policy asks for no seals. */
  readonly sealKeySecret: secretsmanager.ISecret | null;
  /** Begins held runs again. A caller may have held mail scanned again, and no more. */
  readonly redriveFunction: lambda.IFunction;
  /** The queue of events about new objects. Its senders can have any object of intake and sources scanned, and no more. */
  readonly intakeQueue: sqs.IQueue;
  private readonly stages: Readonly<Record<StageName, StageFunction>>;
  /** The AWS services that put mail into the intake bucket. */
  readonly doors: Doors;
  /** The pages where people read what is held; null when there is no desk. */
  readonly desk: Desk | null;
  /** The daily mail to recipients; null when there is none. */
  readonly digests: Digests | null;
  private readonly sources: Sources;
  private readonly waysOut: WaysOut | null;
  private readonly monitoring: Monitoring;

  // biome-ignore lint/complexity/noExcessiveLinesPerFunction: it puts the parts together, one after the other
  constructor(scope: Construct, id: string, props: MailAirlockProps = {}) {
    super(scope, id);
    checkProps(props);
    const removalPolicy = props.removalPolicy ?? RemovalPolicy.RETAIN;
    const logRetention = props.logRetention ?? DEFAULT_LOG_RETENTION;
    const deadline = props.deadline ?? DEFAULT_DEADLINE;
    const buckets = this.newBuckets(props, removalPolicy);
    const secrets = this.newSecrets(props, buckets);
    const hasVisits = props.visitUrls === true;
    const { isolated, visits } = new EngineNetwork(this, 'EngineNetwork', { vpc: props.engineVpc, hasVisits });
    const engines = this.newEngines(props, { buckets, deadline, network: isolated, visits });
    const signing = new SigningSecrets(this, 'Signing', { key: buckets.key });
    const seal = this.newSealSecret(props, buckets);
    const table = expiringTable(this, 'Submissions', { key: buckets.key, removalPolicy });
    const eventBus = props.eventBus ?? events.EventBus.fromEventBusName(this, 'DefaultBus', 'default');

    this.stages = this.newStages(props, { deadline, isolated, key: buckets.key });
    for (const stage of STAGE_NAMES)
      grantAccess(stage, this.stages[stage], { buckets, table, secrets, engines, signing, eventBus });
    if (props.ocsfFindings === true)
      for (const stage of ENDING) this.stages[stage].function.addEnvironment('AIRLOCK_OCSF_FINDINGS', 'true');
    seal?.grantTo(this.stages.deliver);
    buckets.sealClean(this.stages.deliver.role);
    const functions = forEachStage((stage) => this.stages[stage].function);
    const { parse, ...states } = functions;
    const timeout = deadline.plus(AFTER_DEADLINE);
    const workflow = new Workflow(this, 'Workflow', { functions: states, timeout, logRetention });
    const { stateMachine } = workflow;
    this.stages.parse.allow(['states:StartExecution'], [stateMachine.stateMachineArn]);
    this.stages.parse.function.addEnvironment('AIRLOCK_STATE_MACHINE_ARN', stateMachine.stateMachineArn);

    const { queue, deadLetters, unfiled } = new Intake(this, 'Intake', {
      intakeBucket: buckets.of('intake'),
      stateMachine,
      parse,
      quarantine: functions.quarantine,
      functionTimeout: PARSE_TIMEOUT,
      maxConcurrentParses: props.maxConcurrentParses ?? DEFAULT_PARSES,
    });
    this.intakeQueue = queue;
    this.redriveFunction = new Redrive(this, 'Redrive', {
      buckets,
      signing,
      stateMachine,
      intakeQueue: queue,
      environment: environmentOf(deadline),
      logRetention,
      vpc: props.vpc,
    }).function;
    this.waysOut = this.newWaysOut(props, { buckets, logRetention, removalPolicy, stateMachine, intakeQueue: queue });
    const review = { signing, stateMachine, intakeQueue: queue, environment: environmentOf(deadline) };
    const { index = null, pages = null } = this.waysOut ?? {};
    this.desk = deskOf(this, props, { isolated, index, pages, review, buckets, logRetention, removalPolicy });
    markDrops(props, buckets, [functions.parse, functions.quarantine]);
    const { workRetention: workKept = DEFAULT_WORK_RETENTION } = props;
    this.digests = digestsOf(this, props, { buckets, logRetention, index, workKept });
    this.sources = new Sources(this, 'Sources', {
      readers: READING.map((stage) => this.stages[stage]),
      queue,
      deadLetters,
      placing: { deliver: this.stages.deliver, buckets, eventBus: props.eventBus, timeout: timeoutOf('deliver') },
    });
    this.doors = new Doors(this, 'Doors', { airlock: props, buckets, logRetention });
    if (props.intakeWriters !== undefined) buckets.admit(props.intakeWriters);
    const { alarmTopic } = props;
    const logGroups = forEachStage((stage) => this.stages[stage].logGroup);
    this.monitoring = new Monitoring(this, 'Monitoring', {
      queue,
      deadLetters,
      unfiled,
      stateMachine,
      express: workflow.express,
      machineLog: workflow.log,
      airlock: metricsOf(this),
      functions,
      logGroups,
      engines,
      seals: seal !== null,
      waysOut: this.waysOut?.all ?? [],
      doorLetters: this.doors.deadLetters,
      alarmTopic,
    });
    this.digests?.tell(this.monitoring);
    const asked = { buckets, secrets, engines, eventBus, airlock: metricsOf(this), logRetention, index };
    const recheck = recheckOf(this, props, asked);
    recheck?.tell(this.monitoring);
    this.desk?.review.tell(this.monitoring, recheck?.queue ?? null);
    this.intakeBucket = buckets.of('intake');
    this.cleanBucket = buckets.of('clean');
    this.quarantineBucket = buckets.of('quarantine');
    this.apiKeySecret = secrets?.apiKey ?? null;
    this.cdrTokenSecret = secrets?.cdrToken ?? null;
    this.sealKeySecret = seal?.secret ?? null;
    for (const source of props.sources ?? []) this.addSource(source);
  }

  /**
   * Sends new objects of another bucket through the airlock. They end in the clean or in the quarantine bucket like every object. They are
   * tagged when the airlock tags objects.
   */
  addSource(source: Source): void {
    this.sources.add(source, this.monitoring);
    this.waysOut?.watch(source);
  }

  /** Null when no function works after the end of runs. */
  private newWaysOut(
    airlock: MailAirlockProps,
    given: Kept & Pick<WaysOutProps, 'stateMachine' | 'intakeQueue'>,
  ): WaysOut | null {
    const { tagSources, indexRuns, forwardSecret, forwardSesIdentities, mailPages } = airlock;
    const isAsked = tagSources === true || indexRuns === true || mailPages !== undefined;
    if (!isAsked && forwardSecret === undefined && forwardSesIdentities === undefined) return null;
    const readers = READING.map((stage) => this.stages[stage].role);
    const placer = this.stages.deliver.role;
    const workKept = airlock.workRetention ?? DEFAULT_WORK_RETENTION;
    return new WaysOut(this, 'WaysOut', { airlock, ...given, readers, placer, workKept });
  }

  /** Returns null when the policy asks for no seals. */
  private newSealSecret({ policyFile, sealKeySecret }: MailAirlockProps, { key }: Buckets): SealSecret | null {
    const asksForSeals = policyFile !== undefined && parsePolicy(readPolicy(policyFile)).authentication.seal !== null;
    if (asksForSeals) return new SealSecret(this, 'Seal', { key, given: sealKeySecret });
    if (sealKeySecret !== undefined)
      throw new TypeError('sealKeySecret: nothing is sealed; say in the policy (authentication.seal) for which domain');
    return null;
  }

  private newBuckets(props: MailAirlockProps, removalPolicy: RemovalPolicy): Buckets {
    const { intakeBucket, workBucket, cleanBucket, quarantineBucket, key, cleanKey } = props;
    const given: Readonly<Record<Bucket, s3.IBucket | undefined>> = {
      intake: intakeBucket,
      work: workBucket,
      clean: cleanBucket,
      quarantine: quarantineBucket,
    };
    return new Buckets(this, 'Buckets', {
      existing: given,
      key,
      cleanKey,
      retention: {
        intake: props.intakeRetention ?? Duration.days(30),
        work: props.workRetention ?? DEFAULT_WORK_RETENTION,
        clean: props.cleanRetention ?? Duration.days(365),
        quarantine: props.quarantineRetention ?? Duration.days(90),
      },
      logRetention: Duration.days(props.logRetention ?? DEFAULT_LOG_RETENTION),
      removalPolicy,
    });
  }

  private newSecrets(props: MailAirlockProps, { key }: Buckets): ServiceSecrets | null {
    const { analysisUrl } = props;
    return analysisUrl === undefined ? null : new ServiceSecrets(this, 'Secrets', { ...props, analysisUrl, key });
  }

  private newEngines(
    props: MailAirlockProps,
    given: Pick<EnginesProps, 'buckets' | 'deadline' | 'network' | 'visits'>,
  ): Engines | null {
    const kinds = kindsOf(props, 'engines');
    if (kinds.length === 0) return null;
    return new Engines(this, 'Engines', {
      ...given,
      kinds,
      maxConcurrent: props.maxConcurrentEngines ?? DEFAULT_ENGINES,
      logRetention: props.logRetention ?? DEFAULT_LOG_RETENTION,
    });
  }

  private newStages(props: MailAirlockProps, given: StageSurroundings): Readonly<Record<StageName, StageFunction>> {
    const policyJson = props.policyFile === undefined ? undefined : readPolicy(props.policyFile);
    const unused = gatewayOnly(parsePolicy(policyJson ?? '{}'));
    if (unused.length > 0)
      Annotations.of(this).addWarningV2(
        'mail-airlock:policy-of-the-gateway',
        `The policy has ${unused.join(' and ')}, which counts for airlock gateway alone: here, all mail is judged by the rest of it.`,
      );
    const usual = props.vpc && { vpc: props.vpc };
    const newStage = (stage: StageName) =>
      new StageFunction(this, stateOf(stage), {
        stage,
        timeout: timeoutOf(stage),
        environment: { ...environmentOf(given.deadline), AIRLOCK_METRICS: metricsOf(this) },
        policyJson,
        logRetention: props.logRetention ?? DEFAULT_LOG_RETENTION,
        ...(ISOLATED.includes(stage) ? { network: given.isolated, environmentKey: given.key } : { network: usual }),
      });
    return forEachStage(newStage);
  }
}

type Kept = Pick<WaysOutProps, 'buckets' | 'logRetention' | 'removalPolicy'>;

/** The environment of the stages in the stack: networks, keys and buckets. */
interface StageSurroundings {
  readonly deadline: Duration;
  /** The network without a way out. */
  readonly isolated: Network;
  readonly key: kms.IKey;
}

const timeoutOf = (stage: StageName) =>
  stage === 'parse' ? PARSE_TIMEOUT : Duration.seconds(stateTimeoutSeconds(stage));

/** Returns the environment variables of every function that works on runs. */
const environmentOf = (deadline: Duration) => ({ AIRLOCK_DEADLINE_SECONDS: String(deadline.toSeconds()) });

/** Returns the name that separates the metrics of two airlocks in one account. */
const metricsOf = ({ node }: Construct) => node.addr.slice(-8);

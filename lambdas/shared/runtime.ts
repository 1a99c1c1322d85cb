/**
 * The parts that every lambda shares. Only this file reads the environment. The context is built once per container. Every log line has
 * `stage` and `runId`. The Retry of the state machine knows the names of some errors, and its Catch takes all others.
 */
import { Logger } from '@aws-lambda-powertools/logger';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { STEP_FUNCTIONS_SCHEDULE } from '../../lib/pipeline/analysis/poll-schedule.ts';
import type { Context, ParseContext } from '../../lib/pipeline/context.ts';
import { ConfigError, PipelineError } from '../../lib/pipeline/errors.ts';
import type { IntakeObject } from '../../lib/pipeline/ledger/intake-object.ts';
import { DEFAULT_LIMITS, type Limits } from '../../lib/pipeline/limits.ts';
import type { Scheduled, WayIn, WayOut, Writer } from '../../lib/pipeline/model.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import type { Bucket, Sealer, SecondLook } from '../../lib/pipeline/ports.ts';
import { isOwnResult } from '../../lib/pipeline/results/placed-note.ts';
import { maximumBytesOf, SourceSetting } from '../../lib/pipeline/results/source.ts';
import { createS3Blobs } from '../../lib/storage/s3/s3.ts';
import { createSigner } from '../../lib/storage/signer.ts';
import { withMetrics } from './embedded-metrics.ts';
import { NO_HANGING, secretValue } from './secrets.ts';

/** The ports that only some stages have. Each lambda names its own ports, and they match the permissions of its role. */
export type Ports = Pick<
  Context,
  'submissions' | 'analyzer' | 'executions' | 'events' | 'unpacker' | 'work' | 'schedule'
> &
  Pick<ParseContext, 'signatures' | 'codes'> & { readonly secondLook: SecondLook; readonly sealer: Sealer };
export type PortName = keyof Ports;
export type MakePorts = () => Promise<Partial<Ports>>;

/** A lambda uses a rotated key after this time, without a deployment. */
const CONTEXT_LIFETIME_MS = 15 * 60_000;
/** An error becomes part of the state of the state machine (256 KiB). Its text can contain the answer of a service. */
const ERROR_TEXT_LENGTH = 2_000;
/** A function lives for five minutes (lib/infra). The rest is for clocks that are wrong: another function counts these milliseconds. */
const MAX_STAGE_MS = 15 * 60_000;
const BUCKETS: readonly Bucket[] = ['intake', 'work', 'clean', 'quarantine'];

export const logger = new Logger({ serviceName: 'mail-airlock' });

/** Returns a required setting. Throws ConfigError when it is absent. */
export function setting(name: string): string {
  const value = optionalSetting(name);
  if (value === null) throw new ConfigError('the environment', [`${name} is not set`]);
  return value;
}

export function optionalSetting(name: string): string | null {
  const value = process.env[name];
  return value === undefined || value === '' ? null : value;
}

/** Returns a function for the stage's context, which is built at first use and again when it is `CONTEXT_LIFETIME_MS` old. */
export function contextOf(makePorts: MakePorts): () => Promise<Context> {
  let cached: { readonly createdAt: number; readonly context: Promise<Context> } | null = null;
  return async () => {
    if (cached === null || Date.now() - cached.createdAt > CONTEXT_LIFETIME_MS)
      cached = { createdAt: Date.now(), context: makePorts().then(withPorts) };
    try {
      return await cached.context;
    } catch (error) {
      // A failed start is not remembered: the next invocation tries again.
      cached = null;
      throw error;
    }
  };
}

function withPorts(ports: Partial<Ports>): Context {
  // esbuild replaces this variable by the deployment's policy (lib/infra/bundling/bundle.ts).
  const policy = process.env.AIRLOCK_POLICY;
  const airlock = optionalSetting('AIRLOCK_METRICS');
  const blobs = createS3Blobs({
    client: new S3Client({ requestHandler: NO_HANGING }),
    buckets: bucketNames(),
    // Mail of the intake bucket needs none of them, so a list that somebody spoiled keeps nobody from holding it.
    sources: () => sources().map(({ bucket }) => bucket),
  });
  return {
    blobs,
    // The role of a lambda reads the secret of its own stage only.
    signer: createSigner({ blobs, secretOf: signingSeed }),
    submissions: ports.submissions ?? absent('submissions'),
    analyzer: ports.analyzer ?? absent('analyzer'),
    executions: ports.executions ?? absent('executions'),
    events: ports.events ?? absent('events'),
    unpacker: ports.unpacker ?? absent('unpacker'),
    ...(ports.signatures && { signatures: ports.signatures }),
    ...(ports.codes && { codes: ports.codes }),
    work: ports.work ?? absent('work'),
    secondLook: ports.secondLook ?? absent('secondLook'),
    sealer: ports.sealer ?? null,
    policy: policy === undefined ? DEFAULT_POLICY : parsePolicy(policy, "the deployment's policy"),
    limits: limits(),
    schedule: ports.schedule ?? STEP_FUNCTIONS_SCHEDULE,
    longestStageMs: MAX_STAGE_MS,
    clock: { now: () => Date.now() },
    log: airlock === null ? logger : withMetrics(logger, airlock),
  };
}

/** A function in a network without a way out has the seed in its environment; every other reads its secret. */
async function signingSeed(): Promise<string> {
  return optionalSetting('AIRLOCK_SIGNING_SEED') ?? (await secretValue(setting('AIRLOCK_SIGNING_SECRET')));
}

/** Without a usable deadline it is the default: a setting that somebody spoiled must not keep `quarantine` from holding mail. */
function limits(): Limits {
  const text = optionalSetting('AIRLOCK_DEADLINE_SECONDS');
  if (text === null) return DEFAULT_LIMITS;
  const deadlineSeconds = Number(text);
  if (Number.isSafeInteger(deadlineSeconds) && deadlineSeconds > 0) return { ...DEFAULT_LIMITS, deadlineSeconds };
  logger.error('AIRLOCK_DEADLINE_SECONDS is no number of seconds, so the default is used', { text });
  return DEFAULT_LIMITS;
}

const Sources = z.array(SourceSetting);

/** Returns the buckets of others whose objects come in. Throws ConfigError. */
export function sources(): readonly SourceSetting[] {
  const found = Sources.safeParse(jsonOf(optionalSetting('AIRLOCK_SOURCES') ?? '[]'));
  if (found.success) return found.data;
  throw new ConfigError('the environment', ['AIRLOCK_SOURCES is not a list of sources']);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the context with the limit of the source that an object came in by. */
export function ofSource(ctx: Context, intake: IntakeObject): Context {
  const emailBytes = maximumBytesOf(sources(), intake, ctx.limits.emailBytes);
  return { ...ctx, limits: { ...ctx.limits, emailBytes } };
}

/** Returns whether an object that came in is a result that the airlock has put there itself. */
export async function isOurs(ctx: Context, intake: IntakeObject): Promise<boolean> {
  const isOwn = await isOwnResult(ctx, sources(), intake);
  if (isOwn) logger.info('a result of the airlock is not scanned again');
  return isOwn;
}

function bucketNames(): Partial<Record<Bucket, string>> {
  const names: Partial<Record<Bucket, string>> = {};
  for (const bucket of BUCKETS) {
    const name = optionalSetting(`AIRLOCK_${bucket.toUpperCase()}_BUCKET`);
    if (name !== null) names[bucket] = name;
  }
  return names;
}

/** Takes the place of a port that this lambda does not have. Using it is a fault in the code, and throws. */
function absent<Name extends Exclude<PortName, 'signatures' | 'codes' | 'schedule' | 'sealer'>>(
  port: Name,
): Ports[Name] {
  const refuse = (): never => {
    throw new TypeError(`this lambda has no ${port}`);
  };
  return new Proxy({} as Ports[Name], { get: refuse });
}

/** Runs one piece of work with `stage` and `runId` in every log line. An error is logged completely and rethrown with a short text. */
export async function logged<T>(
  stage: Writer | WayOut | WayIn | Scheduled | 'preview',
  runId: string | null,
  work: () => Promise<T>,
): Promise<T> {
  logger.resetKeys();
  logger.appendKeys({ stage, ...(runId === null ? {} : { runId }) });
  try {
    return await work();
  } catch (error) {
    // An alarm looks for `fault`: nothing continues until a person mends the secret, the key or the setting.
    const fault = error instanceof ConfigError ? { fault: 'misconfigured' } : {};
    logger.error('stage failed', { error: error instanceof Error ? error : new Error(String(error)), ...fault });
    throw forStateMachine(error);
  }
}

/** Keeps the names of the pipeline's own errors (Retry matches `TransientError`); everything else becomes `StageError`. */
function forStateMachine(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  const short = new Error(message.slice(0, ERROR_TEXT_LENGTH));
  short.name = error instanceof PipelineError ? error.name : 'StageError';
  delete short.stack;
  return short;
}

/** What a stage gets in the simulation: every port over one invocation, so that each of its calls can go wrong. */

import { STEP_FUNCTIONS_SCHEDULE } from '../../lib/pipeline/analysis/poll-schedule.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { ConfigError, TransientError } from '../../lib/pipeline/errors.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import type { AnalysisRequest, Analyzer, Blobs, Bucket, Events, Submissions } from '../../lib/pipeline/ports.ts';
import type { IndexRunContext } from '../../lib/pipeline/runs/index-run.ts';
import { sent } from '../pipeline/rig.ts';
import { CALL_FAULTS, type Faults } from './faults.ts';
import { type CallOptions, type Invocation, USUAL_FAULTS } from './functions.ts';
import type { RunIndex } from './run-index.ts';
import type { Scheduler } from './scheduler.ts';
import { SEALED_UNPACKER } from './sealed-archive.ts';
import type { Service } from './service.ts';
import type { Setting } from './setting.ts';
import { createSigner } from './signer.ts';
import type { Objects, Records } from './stores.ts';

export interface World {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly objects: Objects;
  readonly records: Records;
  readonly service: Service;
  readonly index: RunIndex;
  readonly setting: Setting;
  /** Told of everything that leaves the stores: a text, or what becomes one as JSON. */
  readonly onSaid: (where: string, said: unknown) => void;
  readonly emit: (event: Parameters<Events['emit']>[0]) => void;
  readonly startExecution: (runId: string, attempt: number, input: object) => void;
}

/** The context of one invocation. */
export function contextOf(world: World, invocation: Invocation): Context {
  const { scheduler, faults } = world;
  const store: CallOptions = {
    isAway: () => (faults.isIn('store away') ? new TransientError('the store is away') : null),
  };
  const logged = (...line: unknown[]) => {
    if (world.setting.name === 'passwords') world.onSaid('a line of a log', line);
  };
  return {
    blobs: blobsOf(world, invocation, store),
    submissions: submissionsOf(world, invocation, store),
    analyzer: analyzerOf(world, invocation),
    executions: {
      start: ({ runId, attempt, input }) =>
        invocation.call('start', store, () => world.startExecution(runId, attempt, input)),
    },
    events: { emit: (event) => invocation.call('emit', store, () => world.emit(event)) },
    unpacker: SEALED_UNPACKER,
    secondLook: null,
    sealer: null,
    signer: createSigner(),
    policy: world.setting.policy,
    limits: DEFAULT_LIMITS,
    schedule: STEP_FUNCTIONS_SCHEDULE,
    longestStageMs: 15 * 60_000,
    clock: { now: () => Math.floor(scheduler.nowMs() + invocation.skewMs) },
    work: { workMs: () => 0 },
    log: { info: logged, warn: logged },
  };
}

/** The context of an invocation that writes the index. */
export function indexContextOf({ faults, index }: World, ctx: Context, invocation: Invocation): IndexRunContext {
  const isAway = () => (faults.isIn('store away') ? new TransientError('the table is away') : null);
  return { ...ctx, runs: { put: (run) => invocation.call('put into the index', { isAway }, () => index.put(run)) } };
}

const SHORT = new Map<string, string>();

/** A key without what is the same for every call of the run. */
function short(key: string): string {
  const known = SHORT.get(key);
  if (known !== undefined) return known;
  const made = key.replace(/[0-9a-f]{32,}/g, (hex) => (hex.length > 32 ? hex.slice(0, 8) : 'RUN'));
  SHORT.set(key, made);
  return made;
}

/** Objects of the work bucket on which later stages rely, by their short names. */
const CAN_CHANGE = /^(?:runs\/RUN\/rebuilt-|artifacts\/|disarmed\/)/;

function blobsOf({ objects }: World, invocation: Invocation, store: CallOptions): Blobs {
  const onGet = (bucket: Bucket, key: string, name: string): CallOptions =>
    bucket === 'work' && CAN_CHANGE.test(name)
      ? { ...store, faults: CALL_FAULTS, spoil: () => objects.spoil(bucket, key) }
      : store;
  return {
    put: (bucket, key, body, options) =>
      invocation.call(`put ${bucket}/${short(key)}`, store, () => objects.put(bucket, key, body, options)),
    get(bucket, key, options) {
      const name = short(key);
      return invocation.call(`get ${bucket}/${name}`, onGet(bucket, key, name), () =>
        objects.get(bucket, key, options),
      );
    },
    has: (bucket, key) => invocation.call(`has ${bucket}/${short(key)}`, store, () => objects.has(bucket, key)),
    copy: (source, target) =>
      invocation.call(`copy to ${target.bucket}/${short(target.key)}`, store, () => objects.copy(source, target)),
  };
}

function submissionsOf({ records, scheduler }: World, invocation: Invocation, store: CallOptions): Submissions {
  const call = <T>(what: string, key: string, effect: (askedAtMs: number) => T) => {
    const askedAtMs = scheduler.nowMs();
    return invocation.call(`${what} ${short(key)}`, store, () => effect(askedAtMs));
  };
  return {
    claim: (record, nowSeconds) =>
      call('claim', record.key, (askedAtMs) => records.claim(record, nowSeconds, askedAtMs)),
    find: (key, nowSeconds) => call('look for', key, () => records.find(key, nowSeconds)),
    update: (record) => call('update', record.key, (askedAtMs) => records.update(record, askedAtMs)),
    release: (key, runId) => call('release', key, () => records.release(key, runId, invocation.runLabel)),
  };
}

/** The client of the service sends nothing again by itself. */
const ASKED = USUAL_FAULTS.filter((fault) => fault !== 'done twice');

function analyzerOf({ service, faults }: World, invocation: Invocation): Analyzer {
  const isAway = () => {
    if (faults.isIn('service away')) return new TransientError('the service is away');
    return faults.isIn('key refused') ? new ConfigError('the service', ['the key is refused']) : null;
  };
  const call = <T>(what: string, effect: () => T) => invocation.call(what, { isAway, faults: ASKED }, effect);
  const nameOf = ({ kind, id }: Pick<AnalysisRequest, 'kind' | 'id'>) => `${kind} ${id.slice(0, 12)}`;
  const ofId = (submissionId: string) => nameOf(service.requestOf(submissionId));
  return {
    scope: async (kind) => service.scope(kind),
    async submit(asked) {
      const request = await sent(asked);
      return call(`submit ${nameOf(request)}`, () => service.submit(request));
    },
    find: (request) => call(`search ${nameOf(request)}`, () => service.find(request)),
    progress: (_, id) => call(`progress of ${ofId(id)}`, () => service.progress(id)),
    report: (_, id) => call(`report on ${ofId(id)}`, () => service.report(id)),
    disarmedFile: (id) => call(`disarmed file of ${ofId(id)}`, () => service.disarmedFile(id)),
  };
}

/** One run of the twin under one fault, and what came of it. */
import { join } from 'node:path';
import type { EngineRunner } from '../../../lib/service/server/jobs/jobs.ts';
import type { Fault } from '../faults/fault.ts';
import { NOTHING_MEASURED } from '../lambdas/functions.ts';
import { processorSecondsOf } from '../lambdas/processor-time.ts';
import type { Grant } from '../policies/evaluate.ts';
import type { Denial } from '../policies/gate.ts';
import { type Outcome, outcomesOf } from './outcomes.ts';
import { startTwin, type Twin } from './twin.ts';

export interface FaultResult {
  readonly name: string;
  readonly says: string;
  readonly sent: number;
  readonly delivered: number;
  /** Mails by the code of the reason. */
  readonly quarantined: Readonly<Record<string, number>>;
  /** Everything that is wrong, for people. Empty: the run held. */
  readonly problems: readonly string[];
  readonly counts: Readonly<Record<'lost' | 'doubled' | 'wrongly delivered' | 'held for nothing' | 'not told', number>>;
  readonly denials: readonly Denial[];
  readonly unused: readonly Grant[];
  readonly functions: readonly FunctionUse[];
  readonly toldSeconds: number;
  readonly realSeconds: number;
  /** Of processor time: of the functions, and of this process, which is everything else. */
  readonly functionSeconds: number;
  readonly serverSeconds: number;
  readonly calls: number;
}

/** What one function used. Memory in MB, resident. */
export interface FunctionUse {
  readonly name: string;
  readonly memoryMb: number;
  readonly peakMb: number;
  readonly coldStarts: number;
  readonly invocations: number;
  /** Seconds of processor time until its bundles were loaded, and of everything together. */
  readonly startSeconds: number;
  readonly processorSeconds: number;
}

export interface RunOptions {
  readonly assembly: string;
  readonly folder: string;
  readonly engines: EngineRunner;
  readonly processes: number;
  readonly mails: number;
  /** The run fails when nothing is done for so long. Seconds. */
  readonly mostSeconds: number;
  /** Called now and then with how many mails ended. */
  readonly onProgress?: (ended: number, sent: number) => void;
  /** Aborted: the run is given up. */
  readonly signal?: AbortSignal;
}

const PROGRESS_EVERY_MS = 500;

/** Runs one fault in a deployment of its own. Rejects when the signal is aborted. */
export async function runFault(fault: Fault, options: RunOptions): Promise<FaultResult> {
  const [started, usedBefore] = [Date.now(), processorSecondsOf(process.pid)];
  const { analyst = 'engines' } = fault;
  const twin = await startTwin({ ...options, analyst, folder: join(options.folder, fault.name) });
  const toldAt = twin.clock.now();
  let calls = 0;
  twin.deployment.onCall = () => {
    calls += 1;
  };
  const progress = setInterval(() => options.onProgress?.(endedOf(twin), twin.sent.length), PROGRESS_EVERY_MS);
  const failures: string[] = [];
  const isGivenUp = () => options.signal?.aborted ?? false;
  const givenUp = new Promise<void>((resolve) => options.signal?.addEventListener('abort', () => resolve()));
  const run = async () => {
    await fault.run(twin, options.mails);
    if (!isGivenUp()) await twin.settled(options.mostSeconds);
  };
  // A run that is given up goes on for a moment, and fails where its servers have gone: nobody waits for that.
  const ended = run().catch((error: unknown) => {
    failures.push(error instanceof Error ? error.message : String(error));
  });
  await Promise.race([ended, givenUp]);
  clearInterval(progress);
  const toldSeconds = (twin.clock.now() - toldAt) / 1000;
  const result = isGivenUp() ? null : resultOf(fault, twin, failures);
  await twin.close();
  if (result === null) throw new GivenUpError();
  return {
    ...result,
    toldSeconds,
    realSeconds: (Date.now() - started) / 1000,
    functionSeconds: result.functions.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0),
    serverSeconds: processorSecondsOf(process.pid) - usedBefore,
    calls,
  };
}

/** A run that somebody ended. Nothing is known of its mails. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError';
}

function endedOf({ deployment }: Twin): number {
  const ends = new Set(['MessageDelivered', 'MessageQuarantined']);
  const ended = deployment.bus.events
    .filter((event) => ends.has(event['detail-type']))
    .map(({ detail }) => detail.runId);
  return new Set(ended).size;
}

type Measured = 'toldSeconds' | 'realSeconds' | 'functionSeconds' | 'serverSeconds' | 'calls';

function resultOf(
  { name, says, unfiled = 0 }: Fault,
  twin: Twin,
  failures: readonly string[],
): Omit<FaultResult, Measured> {
  const outcomes = outcomesOf(twin);
  const { gate, front } = twin.deployment;
  const all = outcomes.flatMap(({ problems }) => problems);
  const counted = (kind: string) => all.filter((one) => one.kind === kind).length;
  const waiting = twin.deployment.queue('Unfiled').messages.length;
  return {
    name,
    says,
    sent: outcomes.length,
    delivered: outcomes.filter(({ isDelivered }) => isDelivered).length,
    quarantined: reasonsOf(outcomes),
    counts: {
      lost: counted('lost'),
      doubled: counted('doubled'),
      'wrongly delivered': counted('wrongly delivered'),
      'held for nothing': counted('held for nothing'),
      'not told': counted('not told'),
    },
    problems: [
      ...failures,
      ...outcomes.flatMap(({ runId, sent, problems }) =>
        problems.map((one) => `${sent.key} (${runId}): ${one.kind}: ${one.says}`),
      ),
      ...gate.denials.map(({ who, action, resource, why }) => `denied: ${who} ${action} ${resource}: ${why}`),
      ...front.unknowns,
      ...(waiting === unfiled ? [] : [`${waiting} messages wait for a person, ${unfiled} were expected`]),
    ],
    denials: gate.denials,
    unused: gate.unused(),
    functions: usesOf(twin),
  };
}

function usesOf({ deployment: { functions } }: Twin): FunctionUse[] {
  return functions.list().map(({ shortName, memoryMb }) => ({
    name: shortName,
    memoryMb,
    ...(functions.measured.get(shortName) ?? NOTHING_MEASURED),
  }));
}

function reasonsOf(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { quarantinedFor } of outcomes) {
    if (quarantinedFor === null) continue;
    const code = [...new Set(quarantinedFor)].join('+');
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

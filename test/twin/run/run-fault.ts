/** One run of the twin under one fault, and what came of it. */
import { join } from 'node:path';
import type { EngineRunner } from '../../../lib/service/server/jobs/jobs.ts';
import type { Fault } from '../faults/fault.ts';
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
  readonly calls: number;
}

/** What one function used. Memory in MB, resident. */
export interface FunctionUse {
  readonly name: string;
  readonly memoryMb: number;
  readonly peakMb: number;
  readonly coldStarts: number;
  readonly invocations: number;
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
}

const PROGRESS_EVERY_MS = 500;

/** Runs one fault in a deployment of its own. */
export async function runFault(fault: Fault, options: RunOptions): Promise<FaultResult> {
  const started = Date.now();
  const { analyst = 'engines' } = fault;
  const twin = await startTwin({ ...options, analyst, folder: join(options.folder, fault.name) });
  const toldAt = twin.clock.now();
  let calls = 0;
  twin.deployment.onCall = () => {
    calls += 1;
  };
  const progress = setInterval(() => options.onProgress?.(endedOf(twin), twin.sent.length), PROGRESS_EVERY_MS);
  const failures: string[] = [];
  try {
    await fault.run(twin, options.mails);
    await twin.settled(options.mostSeconds);
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error));
  } finally {
    clearInterval(progress);
  }
  const toldSeconds = (twin.clock.now() - toldAt) / 1000;
  const result = resultOf(fault, twin, failures);
  await twin.close();
  return { ...result, toldSeconds, realSeconds: (Date.now() - started) / 1000, calls };
}

function endedOf({ deployment }: Twin): number {
  const ends = new Set(['MessageDelivered', 'MessageQuarantined']);
  const ended = deployment.bus.events
    .filter((event) => ends.has(event['detail-type']))
    .map(({ detail }) => detail.runId);
  return new Set(ended).size;
}

type Measured = 'toldSeconds' | 'realSeconds' | 'calls';

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
  return functions.list().map(({ shortName, memoryMb }) => {
    const { peakMb = 0, coldStarts = 0, invocations = 0 } = functions.measured.get(shortName) ?? {};
    return { name: shortName, memoryMb, peakMb, coldStarts, invocations };
  });
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

/**
 * The progress of a run, from its signed chain: the steps of a deployment, where the stages are not seen at work. The next step is the step
 * of the state machine after the newest entry (`scan-email.asl.json`).
 */
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { STAGE_NAMES, type StageName, type Writer } from '../../pipeline/model.ts';
import definition from '../../pipeline/scan-email.asl.json' with { type: 'json' };
import type { Dropped, Step } from '../drops.ts';

const STATES: Readonly<Record<string, { readonly Type: string; readonly Next?: string }>> = definition.States;
const NEVER: Promise<void> = new Promise(() => {});

/** Returns the content of the page of a dropped file whose run has this newest ledger, or null before the file was read. */
export function storedSteps(runId: string, untrustedName: string, ledger: Ledger | null): Dropped {
  const steps = new Map<StageName, Step>();
  for (const { stage, startedAt, durationMs } of ledger?.stages ?? [])
    if (isStage(stage)) steps.set(stage, withEntry(steps.get(stage), Date.parse(startedAt), durationMs));
  const next = ledger === null || ledger.terminal !== null ? null : nextOf(ledger);
  if (next !== null && !steps.has(next)) steps.set(next, { times: 1, begunAt: 0, doneAt: null, tookMs: 0 });
  const end = ledger?.terminal ? { failed: null } : null;
  return { runId, untrustedName, size: ledger?.intake.size ?? 0, steps, end, version: 0, changed: NEVER };
}

const isStage = (writer: Writer): writer is StageName => !['redrive', 'review', 'early'].includes(writer);

function withEntry(before: Step | undefined, begunAt: number, durationMs: number): Step {
  return {
    times: (before?.times ?? 0) + 1,
    begunAt: before?.begunAt ?? begunAt,
    doneAt: begunAt + durationMs,
    tookMs: (before?.tookMs ?? 0) + durationMs,
  };
}

/** Returns the next stage. After `submit` and `poll` the run waits, which the page knows without a step. */
function nextOf({ stages, disposition }: Ledger): StageName | null {
  const newest = stages.at(-1)?.stage;
  const [, state] = Object.entries(STATES).find(([name]) => name.toLowerCase() === newest) ?? [];
  const next = newest === 'parse' ? definition.StartAt : state?.Next;
  const choice = definition.States['Deliverable?'];
  const chosen = disposition === 'deliver' ? choice.Choices[0]?.Next : choice.Default;
  const named = (next === 'Deliverable?' ? chosen : next)?.toLowerCase();
  return STAGE_NAMES.find((stage) => stage === named) ?? null;
}

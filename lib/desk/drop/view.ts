/** The progress of a dropped file, as rows: the page and the stream of events show the same. */
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { STAGE_NAMES } from '../../pipeline/model.ts';
import { inertText } from '../../pipeline/safe-text.ts';
import type { DeskWords } from '../desk-words.ts';
import type { Dropped, Step } from '../drops.ts';
import { sentenceIn } from '../sentence.ts';
import { STAGE_WORDS } from '../stage-words.ts';
import { foundBy, type ShownStage, type ViewContext } from './findings.ts';

const SHOWN_STAGES = STAGE_NAMES.map((name): ShownStage => (name === 'poll' ? 'wait' : name));
/** The progress of a stage. `skipped`: the run ended without it. */
export const STEP_STATES = ['pending', 'underway', 'done', 'skipped', 'failed'] as const;
export type StepState = (typeof STEP_STATES)[number];

export interface StageRow {
  readonly stage: ShownStage;
  /** The work of the stage in words. */
  readonly name: string;
  readonly state: StepState;
  readonly stateText: string;
  /** Empty while it is not done. */
  readonly took: string;
  readonly found: readonly string[];
}

export interface DropView {
  readonly title: string;
  readonly isEnded: boolean;
  readonly rows: readonly StageRow[];
}

const STATE_WORDS: Readonly<Record<StepState, keyof DeskWords>> = {
  pending: 'stepPending',
  underway: 'stepUnderway',
  done: 'stepDone',
  skipped: 'stepSkipped',
  failed: 'stepFailed',
};
const NAME_CHARS = 120;

/**
 * Returns the rows of a dropped file with all that is known now. `ledger` is null before the file was read, and when its chain cannot be
 * read.
 */
export function dropView({ words, language }: ViewContext, dropped: Dropped, ledger: Ledger | null): DropView {
  const rows = SHOWN_STAGES.map((stage) => {
    const { state, tookMs } = stateOf(stage, dropped);
    const found = state === 'done' && ledger !== null ? foundBy(stage, ledger, { words, language }) : [];
    const took = state === 'done' ? `${tookMs} ms` : '';
    return { stage, name: words[STAGE_WORDS[stage]], state, stateText: words[STATE_WORDS[state]], took, found };
  });
  return { title: titleOf({ words, language }, dropped, ledger), isEnded: dropped.end !== null, rows };
}

function titleOf({ words, language }: ViewContext, { end, untrustedName }: Dropped, ledger: Ledger | null): string {
  const name = inertText(untrustedName, NAME_CHARS);
  if (end === null) return name === '' ? words.isAnalysed : `${words.isAnalysed}: ${name}`;
  if (end.failed !== null) return `${words.runBroke}: ${inertText(end.failed, 400)}`;
  return ledger === null ? words.damaged : `${name}: ${sentenceIn(language, ledger)}`;
}

type Known = { readonly state: StepState; readonly tookMs: number };

function stateOf(stage: ShownStage, dropped: Dropped): Known {
  if (stage === 'wait') return waitOf(dropped);
  const step = dropped.steps.get(stage);
  if (step === undefined) return { state: dropped.end === null ? 'pending' : 'skipped', tookMs: 0 };
  if (step.doneAt !== null) return { state: 'done', tookMs: step.tookMs };
  const hasGoneOn = dropped.end !== null || (stage !== 'quarantine' && dropped.steps.has('quarantine'));
  return { state: hasGoneOn ? 'failed' : 'underway', tookMs: 0 };
}

/** Inserts the wait between the questions and the answers. */
function waitOf({ steps, end }: Dropped): Known {
  const from = steps.get('submit')?.doneAt ?? null;
  const over: Step | undefined = steps.get('fetch') ?? steps.get('quarantine');
  if (from === null) return { state: end === null ? 'pending' : 'skipped', tookMs: 0 };
  if (over !== undefined) return { state: steps.has('fetch') ? 'done' : 'failed', tookMs: over.begunAt - from };
  return { state: end === null ? 'underway' : 'failed', tookMs: 0 };
}

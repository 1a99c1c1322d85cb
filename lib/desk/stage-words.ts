/** The work of each stage, in words of the page. */
import type { Writer } from '../pipeline/model.ts';
import type { DeskWords } from './desk-words.ts';

/** The polls of the state machine are one wait. */
export const STAGE_WORDS = {
  parse: 'stageParse',
  submit: 'stageSubmit',
  wait: 'stageWait',
  poll: 'stageWait',
  fetch: 'stageFetch',
  decide: 'stageDecide',
  rebuild: 'stageRebuild',
  deliver: 'stageDeliver',
  quarantine: 'stageQuarantine',
  redrive: 'stageRedrive',
  review: 'stageReview',
  early: 'stageEarly',
} as const satisfies Readonly<Record<Writer | 'wait', keyof DeskWords>>;

/**
 * The two state machines that are deployed, both made of `scan-email.asl.json`, which a laptop interprets as it is. Pure.
 *
 * A transition of a Standard state machine costs as much as 24 seconds of an Express one, but only a Standard one has unique names, and
 * EventBridge is told how it ends. So each attempt of a run is one Standard execution. In its first state, the Express machine takes the
 * run up to the rebuilt message, or to the decision to hold it. Only the Standard execution ends a run. If the Express execution ends in
 * any other way, the Standard one begins with the first stage. It has every stage, wait, retry and failure edge, and each stage finds its
 * earlier work.
 */
import definition from './scan-email.asl.json' with { type: 'json' };

/** AWS ends a synchronous Express execution after 300 seconds. This one ends before that, so that its caller gets an answer. */
const EXPRESS_SECONDS = 290;
/** The Standard execution continues after this time without an answer. */
const HEARS_SECONDS = 310;
/** A second of Express costs as much as a 24th of a transition: waits of several minutes are cheaper in the Standard machine. */
const LONG_WAIT_SECONDS = 60;
/** After more polls than this, an analysis with a long next wait will not be done in the time of an Express execution. */
const FEW_POLLS = 1;

/** The state of the Standard machine that runs the Express one. */
export const EXPRESS_STATE = 'Express';
/** Ends a run. Only the Standard machine does that. The Express machine names the state that must follow. */
const ENDS = ['Deliver', 'Quarantine'] as const;
/** The state in which the Express machine leaves a run to the Standard one. */
const LATER = 'Later';

interface State {
  readonly Type: string;
  readonly Choices?: readonly object[];
}

/**
 * Returns the Standard state machine. `ExpressArn` is replaced by the ARN of the other one.
 *
 * @example
 * ```ts
 * standardMachine().StartAt; // => 'Express'
 * ```
 */
export function standardMachine() {
  return {
    ...definition,
    StartAt: EXPRESS_STATE,
    States: { [EXPRESS_STATE]: EXPRESS_TASK, 'Judged?': JUDGED, ...definition.States },
  };
}

/** There is no retry, because this machine does the work that an Express execution does not finish. */
const EXPRESS_TASK = {
  Type: 'Task',
  Resource: 'arn:aws:states:::aws-sdk:sfn:startSyncExecution',
  Parameters: {
    StateMachineArn: `\${${EXPRESS_STATE}Arn}`,
    'Name.$': '$$.Execution.Name',
    'Input.$': 'States.JsonToString($)',
  },
  ResultPath: '$.express',
  TimeoutSeconds: HEARS_SECONDS,
  Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: definition.StartAt }],
  Next: 'Judged?',
} as const;

/** The output of an Express execution is the text of a JSON document. There is none unless it succeeded. */
const JUDGED = {
  Type: 'Choice',
  Choices: [
    { Not: { Variable: '$.express.Status', StringEquals: 'SUCCEEDED' }, Next: definition.StartAt },
    ...ENDS.map((end) => ({ Variable: '$.express.Output', StringEquals: JSON.stringify(end), Next: end })),
  ],
  Default: definition.StartAt,
} as const;

/**
 * Returns the Express state machine: the stages up to `rebuild`. Its output is the name of the state that must follow, or `Later` when an
 * analysis takes long or anything fails for good.
 *
 * @example
 * ```ts
 * Object.keys(expressMachine().States).includes('Deliver'); // => true, as a word that it ends in
 * ```
 */
export function expressMachine() {
  const states = Object.entries(definition.States as Readonly<Record<string, State>>);
  const passed = states.filter(([name]) => !ENDS.some((end) => end === name) && name !== 'WaitForService');
  const words = [...ENDS, LATER].map((word) => [word, { Type: 'Pass', Result: word, End: true }] as const);
  return {
    Comment: 'The part of a run that takes minutes at most. It ends nothing: the Standard state machine does.',
    StartAt: definition.StartAt,
    TimeoutSeconds: EXPRESS_SECONDS,
    States: Object.fromEntries([...passed.map(([name, state]) => [name, inExpress(name, state)] as const), ...words]),
  };
}

function inExpress(name: string, state: State): State {
  if (state.Type === 'Task') return { ...state, ...TO_LATER };
  if (name !== 'Outstanding?') return state;
  return { ...state, Choices: [TAKES_LONG, ...(state.Choices ?? [])] };
}

const TO_LATER = { Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: null, Next: LATER }] };

const TAKES_LONG = {
  And: [
    { Variable: '$.waitSeconds', NumericGreaterThan: LONG_WAIT_SECONDS },
    { Variable: '$.polls', NumericGreaterThan: FEW_POLLS },
  ],
  Next: LATER,
};

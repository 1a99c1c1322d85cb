/** The part of the Amazon States Language that our state machines use. A field or a type of state that is not here is refused. */
import { onlyKnown, unknown } from '../assembly/refuse.ts';

export interface Retrier {
  readonly ErrorEquals: readonly string[];
  readonly IntervalSeconds?: number;
  readonly MaxAttempts?: number;
  readonly BackoffRate?: number;
  readonly MaxDelaySeconds?: number;
  readonly JitterStrategy?: 'FULL' | 'NONE';
}

export interface Catcher {
  readonly ErrorEquals: readonly string[];
  readonly ResultPath?: string | null;
  readonly Next: string;
}

export interface Condition {
  readonly Variable?: string;
  readonly NumericGreaterThan?: number;
  readonly StringEquals?: string;
  readonly BooleanEquals?: boolean;
  readonly And?: readonly Condition[];
  readonly Not?: Condition;
}

export interface ChoiceRule extends Condition {
  readonly Next: string;
}

interface Following {
  readonly Next?: string;
  readonly End?: boolean;
}

export type State =
  | (Following & {
      readonly Type: 'Task';
      readonly Resource: string;
      readonly Parameters?: Readonly<Record<string, unknown>>;
      readonly TimeoutSeconds?: number;
      readonly ResultPath?: string | null;
      readonly Retry?: readonly Retrier[];
      readonly Catch?: readonly Catcher[];
    })
  | { readonly Type: 'Choice'; readonly Choices: readonly ChoiceRule[]; readonly Default?: string }
  | (Following & { readonly Type: 'Wait'; readonly Seconds?: number; readonly SecondsPath?: string })
  | (Following & { readonly Type: 'Pass'; readonly Result?: unknown })
  | { readonly Type: 'Succeed' }
  | { readonly Type: 'Fail'; readonly Error?: string; readonly Cause?: string };

export interface Definition {
  readonly StartAt: string;
  readonly TimeoutSeconds?: number;
  readonly States: Readonly<Record<string, State>>;
}

const FIELDS: Readonly<Record<State['Type'], readonly string[]>> = {
  Task: ['Catch', 'End', 'Next', 'Parameters', 'Resource', 'ResultPath', 'Retry', 'TimeoutSeconds'],
  Choice: ['Choices', 'Default'],
  Wait: ['End', 'Next', 'Seconds', 'SecondsPath'],
  Pass: ['End', 'Next', 'Result'],
  Succeed: [],
  Fail: ['Cause', 'Error'],
};
const RETRIER = ['BackoffRate', 'ErrorEquals', 'IntervalSeconds', 'JitterStrategy', 'MaxAttempts', 'MaxDelaySeconds'];
const CATCHER = ['ErrorEquals', 'Next', 'ResultPath'];
const CONDITION = ['And', 'BooleanEquals', 'Not', 'NumericGreaterThan', 'StringEquals', 'Variable'];

/** Reads a definition. Throws UnknownToTwinError. */
export function definitionOf(text: string, substitutions: Readonly<Record<string, string>>): Definition {
  const filled = text.replace(
    /\$\{(\w+)\}/g,
    (_, name: string) => substitutions[name] ?? unknown('substitution', name),
  );
  const definition: Definition = JSON.parse(filled);
  onlyKnown('field of a state machine', definition, ['Comment', 'StartAt', 'States', 'TimeoutSeconds']);
  for (const [name, state] of Object.entries(definition.States)) checkState(name, state);
  return definition;
}

function checkState(name: string, state: State): void {
  const fields = FIELDS[state.Type] ?? unknown('type of state', state);
  onlyKnown(`field of state ${name}`, state, ['Comment', 'Type', ...fields]);
  if (state.Type === 'Task') {
    for (const retrier of state.Retry ?? []) onlyKnown('field of a Retry', retrier, RETRIER);
    for (const catcher of state.Catch ?? []) onlyKnown('field of a Catch', catcher, CATCHER);
  }
  if (state.Type === 'Choice') for (const { Next: _, ...condition } of state.Choices) checkCondition(condition);
}

function checkCondition(condition: Condition): void {
  onlyKnown('field of a choice', condition, CONDITION);
  for (const each of [...(condition.And ?? []), ...(condition.Not ? [condition.Not] : [])]) checkCondition(each);
}

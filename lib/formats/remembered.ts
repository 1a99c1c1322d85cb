/** Remembers answers that follow from their input alone. */
import type { Steps } from './steps.ts';

/** Settings of the memory of a function. */
export interface Memory<In> {
  /** The most answers. A flood of different inputs would fill the memory, so the oldest is forgotten first. */
  readonly most: number;
  /** Returns the key under which two inputs are the same; null for an input that is too large to remember. */
  readonly keyOf: (input: In) => string | null;
}

/** Makes the same function with a memory: it computes each answer once while it is remembered. Errors are not remembered. */
export function remembered<In, Out>({ most, keyOf }: Memory<In>, answer: (input: In) => Out): (input: In) => Out {
  const answers = new Map<string, Out>();
  return (input) => {
    const key = keyOf(input);
    if (key === null) return answer(input);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const found = answer(input);
    note(answers, most, key, found);
    return found;
  };
}

/** Settings of a memory that keeps only some answers, for example the small ones. */
export interface ChosenMemory<In, Out> extends Memory<In> {
  readonly isKept: (answer: Out) => boolean;
}

/** Does the same for an answer that is worked out in pieces. It is remembered when `isKept` is true for it. */
export function rememberedSteps<In, Out>(
  { most, keyOf, isKept }: ChosenMemory<In, Out>,
  answer: (input: In) => Steps<Out>,
): (input: In) => Steps<Out> {
  const answers = new Map<string, Out>();
  return function* (input) {
    const key = keyOf(input);
    const known = key === null ? undefined : answers.get(key);
    if (known !== undefined) return known;
    const found = yield* answer(input);
    if (key !== null && isKept(found)) note(answers, most, key, found);
    return found;
  };
}

/**
 * Does the same for an answer that comes later. It is remembered when it has arrived and `isKept` is true for it, for example because it is
 * small. So equal inputs at the same time are each computed.
 */
export function rememberedLater<In, Out>(
  { most, keyOf, isKept }: ChosenMemory<In, Out>,
  answer: (input: In) => Promise<Out>,
): (input: In) => Promise<Out> {
  const answers = new Map<string, Out>();
  return async (input) => {
    const key = keyOf(input);
    const known = key === null ? undefined : answers.get(key);
    if (known !== undefined) return known;
    const found = await answer(input);
    if (key !== null && isKept(found)) note(answers, most, key, found);
    return found;
  };
}

function note<Out>(answers: Map<string, Out>, most: number, key: string, found: Out): void {
  answers.set(key, found);
  const [oldest = key] = answers.keys();
  if (answers.size > most) answers.delete(oldest);
}

const NUMBERS = new WeakMap<object, number>();
let numbers = 0;

/** Returns a number for this very object, for the key of an answer that depends on it. */
export function numberOf(value: object): number {
  const known = NUMBERS.get(value);
  if (known !== undefined) return known;
  numbers += 1;
  NUMBERS.set(value, numbers);
  return numbers;
}

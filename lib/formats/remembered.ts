/** Remembers answers that follow from their input alone. */

/** What a function remembers. */
export interface Memory<In> {
  /** The most answers. A flood of different inputs would fill the memory, so the oldest is forgotten first. */
  readonly most: number;
  /** What makes two inputs the same; null for an input that is too large to remember. */
  readonly keyOf: (input: In) => string | null;
}

/** The same function, which works out each answer once while it is remembered. What it throws is not remembered. */
export function remembered<In, Out>({ most, keyOf }: Memory<In>, answer: (input: In) => Out): (input: In) => Out {
  const answers = new Map<string, Out>();
  return (input) => {
    const key = keyOf(input);
    if (key === null) return answer(input);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const found = answer(input);
    answers.set(key, found);
    const [oldest = key] = answers.keys();
    if (answers.size > most) answers.delete(oldest);
    return found;
  };
}

/** Finds which of many words are in a file, in one pass: the automaton of Aho and Corasick, with all its transitions in one table. */

/** The most entries of the table, of four bytes each. Every thread has a table of its own. */
const MAX_ENTRIES = 2 * 1024 * 1024;
const BYTE_VALUES = 256;

/** Returns the words that are in the bytes, without regard to the case of ASCII letters. */
export type WordSearch = (bytes: Uint8Array) => ReadonlySet<string>;

interface State {
  readonly next: Map<number, State>;
  readonly number: number;
  /** The words that end here, those that end with a shorter part included. */
  words: readonly string[];
}

/** Makes the search for words in small letters, given as strings of Latin-1. Returns null when there are too many of them. */
export function wordSearch(words: readonly string[]): WordSearch | null {
  const classes = classesOf(words);
  const width = Math.max(...classes) + 1;
  const states = statesOf(words, Math.floor(MAX_ENTRIES / width), classes);
  if (states === null) return null;
  const table = tableOf(states, width);
  return (bytes) => {
    const reached = new Uint8Array(states.length);
    const found = new Set<string>();
    let row = 0;
    for (let at = 0; at < bytes.length; at++) {
      row = table[row + (classes[bytes[at] as number] as number)] as number;
      if (row >= 0) continue;
      row = ~row;
      const number = row / width;
      if (reached[number] === 1) continue;
      reached[number] = 1;
      for (const word of states[number]?.words ?? []) found.add(word);
    }
    return found;
  };
}

/** Numbers the bytes that occur in words. Capital letters have the number of the small one, and all other bytes have 0. */
function classesOf(words: readonly string[]): Uint16Array {
  const classes = new Uint16Array(BYTE_VALUES);
  const bytes = new Set(words.flatMap((word) => [...Buffer.from(word, 'latin1')]));
  [...bytes].forEach((byte, index) => {
    classes[byte] = index + 1;
  });
  for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')) classes[byte] = classes[byte + 32] as number;
  return classes;
}

function statesOf(words: readonly string[], most: number, classes: Uint16Array): State[] | null {
  const root: State = { next: new Map(), number: 0, words: [] };
  const states = [root];
  for (const word of words) {
    let state = root;
    for (const byte of Buffer.from(word, 'latin1')) {
      const key = classes[byte] as number;
      const known = state.next.get(key);
      const next = known ?? { next: new Map(), number: states.length, words: [] };
      if (known === undefined) {
        if (states.length >= most) return null;
        state.next.set(key, next);
        states.push(next);
      }
      state = next;
    }
    state.words = [...state.words, word];
  }
  return states;
}

/** Fills the row of each state, the short ones first. A negative entry leads to a state where words end. */
function tableOf(states: readonly State[], width: number): Int32Array {
  const table = new Int32Array(states.length * width);
  const queue: { readonly state: State; readonly fallback: State | null }[] = [];
  const [root] = states;
  if (root !== undefined) queue.push({ state: root, fallback: null });
  for (const { state, fallback } of queue) {
    const row = state.number * width;
    if (fallback !== null) {
      table.copyWithin(row, fallback.number * width, (fallback.number + 1) * width);
      state.words = [...state.words, ...fallback.words];
    }
    for (const [key, next] of state.next)
      queue.push({ state: next, fallback: fallbackOf(states, table, row + key, fallback, width) });
    for (const [key, next] of state.next) table[row + key] = next.number * width;
  }
  return marked(table, states, width);
}

/** Returns the failure state of the state behind an entry. The entry still has the transition of the shorter state, as `tableOf` sets its own later. */
function fallbackOf(states: readonly State[], table: Int32Array, entry: number, fallback: State | null, width: number) {
  return fallback === null ? (states[0] ?? null) : (states[(table[entry] as number) / width] ?? null);
}

function marked(table: Int32Array, states: readonly State[], width: number): Int32Array {
  return table.map((row) => (states[row / width]?.words.length === 0 ? row : ~row));
}

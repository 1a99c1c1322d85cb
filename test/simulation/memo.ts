/**
 * Remembers the results of pure work by what it was given, for all seeds of a process: a mail is read once. The bundle of the simulation
 * puts a memory around the functions that `bundle.ts` lists; the stages themselves run as they are.
 */
import { hash as digest } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Chain } from '../../lib/pipeline/chain/chain.ts';

interface State {
  readonly results: Map<string, unknown>;
  readonly hashes: WeakMap<Uint8Array, string>;
  /** Work that is not finished; told time stands still meanwhile. */
  busy: number;
  /** Told of each message that is read, remembered or not. */
  onReading: (sha256: string) => void;
}

const state: State = { results: new Map(), hashes: new WeakMap(), busy: 0, onReading: () => {} };

/** True when no remembered function is at work. */
export const isIdle = (): boolean => state.busy === 0;

/** From now on, `told` is called with the hash of every message that is read. */
export function listenToReadings(told: (sha256: string) => void): void {
  state.onReading = told;
}

/** SHA-256 of bytes that nobody changes any more, in hexadecimal. */
export function hashOf(bytes: Uint8Array): string {
  const known = state.hashes.get(bytes);
  if (known !== undefined) return known;
  const hash = digest('sha256', bytes, 'hex');
  state.hashes.set(bytes, hash);
  return hash;
}

/** Reads a message once. */
const readMessage =
  <Rest extends unknown[], Result>(work: (email: Uint8Array, ...rest: Rest) => Promise<Result>) =>
  async (email: Uint8Array, ...rest: Rest): Promise<Result> => {
    const hash = hashOf(email);
    state.onReading(hash);
    return once(hash, () => work(email, ...rest));
  };

/** Makes the leaf of a part once: a part that is the same object is a part of the same message. */
const leafOfPartSteps = <Part extends object, Leaf>(work: (part: Part, email: Uint8Array) => Generator<void, Leaf>) => {
  const leaves = new WeakMap<Part, Leaf>();
  return function* (part: Part, email: Uint8Array): Generator<void, Leaf> {
    const leaf = leaves.get(part) ?? frozen(yield* work(part, email));
    leaves.set(part, leaf);
    return leaf;
  };
};

interface ChainOf {
  readonly runId: string;
  readonly attempt: number;
}

/** Chains by their bytes, and by the attempt of which they are read. */
const chains = new WeakMap<Uint8Array, Map<string, unknown>>();

function chainsOf(bytes: Uint8Array): Map<string, unknown> {
  const known = chains.get(bytes) ?? new Map<string, unknown>();
  chains.set(bytes, known);
  return known;
}

/** The chain that a stage has just signed and stored as these bytes; undefined when it is not remembered. */
export function writtenChain(bytes: Uint8Array): Chain | undefined {
  return chains.get(bytes)?.values().next().value as Chain | undefined;
}

const nameOf = ({ runId, attempt }: ChainOf) => `${runId} ${attempt}`;

/**
 * Checks a chain once: bytes that are the same object are the same bytes, and no key is ever withdrawn in a simulation. Whether the chain is that
 * of the attempt is part of the name, and a chain that does not hold is checked each time.
 */
const checkedChain =
  <Context, Of extends ChainOf, Chain>(
    work: (ctx: Context, of: Of, bytes: Uint8Array, what: string) => Promise<Chain>,
  ) =>
  async (ctx: Context, of: Of, bytes: Uint8Array, what: string): Promise<Chain> => {
    const known = chainsOf(bytes);
    const chain = known.get(nameOf(of)) as Chain | undefined;
    if (chain !== undefined && compared >= MAX_COMPARED) return chain;
    const read = await work(ctx, of, bytes, what);
    if (chain !== undefined && !isDeepStrictEqual(read, chain))
      throw new Error(`${what} is read otherwise than it was written`);
    compared += 1;
    known.set(nameOf(of), read);
    return read;
  };

/** So many chains are read, and compared with what was written. From then on, one that was written just now is taken as it was. */
const MAX_COMPARED = 500;
let compared = 0;

/** A chain that a stage has just signed is not read again from its bytes. */
const putChain =
  <
    Context extends { readonly blobs: { readonly put: Put } },
    Put extends (...given: never[]) => unknown,
    Chain extends ChainOf,
    Result,
  >(
    work: (ctx: Context, chain: Chain) => Result,
  ) =>
  (ctx: Context, chain: Chain): Result => {
    const put = (...given: Parameters<Context['blobs']['put']>) => {
      chainsOf(given[2] as unknown as Uint8Array).set(nameOf(chain), chain);
      return ctx.blobs.put(...(given as never[]));
    };
    return work({ ...ctx, blobs: { ...ctx.blobs, put } }, chain);
  };

/** Writes a chain once: its evidence and its entry are the same bytes then, which are read once. */
const chainText = <Lines extends object>(work: (lines: Lines) => Uint8Array) => {
  const texts = new WeakMap<Lines, Uint8Array>();
  return (lines: Lines): Uint8Array => {
    const text = texts.get(lines) ?? work(lines);
    texts.set(lines, text);
    return text;
  };
};

/** Makes the row of a ledger once: a ledger that is the same object, behind the same ones, has the same row. */
const indexedRun = <Of extends object, Row>(work: (ledger: Of, earlier: readonly Of[]) => Row) => {
  const rows = new WeakMap<Of, { readonly earlier: readonly Of[]; readonly row: Row }>();
  return (ledger: Of, earlier: readonly Of[] = []): Row => {
    const known = rows.get(ledger);
    if (known?.earlier.length === earlier.length && known.earlier.every((one, at) => one === earlier[at]))
      return known.row;
    const row = frozen(work(ledger, earlier));
    rows.set(ledger, { earlier: [...earlier], row });
    return row;
  };
};

/** Reads a header once, and finds the links of a text once. */
const readHeaderFacts =
  <Rest extends unknown[], Result>(work: (header: Uint8Array, ...rest: Rest) => Result) =>
  (header: Uint8Array, ...rest: Rest): Result => {
    const key = `header ${Buffer.from(header).toString('latin1')}`;
    return (state.results.get(key) as Result | undefined) ?? kept(key, work(header, ...rest));
  };

const findUrls =
  <Options, Rest extends unknown[], Result>(work: (text: string, options: Options, ...rest: Rest) => Result) =>
  (text: string, options: Options, ...rest: Rest): Result => {
    const key = `links ${JSON.stringify(options)} ${text}`;
    return (state.results.get(key) as Result | undefined) ?? kept(key, work(text, options, ...rest));
  };

/** Searches a rebuilt message for links once for each list of what may stay. */
const linksNotKept =
  <Limits, Reading, Links extends { readonly isData: readonly boolean[]; readonly keptIds: ReadonlySet<string> }>(
    work: (limits: Limits, reading: Reading, bytes: Uint8Array, links: Links) => Promise<readonly string[]>,
  ) =>
  (limits: Limits, reading: Reading, bytes: Uint8Array, links: Links): Promise<readonly string[]> =>
    once(`left ${hashOf(bytes)} ${links.isData} ${[...links.keptIds]}`, () => work(limits, reading, bytes, links));

/** Finds out once what a file is under its names. */
const identifyFile =
  <Hints, Result>(work: (bytes: Uint8Array, hints: Hints) => Result) =>
  (bytes: Uint8Array, hints: Hints): Result => {
    const key = `type ${hashOf(bytes)} ${JSON.stringify(hints)}`;
    return (state.results.get(key) as Result | undefined) ?? kept(key, work(bytes, hints));
  };

/** The memory of each function, by its name. */
export const memories = {
  readMessage,
  checkedChain,
  putChain,
  chainText,
  indexedRun,
  leafOfPartSteps,
  readHeaderFacts,
  findUrls,
  linksNotKept,
  identifyFile,
};

/** Work that takes no told time, done once. */
async function once<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const known = state.results.get(key);
  if (known !== undefined) return known as Result;
  state.busy++;
  try {
    return kept(key, await work());
  } finally {
    state.busy--;
  }
}

function kept<Result>(key: string, result: Result): Result {
  state.results.set(key, frozen(result));
  return result;
}

/** Whoever changes a remembered result would change it for all. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
  return value;
}

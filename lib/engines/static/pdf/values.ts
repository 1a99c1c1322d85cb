/** Reads the values of PDF objects from their tokens (ISO 32000-1, 7.3). The rest of the static engine looks only at names and strings. */
import { type PdfToken, readTokens } from './tokens.ts';

/** An object of the document with its number; null where the number is not known. */
export interface NumberedObject {
  readonly number: number | null;
  readonly text: string;
}

export type PdfValue =
  | { readonly kind: 'name' | 'string' | 'other'; readonly value: string }
  | { readonly kind: 'reference'; readonly number: number }
  | { readonly kind: 'list'; readonly items: readonly PdfValue[] }
  /** Readers differ about a key that is written twice, so each entry is kept. */
  | { readonly kind: 'dictionary'; readonly entries: readonly (readonly [string, PdfValue])[] };

export type PdfDictionary = Extract<PdfValue, { readonly kind: 'dictionary' }>;

/** The longest object whose values are read. Stops objects that are long for this alone; one dictionary is far shorter. */
const MAX_OBJECT = 200_000;
/** The deepest nesting that is read. Stops nesting that would overflow the stack. */
const MAX_DEPTH = 40;

/** Returns all values of an object, without the words around it; null when it is too long or too deep, or its brackets do not match. */
export function valuesOf({ text }: NumberedObject): PdfValue[] | null {
  if (text.length > MAX_OBJECT) return null;
  const tokens: PdfToken[] = [];
  readTokens(text.replace(/^\d{1,10}\s{1,9}\d{1,9}\s{1,9}obj/, ''), (token) => tokens.push(token));
  const open: { end: string; items: PdfValue[] }[] = [{ end: '', items: [] }];
  for (const token of tokens) {
    const top = open.at(-1);
    if (top === undefined || open.length > MAX_DEPTH) return null;
    if (token.kind !== 'other') top.items.push({ kind: token.kind, value: token.value });
    else if (token.value === '<<' || token.value === '[') open.push({ end: ENDS[token.value], items: [] });
    else if (/^(?:>>|[>\]()])$/.test(token.value)) {
      if (top.end !== token.value) return null;
      open.pop();
      open.at(-1)?.items.push(closed(top.end, top.items));
    } else if (token.value === 'R') top.items.push(reference(top.items.splice(-2)));
    else top.items.push({ kind: 'other', value: token.value });
  }
  return open.length === 1 ? (open[0]?.items ?? null) : null;
}

const ENDS = { '<<': '>>', '[': ']' } as const;

function closed(end: string, items: readonly PdfValue[]): PdfValue {
  if (end === ']') return { kind: 'list', items };
  const entries: [string, PdfValue][] = [];
  for (let at = 0; at < items.length; at++) {
    const [key, value] = [items[at], items[at + 1]];
    if (key?.kind !== 'name' || value === undefined) continue;
    entries.push([key.value, value]);
    at++;
  }
  return { kind: 'dictionary', entries };
}

function reference([number, generation]: readonly PdfValue[]): PdfValue {
  const isOne = number?.kind === 'other' && /^\d{1,10}$/.test(number.value) && generation?.kind === 'other';
  return isOne ? { kind: 'reference', number: Number(number.value) } : { kind: 'other', value: 'R' };
}

/** Returns every dictionary in some values, at any depth. */
export function dictionariesIn(values: readonly PdfValue[]): PdfDictionary[] {
  return values.flatMap((value) => {
    if (value.kind === 'list') return dictionariesIn(value.items);
    return value.kind === 'dictionary' ? [value, ...dictionariesIn(value.entries.map(([, one]) => one))] : [];
  });
}

/** Returns the values behind a key. */
export const entriesOf = ({ entries }: PdfDictionary, wanted: string): PdfValue[] =>
  entries.flatMap(([key, value]) => (key === wanted ? [value] : []));

/** The most versions of an object that are read. Stops a document that writes one object often and refers to it often. */
const MAX_VERSIONS = 100;

/** Finds the values of objects by number. An object that is written more than once has the values of all its versions. */
export class ObjectValues {
  readonly #byNumber = new Map<number, NumberedObject[]>();
  readonly #read = new Map<number, PdfValue[] | null>();

  constructor(objects: readonly NumberedObject[]) {
    for (const one of objects) {
      if (one.number === null) continue;
      const versions = this.#byNumber.get(one.number);
      if (versions === undefined) this.#byNumber.set(one.number, [one]);
      else if (versions.length <= MAX_VERSIONS) versions.push(one);
    }
  }

  /** Returns the values to which a value refers, or the value itself: none when it is not there, null when one cannot be read. */
  resolve(value: PdfValue): readonly PdfValue[] | null {
    if (value.kind !== 'reference') return [value];
    const known = this.#read.get(value.number);
    if (known !== undefined) return known;
    const found = this.#readVersions(this.#byNumber.get(value.number) ?? []);
    this.#read.set(value.number, found);
    return found;
  }

  #readVersions(versions: readonly NumberedObject[]): PdfValue[] | null {
    if (versions.length > MAX_VERSIONS) return null;
    const firsts = versions.map((version) => valuesOf(version)?.[0]);
    return firsts.includes(undefined) ? null : firsts.filter((one) => one !== undefined);
  }
}

/**
 * Judges the target of a reference once. Stops a document that has thousands of references to one long object. A value in place is no longer than
 * its own object.
 */
export class OncePerReference<Answer> {
  readonly #known = new Map<number, Answer>();

  /** Returns the answer for a value, which `judge` gives at the first time. */
  once(value: PdfValue, judge: () => Answer): Answer {
    if (value.kind !== 'reference') return judge();
    const known = this.#known.get(value.number);
    if (known !== undefined) return known;
    const answer = judge();
    this.#known.set(value.number, answer);
    return answer;
  }
}

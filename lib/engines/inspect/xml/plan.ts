/** The names for which a scan of XML looks, prepared once as hashes. Nearly all names of a document do not matter. */
import { namesOf } from '../fact.ts';

/** Flags of an element: its text is shown, it is reported, its text is reported, nothing in it is shown. */
export const WORDS = 1;
export const WATCHED = 2;
export const TEXT = 4;
export const SKIPPED = 8;
export const HASHES = 4096;
/** In `letters`: more than the words of the element matter. */
export const KNOWN = 0xff;

/** Which names matter, and how. The hash of a name is compared first, because nearly all names do not matter. */
export interface XmlPlan {
  readonly slots: readonly (readonly { readonly name: string; readonly flags: number }[] | undefined)[];
  /** By hash: whether a name of an element, or of an attribute, can be one of them. */
  readonly elementBits: Uint8Array;
  readonly attributeBits: Uint8Array;
  readonly attributes: ReadonlySet<string>;
  /** By byte, for elements whose whole name is that byte: WORDS, nothing, or KNOWN. */
  readonly letters: Uint8Array;
  /** Whether a name of one letter is among the attributes. */
  readonly hasShortAttributes: boolean;
  /** Count every text that is not inside a skipped element, not only that of `words`. */
  readonly allText: boolean;
}

/** Lists of local names, space separated. */
export interface XmlPlanNames {
  /** Elements whose text is shown to readers. */
  readonly words?: string;
  /** Elements that are reported with their attributes. */
  readonly watched?: string;
  /** Elements whose text is reported. */
  readonly texts?: string;
  /** Elements without any shown text in them. */
  readonly skipped?: string;
  /** Attributes that are reported. */
  readonly attributes?: string;
  readonly allText?: boolean;
}

/** Prepares a plan. This is done once per table of facts. */
export function xmlPlan(names: XmlPlanNames): XmlPlan {
  const elements = new Map<string, number>();
  const lists = [
    [names.words, WORDS],
    [names.watched, WATCHED],
    [names.texts, TEXT],
    [names.skipped, SKIPPED],
  ] as const;
  for (const [list, flag] of lists) {
    for (const name of listed(list)) elements.set(name, (elements.get(name) ?? 0) | flag);
  }
  const attributes = new Set(listed(names.attributes));
  return {
    attributes,
    slots: slotsOf(elements),
    elementBits: bitsOf([...elements.keys()]),
    attributeBits: bitsOf([...attributes]),
    letters: lettersOf(elements),
    hasShortAttributes: [...attributes].some((name) => name.length === 1),
    allText: names.allText ?? false,
  };
}

function listed(list: string | undefined): readonly string[] {
  return list === undefined || list === '' ? [] : namesOf(list.toLowerCase());
}

function slotsOf(elements: ReadonlyMap<string, number>): XmlPlan['slots'] {
  const slots: { name: string; flags: number }[][] = new Array(HASHES);
  for (const [name, flags] of elements) {
    const slot = hashOf(Buffer.from(name)) & (HASHES - 1);
    slots[slot] = [...(slots[slot] ?? []), { name, flags }];
  }
  return slots;
}

function bitsOf(names: readonly string[]): Uint8Array {
  const bits = new Uint8Array(HASHES);
  for (const name of names) bits[hashOf(Buffer.from(name)) & (HASHES - 1)] = 1;
  return bits;
}

function lettersOf(elements: ReadonlyMap<string, number>): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    const isLetter = /[a-z]/i.test(String.fromCharCode(byte));
    const flags = elements.get(String.fromCharCode(byte).toLowerCase()) ?? 0;
    return isLetter && (flags & ~WORDS) === 0 ? flags : KNOWN;
  });
}

function hashOf(name: Uint8Array): number {
  let hash = 0;
  for (const byte of name) hash = stepHash(hash, byte);
  return hash;
}

/** Adds a letter to a hash without its case. Names that differ only in case all count as the searched name. */
export function stepHash(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + (byte | 0x20)) | 0;
}

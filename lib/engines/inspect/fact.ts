/** The facts that must not be in a disarmed file, and the result of an inspection of a file. */

/** Says of a value whether it fits: a pattern, or what takes more than one. */
export type ValueTest = Pick<RegExp, 'test'>;

/** How a fact is found. Names are compared without prefix and case. The scanner of a format says what it decodes. */
export type Search =
  /** An element of XML or HTML with one of these local names. */
  | { readonly by: 'element'; readonly names: string }
  /** An attribute whose name is one of these, with a value that fits. */
  | { readonly by: 'attribute'; readonly names: string; readonly value: ValueTest }
  /** The text of an element. */
  | { readonly by: 'text'; readonly names: string; readonly isLive: (text: string) => boolean }
  /** The type of a relationship of an Office package. */
  | { readonly by: 'relationship'; readonly type: RegExp }
  /** A content type that an Office package or a mail declares. */
  | { readonly by: 'contentType'; readonly type: RegExp }
  /** The path of a member, stream or storage. */
  | { readonly by: 'path'; readonly path: RegExp }
  /** A key of a PDF dictionary, a control word of RTF, a property of a calendar. */
  | { readonly by: 'name'; readonly names: string }
  /** A key of a PDF dictionary with a name as its value. */
  | { readonly by: 'pair'; readonly key: string; readonly values: string };

/** One row of a table of facts. */
export interface Fact {
  /** Stable, kebab-case, unique over all tables. */
  readonly id: string;
  readonly find: Search;
}

/** Something that must not be in a disarmed file, found in it. */
export interface Leftover {
  /** Id of the fact, or of a check on the structure. */
  readonly id: string;
  /** Where it was found. Untrusted. */
  readonly where: string;
}

/** Enough to explain a refusal. A hostile file could hold millions. */
const MAX_LEFTOVERS = 20;

/** Collects leftovers. The scanners of all formats report to the same collection. */
export interface Findings {
  readonly list: readonly Leftover[];
  add(id: string, where: string): void;
}

/** Begins a list of findings. It takes a limited number of them. */
export function openFindings(): Findings {
  const list: Leftover[] = [];
  return {
    list,
    add(id, where) {
      if (list.length < MAX_LEFTOVERS) list.push({ id, where: where.slice(0, 200) });
    },
  };
}

/**
 * Pages, sheets or slides. For a map: places. For a book: chapters. For a recording: frames, or bytes of sound and pictures. For a drawing:
 * records that draw.
 */
export interface Units {
  readonly kind: 'pages' | 'sheets' | 'slides' | 'samples' | 'places' | 'chapters' | 'marks';
  readonly count: number;
}

/** Thrown inside an inspection when bytes do not have the type that they claim. The entry point (inspect.ts) turns it into a leftover. */
export class InspectionError extends Error {
  override readonly name = 'InspectionError';
  constructor(
    readonly id: string,
    readonly where: string,
  ) {
    super(id);
  }
}

/** Returns the words of a fact's name list. */
export function namesOf(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}

/**
 * Returns the source of a group that matches one of the alternatives in a list. They are separated by white space and written as
 * expressions.
 */
export const oneOf = (list: string): string => `(?:${namesOf(list).join('|')})`;

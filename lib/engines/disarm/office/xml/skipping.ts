/** The content of a part that a reader need not see as nodes of a tree. */
import type { XmlElement, XmlNode } from './element.ts';

/**
 * `plain`: stays unchanged unless something inside must be seen. `formula`: the same when `isSafe` accepts its text. `story`: plain outside
 * of a field's code. `node`: is seen. `whole`: is seen with all of its content.
 */
export type XmlSkip = 'plain' | 'formula' | 'story' | 'node' | 'whole';

/**
 * Returns the offset after the content that may be skipped from `from` on; the same offset when there is none. `view` is of the same bytes.
 */
export type PassOver = (bytes: Uint8Array, from: number, view: DataView) => number;

export interface XmlSkipRules {
  readonly ofElement: (key: string | null) => XmlSkip;
  /** Returns whether an attribute with this key may stay on any plain element. */
  readonly isPlainAttribute: (key: string | null) => boolean;
  readonly isSafe: (formula: string) => boolean;
  /** Elements that are handled when they close, so that a sheet of a million formulas is never completely a tree. */
  readonly rows: ReadonlySet<string>;
  readonly reduce: (row: XmlElement) => readonly XmlNode[];
  /** The content that may be skipped inside an element with this key and no prefix; null where everything is scanned. */
  readonly passOver: { readonly inside: string; readonly behind: PassOver } | null;
}

/** Everything becomes a node. */
export const SKIP_NOTHING: XmlSkipRules = {
  ofElement: () => 'whole',
  isPlainAttribute: () => true,
  isSafe: () => false,
  rows: new Set(),
  reduce: (row) => [row],
  passOver: null,
};

/** Nothing becomes a node, for parts that only must be well-formed. */
export const SKIP_EVERYTHING: XmlSkipRules = { ...SKIP_NOTHING, ofElement: () => 'plain' };

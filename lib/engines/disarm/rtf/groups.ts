/** The groups of an RTF document as a disarm sees them: what each may hold, and what a word does to the group it stands in. */
import type { FieldCode } from './fields.ts';
import type { PictureData } from './picture.ts';
import type { ColorTable } from './tables.ts';
import type { TextState } from './text-reader.ts';
import type { Destination } from './words.ts';

export type Mode =
  | 'text'
  /** Text in which the values of bytes count: the templates of list numbers. */
  | 'bytes'
  | 'object'
  | 'shape'
  | 'field'
  | 'alternative'
  /** A group inside one of the four above, or inside a picture, whose first word has not come yet. */
  | 'pending'
  | 'instruction'
  | 'picture'
  | 'fonts'
  | 'colors';

export interface Frame {
  mode: Mode;
  /** Of a pending group: what it stands in. */
  readonly within: Mode;
  atStart: boolean;
  starred: boolean;
  readonly state: TextState;
  /** Of a field: `kept` when its code was written, `closed` when its result has begun. */
  field: 'open' | 'kept' | 'closed';
  /** The code that a field's instruction is made of, shared by the groups in it. */
  code: FieldCode | null;
  /** Of a field that may not stay: what its button says. */
  label: string;
  picture: PictureData | null;
  colors: ColorTable | null;
  /** Whether the table or code ends with this group. */
  isOwner: boolean;
  /** Of a list or its override: levels so far. */
  levels: number;
}

export function rootFrame(): Frame {
  return frameOf('text', 'text', { font: -1, fallback: 1 });
}

function frameOf(mode: Mode, within: Mode, state: TextState): Frame {
  return {
    mode,
    within,
    state,
    atStart: true,
    starred: false,
    field: 'open',
    code: null,
    label: '',
    picture: null,
    colors: null,
    isOwner: false,
    levels: 0,
  };
}

const CONTAINERS: ReadonlySet<Mode> = new Set(['object', 'shape', 'field', 'alternative', 'pending']);

/** Whether text that stands directly in such a group is shown by nobody. */
export function isContainer(mode: Mode): boolean {
  return CONTAINERS.has(mode);
}

/** The frame of a group that opens inside another. */
export function childFrame(parent: Frame): Frame {
  const state = { ...parent.state };
  if (parent.mode === 'pending') return frameOf('pending', parent.within, state);
  if (isContainer(parent.mode) || parent.mode === 'picture') return frameOf('pending', parent.mode, state);
  return { ...frameOf(parent.mode, parent.mode, state), code: parent.code, colors: parent.colors };
}

/** What becomes of a pending group with its first word. */
export type Entry = { readonly mode: Mode } | { readonly drop: string | null };

const DRAWING_PROPERTY = /^(sp|sn|sv|svb)$/;

export function enterPending(within: Mode, word: string, destination: Destination | null): Entry {
  const kind = destination?.mode === 'drop' ? destination.kind : null;
  switch (within) {
    case 'object':
      return word === 'result' ? { mode: 'text' } : { drop: kind };
    case 'alternative':
      return word === 'ud' ? { mode: 'text' } : { drop: null };
    case 'field':
      if (word === 'fldinst') return { mode: 'instruction' };
      return word === 'fldrslt' ? { mode: 'text' } : { drop: kind };
    case 'shape':
      if (word === 'shptxt' || word === 'dptxbxtext') return { mode: 'text' };
      if (word === 'pict') return { mode: 'picture' };
      // A picture stands inside the property that names it.
      return destination?.mode === 'drop' && !DRAWING_PROPERTY.test(word) ? { drop: kind } : { mode: 'shape' };
    default:
      return { drop: kind };
  }
}

/** Rows of a list and of its overrides: readers have tables of nine levels, and wrote past their end. */
const MAX_LEVELS = 9;

/** Counts one more level in the group of a list; false when it holds them all already. */
export function addLevel(list: Frame | undefined): boolean {
  if (list === undefined) return true;
  list.levels += 1;
  return list.levels <= MAX_LEVELS;
}

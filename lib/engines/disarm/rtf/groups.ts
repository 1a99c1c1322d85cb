/** The groups of an RTF document: their allowed content, and the effect of their first word. */
import type { FieldCode } from './fields.ts';
import type { PictureData } from './picture.ts';
import type { ColorTable } from './tables.ts';
import type { TextState } from './text-reader.ts';
import type { Destination } from './words.ts';

export type Mode =
  | 'text'
  /** The template of a list's numbers: text whose bytes have a meaning by their value. */
  | 'bytes'
  /** A time: digits, and the words for its parts. */
  | 'time'
  | 'object'
  | 'shape'
  | 'field'
  | 'alternative'
  /** A group inside one of the four above, or inside a picture, whose first word was not read yet. */
  | 'pending'
  | 'instruction'
  | 'picture'
  | 'fonts'
  | 'colors';

export interface Frame {
  mode: Mode;
  /** The mode of the group around a pending group. */
  readonly within: Mode;
  atStart: boolean;
  starred: boolean;
  readonly state: TextState;
  /** The state of a field: `kept` when its code was written, `closed` when its result has begun. */
  field: 'open' | 'kept' | 'closed';
  /** The code of a field's instruction. All groups in the instruction share it. */
  code: FieldCode | null;
  /** The label of the button of a field that may not stay; '' for other groups. */
  label: string;
  picture: PictureData | null;
  colors: ColorTable | null;
  /** True when the table or the code ends with this group. */
  isOwner: boolean;
  /** The levels that a list or its override has so far. */
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

/** Returns true when no program shows text that stands directly in such a group. */
export function isContainer(mode: Mode): boolean {
  return CONTAINERS.has(mode);
}

/** Returns the frame of a group that opens inside another. */
export function childFrame(parent: Frame): Frame {
  const state = { ...parent.state };
  if (parent.mode === 'pending') return frameOf('pending', parent.within, state);
  if (isContainer(parent.mode) || parent.mode === 'picture') return frameOf('pending', parent.mode, state);
  return { ...frameOf(parent.mode, parent.mode, state), code: parent.code, colors: parent.colors };
}

/** The handling of a pending group with its first word. */
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
      // The property that names a picture also holds it.
      return destination?.mode === 'drop' && !DRAWING_PROPERTY.test(word) ? { drop: kind } : { mode: 'shape' };
    default:
      return { drop: kind };
  }
}

/** The most levels of a list and of its overrides. Readers have tables for nine, and some wrote past the end. */
const MAX_LEVELS = 9;

/** Counts one more level in the group of a list. Returns false when the list has too many. */
export function addLevel(list: Frame | undefined): boolean {
  if (list === undefined) return true;
  list.levels += 1;
  return list.levels <= MAX_LEVELS;
}

/** A view of the list with a name, and the store of views as a port. */
import { type Ask, addressOf, askOf, FILTERS, type Filter } from './ask.ts';

/** Every limit of saved views, with the attack it stops. */
export const VIEW_LIMITS = {
  /** A list of links without end on every page. Views of one folder. */
  views: 50,
  /** A name that fills the page. */
  nameChars: 60,
} as const;

export interface SavedView {
  readonly name: string;
  readonly values: Ask['values'];
}

export const VIEW_ACTIONS = ['save', 'remove'] as const;

/** Saves a view, and replaces one of the same name, or removes the one of this name. */
export interface ViewChange {
  readonly action: (typeof VIEW_ACTIONS)[number];
  readonly view: SavedView;
}

/** The views of everybody at a desk. */
export interface Views {
  /** Returns the views, sorted by name, or null when they cannot be read. */
  list(): Promise<readonly SavedView[] | null>;
  /**
   * Changes the views. `full`: there are already the most allowed. `unreadable`: the stored text is no list of views, and stays. Throws
   * TransientError.
   */
  change(change: ViewChange): Promise<'done' | 'full' | 'unreadable'>;
}

/** Returns the view of a request. Returns null for an invalid name, and for a value that cannot be searched for: its list would be empty. */
export function viewOf(name: string, value: (filter: Filter) => string | undefined): SavedView | null {
  const plain = name.trim();
  if (plain === '' || plain.length > VIEW_LIMITS.nameChars || /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(plain))
    return null;
  const given = FILTERS.flatMap((filter): (readonly [string, string])[] => {
    const text = value(filter);
    return text === undefined ? [] : [[filter, text]];
  });
  const { values, wrong } = askOf(given);
  return wrong.length > 0 ? null : { name: plain, values };
}

/** Returns the address of the list that a view means. */
export const addressOfView = ({ values }: SavedView): string => addressOf({ values }, {});

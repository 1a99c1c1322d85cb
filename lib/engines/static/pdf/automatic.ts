/**
 * Finds the actions that start by themselves: with the document, a page or a field, and without a click (ISO 32000-1, 12.6). Most of them only
 * move to a page: LaTeX, word processors and print programs write one into every document.
 */
import { withoutEscapes } from './tokens.ts';
import {
  dictionariesIn,
  entriesOf,
  type NumberedObject,
  ObjectValues,
  type PdfDictionary,
  type PdfValue,
  valuesOf,
} from './values.ts';

/** The actions of a document that start by themselves. */
export interface AutomaticActions {
  /** The types of the actions: `JavaScript`. An action that only moves or prints has the type `MOVES`. */
  readonly types: ReadonlySet<string>;
  /** True when an action is not there, or is not written as one. */
  readonly hasMissing: boolean;
  /** True when an action cannot be read, or more follow than were followed. It may be of any type. */
  readonly hasUnread: boolean;
}

/** The type of all actions that only change what is shown, or print. */
export const MOVES = 'moves';

/** The most actions that are followed. Stops chains of actions that lead to each other. */
const MAX_FOLLOWED = 20_000;
const MOVING = new Set(['GoTo', 'Hide', 'SetOCGState', 'Trans', 'ResetForm']);
const MENU_ITEMS = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage', 'Print']);

/** A value of the key `OpenAction`, `AA` or `Next`. */
interface Waiting {
  readonly as: 'action' | 'actions by trigger';
  readonly value: PdfValue;
}

/** Follows all actions of a document that start by themselves. */
export function automaticActions(objects: readonly NumberedObject[]): AutomaticActions {
  const { waiting, ...triggers } = triggersOf(objects);
  const values = new ObjectValues(objects);
  const [types, seen] = [new Set<string>(), new Set<string>()];
  let [hasMissing, hasUnread, followed] = [false, triggers.hasUnread, 0];
  for (let next = waiting.pop(); next !== undefined && followed < MAX_FOLLOWED; next = waiting.pop(), followed++) {
    const { as, value } = next;
    if (value.kind === 'reference') {
      if (seen.has(`${as} ${value.number}`)) continue;
      seen.add(`${as} ${value.number}`);
    }
    const found = values.resolve(value);
    hasMissing ||= found?.length === 0;
    hasUnread ||= found === null;
    for (const one of found ?? []) {
      const read = as === 'action' ? readAction(one) : readTriggers(one);
      for (const type of read?.types ?? []) types.add(type);
      waiting.push(...(read?.next ?? []));
      hasMissing ||= read === null;
    }
  }
  return { types, hasMissing, hasUnread: hasUnread || followed >= MAX_FOLLOWED };
}

const TRIGGER = /\/(?:OpenAction|AA)(?![\w.+-])/;

function triggersOf(objects: readonly NumberedObject[]): { waiting: Waiting[]; hasUnread: boolean } {
  const waiting: Waiting[] = [];
  let hasUnread = false;
  for (const object of objects) {
    if (!TRIGGER.test(withoutEscapes(object.text))) continue;
    const values = valuesOf(object);
    hasUnread ||= values === null;
    for (const dictionary of dictionariesIn(values ?? [])) {
      waiting.push(...entriesOf(dictionary, 'OpenAction').map((value) => ({ as: 'action', value }) as const));
      waiting.push(...entriesOf(dictionary, 'AA').map((value) => ({ as: 'actions by trigger', value }) as const));
    }
  }
  return { waiting, hasUnread };
}

/** The types of an action and what follows it; null when it cannot be read. */
type ActionRead = { readonly types: readonly string[]; readonly next: readonly Waiting[] } | null;

const NO_ACTION: ActionRead = { types: [], next: [] };

/** Reads an action. A list, a name or a string is a place of the document, and a dictionary without a type is no action. */
function readAction(value: PdfValue): ActionRead {
  if (value.kind === 'list') return value.items.some(({ kind }) => kind === 'dictionary') ? null : NO_ACTION;
  if (value.kind !== 'dictionary') return isNothing(value) || value.kind !== 'other' ? NO_ACTION : null;
  const types = entriesOf(value, 'S').map((type) => (type.kind === 'name' ? typeOf(type.value, value) : null));
  if (types.includes(null)) return null;
  const behind = entriesOf(value, 'Next').flatMap((next) => (next.kind === 'list' ? next.items : [next]));
  return { types: types.filter((type) => type !== null), next: behind.map((one) => ({ as: 'action', value: one })) };
}

/** Reads the actions of a page, a field or a document, each under the name of what starts it. */
function readTriggers(value: PdfValue): ActionRead {
  if (isNothing(value)) return NO_ACTION;
  if (value.kind !== 'dictionary') return null;
  const actions = value.entries.map(([, one]) => one).filter((one) => !isNothing(one));
  const isRead = actions.every(({ kind }) => kind === 'dictionary' || kind === 'reference');
  return isRead ? { types: [], next: actions.map((one) => ({ as: 'action', value: one })) } : null;
}

const isNothing = (value: PdfValue): boolean => value.kind === 'other' && value.value === 'null';

function typeOf(type: string, action: PdfDictionary): string {
  if (type !== 'Named') return MOVING.has(type) ? MOVES : type;
  const items = entriesOf(action, 'N');
  const areMoves = items.length > 0 && items.every((item) => item.kind === 'name' && MENU_ITEMS.has(item.value));
  return areMoves ? MOVES : type;
}

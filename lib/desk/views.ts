/** Views of the list that people have given a name: filters and words of a search, as a link. */
import type { Context, Hono } from 'hono';
import { type Ask, addressOf, askOf, FILTERS, type Filter } from './ask.ts';
import { contextOf, type DeskParts, notePage } from './desk-parts.ts';

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

/** The views of a folder. */
export interface Views {
  /** Sorted by name; null when their file cannot be read. */
  list(): Promise<readonly SavedView[] | null>;
  /** Replaces them all. */
  put(views: readonly SavedView[]): Promise<void>;
}

/** What is said of a view: only values that can be asked for count. Null for a name that is none. */
export function viewOf(name: string, value: (filter: Filter) => string | undefined): SavedView | null {
  const plain = name.trim();
  if (plain === '' || plain.length > VIEW_LIMITS.nameChars || /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(plain))
    return null;
  const { values } = askOf((filter) => value(filter as Filter));
  return { name: plain, values };
}

/** The address of the list that a view means. */
export const addressOfView = ({ values }: SavedView): string => addressOf({ values, after: null }, {});

/** Adds the addresses that change views to the desk. */
export function addViews(app: Hono, parts: DeskParts): void {
  const inTurn = turns();
  app.post('/views/:action{save|remove}', async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const { words } = context;
    if (parts.role === 'reader' || parts.person === null) return c.html(notePage(context, words.readOnly), 403);
    const form = await textsOf(c);
    const isSave = c.req.param('action') === 'save';
    return inTurn(async () => {
      const known = await parts.views.list();
      if (known === null) return c.html(notePage(context, words.viewsUnreadable), 409);
      const view = viewOf(form.name ?? '', (filter) => form[filter]);
      if (view === null) return c.html(notePage(context, words.viewNameWrong), 422);
      const others = known.filter(({ name }) => name !== view.name);
      if (isSave && others.length >= VIEW_LIMITS.views) return c.html(notePage(context, words.viewsFull), 409);
      await parts.views.put(isSave ? [...others, view] : others);
      return c.redirect(isSave ? addressOfView(view) : '/mails', 303);
    });
  });
}

async function textsOf(c: Context): Promise<Readonly<Record<string, string | undefined>>> {
  const body = await c.req.parseBody();
  const names = ['name', ...FILTERS];
  return Object.fromEntries(names.map((name) => [name, typeof body[name] === 'string' ? body[name] : undefined]));
}

/** Two changes at once happen one after the other, so that neither is lost. */
function turns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work);
    last = result;
    return result;
  };
}

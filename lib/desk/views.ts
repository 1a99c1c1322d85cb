/** The addresses at which people give filters and words of a search a name, so that they stand as a link above the list. */
import type { Context, Hono } from 'hono';
import { FILTERS } from './ask.ts';
import { contextOf, type DeskParts, notePage } from './desk-parts.ts';
import { oneOf } from './one-of.ts';
import { addressOfView, VIEW_LIMITS, viewOf } from './saved-view.ts';

/** Adds the addresses that change views to the desk. */
export function addViews(app: Hono, parts: DeskParts): void {
  const inTurn = turns();
  app.post(`/views/:action${oneOf(['save', 'remove'])}`, async (c) => {
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

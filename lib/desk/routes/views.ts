/** The addresses at which people give filters and words of a search a name, so that they become a link above the list. */
import type { Context, Hono } from 'hono';
import { FILTERS } from '../ask.ts';
import { contextOf, notePage, type ReadingParts } from '../desk-parts.tsx';
import { readOnlyText } from '../layout.tsx';
import { oneOf } from '../one-of.ts';
import { addressOfView, VIEW_ACTIONS, type ViewChange, type Views, viewOf } from '../saved-view.ts';

/** The parts that are needed to change views. */
export interface ViewParts extends ReadingParts {
  readonly views: Views;
}

/** Adds the addresses that change views to the desk. */
export function addViews(app: Hono, parts: ViewParts): void {
  app.post(`/views/:action${oneOf(VIEW_ACTIONS)}`, async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const { words } = context;
    if (parts.role === 'reader' || parts.person === null) return c.html(notePage(context, readOnlyText(context)), 403);
    const form = await textsOf(c);
    const view = viewOf(form.name ?? '', (filter) => form[filter]);
    if (view === null) return c.html(notePage(context, words.viewWrong), 422);
    const action = c.req.param('action') as ViewChange['action'];
    const became = await parts.views.change({ action, view });
    if (became === 'done') return c.redirect(action === 'save' ? addressOfView(view) : '/mails', 303);
    return c.html(notePage(context, became === 'full' ? words.viewsFull : words.viewsUnreadable), 409);
  });
}

async function textsOf(c: Context): Promise<Readonly<Record<string, string | undefined>>> {
  const body = await c.req.parseBody();
  const names = ['name', ...FILTERS];
  return Object.fromEntries(names.map((name) => [name, typeof body[name] === 'string' ? body[name] : undefined]));
}

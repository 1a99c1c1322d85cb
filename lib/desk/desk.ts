/**
 * The desk: pages on which a person sees what came in and decides about what is held. Every page is made here, works without scripts, and
 * loads nothing but its style; the one of a run that is under way has a script of ours beside it. A GET changes nothing.
 */
import { Hono } from 'hono';
import { addAsks } from './asks-page.ts';
import { addBlocks } from './blocks.ts';
import { addBulk } from './bulk.ts';
import { decided } from './decided.ts';
import { DECISIONS, type DecisionName, MAY } from './decisions.ts';
import { contextOf, type DeskParts, notePage } from './desk-parts.ts';
import { addDrop } from './drop.ts';
import { STYLE_PATH } from './layout.ts';
import { addPart } from './part.ts';
import { addPolicyTry } from './policy-try.ts';
import { addEnds, addReading, mailOf, RUN } from './reading-desk.ts';
import { addRecall } from './recall-page.ts';
import { DESK_STYLE } from './style.ts';
import { addViews } from './views.ts';

/** Makes the desk as a function from request to response. */
export function createDesk(parts: DeskParts): Hono {
  const app = new Hono({ strict: true });
  app.use(parts.guard.middleware);
  app.get(STYLE_PATH, (c) => c.body(DESK_STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }));
  // Browsers ask for it beside a page that may load pictures.
  app.get('/favicon.ico', (c) => c.body(null, 204));
  addReading(app, parts);
  app.post(`${RUN}/:decision{${DECISIONS.join('|')}}`, async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const [runId, name] = [c.req.param('run'), c.req.param('decision') as DecisionName];
    if (!MAY[parts.role].includes(name) || parts.person === null)
      return c.html(notePage(context, context.words.readOnly), 403);
    const { why, attempt } = await c.req.parseBody();
    const told = await decided(parts, context.words, runId, name, { why: String(why ?? ''), seen: Number(attempt) });
    // What happened shows on the page, and loading it again decides nothing.
    if (told === null) return c.redirect(`/mails/${runId}`, 303);
    const page = await mailOf(parts, context, runId, told);
    return page === null ? c.html(notePage(context, context.words.notFound), 404) : c.html(page, 409);
  });
  addBulk(app, parts);
  addDrop(app, parts);
  addPart(app, parts);
  addViews(app, parts);
  addAsks(app, parts);
  addBlocks(app, parts);
  addRecall(app, parts);
  addPolicyTry(app, parts);
  addEnds(app, parts, () => {});
  return app;
}

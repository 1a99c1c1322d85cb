/**
 * The desk: pages on which a person sees incoming mail and decides about held mail. Every page is made here, works without scripts, and
 * loads nothing but its style. The page of a running analysis also has a script of ours. A GET changes nothing.
 */
import { Hono } from 'hono';
import { contextOf, type DeskParts, notePage } from './desk-parts.tsx';
import { addDrop } from './drop/drop.ts';
import { addSignOut } from './guard.ts';
import { STYLE_PATH } from './layout.tsx';
import { addPart } from './mail/part.ts';
import { addAsks } from './pages/asks.tsx';
import { addPolicyTry } from './pages/policy-try.ts';
import { addRecall } from './pages/recall.tsx';
import { addAudit } from './routes/audit.ts';
import { addBlocks } from './routes/blocks.ts';
import { addBulk } from './routes/bulk.ts';
import { addDecisions } from './routes/decide.ts';
import { addOriginal } from './routes/original.ts';
import { addEnds, addReading } from './routes/reading-desk.ts';
import { addSavedPage } from './routes/saved-page.ts';
import { addViews } from './routes/views.ts';
import { DESK_STYLE } from './style.ts';

/** Makes the desk as a function from request to response. */
export function createDesk(parts: DeskParts): Hono {
  const app = new Hono({ strict: true });
  app.use(parts.guard.middleware);
  app.get(STYLE_PATH, (c) => c.body(DESK_STYLE, 200, { 'content-type': 'text/css; charset=utf-8' }));
  // Browsers request it beside a page that may load pictures.
  app.get('/favicon.ico', (c) => c.body(null, 204));
  addSignOut(app, parts.guard, (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const desk = { person: null, csrf: '', pages: 'none' } as const;
    return notePage({ ...context, desk }, context.words.signedOutHere);
  });
  addReading(app, parts);
  addDecisions(app, parts);
  addBulk(app, parts);
  addDrop(app, parts);
  addOriginal(app, parts);
  addPart(app, parts);
  addSavedPage(app, parts);
  addViews(app, parts);
  addAsks(app, parts);
  addBlocks(app, parts);
  addAudit(app, parts);
  addRecall(app, parts);
  addPolicyTry(app, parts);
  addEnds(app, parts, () => {});
  return app;
}

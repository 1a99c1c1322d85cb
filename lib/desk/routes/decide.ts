/** The addresses at which a person decides about one held mail. */
import type { Hono } from 'hono';
import { DECISIONS, type DecisionName, MAY } from '../../pipeline/review/decision.ts';
import { contextOf, type DecidingParts, notePage } from '../desk-parts.tsx';
import { readOnlyText } from '../layout.tsx';
import { oneOf } from '../one-of.ts';
import { decided } from './decided.ts';
import { mailOf, RUN } from './reading-desk.ts';

/** The number of an attempt as a page writes it, and in no other spelling. */
const ATTEMPT = /^[1-9]\d{0,5}$/;
const attemptIn = (sent: unknown): number => (ATTEMPT.test(String(sent)) ? Number(sent) : Number.NaN);

/** Adds the addresses. */
export function addDecisions(app: Hono, parts: DecidingParts): void {
  app.post(`${RUN}/:decision${oneOf(DECISIONS)}`, async (c) => {
    const context = contextOf(parts, c.req.header('accept-language'));
    const [runId, name] = [c.req.param('run'), c.req.param('decision') as DecisionName];
    if (!MAY[parts.role].includes(name) || parts.person === null)
      return c.html(notePage(context, readOnlyText(context)), 403);
    const { why, attempt } = await c.req.parseBody();
    const told = await decided(parts, context.words, runId, name, { why: String(why ?? ''), seen: attemptIn(attempt) });
    // The result shows on the page, and loading it again decides nothing.
    if (told === null) return c.redirect(`/mails/${runId}`, 303);
    const page = await mailOf(parts, context, runId, told);
    return page === null ? c.html(notePage(context, context.words.notFound), 404) : c.html(page, 409);
  });
}

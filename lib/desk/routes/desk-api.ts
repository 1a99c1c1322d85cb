/** The same for programs, as JSON. A program that sends a token of the issuer with the request needs no cookie. It only reads. */
import type { Context, Hono } from 'hono';
import { askOf, FILTERS, queryOf } from '../ask.ts';
import type { ReadingParts } from '../desk-parts.tsx';
import type { Issuer } from '../issuer.ts';
import { RUN } from './reading-desk.ts';

export interface DeskApiParts extends Pick<ReadingParts, 'runs' | 'ledgerOf'> {
  readonly issuer: Issuer;
}

const BEARER = /^Bearer ([\w.-]+)$/i;
const ROWS = 50;

/** Adds the addresses. A cookie lets nobody in here, so no page of another site can ask in the name of a person. */
export function addDeskApi(app: Hono, { runs, ledgerOf, issuer }: DeskApiParts): void {
  app.use('/api/*', async (c, next) => {
    const token = BEARER.exec(c.req.header('authorization') ?? '')?.[1];
    const somebody = token === undefined ? null : await issuer.whoHas(token);
    if (somebody === null)
      return problem(c, 401, 'not_signed_in', 'Send a token of the issuer: Authorization: Bearer TOKEN.');
    if (somebody.role === null)
      return problem(c, 403, 'no_role', 'This token has none of the roles reader, analyst, admin.');
    if (c.req.method !== 'GET') return problem(c, 405, 'only_reads', 'Only GET.');
    return next();
  });
  app.get('/api/mails', async (c) => {
    const ask = askOf(new URL(c.req.url).searchParams);
    if (ask.untrustedNames.length > 0)
      return problem(
        c,
        400,
        'unknown_filter',
        `A name is no filter, or is given twice. Filters: ${FILTERS.join(', ')}.`,
      );
    if (ask.wrong.length > 0)
      return problem(c, 400, 'wrong_filter', `The value of ${ask.wrong.join(', ')} is none that can be searched for.`);
    return c.json(await runs.list(queryOf(ask, ROWS)));
  });
  app.get(`/api${RUN}`, async (c) => {
    const ledger = await ledgerOf(c.req.param('run'));
    return ledger === null ? problem(c, 404, 'not_found', 'There is no such mail.') : c.json(ledger);
  });
  app.all('/api/*', (c) => problem(c, 404, 'not_found', 'There is no such address.'));
}

const problem = (c: Context, status: 400 | 401 | 403 | 404 | 405, code: string, message: string) =>
  c.json({ code, message }, status);

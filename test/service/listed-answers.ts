/** In every test, no service answers a route with a status or a code that the contract does not list. */
import { afterEach, expect } from 'vitest';
import { CDR_ROUTES } from '../../lib/service/contract/cdr.ts';
import { ANY_ROUTE_ERRORS, type RouteDefinition } from '../../lib/service/contract/common.ts';
import { ERRORS } from '../../lib/service/contract/errors.ts';
import { V1_REMOVED_ROUTES, V1_ROUTES } from '../../lib/service/contract/v1.ts';
import { V3_ROUTES } from '../../lib/service/contract/v3.ts';
import type { AccessLogEntry } from '../../lib/service/server/routing.ts';

export const ROUTES: readonly RouteDefinition[] = [...V3_ROUTES, ...V1_ROUTES, ...CDR_ROUTES];

const REMOVED = new Map(V1_REMOVED_ROUTES.map(({ name, code }) => [`removed ${name}`, code]));

/** What a route may answer, as `status code`. Interfaces share names of routes, and their lists are joined. */
function listed(name: string): readonly string[] {
  const routes = ROUTES.filter((route) => route.name === name);
  const gone = REMOVED.get(name);
  const codes = [
    ...ANY_ROUTE_ERRORS,
    ...routes.flatMap(({ errors }) => errors),
    ...(name === 'none' ? (['ROUTE_NOT_FOUND'] as const) : []),
    ...(gone ? [gone] : []),
  ];
  const successes = routes.flatMap(({ responses }) => Object.keys(responses));
  return [...successes.map((status) => `${status} null`), ...codes.map((code) => `${ERRORS[code].status} ${code}`)];
}

const unlisted: AccessLogEntry[] = [];

/** Is used as the log. The running test fails at its end when an answer is not listed. */
export function noteAnswer(entry: AccessLogEntry): void {
  if (!listed(entry.route).includes(`${entry.status} ${entry.code}`)) unlisted.push(entry);
}

afterEach(() => {
  expect(unlisted.splice(0), 'answers that the contract does not list').toEqual([]);
});

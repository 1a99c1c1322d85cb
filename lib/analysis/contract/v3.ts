/**
 * The current interface (v3) of the analysis service as one table of routes. A new route is a new row in one of the tables below,
 * a handler in server/ and a method in client/, both under the route's name; the compiler and the route test miss neither.
 */
import { V3_CONFIG_ROUTES, V3_DYNAMIC_ROUTES, V3_REPORT_ROUTES } from './v3-report-routes.ts';
import { V3_CREATE_ROUTES, V3_DOWNLOAD_ROUTES, V3_QUERY_ROUTES } from './v3-submission-routes.ts';

/** Where the v3 routes live: as documented, and where public clients expect them. */
export const V3_PREFIXES = ['', '/public-api'] as const;

/** In the order they are matched: a path without parameters stands before one that would swallow it. */
export const V3_ROUTES = [
  ...V3_CREATE_ROUTES,
  ...V3_QUERY_ROUTES,
  ...V3_REPORT_ROUTES,
  ...V3_DYNAMIC_ROUTES,
  ...V3_DOWNLOAD_ROUTES,
  ...V3_CONFIG_ROUTES,
] as const;

export type V3Route = (typeof V3_ROUTES)[number];
export type V3RouteName = V3Route['name'];

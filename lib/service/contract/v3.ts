/**
 * The current interface (v3) of the analysis service as one table of routes. A new route needs a row in one of the tables below,
 * a handler in server/ and a method in client/, both with the route's name. The compiler and the route test notice a missing one.
 */
import { V3_CONFIG_ROUTES, V3_DYNAMIC_ROUTES, V3_REPORT_ROUTES } from './v3-report-routes.ts';
import { V3_CREATE_ROUTES, V3_DOWNLOAD_ROUTES, V3_QUERY_ROUTES } from './v3-submission-routes.ts';

/** The prefixes of v3 paths: the documented one, and the one that public clients expect. */
export const V3_PREFIXES = ['', '/public-api'] as const;

/** Written in full, so that the declaration names the tables and does not repeat them. */
type V3Tables = readonly [
  ...typeof V3_CREATE_ROUTES,
  ...typeof V3_QUERY_ROUTES,
  ...typeof V3_REPORT_ROUTES,
  ...typeof V3_DYNAMIC_ROUTES,
  ...typeof V3_DOWNLOAD_ROUTES,
  ...typeof V3_CONFIG_ROUTES,
];

/** In the order of matching. A path without parameters comes before a path that would also match it. */
export const V3_ROUTES: V3Tables = [
  ...V3_CREATE_ROUTES,
  ...V3_QUERY_ROUTES,
  ...V3_REPORT_ROUTES,
  ...V3_DYNAMIC_ROUTES,
  ...V3_DOWNLOAD_ROUTES,
  ...V3_CONFIG_ROUTES,
];

export type V3Route = (typeof V3_ROUTES)[number];
export type V3RouteName = V3Route['name'];

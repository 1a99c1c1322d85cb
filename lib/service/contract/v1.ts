/** The whole earlier interface (v1): the routes that work, and the removed routes, whose answer says that they are gone. */
import type { ErrorCode } from './errors.ts';
import { V1_DOWNLOAD_ROUTES } from './v1-downloads.ts';
import { V1_QUERY_ROUTES } from './v1-query.ts';
import { V1_SCAN_ROUTES } from './v1-scan.ts';

/** Written in full, so that the declaration names the tables and does not repeat them. */
type V1Tables = readonly [...typeof V1_SCAN_ROUTES, ...typeof V1_DOWNLOAD_ROUTES, ...typeof V1_QUERY_ROUTES];

/** Every v1 route that works. Paths are complete, because v1 mixes two roots. */
export const V1_ROUTES: V1Tables = [...V1_SCAN_ROUTES, ...V1_DOWNLOAD_ROUTES, ...V1_QUERY_ROUTES];
export type V1Route = (typeof V1_ROUTES)[number];
export type V1RouteName = V1Route['name'];

/** A route without an implementation: it answers with its code and its note. */
export interface RemovedRoute {
  readonly name: string;
  readonly path: string;
  readonly code: ErrorCode;
  readonly note: string;
}

/** Routes that the interface document lists as removed and that no client reads. */
export const V1_REMOVED_ROUTES: readonly RemovedRoute[] = [
  { name: 'private', path: '/private/*', code: 'ROUTE_INTERNAL', note: 'Internal only' },
  {
    name: 'additionalFiles',
    path: '/additionalFiles/:uuid/:fileId',
    code: 'ROUTE_REMOVED',
    note: 'Deprecated; artifacts are listed by GET /submissions/:uuid/artifacts',
  },
  { name: 'parts', path: '/parts/:uuid', code: 'ROUTE_REMOVED', note: 'Deprecated' },
  { name: 'exportableParts', path: '/exportable-parts/:uuid', code: 'ROUTE_REMOVED', note: 'Deprecated' },
];

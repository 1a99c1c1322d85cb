/** The tables of the interface document, copied as data. The contract has all of their routes and fields. */
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { CDR_ROUTES, CdrRecord } from '../../../lib/service/contract/cdr.ts';
import type { RouteDefinition } from '../../../lib/service/contract/common.ts';
import { V1_REMOVED_ROUTES, V1_ROUTES } from '../../../lib/service/contract/v1.ts';
import { V3_ROUTES } from '../../../lib/service/contract/v3.ts';

interface Row {
  readonly path: string;
  readonly method?: 'POST';
  readonly fields?: readonly string[];
  readonly query?: readonly string[];
  readonly returns?: readonly string[];
  readonly cookie?: true;
  readonly statuses?: readonly number[];
}

const CREATED_V3 = ['uuid', 'message', 'sha256'];
const FILE_V3 = ['file', 'private', 'entrypoint', 'password'];
const V3_TABLE: readonly Row[] = [
  {
    path: '/submissions/sandbox',
    method: 'POST',
    fields: [...FILE_V3, 'environment', 'metafields'],
    returns: CREATED_V3,
  },
  { path: '/submissions/static', method: 'POST', fields: FILE_V3, returns: CREATED_V3 },
  { path: '/submissions/cdr', method: 'POST', fields: FILE_V3, returns: CREATED_V3 },
  { path: '/submissions/url', method: 'POST', fields: ['url', 'private'], returns: CREATED_V3 },
  { path: '/submissions/:uuid' },
  {
    path: '/submissions',
    query: ['page', 'limit', 'level', 'type', 'sha256', 'filename', 'startDate', 'endDate', 'private', 'tags'],
  },
  { path: '/submissions/search/sha256/:sha256' },
  { path: '/submissions/:uuid/screenshot' },
  { path: '/submissions/:uuid/media' },
  { path: '/submissions/:uuid/media/:fileId' },
  { path: '/submissions/:uuid/download/sample' },
  { path: '/submissions/:uuid/download/html-report' },
  { path: '/submissions/:uuid/download/pcap' },
  { path: '/submissions/:uuid/download/yara-rule' },
  { path: '/submissions/:uuid/download/artifact/:artifactId' },
  { path: '/submissions/:uuid/download/cdr-sanitized' },
  { path: '/config/metafields' },
  { path: '/config/metafields/sandbox' },
  { path: '/config/metafields/static' },
  { path: '/config/metafields/cdr' },
  { path: '/config/metafields/url' },
  { path: '/config/environments' },
  { path: '/me' },
];

const CREATED_V1 = ['message', 'uuid'];
const V1_TABLE: readonly Row[] = [
  {
    path: '/public-api/scan/url-analysis',
    method: 'POST',
    fields: ['url', 'private'],
    returns: CREATED_V1,
    statuses: [400],
  },
  {
    path: '/public-api/scan/sandbox',
    method: 'POST',
    query: ['auto'],
    fields: ['file', 'analyzeConfig', 'extensionCheck', 'modules', 'entrypoint', 'password'],
    returns: CREATED_V1,
    statuses: [422],
  },
  {
    path: '/public-api/scan/static-scan',
    method: 'POST',
    fields: ['file', 'extensionCheck', 'isPublic', 'entrypoint', 'password'],
    returns: CREATED_V1,
    statuses: [422],
  },
  {
    path: '/public-api/scan/cdr',
    method: 'POST',
    fields: ['file', 'isPublic', 'entrypoint', 'password'],
    returns: CREATED_V1,
    statuses: [422],
  },
  { path: '/public-api/get/submission/:uuid' },
  { path: '/public-api/get/my-submissions/:page/:jump' },
  { path: '/public-api/get/:hash/:page/:jump' },
  { path: '/sample/:uuid' },
  { path: '/htmlreport/:submission', cookie: true },
  { path: '/pcap/:submission', cookie: true },
  { path: '/generated-yara-rule/:submission', cookie: true },
  { path: '/artifact/:submission/:artifactId', cookie: true },
  { path: '/screenshot/:uuid' },
  { path: '/media/:uuid/:fileId' },
  { path: '/public-api/constants/metafields' },
  { path: '/public-api/me' },
  // v3 removed these routes, and this service still answers them.
  { path: '/public-api/get/submission/:uuid/varist-hybrid-analyzer-results' },
  { path: '/public-api/get/submission/:uuid/analysis-artifacts' },
  { path: '/public-api/get/submission/:uuid/config-extractor-results' },
  { path: '/public-api/get/submission/:uuid/dns' },
  { path: '/public-api/get/submission/:uuid/http' },
  { path: '/public-api/get/submission/:uuid/tcp' },
  { path: '/public-api/get/submission/:uuid/udp' },
  { path: '/public-api/get/submission/:uuid/threats' },
  { path: '/public-api/get/public-submissions/:page/:jump' },
  { path: '/cdr/:submission' },
];

const REMOVED = ['/private/*', '/additionalFiles/:uuid/:fileId', '/parts/:uuid', '/exportable-parts/:uuid'];

const keysOf = (schema: z.ZodType | undefined) => Object.keys((schema as z.ZodObject | undefined)?.shape ?? {});
/** The document has two names for one parameter. */
const samePath = (path: string) => path.replace(':submission', ':uuid');

function expectRow(routes: readonly RouteDefinition[], row: Row): void {
  const { path, method = 'GET', fields = [], query = [], returns = [], statuses = [] } = row;
  const route = routes.find((entry) => entry.method === method && entry.paths.includes(samePath(path)));
  expect(route, `${method} ${path}`).toBeDefined();
  const { request, responses, auth, errors = [], invalidBody = 'INVALID_BODY' } = route ?? ({} as RouteDefinition);
  expect(keysOf(request.multipart ?? request.json)).toEqual(expect.arrayContaining([...fields]));
  expect(keysOf(request.query)).toEqual(expect.arrayContaining([...query]));
  const answer = responses[200];
  if (returns.length > 0) expect(keysOf(answer.kind === 'json' ? answer.schema : undefined)).toEqual(returns);
  if (row.cookie) expect(auth).toBe('bearer-or-cookie');
  if (statuses.length > 0) expect(errors).toContain(invalidBody);
  expect([...path.matchAll(/:(\w+)/g)].map(([, name]) => samePath(`:${name}`).slice(1))).toEqual(
    keysOf(request.params),
  );
}

const named = (rows: readonly Row[]) => rows.map((row) => [`${row.method ?? 'GET'} ${row.path}`, row] as const);

describe('the current interface', () => {
  test.each(named(V3_TABLE))('%s', (_, row) => expectRow(V3_ROUTES, row));
});

describe('the earlier interface', () => {
  test.each(named(V1_TABLE))('%s', (_, row) => expectRow(V1_ROUTES, row));
  test.each(REMOVED)('%s is known as removed', (path) => {
    expect(V1_REMOVED_ROUTES.map((route) => route.path)).toContain(path);
  });
});

describe('the CDR service', () => {
  test('has its three operations', () => {
    expect(CDR_ROUTES.map(({ name }) => name)).toEqual(['start', 'listen', 'download']);
    expect(keysOf(CDR_ROUTES[0].request.query)).toEqual(['webhook', 'extension', 'filedata']);
  });

  test('reads the record of the document, with the key that has a space in it', () => {
    const result = {
      filename: 'a_sanitized.docx',
      log: { description: 'd', removed: ['macro'], sanitized: ['link'], 'processing time': '7.50170 seconds' },
    };
    const hashes = { sha256: 'a', sha1: 'b', md5: 'c' };
    const files = [{ name: 'a_sanitized.docx', id: 'f' }];
    const facts = { type: 'file', name: 'a.docx', fileId: 'a', resultId: 'r', size: 46_516, level: 0, message: 'm' };
    const record = { ...facts, hashes, status: 2, files, result };
    expect(CdrRecord.parse(record)).toEqual({
      ...record,
      result: { ...result, file_data: null, format: null, quality: null },
      error: null,
    });
  });
});

/**
 * What public clients use although the interface document does not say it, copied as data. The contract has all of these routes and fields.
 */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { RouteDefinition } from '../../lib/service/contract/common.ts';
import { V3_ROUTES } from '../../lib/service/contract/v3.ts';

/** Method and path, fields of the request, fields of the answer. */
type Row = readonly [route: string, fields: readonly string[], answer: readonly string[]];

const PAGED = ['items', 'total', 'page', 'limit', 'totalPages'];
const CREATED = ['uuid', 'message', 'sha256'];
const COUNTS = ['dnsCount', 'httpCount', 'tcpCount', 'udpCount', 'threatCount'];

const ROUTES: readonly Row[] = [
  ['POST /submissions/sandbox', ['configurations', 'autoSelectEnvironment'], CREATED],
  ['POST /submissions/static', ['dynamic_mimetype_check'], CREATED],
  ['POST /submissions/cdr', ['dynamic_mimetype_check'], CREATED],
  ['POST /submissions/url_analysis', ['url', 'private', 'safeBrowsing', 'metafields', 'configurations'], CREATED],
  ['POST /submissions/open_in_browser', ['url', 'private', 'environment', 'metafields', 'configurations'], CREATED],
  ['GET /submissions', ['sort', 'order'], PAGED],
  [
    'GET /submissions/:uuid',
    [],
    [
      'uuid',
      'type',
      'filename',
      'url',
      'hashes',
      'file',
      'level',
      'score',
      'family',
      'private',
      'tags',
      'reports',
      'overview',
      'indicators',
      'mitreTechniques',
      'createdAt',
      'updatedAt',
    ],
  ],
  [
    'GET /submissions/:uuid/summary',
    [],
    [
      'score',
      'family',
      'indicators',
      'behaviorEventCount',
      'syscallCount',
      'iocCount',
      'yaraRuleCount',
      'configCount',
      'artifactCount',
      'mitreTechniqueCount',
      'network',
    ],
  ],
  [
    'GET /submissions/:uuid/indicators',
    ['level', 'category', 'pid', 'attackCode', 'page', 'limit'],
    [...PAGED, 'levels'],
  ],
  ['GET /submissions/:uuid/iocs', ['type', 'page', 'limit'], PAGED],
  ['GET /submissions/:uuid/yara-rules', ['category', 'page', 'limit'], PAGED],
  ['GET /submissions/:uuid/extracted-configs', [], ['items', 'total']],
  ['GET /submissions/:uuid/artifacts', [], ['items', 'total']],
  ['GET /submissions/:uuid/eml-analysis', [], []],
  ['GET /submissions/:uuid/mitre', [], ['techniques', 'total']],
  [
    'GET /submissions/:uuid/static-scan',
    [],
    [
      'items',
      'total',
      'submission',
      'status',
      'reportFormat',
      'level',
      'score',
      'fileInfo',
      'strings',
      'dieResults',
      'analysisTime',
      'metafields',
    ],
  ],
  ['GET /submissions/:uuid/static-scan/strings', [], []],
  [
    'GET /submissions/:uuid/cdr',
    [],
    [
      'items',
      'total',
      'submission',
      'status',
      'sanitized',
      'removed',
      'sanitizedFileInfo',
      'elapsedTime',
      'metafields',
    ],
  ],
  ['GET /submissions/:uuid/signature-check', [], ['items', 'total']],
  ['GET /submissions/:uuid/processes', [], ['items', 'total']],
  ['GET /submissions/:uuid/processes/tree', [], ['nodes']],
  [
    'GET /submissions/:uuid/behaviours',
    ['os', 'pid', 'operation', 'type', 'processName', 'page', 'limit'],
    [...PAGED, 'os'],
  ],
  ['GET /submissions/:uuid/syscalls', ['page', 'limit'], ['items', 'total']],
  ['GET /submissions/:uuid/network/summary', [], [...COUNTS, 'pcapAvailable']],
  ['GET /submissions/:uuid/network/dns', ['limit', 'skip'], []],
  ['GET /submissions/:uuid/network/http', ['limit', 'skip'], []],
  ['GET /submissions/:uuid/network/tcp', ['limit', 'skip'], []],
  ['GET /submissions/:uuid/network/udp', ['limit', 'skip'], []],
  ['GET /submissions/:uuid/network/threats', ['limit', 'skip'], []],
  [
    'GET /submissions/:uuid/url-analysis',
    [],
    [
      'level',
      'status',
      'generalInfo',
      'screenshot',
      'ipInfo',
      'dnsRecords',
      'whois',
      'sslCertificate',
      'responseHeaders',
      'extractedFile',
      'threatAnalysis',
      'pages',
    ],
  ],
  ['GET /submissions/:uuid/media', ['source'], []],
  ['GET /submissions/:uuid/download/cdr', [], []],
  ['GET /config/metafields', [], ['sandbox', 'static', 'cdr', 'url', 'open_in_browser']],
  ['GET /config/metafields/open_in_browser', [], []],
  ['GET /v1/network-configs', [], ['items']],
  ['GET /me', [], ['userInfo', 'plan', 'modules']],
];

const routeFor = (name: string) =>
  (V3_ROUTES as readonly RouteDefinition[]).find((route) =>
    route.paths.some((path) => `${route.method} ${path}` === name),
  );

const requestFields = ({ request }: RouteDefinition) =>
  [request.query, request.json, request.multipart].flatMap((schema) => Object.keys(schema?.shape ?? {}));

function answerFields({ responses }: RouteDefinition): string[] {
  const body = responses[200];
  if (body.kind !== 'json') return [];
  const { properties = {} } = z.toJSONSchema(body.schema, { io: 'input' }) as { properties?: object };
  return Object.keys(properties);
}

describe('the contract has what public clients use:', () => {
  test.each(ROUTES)('%s', (name, fields, answer) => {
    const route = routeFor(name);
    if (!route) throw new Error(`the contract has no route ${name}`);
    expect(requestFields(route)).toEqual(expect.arrayContaining([...fields]));
    expect(answerFields(route)).toEqual(expect.arrayContaining([...answer]));
  });

  test('and the walk fails for a route that it lacks', () => {
    expect(routeFor('GET /submissions/:uuid/nothing')).toBeUndefined();
    const route = routeFor('GET /me');
    expect(route && answerFields(route)).not.toContain('nothing');
  });
});

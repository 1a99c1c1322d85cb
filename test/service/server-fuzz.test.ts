import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { RouteDefinition } from '../../lib/service/contract/common.ts';
import { ERRORS, ErrorEnvelope } from '../../lib/service/contract/errors.ts';
import { V3_ROUTES } from '../../lib/service/contract/v3.ts';
import { createMemoryStore } from '../../lib/service/server/store/memory-store.ts';
import { openSqliteStore } from '../../lib/service/server/store/sqlite-store.ts';
import { API_KEY, fileForm, submitted, type TestService, testService } from './scripted-service.ts';

/** Texts that break parsers, databases, paths and headers, and random ones. */
const nasty = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    'NaN',
    'null',
    'true',
    '[]',
    '{}',
    '__proto__',
    'constructor',
    '%',
    '%00',
    "' OR 1=1 --",
  ),
  fc.constantFrom(
    '../../etc/passwd',
    '..%2f',
    'a,b,,c',
    'malicious,',
    '2026-13-45',
    '2026-01-05T10:00:00+99:99',
    '\u202e',
    '"',
    '*',
  ),
  fc.constantFrom('\r\nSet-Cookie: a=b', 'a'.repeat(5_000), '\ud800', 'sha256', '9'.repeat(400), 'NEAR(', 'x" OR y'),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
/** Removes halves of surrogate pairs, which no program can send. */
const wellFormed = (text: string) => Buffer.from(text).toString();
const seen = new Set<string>();

function expectOrderly(service: TestService, route: RouteDefinition, status: number, text: string): void {
  expect(service.faults, `${route.name}: ${text.slice(0, 300)}`).toEqual([]);
  expect(status).toBeLessThan(500);
  expect(text).not.toContain(API_KEY);
  seen.add(`${route.name} ${status}`);
  if (status < 400) return;
  const { code, statusCode } = ErrorEnvelope.parse(JSON.parse(text));
  expect([code, statusCode]).toEqual([code, ERRORS[code as keyof typeof ERRORS].status]);
  expect([...route.errors, 'ROUTE_NOT_FOUND'], route.name).toContain(code);
}

const routes = (method: string) => (V3_ROUTES as readonly RouteDefinition[]).filter((route) => route.method === method);

const folder = await mkdtemp(join(tmpdir(), 'airlock-fuzz-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['memory', createMemoryStore],
  ['SQLite', () => openSqliteStore(join(folder, 'submissions.db'))],
])('whatever stands in the path and in the query of a GET over %s, the answer is orderly', async (_, open) => {
  const service = testService({ store: open() });
  const uuids = [
    await submitted(service, 'static', 'malicious'),
    await submitted(service, 'cdr', 'benign'),
    await submitted(service, 'sandbox', 'encrypted'),
    '00000000-0000-4000-8000-000000000000',
  ];
  await service.queue.idle();
  const parameter = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...uuids) }, { weight: 1, arbitrary: nasty });
  const request = fc.constantFrom(...routes('GET')).chain((route) => {
    const names = Object.keys(route.request.query?.shape ?? { any: null });
    const pair = fc.tuple(fc.oneof(fc.constantFrom(...names), nasty), nasty);
    return fc.record({
      route: fc.constant(route),
      prefix: fc.constantFrom('', '/public-api'),
      path: fc.constantFrom(...route.paths),
      values: fc.array(parameter, { minLength: 3, maxLength: 3 }),
      query: fc.array(pair, { maxLength: 4 }),
      agent: fc.constantFrom('threatzone-python-sdk/1.0.0', 'x'),
    });
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ route, prefix, path, values, query, agent }) => {
      const rest = [...values];
      const filled = path.replace(/:\w+/g, () => encodeURIComponent(wellFormed(rest.shift() ?? 'x')));
      const pairs = query.map(([name, value]) => [wellFormed(name), wellFormed(value)] as [string, string]);
      const url = `${prefix}${filled}?${new URLSearchParams(pairs)}`;
      const response = await service.call(url, { headers: { 'user-agent': agent } });
      expectOrderly(service, route, response.status, await response.text());
    }),
    { numRuns: 1_200, seed: 7 },
  );
  // The random input must have reached the code that it tests.
  for (const met of [
    'listSubmissions 200',
    'listSubmissions 400',
    'listIndicators 200',
    'downloadSample 200',
    'listProcesses 409',
  ])
    expect(seen).toContain(met);
});

test('a POST with any fields has a regular answer', async () => {
  const service = testService();
  const value = fc.oneof(nasty, fc.boolean(), fc.integer(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }));
  const request = fc.constantFrom(...routes('POST')).chain((route) => {
    const names = Object.keys(route.request.json?.shape ?? route.request.multipart?.shape ?? {});
    const field = fc.tuple(
      fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: nasty }),
      value,
    );
    return fc.record({ route: fc.constant(route), fields: fc.array(field, { maxLength: 4 }), hasFile: fc.boolean() });
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ route, fields, hasFile }) => {
      const entries = new Map(fields.map(([name, content]) => [wellFormed(name), content] as const));
      const response = await service.call(route.paths[0], {
        method: 'POST',
        body: route.request.json ? bodyOf(entries, hasFile) : formOf(entries, hasFile),
      });
      expectOrderly(service, route, response.status, await response.text());
    }),
    { numRuns: 800, seed: 7 },
  );
  await service.queue.idle();
  for (const met of [
    'createUrlSubmission 200',
    'createUrlSubmission 422',
    'createSandboxSubmission 200',
    'createCdrSubmission 422',
  ])
    expect(seen).toContain(met);
});

const bodyOf = (entries: ReadonlyMap<string, unknown>, hasUrl: boolean) =>
  JSON.stringify({ ...(hasUrl && { url: 'https://example.test/' }), ...Object.fromEntries(entries) });

function formOf(entries: ReadonlyMap<string, unknown>, hasFile: boolean): FormData {
  const form = hasFile ? fileForm('benign') : new FormData();
  for (const [name, content] of entries) {
    if (name === 'file' && hasFile) continue;
    form.append(name, typeof content === 'string' ? wellFormed(content) : JSON.stringify(content));
  }
  return form;
}

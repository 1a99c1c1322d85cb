/** Random input for every route of v1 and of the CDR service. There is always an answer with the envelope, and never an internal error. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CDR_ROUTES } from '../../../lib/service/contract/cdr.ts';
import { ANY_ROUTE_ERRORS, type RouteDefinition } from '../../../lib/service/contract/common.ts';
import { ERRORS } from '../../../lib/service/contract/errors.ts';
import { V1_ROUTES } from '../../../lib/service/contract/v1.ts';
import { type ContractService, contractService } from './rig.ts';
import { ENVELOPE } from './sdk-models.ts';
import { complaints } from './shape.ts';
import { type Field, fileFirst, fileLast, send, type WireAnswer, type WireRequest } from './wire.ts';

const RUNS = 150;

let service: ContractService;
/** Ids that exist, by their placeholders. The generators write placeholders, because they run before the ids are known. */
const known = new Map<string, string>();
beforeAll(async () => {
  service = await contractService();
  const created = async (base: string, path: string, headers: object, bytes: string) => {
    const { contentType, body } = fileLast([], { filename: 'x.doc', bytes });
    const request = { method: 'POST', headers: { ...headers, 'content-type': contentType }, body } as const;
    return (await send(base + path, request)).json<{ uuid: string; resultId: string }>();
  };
  const bearer = { authorization: `Bearer ${service.key}` };
  const token = { 'api-token': service.cdrToken };
  known.set('STATIC', (await created(service.url, '/submissions/static', bearer, 'malicious')).uuid);
  known.set('DISARMED', (await created(service.url, '/submissions/cdr', bearer, 'benign')).uuid);
  known.set('FAILED', (await created(service.url, '/submissions/cdr', bearer, 'encrypted')).uuid);
  known.set('RESULT', (await created(service.cdrUrl, '/start/upload-file', token, 'benign')).resultId);
  known.set('MD5', createHash('md5').update('malicious').digest('hex'));
  await service.idle();
  const record = await send(`${service.cdrUrl}/listen/${known.get('RESULT')}`, { headers: token });
  known.set('FILE', record.json<{ files: { id: string }[] }>().files[0]?.id ?? '');
});
afterAll(() => service.close());

const withIds = (path: string) => path.replace(/\b[A-Z0-9]{3,}\b/g, (word) => known.get(word) ?? word);

const baseOf = (route: RouteDefinition) => (route.auth === 'api-token' ? service.cdrUrl : service.url);
const authOf = (route: RouteDefinition) =>
  route.auth === 'api-token' ? { 'api-token': service.cdrToken } : { authorization: `Bearer ${service.key}` };

/** Codes that any route can answer with; ROUTE_NOT_FOUND is for a made-up path that is no path of the route. */
const ANYWHERE: readonly string[] = [...ANY_ROUTE_ERRORS, 'ROUTE_NOT_FOUND'];

/** Checks what must hold for every answer. */
function expectOrderly(label: string, route: RouteDefinition, answer: WireAnswer): void {
  const head = `${label} ${answer.status} ${answer.text.slice(0, 200)}`;
  expect(answer.status, head).toBeLessThan(500);
  if (answer.status >= 400) {
    const body = answer.json<{ code: keyof typeof ERRORS }>();
    expect([head, complaints(body, ENVELOPE), ERRORS[body.code].status]).toEqual([head, [], answer.status]);
    expect([...route.errors, ...ANYWHERE], head).toContain(body.code);
  }
  const said = answer.text + JSON.stringify(answer.headers);
  for (const secret of [service.key, service.otherKey, service.cdrToken]) expect(said).not.toContain(secret);
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    'null',
    '../../..',
    '%00',
    '__proto__',
    'constructor',
    '{}',
    '[]',
    'true',
    'True',
    '💥',
  ),
  fc.uuid(),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 64 }),
);

/** A parameter in a path. An empty one or a dot would make another path. */
const segment = text.map((value) => (/^\.{0,2}$/.test(value) ? 'x' : encodeURIComponent(value)));

/** Values with a meaning in their place. */
const MEANT: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    uuid: ['STATIC', 'DISARMED', 'FAILED'],
    resultId: ['RESULT'],
    fileId: ['FILE'],
    hash: ['MD5'],
    page: ['0', '1', '999999999'],
    jump: ['1', '100'],
    auto: ['true', 'false'],
    webhook: ['', 'https://hook.invalid/'],
    extension: ['', 'pdf', '.DOC'],
    filedata: ['', '1'],
    analyzeConfig: ['[]', '[{"metafieldId":"private","value":"false"}]', '{"metafieldId":"timeout","value":60}'],
    modules: ['cdr', '["cdr"]', 'csi,cdr,,'],
    isPublic: ['true', 'False'],
    extensionCheck: ['', 'true'],
    entrypoint: ['', 'a/../../b.exe'],
    password: ['', 'infected'],
  }),
);

const meantOr = (name: string, other: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...(MEANT.get(name) ?? ['x'])) }, { weight: 1, arbitrary: other });

const target = (route: RouteDefinition) => {
  const query = Object.keys(route.request.query?.shape ?? {});
  const pair = fc
    .oneof({ weight: 5, arbitrary: fc.constantFrom('other', ...query) }, { weight: 1, arbitrary: text })
    .chain((name) => fc.tuple(fc.constant(name), meantOr(name, text)));
  return fc
    .tuple(fc.constantFrom(...route.paths), fc.array(pair, { maxLength: 3 }))
    .chain(([path, pairs]) => {
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
      return fc.tuple(fc.constant(path), fc.constant(pairs), fc.tuple(...names.map((name) => meantOr(name, segment))));
    })
    .map(([path, pairs, values]) => {
      let at = 0;
      const filled = path.replace(/:\w+/g, () => values[at++] ?? 'x');
      const search = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
      return search === '' ? filled : `${filled}?${search}`;
    });
};

const fieldsOf = (route: RouteDefinition): fc.Arbitrary<Field[]> => {
  const names = Object.keys(route.request.multipart?.shape ?? {}).filter((name) => name !== 'file');
  const odd = fc.oneof(text, fc.json({ maxDepth: 2 }), fc.string({ unit: 'binary', maxLength: 300 }));
  const meant = fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: names.length })
    .chain((chosen) => fc.tuple(...chosen.map((name) => fc.tuple(fc.constant(name), meantOr(name, odd)))));
  const stray = fc.array(fc.tuple(fc.constantFrom('file', '__proto__', 'x', ...names), odd), { maxLength: 4 });
  return fc.oneof({ weight: 4, arbitrary: meant as fc.Arbitrary<Field[]> }, { weight: 1, arbitrary: stray });
};

/** A valid form with bytes of it cut, repeated or replaced. */
const mutated = (route: RouteDefinition): fc.Arbitrary<WireRequest> =>
  fc
    .record({
      fields: fieldsOf(route),
      content: fc.string({ unit: 'binary', maxLength: 200 }),
      filename: fc.constantFrom('a.doc', '', '%22', 'x\\"y', '\u0000', '../../etc/passwd', 'ä'),
      isFileFirst: fc.boolean(),
      cut: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(100) }),
      changes: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(fc.tuple(fc.nat(100), fc.uint8Array({ maxLength: 6 })), { maxLength: 3 }) },
      ),
      chunked: fc.boolean(),
      contentType: fc.oneof(
        { weight: 8, arbitrary: fc.constant(undefined) },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            'multipart/form-data',
            'multipart/form-data; boundary=',
            'text/plain',
            'application/json',
            'multipart/mixed; boundary=x',
          ),
        },
      ),
    })
    .map(({ fields, content, filename, isFileFirst, cut, changes, chunked, contentType }) => {
      const file = { filename, bytes: content };
      const form = isFileFirst ? fileFirst(file, fields) : fileLast(fields, file);
      let body = form.body;
      for (const [percent, bytes] of changes) {
        const at = Math.floor((body.byteLength * percent) / 100);
        body = Buffer.concat([body.subarray(0, at), bytes, body.subarray(at + bytes.byteLength)]);
      }
      if (cut !== undefined) body = body.subarray(0, Math.floor((body.byteLength * cut) / 100));
      return { method: 'POST' as const, headers: { 'content-type': contentType ?? form.contentType }, body, chunked };
    });

const jsonBody = fc
  .oneof(
    fc.record(
      {
        url: fc.oneof(
          { weight: 4, arbitrary: fc.webUrl() },
          { weight: 1, arbitrary: text },
          { weight: 1, arbitrary: fc.jsonValue() },
        ),
        private: fc.oneof(fc.boolean(), fc.constant('true'), fc.jsonValue()),
        isPublic: fc.oneof(fc.boolean(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
    fc.jsonValue({ maxDepth: 3 }),
  )
  .map(
    (value): WireRequest => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(value),
    }),
  );

const rawBody = fc.uint8Array({ maxLength: 400 }).map(
  (bytes): WireRequest => ({
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=AaB' },
    body: Buffer.concat([Buffer.from('--AaB\r\n'), bytes, Buffer.from('\r\n--AaB--')]),
  }),
);

const requestOf = (route: RouteDefinition): fc.Arbitrary<WireRequest> => {
  if (route.request.multipart) return fc.oneof({ weight: 3, arbitrary: mutated(route) }, rawBody);
  return route.request.json ? fc.oneof({ weight: 4, arbitrary: jsonBody }, rawBody) : fc.constant({});
};

const ROUTES: readonly RouteDefinition[] = [...V1_ROUTES, ...CDR_ROUTES];
const named = (routes: readonly RouteDefinition[]) =>
  routes.map((route) => [`${route.method} ${route.paths[0]}`, route] as const);

describe.each(named(ROUTES))('%s', (label, route) => {
  test('answers every request in order', async () => {
    const runs = route.method === 'POST' ? RUNS : Math.ceil(RUNS / 5);
    await fc.assert(
      fc.asyncProperty(target(route), requestOf(route), async (path, request) => {
        const headers = { ...authOf(route), ...request.headers };
        expectOrderly(label, route, await send(baseOf(route) + withIds(path), { ...request, headers }));
      }),
      { numRuns: runs },
    );
    await service.idle();
  });

  test('answers 401 to every credential but its own', async () => {
    const credential = fc.oneof(
      fc.record({ authorization: fc.constantFrom('Bearer', 'Bearer ', 'Basic eDp5', 'bearer wrong', 'Bearer a b') }),
      fc.record({
        cookie: fc.constantFrom('accesstoken', 'accesstoken=', 'accesstoken=wrong', 'a=b; accesstoken="x"', ';;;='),
      }),
      fc.record({ 'api-token': fc.constantFrom('', ' ', 'wrong') }),
    );
    await fc.assert(
      fc.asyncProperty(target(route), credential, async (path, headers) => {
        const answer = await send(baseOf(route) + withIds(path), { method: route.method, headers });
        expectOrderly(label, route, answer);
        expect([path, answer.status]).toEqual([path, 401]);
      }),
      { numRuns: 15 },
    );
  });
});

test('the log holds no credential, path or name of the caller', async () => {
  const log = JSON.stringify(service.log());
  expect(service.log().length).toBeGreaterThan(1_000);
  for (const secret of [service.key, service.otherKey, service.cdrToken, 'etc/passwd', '__proto__']) {
    expect(log).not.toContain(secret);
  }
  expect(service.faults()).toEqual([]);
});

/** The XSOAR packs 1 and 2 and the older MCP server, which speak v1, against the service over a socket. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContractService, contractService } from './rig.ts';
import { ENVELOPE } from './sdk-models.ts';
import { complaints, type Shape } from './shape.ts';
import * as models from './v1-models.ts';
import { type Field, fileLast, send, type WireAnswer } from './wire.ts';

let service: ContractService;
beforeAll(async () => {
  service = await contractService();
});
afterAll(() => service.close());

const CONNECTIVITY = '/public-api/get/submission/41704f61-6f3f-4241-9e81-f13f9e532e37';
const bearer = (key = service.key) => ({
  authorization: `Bearer ${key}`,
  'user-agent': 'python-requests/2.31.0',
  accept: '*/*',
});
const get = (path: string, key?: string) => send(service.url + path, { headers: bearer(key) });

async function scan(path: string, bytes: string, fields: readonly Field[] = []): Promise<WireAnswer> {
  const { contentType, body } = fileLast(fields, { filename: 'invoice.doc', bytes });
  const headers = { ...bearer(), 'content-type': contentType };
  return await send(`${service.url}/public-api/scan/${path}`, { method: 'POST', headers, body });
}

async function scanned(path: string, bytes: string, fields: readonly Field[] = []): Promise<string> {
  const answer = await scan(path, bytes, fields);
  expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)]);
  expect(complaints(answer.json(), models.V1_CREATED)).toEqual([]);
  expect(answer.json()).toMatchObject({ message: 'You have successfully submitted a submission.' });
  return answer.json<{ uuid: string }>().uuid;
}

const url = (path: string, body: unknown) =>
  send(`${service.url}/public-api/scan/${path}`, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const expectShape = (answer: WireAnswer, shape: Shape) =>
  expect([answer.status, complaints(answer.json(), shape)]).toEqual([200, []]);

const CONFIG: Field = [
  'analyzeConfig',
  JSON.stringify([
    { metafieldId: 'environment', value: 'w7_x64' },
    { metafieldId: 'private', value: true },
    { metafieldId: 'timeout', value: 180 },
    { metafieldId: 'work_path', value: 'desktop' },
    { metafieldId: 'raw_logs', value: false },
  ]),
];

describe('the connection test', () => {
  test('is 200 for a good key although nobody submitted that id', async () => {
    const answer = await get(CONNECTIVITY);
    expect(answer.status).toBe(200);
    expectShape(answer, models.V1_FILE_SUBMISSION);
  });

  test('is 401 with the word that the pack looks for', async () => {
    const answer = await get(CONNECTIVITY, 'wrong');
    expect([answer.status, answer.json()]).toEqual([
      401,
      expect.objectContaining({
        statusCode: 401,
        error: 'UnauthorizedError',
        code: 'UNAUTHORIZED',
        message: expect.any(String),
      }),
    ]);
    expect(answer.text).not.toContain('wrong');
  });
});

describe('submitting', () => {
  test.each<[string, string, readonly Field[]]>([
    ['a sandbox scan of pack 1', 'sandbox', [CONFIG]],
    ['a sandbox scan of pack 2', 'sandbox?auto=false', [CONFIG, ['extensionCheck', 'true'], ['modules', '["cdr"]']]],
    [
      'a sandbox scan of the MCP server',
      'sandbox?auto=true',
      [CONFIG, ['extensionCheck', 'false'], ['modules', 'csi,cdr']],
    ],
    ['an empty configuration', 'sandbox?auto=true', [['analyzeConfig', '[]']]],
    [
      'a static scan of pack 1',
      'static-scan',
      [
        ['isPublic', 'false'],
        ['extensionCheck', 'true'],
      ],
    ],
    ['a static scan of the MCP server', 'static', [['isPublic', 'false']]],
    ['a Python boolean', 'static-scan', [['isPublic', 'True']]],
    [
      'a disarm',
      'cdr',
      [
        ['isPublic', 'true'],
        ['extensionCheck', 'true'],
        ['entrypoint', ''],
        ['password', ''],
      ],
    ],
  ])('%s is accepted', async (_, path, fields) => {
    const uuid = await scanned(path, `benign ${path} ${fields.length}`, fields);
    const answer = await get(`/public-api/get/submission/${uuid}`);
    expectShape(answer, models.V1_FILE_SUBMISSION);
    expect(models.pickedReport(answer.json())[1].enabled).toBe(true);
  });

  test.each<[string, string, object, boolean]>([
    ['url-analysis', 'pack 2, with a text for a boolean', { private: 'true' }, true],
    ['url-analysis', 'the document', { private: false }, false],
    ['url-analysis', 'no option', {}, false],
    ['url', 'the MCP server', { isPublic: false }, true],
    ['url', 'the MCP server, in public', { isPublic: true }, false],
  ])('a URL at %s by %s', async (path, _, options, isPrivate) => {
    const answer = await url(path, { url: 'https://example.test/benign', ...options });
    expectShape(answer, models.V1_CREATED);
    const shown = await get(`/public-api/get/submission/${answer.json<{ uuid: string }>().uuid}`);
    expectShape(shown, models.V1_URL_SUBMISSION);
    expect(shown.json()).toMatchObject({ private: isPrivate, url: 'https://example.test/benign' });
    expect(shown.json()).not.toHaveProperty('fileInfo');
  });

  test('privacy of a sandbox scan stands in its configuration, of others in isPublic', async () => {
    const privacy = async (path: string, fields: readonly Field[]) => {
      const uuid = await scanned(path, `benign privacy ${path} ${JSON.stringify(fields)}`, fields);
      return (await get(`/public-api/get/submission/${uuid}`)).json<{ private: boolean }>().private;
    };
    const config = (value: unknown): Field => ['analyzeConfig', JSON.stringify([{ metafieldId: 'private', value }])];
    expect(await privacy('sandbox', [config(true)])).toBe(true);
    expect(await privacy('sandbox', [config('true')])).toBe(true);
    expect(await privacy('sandbox', [config(false)])).toBe(false);
    expect(await privacy('static-scan', [['isPublic', 'true']])).toBe(false);
    expect(await privacy('static-scan', [['isPublic', 'false']])).toBe(true);
  });

  test('modules may come as a repeated field', async () => {
    const uuid = await scanned('sandbox', 'benign repeated modules', [CONFIG, ['modules', 'csi'], ['modules', 'cdr']]);
    const shown = (await get(`/public-api/get/submission/${uuid}`)).json();
    expect(shown).toMatchObject({ reports: { cdr: { enabled: true } } });
    const twice = await scan('static-scan', 'x', [
      ['isPublic', 'true'],
      ['isPublic', 'false'],
    ]);
    expect([twice.status, twice.json().code]).toEqual([422, 'INVALID_BODY']);
  });

  test('a repeated configuration is one list, and with auto=true none is needed', async () => {
    const item = (metafieldId: string, value: string | boolean): Field => [
      'analyzeConfig',
      JSON.stringify({ metafieldId, value }),
    ];
    const uuid = await scanned('sandbox', 'benign repeated', [item('environment', 'w10_x64'), item('private', false)]);
    expect((await get(`/public-api/get/submission/${uuid}`)).json()).toMatchObject({ private: false });
    expect((await scan('sandbox?auto=true', 'benign alone')).status).toBe(200);
  });

  test('an environment that nobody knows is refused, and the accepted ones are named', async () => {
    const config: Field = ['analyzeConfig', JSON.stringify([{ metafieldId: 'environment', value: 'w95' }])];
    const answer = await scan('sandbox', 'x', [config]);
    const accepted = expect.arrayContaining(['script_emulation', 'w10_x64']);
    expect(answer.json()).toMatchObject({ statusCode: 422, code: 'INVALID_BODY', details: { accepted } });
  });

  test('the disarm module runs beside a sandbox analysis', async () => {
    const uuid = await scanned('sandbox', 'benign modules', [CONFIG, ['modules', '["cdr"]']]);
    await service.idle();
    expect((await get(`/public-api/get/submission/${uuid}`)).json()).toMatchObject({
      reports: { dynamic: { enabled: false }, static: { enabled: true, status: 5 }, cdr: { enabled: true, status: 5 } },
    });
  });

  test.each<[string, number, string, () => Promise<WireAnswer>]>([
    ['a URL that is none', 400, 'INVALID_URL_BODY', () => url('url-analysis', { url: '/a' })],
    ['a URL body that is a list', 400, 'INVALID_URL_BODY', () => url('url', [])],
    ['a configuration that is no JSON', 422, 'INVALID_BODY', () => scan('sandbox', 'x', [['analyzeConfig', '{']])],
    ['no configuration', 422, 'INVALID_BODY', () => scan('sandbox', 'x')],
    ['a boolean that is none', 422, 'INVALID_BODY', () => scan('static-scan', 'x', [['isPublic', 'maybe']])],
    ['modules that are no list', 422, 'INVALID_BODY', () => scan('sandbox', 'x', [CONFIG, ['modules', '{}']])],
  ])('%s is %d', async (_, status, code, call) => {
    const answer = await call();
    expect([answer.status, answer.json().code, complaints(answer.json(), ENVELOPE)]).toEqual([status, code, []]);
  });
});

describe('reading', () => {
  test('a finished submission has the numbers of v1, and v3 shows it with its own words', async () => {
    const uuid = await scanned('static-scan', 'malicious numbers', [['isPublic', 'true']]);
    await service.idle();
    const body = (await get(`/public-api/get/submission/${uuid}`)).json();
    expect(body).toMatchObject({
      uuid,
      level: 3,
      private: false,
      fileInfo: { name: 'invoice.doc', hashes: { md5: createHash('md5').update('malicious numbers').digest('hex') } },
      reports: { static: { enabled: true, status: 5, level: 3 }, dynamic: { enabled: false } },
    });
    expect((await get(`/submissions/${uuid}`)).json()).toMatchObject({ uuid, level: 'malicious', private: false });
    expect(JSON.stringify(body)).not.toContain('null');
  });

  test('a submission of v3 is visible in v1, a failed one as declined', async () => {
    const { contentType, body } = fileLast([], { filename: 'a.doc', bytes: 'encrypted elsewhere' });
    const headers = { ...bearer(), 'content-type': contentType };
    const created = await send(`${service.url}/submissions/cdr`, { method: 'POST', headers, body });
    await service.idle();
    const { uuid } = created.json<{ uuid: string }>();
    const shown = (await get(`/public-api/get/submission/${uuid}`)).json<Parameters<typeof models.pickedReport>[0]>();
    expect(models.pickedReport(shown)).toEqual(['cdr', expect.objectContaining({ enabled: true, status: 0 })]);
  });

  test('the sections hold what the pack reads', async () => {
    const uuid = await scanned('static-scan', 'suspicious sections');
    await service.idle();
    const section = async (name: string) => (await get(`/public-api/get/submission/${uuid}/${name}`)).json();
    expect(await section('indicators')).toMatchObject({ indicators: [{ name: 'Office macro', level: 'suspicious' }] });
    expect(await section('threats')).toMatchObject({ threats: [{ name: 'Office macro' }] });
    expect(await section('iocs')).toMatchObject({ iocs: { url: [], domain: [], email: [], ip: [] } });
    expect(await section('matched-yara-rules')).toMatchObject({ yaraRules: [] });
    expect(await section('analysis-artifacts')).toMatchObject({ artifacts: expect.any(Array) });
    expect(await section('config-extractor-results')).toMatchObject({ configExtractorResults: [] });
    expect(await section('varist-hybrid-analyzer-results')).toMatchObject({
      message: expect.stringMatching(/deprecated/i),
    });
    for (const name of ['dns', 'http', 'tcp', 'udp']) {
      expect(await section(name)).toMatchObject({ statusCode: 409, code: 'DYNAMIC_REPORT_UNAVAILABLE' });
    }
  });

  test('a submission is found by each of its three hashes, in any case, in pages that start at 0', async () => {
    const uuid = await scanned('static-scan', 'benign hashes', [['isPublic', 'true']]);
    for (const algorithm of ['md5', 'sha1', 'sha256']) {
      const hash = createHash(algorithm).update('benign hashes').digest('hex');
      const found = await get(`/public-api/get/${hash.toUpperCase()}/0/10`);
      expectShape(found, models.V1_PAGE);
      expect(found.json()).toMatchObject({ submissions: [{ uuid }], total: 1, page: 0, jump: 10, totalPages: 1 });
      expect((await get(`/public-api/get/${hash}/1/10`)).json()).toMatchObject({ submissions: [], total: 1, page: 1 });
    }
  });

  test('own and public submissions are listed newest first', async () => {
    const mine = await scanned('static-scan', 'benign mine', [['isPublic', 'false']]);
    const open = await scanned('static-scan', 'benign open', [['isPublic', 'true']]);
    const first = async (path: string, key?: string) =>
      (await get(`/public-api/get/${path}/0/2`, key))
        .json<{ submissions: { uuid: string }[] }>()
        .submissions.map(({ uuid }) => uuid);
    expect(await first('my-submissions')).toEqual([open, mine]);
    expect((await first('public-submissions', service.otherKey))[0]).toBe(open);
    expect(await first('my-submissions', service.otherKey)).toEqual([]);
  });

  test.each(['levels', 'statuses', 'metafields', 'samplemetafield'])('constants/%s is an object', async (name) => {
    const answer = await get(`/public-api/constants/${name}`);
    expect([answer.status, Array.isArray(answer.json()), typeof answer.json()]).toEqual([200, false, 'object']);
  });

  test('the sample configuration is accepted as it is', async () => {
    const { analyzeConfig } = (await get('/public-api/constants/samplemetafield')).json<{ analyzeConfig: unknown }>();
    await scanned('sandbox', 'benign sample configuration', [['analyzeConfig', JSON.stringify(analyzeConfig)]]);
  });

  test('the user has the keys of both generations, and a quota that the pack does not read as used up', async () => {
    const answer = await get('/public-api/me');
    expectShape(answer, models.V1_ME);
    expect(models.hasQuota(answer.json())).toBe(true);
  });
});

/** The public Python SDK, both generations, against the service over a socket. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as config from './config-models.ts';
import { type ContractService, contractService } from './rig.ts';
import * as models from './sdk-models.ts';
import { SDK_10, SDK_11 } from './sdk-models.ts';
import { complaints, type Shape } from './shape.ts';
import {
  type Field,
  type FilePart,
  fileLast,
  mcpFilename,
  sdkFilename,
  sdkHeaders,
  send,
  type WireAnswer,
} from './wire.ts';

let service: ContractService;
let base: string;
beforeAll(async () => {
  service = await contractService();
  base = `${service.url}/public-api`;
});
afterAll(() => service.close());

const headers = (userAgent = SDK_11.userAgent) => sdkHeaders(service.key, userAgent);
const get = (path: string, userAgent?: string) => send(base + path, { headers: headers(userAgent) });

async function upload(
  kind: string,
  file: FilePart,
  fields: readonly Field[] = [],
  chunked = false,
): Promise<WireAnswer> {
  const { contentType, body } = fileLast(fields, file);
  const request = { method: 'POST', headers: { ...headers(), 'content-type': contentType }, body, chunked } as const;
  return await send(`${base}/submissions/${kind}`, request);
}

async function uploaded(kind: string, bytes: string, fields: readonly Field[] = []): Promise<string> {
  const answer = await upload(kind, { filename: 'invoice.doc', bytes }, fields);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json<{ uuid: string }>().uuid;
}

async function submittedUrl(url: string): Promise<string> {
  const body = JSON.stringify({ url, private: false });
  const json = { ...headers(), 'content-type': 'application/json' };
  const answer = await send(`${base}/submissions/url_analysis`, { method: 'POST', headers: json, body });
  expect(complaints(answer.json(), models.CREATED)).toEqual([]);
  return answer.json<{ uuid: string }>().uuid;
}

const expectShape = (answer: WireAnswer, shape: Shape) =>
  expect([answer.status, answer.headers['content-type'], complaints(answer.json(), shape)]).toEqual([
    200,
    expect.stringMatching(/^application\/json\b/),
    [],
  ]);

describe('creating', () => {
  const config: Field[] = [
    ['environment', 'w10_x64'],
    ['private', 'false'],
    ['metafields', '{"timeout":120,"internet_connection":true}'],
    ['configurations', '{"startArguments":"-x"}'],
    ['entrypoint', 'a.exe'],
    ['password', 'infected'],
  ];
  test.each<[string, string, readonly Field[]]>([
    ['raw bytes without a name', 'static', [['private', 'false']]],
    ['every option of a sandbox', 'sandbox', config],
    ['metafields as a list of texts', 'sandbox', [['metafields', '[{"key":"timeout","value":"120"}]']]],
    ['an environment left to the service', 'sandbox', [['autoSelectEnvironment', 'true']]],
    ['no option at all', 'cdr', []],
    ['options of the newer generation', 'cdr', [['dynamic_mimetype_check', 'false']]],
    [
      'empty optional fields',
      'static',
      [
        ['entrypoint', ''],
        ['password', ''],
      ],
    ],
  ])('takes %s, and lists the scheduled reports in the very first answer', async (_, kind, fields) => {
    const bytes = `benign ${kind} ${fields.length}`;
    const answer = await upload(kind, { filename: 'file', bytes }, fields);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    expectShape(answer, models.CREATED);
    const { uuid, sha256 } = answer.json<{ uuid: string; sha256: string }>();
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    const first = await get(`/submissions/${uuid}`);
    expectShape(first, SDK_10.submission);
    expectShape(first, SDK_11.submission);
    expect(first.json<{ reports: unknown[] }>().reports.length).toBeGreaterThan(0);
  });

  test.each([
    ['a quote', 'a%22b.doc', 'a"b.doc'],
    ['letters outside ASCII, as raw UTF-8', 'nä\u00efve 文.doc', 'nä\u00efve 文.doc'],
    ['a path', '../../etc/passwd', 'passwd'],
    ['a Windows path', 'C:\\\\temp\\\\x.exe', 'x.exe'],
  ])('reads a file name with %s', async (_, filename, shown) => {
    const answer = await upload('static', { filename, bytes: `benign ${filename}` });
    const { uuid } = answer.json<{ uuid: string }>();
    expect((await get(`/submissions/${uuid}`)).json()).toMatchObject({ filename: shown, file: { name: shown } });
  });

  test('takes an upload of unknown length', async () => {
    const answer = await upload('static', { filename: 'x', bytes: `benign ${'x'.repeat(5_000)}` }, [], true);
    expectShape(answer, models.CREATED);
  });

  test('answers the hash of the text of a URL', async () => {
    const body = '{"url":"https://example.test/benign"}';
    const json = { ...headers(), 'content-type': 'application/json' };
    const answer = await send(`${base}/submissions/url_analysis`, { method: 'POST', headers: json, body });
    expect(answer.json()).toMatchObject({
      sha256: 'f4eb28828d623fdeb34459ca5850f0b6c5cb807dec49ddd9f6e371636e90454b',
    });
  });

  test.each<[string, string, readonly Field[]]>([
    ['a boolean that is none', 'static', [['private', 'maybe']]],
    ['metafields that are no JSON', 'sandbox', [['metafields', '{']]],
  ])('refuses %s with 422', async (_, kind, fields) => {
    const answer = await upload(kind, { filename: 'x', bytes: 'benign' }, fields);
    expect([answer.status, complaints(answer.json(), models.ENVELOPE)]).toEqual([422, []]);
  });
});

describe('waiting and reading', () => {
  test('every report of a finished submission satisfies the models of both generations', async () => {
    const file = await uploaded('static', 'suspicious file');
    const cdr = await uploaded('cdr', 'benign cdr');
    const url = await submittedUrl('https://example.test/suspicious');
    await service.idle();
    for (const { userAgent, ...sdk } of [SDK_10, SDK_11]) {
      const cases: [string, Shape][] = [
        [`/submissions/${file}`, sdk.submission],
        [`/submissions/${cdr}`, sdk.submission],
        [`/submissions/${url}`, sdk.submission],
        [`/submissions?limit=5`, sdk.page],
        [`/submissions/${file}/summary`, models.SUMMARY],
        [`/submissions/${file}/indicators`, sdk.indicators],
        [`/submissions/${url}/indicators`, sdk.indicators],
        [`/submissions/${file}/iocs?page=1&limit=100`, models.IOCS],
        [`/submissions/${url}/iocs`, models.IOCS],
        [`/submissions/${file}/yara-rules`, models.YARA_RULES],
        [`/submissions/${file}/extracted-configs`, models.CONFIGS],
        [`/submissions/${file}/artifacts`, models.ARTIFACTS],
        [`/submissions/${file}/mitre`, models.MITRE],
        [`/submissions/${file}/signature-check`, models.SIGNATURES],
        [`/submissions/${file}/static-scan`, sdk.staticScan],
        [`/submissions/${cdr}/cdr`, sdk.cdr],
        [`/submissions/${url}/url-analysis`, models.URL_ANALYSIS],
        [`/submissions/${url}/media`, models.MEDIA],
        ['/config/metafields', config.METAFIELD_GROUPS],
        ['/config/metafields/sandbox', config.METAFIELDS],
        ['/config/metafields/open_in_browser', config.METAFIELDS],
        ['/config/environments', config.ENVIRONMENTS],
        ['/v1/network-configs', config.NETWORK_CONFIGS],
        ['/me', config.ME],
      ];
      for (const [path, shape] of cases) {
        const answer = await get(path, userAgent);
        expect([userAgent, path, answer.status, complaints(answer.json(), shape)]).toEqual([userAgent, path, 200, []]);
      }
    }
  });

  test('an indicator has a text as category for the first generation and a list for the second', async () => {
    const uuid = await uploaded('static', 'suspicious category');
    await service.idle();
    const read = async (userAgent: string) =>
      (await get(`/submissions/${uuid}/indicators`, userAgent)).json<{ items: { category: unknown }[] }>().items;
    const [old, recent] = [await read(SDK_10.userAgent), await read(SDK_11.userAgent)];
    expect(old.length).toBeGreaterThan(0);
    expect(old.every(({ category }) => typeof category === 'string')).toBe(true);
    expect(recent.every(({ category }) => Array.isArray(category))).toBe(true);
  });

  test('a failed engine is an error report, which ends the waiting', async () => {
    const uuid = await uploaded('cdr', 'encrypted');
    await service.idle();
    const body = (await get(`/submissions/${uuid}`)).json<{ reports: { status: string }[] }>();
    expect(body.reports.map(({ status }) => status)).toEqual(['error']);
  });
});

describe('lists', () => {
  test('take repeated keys and a comma list in the same way', async () => {
    await uploaded('static', 'malicious list');
    await uploaded('static', 'suspicious list');
    await service.idle();
    const repeated = await get('/submissions?level=malicious&level=suspicious&type=file&limit=50');
    const comma = await get('/submissions?level=malicious,suspicious&type=file&limit=50');
    expect(repeated.json<{ total: number }>().total).toBeGreaterThanOrEqual(2);
    expect(comma.json()).toEqual(repeated.json());
  });

  test('a page past the end is empty and says how many there are', async () => {
    const body = (await get('/submissions?page=9999&limit=7')).json<{
      items: unknown[];
      total: number;
      totalPages: number;
    }>();
    expect(body).toMatchObject({ items: [], page: 9999, limit: 7, totalPages: Math.ceil(body.total / 7) });
  });

  test.each(['page=0', 'page=x', 'limit=0', 'limit=101', 'level=bad', 'type=mail', 'private=maybe', 'startDate=soon'])(
    'refuse %s with 400 and the name of the parameter',
    async (query) => {
      const answer = await get(`/submissions?${query}`);
      expect([answer.status, answer.json()]).toEqual([
        400,
        expect.objectContaining({ code: 'INVALID_QUERY_PARAM', details: { param: query.split('=')[0] } }),
      ]);
    },
  );

  test.each([
    'startDate=2026-01-05T10:00:00',
    'endDate=2026-01-05T10:00:00%2B00:00',
    'tags=a+b',
    'private=true',
    'filename=INV',
  ])('take %s', async (query) => expectShape(await get(`/submissions?${query}`), SDK_11.page));

  test('a hash that nobody submitted is an empty list', async () => {
    const answer = await get(`/submissions/search/sha256/${'0'.repeat(64)}`);
    expect([answer.status, answer.json<unknown>()]).toEqual([200, []]);
  });

  test('an unknown kind of metafields is 400 and names scan_type', async () => {
    const answer = await get('/config/metafields/mail');
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'INVALID_QUERY_PARAM', details: { param: 'scan_type' } }),
    ]);
  });
});

describe('downloads', () => {
  test('answer for any Accept header, with one plain file name that both clients read in the same way', async () => {
    const uuid = await uploaded('cdr', 'benign download');
    await service.idle();
    const artifacts = (await get(`/submissions/${uuid}/artifacts`)).json<{ items: { id: string }[] }>().items;
    const paths = ['cdr', 'cdr-sanitized', 'sample', 'html-report', ...artifacts.map(({ id }) => `artifact/${id}`)];
    for (const path of paths) {
      const answer = await get(`/submissions/${uuid}/download/${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
      const disposition = answer.headers['content-disposition'];
      expect([path, disposition]).toEqual([path, expect.stringMatching(/^attachment; filename="[A-Za-z0-9._-]+"$/)]);
      expect(sdkFilename(disposition)).toBe(mcpFilename(disposition));
      const length = answer.headers['content-length'];
      if (length !== undefined) expect(Number(length)).toBe(answer.bytes.byteLength);
    }
    expect((await get(`/submissions/${uuid}/download/cdr`)).text).toBe('disarmed benign download');
  });
});

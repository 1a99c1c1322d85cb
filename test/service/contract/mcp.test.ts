/** The public MCP server (TypeScript, fetch) and the XSOAR pack 3 (its own paging over the SDK) against the service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContractService, contractService } from './rig.ts';
import { CREATED, SDK_11 } from './sdk-models.ts';
import { complaints } from './shape.ts';
import { type Field, fileFirst, mcpFilename, send, type WireAnswer } from './wire.ts';

let service: ContractService;
let base: string;
beforeAll(async () => {
  service = await contractService();
  base = `${service.url}/public-api`;
});
afterAll(() => service.close());

const headers = () => ({ authorization: `Bearer ${service.key}`, accept: 'application/json', 'user-agent': 'node' });
const get = (path: string) => send(base + path, { headers: headers() });

async function upload(kind: string, bytes: string, fields: readonly Field[] = []): Promise<WireAnswer> {
  const { contentType, body } = fileFirst({ filename: 'sample.docm', bytes }, fields);
  return await send(`${base}/submissions/${kind}`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': contentType },
    body,
  });
}

const uuidOf = (answer: WireAnswer) => answer.json<{ uuid: string }>().uuid;

describe('the MCP server', () => {
  test.each<[string, readonly Field[]]>([
    [
      'sandbox',
      [
        ['environment', 'w10_x64'],
        ['metafields', '{"timeout":60}'],
        ['private', 'true'],
      ],
    ],
    [
      'static',
      [
        ['private', 'true'],
        ['password', 'infected'],
      ],
    ],
    ['cdr', []],
  ])('submits to %s with the file before the fields', async (kind, fields) => {
    const answer = await upload(kind, `benign ${kind}`, fields);
    expect([answer.status, complaints(answer.json(), CREATED)]).toEqual([200, []]);
    const shown = (await get(`/submissions/${uuidOf(answer)}`)).json();
    expect(shown).toMatchObject({ filename: 'sample.docm', private: fields.some(([name]) => name === 'private') });
  });

  test('submits a URL without a privacy flag', async () => {
    const body = '{"url":"https://example.test/benign"}';
    const json = { ...headers(), 'content-type': 'application/json' };
    const answer = await send(`${base}/submissions/url_analysis`, { method: 'POST', headers: json, body });
    expect([answer.status, (await get(`/submissions/${uuidOf(answer)}`)).json().private]).toEqual([200, false]);
  });

  test('opens a URL in a browser, which says at once which reports will come', async () => {
    const body = JSON.stringify({
      url: 'https://example.test/benign',
      metafields: { timeout: 60 },
      autoSelectEnvironment: true,
    });
    const json = { ...headers(), 'content-type': 'application/json' };
    const answer = await send(`${base}/submissions/open_in_browser`, { method: 'POST', headers: json, body });
    const shown = (await get(`/submissions/${uuidOf(answer)}`)).json<{ reports: { type: string }[] }>();
    expect(shown.reports.map(({ type }) => type)).toContain('url_analysis');
  });

  test('recognises a refusal by message and statusCode, both of the right type', async () => {
    const answer = await get('/submissions/00000000-0000-4000-8000-000000000000');
    expect(answer.json()).toMatchObject({ statusCode: 404, message: expect.any(String), code: 'SUBMISSION_NOT_FOUND' });
  });

  test('reads the file name of a download with its own expression', async () => {
    const uuid = uuidOf(await upload('cdr', 'benign name'));
    await service.idle();
    const answer = await get(`/submissions/${uuid}/download/cdr`);
    expect(mcpFilename(answer.headers['content-disposition'])).toMatch(/^[A-Za-z0-9._-]+\.docx$/);
  });

  test('finds a submission by the first digits of its hash', async () => {
    const answer = await upload('static', 'benign prefix of a hash');
    const { sha256 } = answer.json<{ sha256: string }>();
    const found = (await get(`/submissions?sha256=${sha256.slice(0, 12)}`)).json<{ items: { uuid: string }[] }>();
    expect(found.items.map(({ uuid }) => uuid)).toContain(uuidOf(answer));
  });

  test('asks for the network lists by offset and learns that a report is missing, instead of an empty list', async () => {
    const uuid = uuidOf(await upload('static', 'benign network'));
    for (const list of ['dns', 'http', 'tcp', 'udp', 'threats']) {
      const answer = await get(`/submissions/${uuid}/network/${list}?limit=100&skip=0`);
      expect([answer.status, answer.json().code]).toEqual([409, 'DYNAMIC_REPORT_UNAVAILABLE']);
    }
  });
});

describe('the XSOAR pack 3', () => {
  test('reads every page until it has the total', async () => {
    const made = await Promise.all([1, 2, 3, 4, 5].map((number) => upload('static', `benign page ${number}`)));
    const seen: string[] = [];
    for (let page = 1, total = 1; seen.length < total; page += 1) {
      const answer = await get(`/submissions?page=${page}&limit=2&sort=createdAt&order=asc`);
      expect(complaints(answer.json(), SDK_11.page)).toEqual([]);
      const body = answer.json<{ items: { uuid: string }[]; total: number }>();
      if (body.items.length === 0) break;
      seen.push(...body.items.map(({ uuid }) => uuid));
      total = body.total;
    }
    expect(seen).toEqual(expect.arrayContaining(made.map(uuidOf)));
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('takes the offered defaults of a sandbox and submits a file with them', async () => {
    const options = (await get('/config/metafields/sandbox')).json<
      { key: string; default: unknown; active: boolean; accessible: boolean }[]
    >();
    const offered = options.filter(({ active, accessible }) => active && accessible);
    const metafields = JSON.stringify(Object.fromEntries(offered.map((option) => [option.key, option.default])));
    expect((await upload('sandbox', 'benign defaults', [['metafields', metafields]])).status).toBe(200);
  });
});

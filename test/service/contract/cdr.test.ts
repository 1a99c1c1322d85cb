/** The CDR service over a socket, as its documentation and the interface document describe it. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContractService, contractService } from './rig.ts';
import { ENVELOPE } from './sdk-models.ts';
import { complaints, list, object, optional, words } from './shape.ts';
import { type Field, fileFirst, fileLast, send, type WireAnswer } from './wire.ts';

const HASHES = object({ sha256: 'string', sha1: 'string', md5: 'string' });
const RECEIVED = {
  type: words('file'),
  name: 'string',
  fileId: 'string',
  resultId: 'string',
  size: 'int',
  hashes: HASHES,
  status: words(1, 2),
  level: 'int',
  files: list(object({ name: 'string', id: 'string' })),
  message: 'string',
} as const;
const LOG = object({
  description: 'string',
  removed: list('string'),
  sanitized: list('string'),
  'processing time': 'string',
});
const FINISHED = object({
  ...RECEIVED,
  status: words(2),
  result: object({ filename: 'string', log: LOG, file_data: optional('string') }),
});

interface Record {
  readonly files: { readonly id: string; readonly name: string }[];
  readonly result: { readonly filename: string; readonly file_data: string | null };
}

let service: ContractService;
let receiver: Server;
let hooks: unknown[] = [];
let hookUrl = '';
beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      hooks.push({ ...JSON.parse(Buffer.concat(chunks).toString()), token: request.headers['api-token'] ?? null });
      response.writeHead(hooks.length === 1 ? 503 : 200).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?run=1`;
  service = await contractService({ allowPrivateWebhooks: true });
});
afterAll(async () => {
  await service.close();
  receiver.close();
});

const token = () => ({ 'api-token': service.cdrToken, accept: 'application/json' });
const get = (path: string) => send(service.cdrUrl + path, { headers: token() });

async function start(bytes: string, query = '', fields: readonly Field[] = [], build = fileLast): Promise<WireAnswer> {
  const { contentType, body } = build(fields, { filename: 'report.docx', bytes });
  const headers = { ...token(), 'content-type': contentType };
  return await send(`${service.cdrUrl}/start/upload-file${query}`, { method: 'POST', headers, body });
}

async function finished(answer: WireAnswer): Promise<WireAnswer> {
  expect([answer.status, complaints(answer.json(), object({ resultId: 'string', message: 'string' }))]).toEqual([
    200,
    [],
  ]);
  await service.idle();
  return await get(`/listen/${answer.json<{ resultId: string }>().resultId}`);
}

describe('start and listen', () => {
  test('end with the record of the document', async () => {
    const started = await start('benign file', '', [], (fields, file) => fileFirst(file, fields));
    const first = await get(`/listen/${started.json<{ resultId: string }>().resultId}`);
    expect(complaints(first.json(), object(RECEIVED))).toEqual([]);
    const answer = await finished(started);
    expect([answer.status, complaints(answer.json(), FINISHED)]).toEqual([200, []]);
    const sha256 = createHash('sha256').update('benign file').digest('hex');
    const name = `${sha256}_sanitized.docx`;
    expect(answer.json()).toMatchObject({
      name: 'report.docx',
      fileId: sha256,
      size: 11,
      status: 2,
      level: 0,
      files: [{ name }],
      result: { filename: name, log: { removed: ['macro'], sanitized: ['external template'] }, file_data: null },
    });
    const { files } = answer.json<Record>();
    const download = await get(`/download/${files[0]?.id}`);
    expect([download.text, download.headers['content-disposition']]).toEqual([
      'disarmed benign file',
      `attachment; filename="${name}"`,
    ]);
  });

  test.each<[string, string, readonly Field[]]>([
    ['the query', '?filedata=1', []],
    ['the form', '', [['filedata', 'yes']]],
    ['a bare key', '?filedata', []],
  ])('carry the sanitized file in base64 when %s asks for it', async (_, query, fields) => {
    const record = (await finished(await start(`benign ${query} ${fields}`, query, fields))).json<Record>();
    const expected = `disarmed benign ${query} ${fields}`;
    expect(Buffer.from(record.result.file_data ?? '', 'base64').toString()).toBe(expected);
  });

  test('a failed disarm is finished, has no file, and says why', async () => {
    const answer = await finished(await start('encrypted', '?filedata=1'));
    expect(complaints(answer.json(), FINISHED)).toEqual([]);
    expect(answer.json()).toMatchObject({ status: 2, files: [], result: { filename: '', file_data: null } });
  });

  test.each(['?extension=docm', '?extension=.DOCM', '?webhook=&extension='])('take %s', async (query) => {
    expect((await finished(await start(`benign ${query}`, query))).json()).toMatchObject({
      status: 2,
      name: 'report.docx',
    });
  });

  test('a CDR submission is not visible in the analysis service', async () => {
    const { resultId } = (await start('benign separate')).json<{ resultId: string }>();
    const headers = { authorization: `Bearer ${service.key}` };
    expect((await send(`${service.url}/submissions/${resultId}`, { headers })).status).not.toBe(200);
  });
});

describe('a webhook', () => {
  test('gets the result id once, again after a failure, and never the token', async () => {
    hooks = [];
    const started = await start('benign hook', `?webhook=${encodeURIComponent(hookUrl)}`);
    const { resultId } = started.json<{ resultId: string }>();
    await finished(started);
    expect(await service.webhookOf(resultId)).toBe('delivered');
    expect(hooks).toEqual([
      { resultId, token: null },
      { resultId, token: null },
    ]);
  });

  test('may stand in the form', async () => {
    hooks = [null];
    const started = await start('benign form hook', '', [['webhook', hookUrl]]);
    await finished(started);
    expect(await service.webhookOf(started.json<{ resultId: string }>().resultId)).toBe('delivered');
    expect(hooks).toHaveLength(2);
  });

  test('to this machine is never called unless the operator allows it', async () => {
    const strict = await contractService();
    try {
      hooks = [null];
      const { contentType, body } = fileLast([], { filename: 'x', bytes: 'benign strict' });
      const headers = { 'api-token': strict.cdrToken, 'content-type': contentType };
      const path = `${strict.cdrUrl}/start/upload-file?webhook=${encodeURIComponent(hookUrl)}`;
      const started = await send(path, { method: 'POST', headers, body });
      expect(await strict.webhookOf(started.json<{ resultId: string }>().resultId)).toBe('refused');
      expect(hooks).toEqual([null]);
    } finally {
      await strict.close();
    }
  });
});

describe('refusals', () => {
  test.each<[string, number, string, () => Promise<WireAnswer>]>([
    ['a webhook that is no web address', 400, 'INVALID_QUERY_PARAM', () => start('x', '?webhook=file:///etc/passwd')],
    ['a webhook with a password', 400, 'INVALID_QUERY_PARAM', () => start('x', '?webhook=https://u:p@a.test/')],
    ['a webhook in the form that is none', 422, 'INVALID_BODY', () => start('x', '', [['webhook', 'nowhere']])],
    ['an extension with a path', 400, 'INVALID_QUERY_PARAM', () => start('x', '?extension=../x')],
    ['an unknown result', 404, 'SUBMISSION_NOT_FOUND', () => get(`/listen/${randomUUID()}`)],
    ['a result id that is none', 400, 'INVALID_UUID', () => get('/listen/1')],
    ['an unknown file', 404, 'FILE_NOT_FOUND', () => get(`/download/${randomUUID()}`)],
    ['no token', 401, 'UNAUTHORIZED', () => send(`${service.cdrUrl}/listen/${randomUUID()}`)],
  ])('%s is %d', async (_, status, code, call) => {
    const answer = await call();
    expect([answer.status, answer.json().code, complaints(answer.json(), ENVELOPE)]).toEqual([status, code, []]);
  });

  test('an unknown id says so in the known words', async () => {
    expect((await get(`/listen/${randomUUID()}`)).json().message).toBe('There is no submission with this id');
  });
});

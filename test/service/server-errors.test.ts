import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ErrorEnvelope } from '../../lib/service/contract/errors.ts';
import { givenKeys } from '../../lib/service/server/store/api-keys.ts';
import { API_KEY, fileForm, submitted, testService } from './scripted-service.ts';

const UNKNOWN = randomUUID();

async function envelope(response: Response): Promise<ErrorEnvelope> {
  const body = ErrorEnvelope.parse(await response.json());
  expect(body.statusCode).toBe(response.status);
  expect(response.headers.get('content-type')).toBe('application/json');
  return body;
}

describe('a refused request answers with the envelope', () => {
  const post = (body: string | FormData): RequestInit => ({ method: 'POST', body });
  test.each<[string, string, RequestInit, number, string]>([
    ['an id that is no UUID', '/submissions/not-a-uuid', {}, 400, 'INVALID_UUID'],
    ['an id that is no UUID on a download', '/submissions/1/download/cdr', {}, 400, 'INVALID_UUID'],
    ['an MD5 search', `/submissions/search/sha256/${'a'.repeat(32)}`, {}, 400, 'INVALID_QUERY_PARAM'],
    ['a hash that is not hexadecimal', `/submissions/search/sha256/${'g'.repeat(64)}`, {}, 400, 'INVALID_QUERY_PARAM'],
    ['an unknown submission', `/submissions/${UNKNOWN}`, {}, 404, 'SUBMISSION_NOT_FOUND'],
    ['a download of an unknown submission', `/submissions/${UNKNOWN}/download/cdr`, {}, 404, 'SUBMISSION_NOT_FOUND'],
    ['an unknown route', '/nothing/here', {}, 404, 'ROUTE_NOT_FOUND'],
    ['a known path with another method', '/me', { method: 'DELETE' }, 404, 'ROUTE_NOT_FOUND'],
    ['a form without a file', '/submissions/static', post(noFile()), 422, 'INVALID_BODY'],
    ['a file given as text', '/submissions/static', post(textFile()), 422, 'INVALID_BODY'],
    ['JSON where a form is needed', '/submissions/static', post('{}'), 422, 'INVALID_BODY'],
    ['no body', '/submissions/cdr', { method: 'POST' }, 422, 'INVALID_BODY'],
    ['a boolean that is none', '/submissions/cdr', post(fileForm('x', { private: 'yes' })), 422, 'INVALID_BODY'],
    [
      'metafields that are no JSON',
      '/submissions/sandbox',
      post(fileForm('x', { metafields: '{' })),
      422,
      'INVALID_BODY',
    ],
    [
      'metafields of lists',
      '/submissions/sandbox',
      post(fileForm('x', { metafields: '{"a":[]}' })),
      422,
      'INVALID_BODY',
    ],
    ['a URL body that is no JSON', '/submissions/url', post('url=x'), 422, 'INVALID_BODY'],
    ['a URL body that is a list', '/submissions/url', post('[]'), 422, 'INVALID_BODY'],
    ['a relative URL', '/submissions/url', post('{"url":"/a"}'), 422, 'INVALID_BODY'],
    [
      'a URL body that is too large',
      '/submissions/url',
      post(JSON.stringify('x'.repeat(70_000))),
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ])('%s', async (_, path, init, status, code) => {
    const service = testService();
    for (const prefix of ['', '/public-api']) {
      const response = await service.call(prefix + path, init);
      expect([response.status, (await envelope(response)).code]).toEqual([status, code]);
    }
    expect(service.faults).toEqual([]);
  });

  function noFile(): FormData {
    const form = new FormData();
    form.append('private', 'true');
    return form;
  }
  function textFile(): FormData {
    const form = new FormData();
    form.append('file', 'text');
    return form;
  }
});

test('names the parameter and the field that were wrong', async () => {
  const service = testService();
  const search = await envelope(await service.call('/submissions/search/sha256/abc'));
  expect(search.details).toEqual({ param: 'sha256' });
  expect(search.message).toContain('64 hexadecimal digits');
  const created = await service.call('/submissions/cdr', { method: 'POST', body: fileForm('x', { private: 'yes' }) });
  expect((await envelope(created)).message).toBe('private: expected true or false');
});

describe('a sanitized file that does not exist', () => {
  test('is 409 with a null status when no disarm was ever scheduled', async () => {
    const service = testService();
    const uuid = await submitted(service, 'static', 'benign');
    await service.queue.idle();
    const body = await envelope(await service.call(`/submissions/${uuid}/download/cdr-sanitized`));
    expect(body).toMatchObject({
      statusCode: 409,
      code: 'CDR_REPORT_UNAVAILABLE',
      details: { submissionUuid: uuid, requiredReport: 'cdr', currentStatus: null, availableReports: ['static'] },
    });
  });

  test('is 409 with the status of a disarm that failed', async () => {
    const service = testService();
    const uuid = await submitted(service, 'cdr', 'encrypted');
    await service.queue.idle();
    const body = await envelope(await service.call(`/submissions/${uuid}/download/cdr`));
    expect(body.details).toMatchObject({ currentStatus: 'error', availableReports: [] });
  });
});

describe('authentication', () => {
  test.each<[string, Record<string, string>]>([
    ['no key', {}],
    ['a wrong key', { authorization: 'Bearer wrong' }],
    ['an empty key', { authorization: 'Bearer ' }],
    ['a prefix of the key', { authorization: `Bearer ${API_KEY.slice(0, -1)}` }],
    ['the key in another scheme', { authorization: `Basic ${API_KEY}` }],
    ['the key in the header of the CDR service', { 'api-token': API_KEY }],
  ])('%s is 401, whatever the route', async (_, headers) => {
    const service = testService();
    for (const path of ['/me', '/submissions/static', `/submissions/${UNKNOWN}`, '/submissions/bad-id', '/nothing']) {
      const response = await service.api.request(path, { method: path.endsWith('static') ? 'POST' : 'GET', headers });
      expect([path, response.status, (await envelope(response)).code]).toEqual([path, 401, 'UNAUTHORIZED']);
    }
  });

  test('accepts the scheme in any case', async () => {
    const response = await testService().api.request('/me', { headers: { authorization: `bEARER ${API_KEY}` } });
    expect(response.status).toBe(200);
  });

  test('a service without a key, or with an empty one, cannot be made', () => {
    for (const keys of [[], [{ key: '' }], [{ key: API_KEY }, { key: '' }]]) {
      expect(() => givenKeys(keys)).toThrow(TypeError);
    }
  });
});

describe('limits', () => {
  const limits = { uploadBytes: 2_000, discardedBytes: 10_000 };

  test('an upload over the limit is 413, counted or announced', async () => {
    const service = testService({ limits });
    const counted = await service.call('/submissions/static', { method: 'POST', body: fileForm('x'.repeat(3_000)) });
    expect(await envelope(counted)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { maxBytes: 2_000 } });
    const announced = await service.call('/submissions/static', {
      method: 'POST',
      body: 'short',
      headers: { 'content-length': '3000000', 'content-type': 'multipart/form-data; boundary=xyz' },
    });
    expect((await envelope(announced)).code).toBe('PAYLOAD_TOO_LARGE');
    expect(service.queue.pending).toBe(0);
  });

  test.each([
    ['in its file', '--xyz\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n', 20_000],
    ['before its first field', '', 2_000_000],
  ])('an upload that is endless %s is cut off', async (_, start, atMost) => {
    const service = testService({ limits });
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(start)),
      pull(controller) {
        sent += 1_000;
        controller.enqueue(new Uint8Array(1_000));
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=xyz' };
    const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
    const response = await service.call('/submissions/static', init);
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(atMost);
  });

  test('a full queue is 429 with Retry-After in seconds, and has room again later', async () => {
    const service = testService({ limits: { queuedJobs: 1 } });
    const [first, second] = await Promise.all(
      ['benign', 'benign'].map((text) => service.call('/submissions/static', { method: 'POST', body: fileForm(text) })),
    );
    expect(first?.status).toBe(200);
    expect(second?.headers.get('retry-after')).toBe('5');
    expect((await envelope(second as Response)).code).toBe('SUBMISSION_LIMIT_EXCEEDED');
    await service.queue.idle();
    const third = await service.call('/submissions/static', { method: 'POST', body: fileForm('benign') });
    expect(third.status).toBe(200);
  });
});

test('an internal error does not tell its cause', async () => {
  const service = testService();
  service.store.get = () => Promise.reject(new Error('disk /secret failed'));
  const response = await service.call(`/submissions/${UNKNOWN}`);
  expect(await envelope(response)).toEqual({
    statusCode: 500,
    error: 'Internal Server Error',
    message: 'the service failed',
    code: 'INTERNAL_ERROR',
  });
  expect(service.faults).toHaveLength(1);
});

test('the log holds route names, never a key, a path or a body', async () => {
  const service = testService();
  await service.call('/submissions/static', { method: 'POST', body: fileForm('benign secret') });
  await service.call('/no/such/path%0aFAKE');
  expect(service.log.map(({ route, status }) => [route, status])).toEqual([
    ['createStaticSubmission', 200],
    ['none', 404],
  ]);
  const fields = ['code', 'durationMs', 'keyId', 'method', 'peer', 'route', 'status'];
  expect(Object.keys(service.log[0] ?? {}).sort()).toEqual(fields);
  expect(service.log.map(({ code }) => code)).toEqual([null, 'ROUTE_NOT_FOUND']);
  expect(JSON.stringify(service.log)).not.toContain(API_KEY);
});

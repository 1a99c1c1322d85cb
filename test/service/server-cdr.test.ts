import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CdrRecord } from '../../lib/service/contract/cdr.ts';
import { ErrorEnvelope } from '../../lib/service/contract/errors.ts';
import { API_KEY, fileForm, type TestService, testService } from './scripted-service.ts';

async function started(service: TestService, text: string): Promise<string> {
  const response = await service.callCdr('/start/upload-file', { method: 'POST', body: fileForm(text) });
  expect(response.status).toBe(200);
  return ((await response.json()) as { resultId: string }).resultId;
}

async function listened(service: TestService, resultId: string): Promise<CdrRecord> {
  return (await (await service.callCdr(`/listen/${resultId}`)).json()) as CdrRecord;
}

describe('the CDR service', () => {
  test('says received, then finished with the sanitized file and what was done', async () => {
    const service = testService({ limits: { concurrentJobs: 1 } });
    let release: () => void = () => undefined;
    const busy = new Promise<void>((resolve) => {
      release = resolve;
    });
    service.queue.reserve().start(() => busy);
    const resultId = await started(service, 'benign');
    expect(await listened(service, resultId)).toMatchObject({
      status: 1,
      message: 'Received',
      files: [],
      result: null,
    });
    release();
    await service.queue.idle();
    const record = await listened(service, resultId);
    const sha256 = createHash('sha256').update('benign').digest('hex');
    const name = `${sha256}_sanitized.docx`;
    expect(CdrRecord.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      type: 'file',
      name: 'invoice.doc',
      fileId: sha256,
      resultId,
      size: 6,
      status: 2,
      level: 0,
      files: [{ name }],
      message: 'Completed',
      result: {
        filename: name,
        log: { description: 'The file was sanitized', removed: ['macro'], sanitized: ['external template'] },
      },
      error: null,
    });
    expect(record.result?.log['processing time']).toMatch(/^\d+\.\d{5} seconds$/);
    const download = await service.callCdr(`/download/${record.files[0]?.id}`);
    expect(await download.text()).toBe('disarmed benign');
    expect(download.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  });

  test('ends a failed disarm finished, without a file, and says why', async () => {
    const service = testService();
    const resultId = await started(service, 'encrypted');
    await service.queue.idle();
    expect(await listened(service, resultId)).toMatchObject({
      status: 2,
      files: [],
      message: 'scripted encrypted',
      result: { filename: '', log: { description: 'scripted encrypted', removed: [], sanitized: [] } },
      error: { code: 'encrypted', message: 'scripted encrypted' },
    });
  });

  test('returns a safe file unchanged', async () => {
    const service = testService();
    const resultId = await started(service, 'safe file');
    await service.queue.idle();
    const { files, result } = await listened(service, resultId);
    expect(result?.log).toMatchObject({ description: 'Nothing had to be removed', removed: [], sanitized: [] });
    expect(await (await service.callCdr(`/download/${files[0]?.id}`)).text()).toBe('safe file');
  });

  test.each<[string, string, RequestInit, number, string]>([
    ['an id that is no UUID', '/listen/1', {}, 400, 'INVALID_UUID'],
    ['a file id that is no UUID', '/download/..%2f', {}, 400, 'INVALID_UUID'],
    ['an unknown id', `/listen/${randomUUID()}`, {}, 404, 'SUBMISSION_NOT_FOUND'],
    ['an unknown file', `/download/${randomUUID()}`, {}, 404, 'FILE_NOT_FOUND'],
    ['an unknown route', '/cdr', {}, 404, 'ROUTE_NOT_FOUND'],
    ['a start without a file', '/start/upload-file', { method: 'POST' }, 422, 'INVALID_BODY'],
    [
      'a webhook that is no web address',
      '/start/upload-file?webhook=ftp://a.test',
      { method: 'POST' },
      400,
      'INVALID_QUERY_PARAM',
    ],
    ['a forced type with a path', '/start/upload-file?extension=a/b', { method: 'POST' }, 400, 'INVALID_QUERY_PARAM'],
  ])('refuses %s', async (_, path, init, status, code) => {
    const response = await testService().callCdr(path, init);
    expect([response.status, ErrorEnvelope.parse(await response.json()).code]).toEqual([status, code]);
  });

  test('requires its own token in its own header', async () => {
    const service = testService();
    for (const headers of [{}, { 'api-token': API_KEY }, { authorization: `Bearer ${API_KEY}` }]) {
      const response = await service.cdr.request(`/listen/${randomUUID()}`, { headers: { ...headers } });
      expect(response.status).toBe(401);
    }
  });
});

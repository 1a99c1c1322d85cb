/** Services that know one name of a route only: that of the documentation, or that of the public clients. */
import { afterEach, describe, expect, test } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { AnalysisClientV1 } from '../../lib/service/client/analysis-client-v1.ts';
import { type ScriptedServer, type Step, scriptedServer } from './scripted-server.ts';

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
});

const UUID = '0d9fe1f0-5f0f-4f5e-9e25-6c1f6a4f8a01';
const created = { body: { uuid: UUID, message: 'Submission created', sha256: null } };
const empty = { body: { items: [], total: 0, page: 1, limit: 20, totalPages: 0 } };
/** What a NestJS application answers where it has no route. It has no code. */
const noRoute = (path: string) => ({
  status: 404,
  body: { statusCode: 404, error: 'Not Found', message: `Cannot POST ${path}` },
});
const gone = { status: 404, body: { statusCode: 404, message: 'gone', code: 'SUBMISSION_NOT_FOUND' } };

async function against(steps: readonly Step[], dialect?: 'documented' | 'public') {
  server = await scriptedServer(...steps);
  const options = { baseUrl: server.url, apiKey: 'key', retries: 0, ...(dialect && { dialect }) };
  return { client: new AnalysisClient(options), requests: server.requests, options };
}

describe('a service that knows the names of public clients', () => {
  test('is met at the first refusal, and spoken to in its own words from then on', async () => {
    const { client, requests } = await against([
      noRoute('/submissions/url'),
      created,
      created,
      { body: 'file' },
      empty,
    ]);
    await client.createUrlSubmission('https://a.example/');
    await client.createUrlSubmission('https://b.example/');
    const file = await client.downloadCdrSanitized(UUID);
    expect(Buffer.from(await file.buffer(100)).toString()).toBe('file');
    await client.listSubmissions({ level: ['malicious', 'suspicious'] });
    expect(requests).toEqual([
      'POST /submissions/url',
      'POST /submissions/url_analysis',
      'POST /submissions/url_analysis',
      `GET /submissions/${UUID}/download/cdr`,
      'GET /submissions?level=malicious&level=suspicious',
    ]);
  });

  test('and says 405, because the path is one of a submission to it', async () => {
    const { client, requests } = await against([{ status: 405 }, created]);
    expect((await client.createUrlSubmission('https://a.example/')).uuid).toBe(UUID);
    expect(requests).toHaveLength(2);
  });

  test('and refuses the key: the refusal is told, and the name is known', async () => {
    const { client, requests } = await against([noRoute('/submissions/url'), { status: 401 }, created]);
    await expect(client.createUrlSubmission('https://a.example/')).rejects.toMatchObject({ status: 401 });
    await client.createUrlSubmission('https://a.example/');
    expect(requests.at(-1)).toBe('POST /submissions/url_analysis');
  });

  test('v1 has other names, too', async () => {
    server = await scriptedServer(noRoute('/public-api/scan/url-analysis'), { body: { uuid: UUID, message: 'done' } });
    const client = new AnalysisClientV1({ baseUrl: server.url, apiKey: 'key', retries: 0 });
    expect((await client.scanUrl('https://a.example/')).uuid).toBe(UUID);
    expect(server.requests.at(-1)).toBe('POST /public-api/scan/url');
  });

  test('a file is uploaded again by its other name, from its beginning', async () => {
    server = await scriptedServer(noRoute('/public-api/scan/static-scan'), { body: { uuid: UUID, message: 'done' } });
    const client = new AnalysisClientV1({ baseUrl: server.url, apiKey: 'key', retries: 0 });
    const file = { bytes: Buffer.from('hello'), filename: 'a.txt' };
    expect((await client.scanStatic(file)).uuid).toBe(UUID);
    expect(server.headers.map((headers) => headers['content-length'])).toEqual([
      expect.any(String),
      server.headers[0]?.['content-length'],
    ]);
  });
});

describe('no other name is tried', () => {
  test('when a submission is not there', async () => {
    const { client, requests } = await against([gone]);
    await expect(client.downloadCdrSanitized(UUID)).rejects.toMatchObject({ code: 'SUBMISSION_NOT_FOUND' });
    expect(requests).toHaveLength(1);
  });

  test.each([500, 503, 429, 401, 409])('when the service answers with %i', async (status) => {
    const { client, requests } = await against([{ status }]);
    await expect(client.createUrlSubmission('https://a.example/')).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  test('when the dialect is set', async () => {
    const { client, requests } = await against([noRoute('/submissions/url_analysis')], 'public');
    await expect(client.createUrlSubmission('https://a.example/')).rejects.toMatchObject({ status: 404 });
    expect(requests).toEqual(['POST /submissions/url_analysis']);
  });
});

test('a service that knows neither name: its first refusal is told', async () => {
  const { client } = await against([noRoute('/submissions/url'), noRoute('/submissions/url_analysis')]);
  await expect(client.createUrlSubmission('https://a.example/')).rejects.toThrow('Cannot POST /submissions/url');
});

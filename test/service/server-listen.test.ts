import { afterEach, describe, expect, test } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { CdrClient } from '../../lib/service/client/cdr-client.ts';
import { ServiceLimits } from '../../lib/service/server/limits.ts';
import { type RunningService, startService } from '../../lib/service/server/listen.ts';
import { exchange } from '../raw-exchange.ts';
import { API_KEY, CDR_TOKEN, scriptedRunner } from './scripted-service.ts';

const running: RunningService[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

async function started(limits = {}): Promise<RunningService> {
  const service = await startService({ port: 0, apiKey: API_KEY, cdrToken: CDR_TOKEN, pool: scriptedRunner, limits });
  running.push(service);
  return service;
}

const file = (text: string) => ({ bytes: new TextEncoder().encode(text), filename: 'a.doc' });

describe('the running service', () => {
  test('answers both interfaces on one loopback port', async () => {
    const { url, cdrUrl } = await started();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(cdrUrl).toBe(`${url}/cdr`);
    const cdr = new CdrClient({ baseUrl: cdrUrl, token: CDR_TOKEN });
    const { resultId } = await cdr.start(file('benign'));
    expect((await cdr.listen(resultId)).fileId).toMatch(/^[0-9a-f]{64}$/);
    const client = new AnalysisClient({ baseUrl: url, apiKey: API_KEY });
    expect((await client.me()).plan.planName).toBe('Local');
  });

  test('keeps the CDR service and the analysis service apart', async () => {
    const { url, cdrUrl } = await started();
    const { resultId } = await new CdrClient({ baseUrl: cdrUrl, token: CDR_TOKEN }).start(file('benign'));
    const client = new AnalysisClient({ baseUrl: url, apiKey: API_KEY });
    await expect(client.getSubmission(resultId)).rejects.toMatchObject({ code: 'SUBMISSION_NOT_FOUND' });
    const unknown = await fetch(`${cdrUrl}/me`, { headers: { authorization: `Bearer ${API_KEY}` } });
    expect(unknown.status).toBe(401);
  });

  test.each([
    [
      'body',
      `POST /submissions/url HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${API_KEY}\r\ncontent-length: 99\r\n\r\n{`,
    ],
    ['header', 'POST /submissions/url HTTP/1.1\r\nhost: x\r\n'],
  ])('answers 408 to a %s that does not end', async (_, bytes) => {
    const { url } = await started({ requestMs: 300, headersMs: 300 });
    const answer = await exchange(url, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
  });

  test('waits half an hour for an upload', () => {
    expect(ServiceLimits.parse({}).requestMs).toBe(30 * 60_000);
  });

  test.each([
    ['too large', API_KEY, 413],
    ['sent with a wrong key', 'wrong', 401],
  ])('lets a sender of an upload that is %s read the answer', async (_, apiKey, status) => {
    const { url } = await started({ uploadBytes: 100_000 });
    const client = new AnalysisClient({ baseUrl: url, apiKey, retries: 0 });
    const upload = { bytes: new Uint8Array(8_000_000), filename: 'big' };
    await expect(client.createStaticSubmission(upload)).rejects.toMatchObject({ status });
  });

  test.each([
    ['GET /me HTTP/1.1', 'Host: a b'],
    ['GET http://[bad HTTP/1.1', 'Host: a'],
    ['OPTIONS * HTTP/1.1', 'Host: a'],
    ['CONNECT a.test:443 HTTP/1.1', 'Host: a'],
    ['GET /submissions/%ff%zz HTTP/1.1', 'Host: a'],
    ['GET //\\..%2f HTTP/1.1', 'Host: a'],
  ])('answers the malformed request "%s" (%s) with the envelope', async (line, host) => {
    const { url } = await started();
    const answer = await exchange(
      url,
      `${line}\r\n${host}\r\nAuthorization: Bearer ${API_KEY}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).toMatch(/"statusCode":4\d\d.*"code":"[A-Z_]+"/);
  });

  describe.each([
    ['gzip', 'chunked', '', 415],
    ['GZip, identity', 'chunked', '', 415],
    ['identity', 'gzip, chunked', '', 415],
    ['identity', 'chunked', 'Content-Transfer-Encoding: base64', 415],
    ['identity', 'chunked', 'content-encoding : br', 415],
    ['identity', 'chunked', 'Content-Transfer-Encoding: binary', 200],
  ])(
    'a body with Content-Encoding %s, Transfer-Encoding %s and a part with "%s"',
    (content, transfer, part, status) => {
      test(`is answered with ${status}`, async () => {
        const { url } = await started();
        const disposition = 'Content-Disposition: form-data; name="file"; filename="a.doc"';
        const form = `--b\r\n${disposition}\r\n${part === '' ? '' : `${part}\r\n`}\r\nbenign\r\n--b--\r\n`;
        const headers = [
          'POST /submissions/static HTTP/1.1',
          'Host: a',
          `Authorization: Bearer ${API_KEY}`,
          'Content-Type: multipart/form-data; boundary=b',
          `Content-Encoding: ${content}`,
          `Transfer-Encoding: ${transfer}`,
          'Connection: close',
        ];
        const body = `${form.length.toString(16)}\r\n${form}\r\n0\r\n\r\n`;
        const answer = await exchange(url, `${headers.join('\r\n')}\r\n\r\n${body}`);
        expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
        if (status === 415) expect(answer).toMatch(/accept-encoding: identity[\s\S]*"code":"UNSUPPORTED_ENCODING"/);
      });
    },
  );

  test('says that its port is taken', async () => {
    const { url } = await started();
    const port = Number(new URL(url).port);
    const again = startService({ port, apiKey: API_KEY, cdrToken: CDR_TOKEN, pool: scriptedRunner });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('frees its port when closed, even with an engine that never answers', async () => {
    const service = await startService({
      port: 0,
      apiKey: API_KEY,
      cdrToken: CDR_TOKEN,
      pool: scriptedRunner,
      limits: { closeMs: 20 },
    });
    const client = new AnalysisClient({ baseUrl: service.url, apiKey: API_KEY, retries: 0 });
    await client.createStaticSubmission(file('silent'));
    await service.close();
    await expect(client.me()).rejects.toMatchObject({ code: 'NETWORK', causeCode: 'ECONNREFUSED' });
  });

  test.each([{ apiKey: '' }, { cdrToken: '' }, { limits: { uploadBytes: 0 } }])(
    'does not start with %j',
    async (change) => {
      const options = { port: 0, apiKey: API_KEY, cdrToken: CDR_TOKEN, pool: scriptedRunner, ...change };
      await expect(startService(options)).rejects.toThrow();
    },
  );

  test('does not change the global Request and Response', async () => {
    const before = [globalThis.Request, globalThis.Response];
    await started();
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });
});

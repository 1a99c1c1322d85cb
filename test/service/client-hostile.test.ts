import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { AnalysisError } from '../../lib/service/client/errors.ts';
import { roundsOf } from '../hostile/share.ts';
import { type HandlerServer, handlerServer } from './handler-server.ts';
import { selfSigned } from './self-signed.ts';

const UUID = '5b7e1f0e-5a3c-4a0e-9c8b-3f1f4f3f2a11';

/** What the service answers next. */
let answer: { status: number; headers: Record<string, string>; body: string | Uint8Array };
let server: HandlerServer;
let client: AnalysisClient;
beforeAll(async () => {
  server = await handlerServer((_, response) => response.writeHead(answer.status, answer.headers).end(answer.body));
  client = new AnalysisClient({
    baseUrl: server.url,
    apiKey: 'a-secret-key',
    sleep: async () => undefined,
    retries: 1,
  });
});
afterAll(() => server.close());
afterEach(() => vi.unstubAllEnvs());

const anyJson = fc.oneof(
  fc.json(),
  fc
    .record({
      uuid: fc.anything(),
      type: fc.constantFrom('file', 'url', 'x'),
      level: fc.anything(),
      reports: fc.anything(),
      createdAt: fc.string(),
      items: fc.array(fc.anything()),
      message: fc.anything(),
      code: fc.anything(),
      details: fc.anything(),
      retryAfter: fc.anything(),
    })
    .map((value) => JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner))),
);
const headerText = fc.stringMatching(/^[\x20-\x7e\x80-\xff]{0,60}$/);

test('a call ends in a value or in an AnalysisError without the key, with any answer of a service', async () => {
  const calls = [
    () => client.getSubmission(UUID),
    () => client.searchBySha256('a'.repeat(64)),
    () => client.listSubmissions(),
    () => client.createStaticSubmission(Buffer.from('x')),
    async () => (await client.downloadYaraRule(UUID)).buffer(1_000),
  ];
  const answers = fc.record({
    status: fc.oneof(fc.constantFrom(200, 202, 404, 409, 429, 503), fc.integer({ min: 200, max: 599 })),
    headers: fc.record(
      { 'retry-after': headerText, 'content-disposition': headerText, 'content-type': headerText },
      { requiredKeys: [] },
    ),
    body: fc.oneof(anyJson, fc.uint8Array({ maxLength: 200 })),
  });
  await fc.assert(
    fc.asyncProperty(answers, fc.integer({ min: 0, max: calls.length - 1 }), async (next, at) => {
      answer = next;
      // 204, 205 and 304 have no body; Node refuses to send one.
      if ([204, 205, 304].includes(next.status)) answer = { ...next, body: '' };
      const outcome: unknown = await calls[at]?.().catch((error: unknown) => error);
      if (!(outcome instanceof Error)) return;
      expect(outcome).toBeInstanceOf(AnalysisError);
      expect(`${outcome.message} ${JSON.stringify(outcome)}`).not.toContain('a-secret-key');
      expect(outcome.message).not.toMatch(/\p{Cc}/u);
      expect(outcome.message.length).toBeLessThan(2_000);
    }),
    { numRuns: roundsOf(300) },
  );
});

test.each(['1', '0'])(
  'a certificate nobody vouches for is refused with NODE_TLS_REJECT_UNAUTHORIZED=%s',
  async (value) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', value);
    const requests: string[] = [];
    const tls = createServer(selfSigned(), (request, response) => {
      requests.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    const baseUrl = `https://localhost:${(tls.address() as AddressInfo).port}`;
    const secure = new AnalysisClient({ baseUrl, apiKey: 'k', retries: 0 });
    await expect(secure.me()).rejects.toMatchObject({
      code: 'NETWORK',
      causeCode: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(requests).toEqual([]);
    await new Promise((resolve) => tls.close(resolve));
  },
);

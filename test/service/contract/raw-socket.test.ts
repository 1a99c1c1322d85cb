/** Bytes that are almost HTTP. Each gets an envelope or a valid answer, and no connection hangs. */

import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '../../../lib/service/contract/errors.ts';
import { roundsOf } from '../../hostile/share.ts';
import { NET_MS } from '../../runner/net.ts';
import { type ContractService, contractService } from './rig.ts';
import { ENVELOPE } from './sdk-models.ts';
import { complaints } from './shape.ts';

let service: ContractService;
beforeAll(async () => {
  service = await contractService();
});
afterAll(() => service.close());

/** Sends these bytes and nothing else, and returns everything that the service answers. */
async function said(bytes: Buffer): Promise<string> {
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.setTimeout(NET_MS, () => reject(new Error(`no answer to ${bytes.toString('latin1')}`)));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('end', () => socket.end());
    socket.end(bytes);
  });
}

function expectEnvelope(answer: string): void {
  const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  const envelope = JSON.parse(body) as { code: keyof typeof ERRORS };
  expect([status, complaints(envelope, ENVELOPE)]).toEqual([ERRORS[envelope.code].status, []]);
  expect(status).toBeLessThan(500);
}

const head = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const upload = (...more: readonly string[]) => [
  'POST /public-api/scan/cdr HTTP/1.1',
  'Host: x',
  'Authorization: Bearer ma_key-of-the-lab',
  'Content-Type: multipart/form-data; boundary=b',
  ...more,
];

describe('a request that is broken', () => {
  test.each<[string, string]>([
    [
      'a body that ends early',
      `${head(upload('Content-Length: 9999'))}--b\r\nContent-Disposition: form-data; name="file"`,
    ],
    ['a chunk without a size', `${head(upload('Transfer-Encoding: chunked'))}zz\r\nabc\r\n`],
    ['an expectation that nobody has', `${head(upload('Content-Length: 3', 'Expect: 200-maybe'))}abc`],
    ['two lengths', head(upload('Content-Length: 5', 'Content-Length: 7'))],
    ['a length and chunks', `${head(upload('Content-Length: 5', 'Transfer-Encoding: chunked'))}0\r\n\r\n`],
    ['a negative length', head(upload('Content-Length: -1'))],
    ['no host', head(['GET /me HTTP/1.1'])],
    ['a host that is none', head(['GET /me HTTP/1.1', 'Host: [::1'])],
    ['a target that is none', head(['GET http://[::1 HTTP/1.1', 'Host: x'])],
    ['a header without a name', head(['GET /me HTTP/1.1', 'Host: x', ': y'])],
    ['a header of 100 KB', head(['GET /me HTTP/1.1', 'Host: x', `X: ${'a'.repeat(100_000)}`])],
    ['no HTTP', 'EHLO mail.example.test\r\n\r\n'],
  ])('%s is answered with the envelope', async (_, text) => {
    expectEnvelope(await said(Buffer.from(text, 'latin1')));
  });
});

test('a connection with any bytes ends, and any answer is an envelope', async () => {
  const start = fc.constantFrom(
    '',
    'GET /me HTTP/1.1\r\n',
    `${head(upload('Content-Length: 300'))}--b\r\n`,
    'POST /cdr/start/upload-file',
  );
  await fc.assert(
    fc.asyncProperty(start, fc.uint8Array({ maxLength: 300 }), async (text, bytes) => {
      const answer = await said(Buffer.concat([Buffer.from(text), bytes]));
      if (answer !== '') expectEnvelope(answer);
      for (const secret of [service.key, service.cdrToken]) expect(answer).not.toContain(secret);
    }),
    { numRuns: roundsOf(150) },
  );
  expect(service.faults()).toEqual([]);
});

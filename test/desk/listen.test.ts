/** What the desk answers when no request can be formed: each gets a body that says why, and the desk goes on. */
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { listenOn } from '../../lib/desk/listen.ts';
import { exchange } from '../raw-exchange.ts';

async function listening(): Promise<string> {
  const { port, close } = await listenOn(
    0,
    new Hono().get('/', (c) => c.text('here')),
  );
  onTestFinished(close);
  return `http://127.0.0.1:${port}`;
}

test.each([
  ['CONNECT a.example:443 HTTP/1.1\r\nHost: a', 404, 'ROUTE_NOT_FOUND'],
  ['no request at all', 400, 'INVALID_REQUEST'],
  ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked', 400, 'INVALID_REQUEST'],
  [`GET / HTTP/1.1\r\nHost: a\r\nx: ${'a'.repeat(70_000)}`, 400, 'INVALID_REQUEST'],
  ['POST / HTTP/1.1\r\nHost: a\r\nExpect: a miracle\r\nContent-Length: 0', 417, 'EXPECTATION_FAILED'],
])('%.50j is answered with %i and a reason', async (request, status, code) => {
  const url = await listening();
  const answer = await exchange(url, `${request}\r\n\r\n`);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*"code":"${code}"`));
  expect(await exchange(url, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 200 [\s\S]*here/,
  );
});

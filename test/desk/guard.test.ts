/** Who is let in, what a page of another place can do, and which addresses there are. */
import { describe, expect, test } from 'vitest';
import { HELD, openDesk } from './desk-rig.ts';

describe('who is let in', () => {
  test('whoever has the token, which then stands in a cookie that no script and no other page has', async () => {
    const { send, token } = await openDesk();
    const entered = await send(`/?token=${token}`);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/mails']);
    expect(entered.headers.get('set-cookie')).toMatch(/^airlock-desk=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(entered.headers.get('set-cookie')).not.toContain(token);
  });

  test('nobody by a form, whose address has the token', async () => {
    const { send, token } = await openDesk();
    const refused = await send(`/?token=${token}`, { method: 'POST' });
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([403, null]);
  });

  test.each(['', 'x', 'A'.repeat(43)])('nobody with the token %j', async (token) => {
    const { send } = await openDesk();
    const refused = await send(`/?token=${token}`);
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([403, null]);
  });

  test('nobody without the cookie, on any address', async () => {
    const { send, scan, token } = await openDesk();
    const runId = await scan(HELD);
    for (const path of ['/', '/mails', `/mails/${runId}`, '/style.css', '/x', `/mails?token=${token}`])
      expect([path, (await send(path)).status]).toEqual([path, 403]);
    expect((await send('/mails', { headers: { cookie: `airlock-desk=${token}` } })).status).toBe(403);
  });

  test.each(['evil.example:4321', '127.0.0.1', '127.0.0.1:80', 'localhost', '127.0.0.1:4321.evil.example', ''])(
    'nobody under the name %j, which a hostile name server may lead here',
    async (host) => {
      const { get } = await openDesk();
      expect((await get('/mails', { host })).status).toBe(421);
    },
  );
});

test('every answer forbids frames, scripts, other addresses and copies', async () => {
  const { get, send } = await openDesk();
  for (const answer of [
    await get('/mails'),
    await get('/nowhere'),
    await send('/mails'),
    await get('/mails', { host: 'x' }),
  ]) {
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"])
      expect(policy).toContain(directive);
    expect(policy).not.toContain('unsafe');
    const [frame, sniff, cache] = ['x-frame-options', 'x-content-type-options', 'cache-control'].map((name) =>
      answer.headers.get(name),
    );
    expect([frame, sniff, cache]).toEqual(['DENY', 'nosniff', 'no-store']);
  }
});

describe('a form that is not ours decides nothing', () => {
  const fields = { why: 'x', attempt: '1' };

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['without the secret of the forms', { csrf: '' }, {}],
    ['with another secret', { csrf: 'A'.repeat(43) }, {}],
    ['of another page', {}, { origin: 'https://evil.example' }],
    ['of a page without an origin', {}, { origin: 'null' }],
    ['of another port', {}, { origin: 'http://127.0.0.1:1' }],
    ['of another site, as the browser says', {}, { 'sec-fetch-site': 'cross-site' }],
    ['as JSON', {}, { 'content-type': 'application/json' }],
    ['as a text', {}, { 'content-type': 'text/plain' }],
    ['that is too long', {}, { 'content-length': '10001' }],
    ['whose length is no number', {}, { 'content-length': 'x' }],
  ])('%s', async (_, changed, headers) => {
    const { post, scan, rig } = await openDesk();
    const runId = await scan(HELD);
    const answer = await post(`/mails/${runId}/release`, { ...fields, ...changed }, headers);
    expect(answer.status).toBe(403);
    expect((await rig.ledger(runId)).attempt.number).toBe(1);
  });

  test('and a GET changes nothing', async () => {
    const { get, scan, rig, csrf } = await openDesk();
    const runId = await scan(HELD);
    for (const name of ['release', 'original', 'rescan', 'delete'])
      expect((await get(`/mails/${runId}/${name}?csrf=${csrf}&why=x&attempt=1`)).status).toBe(404);
    expect((await rig.ledger(runId)).attempt.number).toBe(1);
  });

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])('nor does %s', async (method) => {
    const { send, scan, browser } = await openDesk();
    const runId = await scan(HELD);
    expect((await send(`/mails/${runId}/release`, { method, headers: browser })).status).toBe(405);
  });
});

test.each([
  '/mails/..%2f..%2fetc%2fpasswd',
  '/mails/%2e%2e/%2e%2e/secrets/deliver.key',
  '/mails/..;/style.css',
  '//mails',
  '/MAILS',
  '/mails/',
  `/mails/${'A'.repeat(32)}`,
  `/mails/${'a'.repeat(33)}`,
  `/mails/${'a'.repeat(32)}`,
  `/mails/${'a'.repeat(32)}%00`,
  `/mails/${'a'.repeat(32)}/release/..%2fdelete`,
  '/style.css/x',
  '/%ff',
  '/mails/%',
])('there is nothing at %s', async (path) => {
  const { get } = await openDesk();
  const answer = await get(path);
  expect([answer.status, (await answer.text()).includes('<table>')]).toEqual([404, false]);
});

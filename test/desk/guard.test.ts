/** Who is let in, what a page of another place can do, and which addresses there are. */
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { createGuard } from '../../lib/desk/guard.ts';
import { HELD, openDesk } from './desk-rig.ts';
import { DECIDING_WAYS, NOWHERE, WAYS_AROUND } from './paths.ts';

describe('who is let in', () => {
  test('whoever has the token, which then stands in a cookie that no script and no other page has', async () => {
    const { send, token } = await openDesk();
    const entered = await send(`/?token=${token}`);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/mails']);
    expect(entered.headers.get('set-cookie')).toMatch(
      /^airlock-desk-4321=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
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

  test('nobody after any number of wrong tries, which tell nothing, and keep out nobody who has the token', async () => {
    const { send, token } = await openDesk();
    const near = Array.from(
      { length: 20 },
      (_, at) => `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`,
    );
    const all = [
      ...near,
      token.slice(0, -1),
      `${token}A`,
      token.toLowerCase().replace(/./, '-'),
      ` ${token}`,
      `${token}%00`,
    ];
    const answers = await Promise.all(all.map((wrong) => send(`/?token=${wrong}`)));
    const told = await Promise.all(
      answers.map(async (each) => [each.status, each.headers.get('set-cookie'), await each.text()]),
    );
    expect(new Set(told.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(told[0]?.slice(0, 2)).toEqual([403, null]);
    expect((await send(`/?token=${token}`)).status).toBe(303);
  });

  test('nobody with a cookie that he brought along, nor with that of another desk', async () => {
    const { send, token } = await openDesk();
    const brought = 'A'.repeat(43);
    const entered = await send(`/?token=${token}`, { headers: { cookie: `airlock-desk-4321=${brought}` } });
    expect(entered.headers.get('set-cookie')).not.toContain(brought);
    expect((await send('/mails', { headers: { cookie: `airlock-desk-4321=${brought}` } })).status).toBe(403);
    const other = await openDesk();
    expect((await send('/mails', { headers: other.browser })).status).toBe(403);
    expect((await send(`/?token=${other.token}`)).status).toBe(403);
  });

  test('nobody with a copied cookie or an old form once the person has signed out, and the person again with the token', async () => {
    const { send, get, post, token, browser, scan, rig, csrf } = await openDesk();
    const runId = await scan(HELD);
    const out = await post('/sign-out', {});
    expect([out.status, out.headers.get('set-cookie')]).toEqual([200, 'airlock-desk-4321=; Max-Age=0; Path=/']);
    for (const path of ['/mails', `/mails/${runId}`, '/style.css'])
      expect([path, (await get(path)).status]).toEqual([path, 403]);
    expect((await post(`/mails/${runId}/release`, { why: 'x', attempt: '1' })).status).toBe(403);
    const again = await send(`/?token=${token}`);
    const cookie = (again.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect([again.status, cookie === browser.cookie]).toEqual([303, false]);
    expect((await get('/mails', { cookie })).status).toBe(200);
    // The form of a page that was left open has the secret of the session before.
    expect((await post(`/mails/${runId}/release`, { why: 'x', attempt: '1', csrf }, { cookie })).status).toBe(403);
    expect((await rig.ledger(runId)).attempt.number).toBe(1);
  });

  test('somebody who opens two desks of one machine stays signed in at both: cookies do not know ports', async () => {
    const guards = [1, 2].map((port) => createGuard(() => port));
    const names = await Promise.all(
      guards.map(async ({ middleware, token }, index) => {
        const app = new Hono().use(middleware);
        const answer = await app.request(`/?token=${token}`, { headers: { host: `127.0.0.1:${index + 1}` } });
        return answer.headers.get('set-cookie')?.split('=')[0];
      }),
    );
    expect(names).toEqual(['airlock-desk-1', 'airlock-desk-2']);
  });

  test('two browsers of one person, with one session', async () => {
    const { send, token, scan } = await openDesk();
    await scan(HELD);
    const cookies = await Promise.all(
      [1, 2].map(async () => (await send(`/?token=${token}`)).headers.get('set-cookie')),
    );
    for (const cookie of cookies)
      expect((await send('/mails', { headers: { cookie: cookie?.split(';')[0] ?? '' } })).status).toBe(200);
  });

  test('nobody without the cookie, on any address', async () => {
    const { send, scan, token } = await openDesk();
    const runId = await scan(HELD);
    for (const path of ['/', '/mails', `/mails/${runId}`, '/style.css', '/x', `/mails?token=${token}`])
      expect([path, (await send(path)).status]).toEqual([path, 403]);
    expect((await send('/mails', { headers: { cookie: `airlock-desk-4321=${token}` } })).status).toBe(403);
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

test.each(NOWHERE)('there is nothing at %s', async (path) => {
  const { get } = await openDesk();
  const answer = await get(path);
  expect([answer.status, (await answer.text()).includes('<table>')]).toEqual([404, false]);
});

test.each(WAYS_AROUND)('nobody gets anything without a cookie at %s', async (path) => {
  const { send, scan } = await openDesk();
  const answer = await send(path.replace('RUN', await scan(HELD)));
  expect([answer.status, (await answer.text()).includes('Invoice')]).toEqual([403, false]);
});

test.each(DECIDING_WAYS)('a reader decides nothing at %s', async (path) => {
  const { post, scan, rig } = await openDesk('reader');
  const runId = await scan(HELD);
  const { status } = await post(path.replace('RUN', runId), { why: 'x', attempt: '1' });
  expect([[403, 404].includes(status), (await rig.ledger(runId)).attempt.number]).toEqual([true, 1]);
});

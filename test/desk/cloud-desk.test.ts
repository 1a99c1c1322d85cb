/** The desk of a deployment: who is let in by an issuer, how a browser signs in, and what a page of another place can do. */
import { describe, expect, test } from 'vitest';
import { secretOf } from '../../lib/desk/cloud/sign-in.tsx';
import { openCloudDesk, URL_OF_DESK } from './cloud-desk-rig.ts';
import { HELD } from './desk-rig.ts';
import { CLIENT } from './local-issuer.ts';
import { DECIDING_WAYS, NOWHERE, WAYS_AROUND } from './paths.ts';

const now = () => Math.floor(Date.now() / 1000);
/** A token that nobody has signed. */
const unsigned = (claims: object) =>
  `${[{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;

describe('how a browser signs in', () => {
  test('by a code that only it can turn into a token, which stands in a cookie that no script and no other site has', async () => {
    const { send, issuer } = await openCloudDesk();
    const first = await send('/mails');
    expect([first.status, first.headers.location]).toEqual([303, '/sign-in']);
    const begun = await send('/sign-in');
    const there = new URL(begun.headers.location ?? '');
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT,
      redirect_uri: `${URL_OF_DESK}/signed-in`,
      code_challenge_method: 'S256',
    });
    expect(begun.cookies).toEqual([
      expect.stringMatching(
        /^__Host-airlock-sign-in=[\w.-]{131}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    const cookie = begun.cookies[0]?.split(';')[0] ?? '';
    const back = issuer.comeBack(there.href);
    const done = await send(`${back.pathname}${back.search}`, { headers: { cookie } });
    expect([done.status, done.headers.refresh]).toEqual([200, '0; url=/mails']);
    expect(done.cookies).toContainEqual(expect.stringMatching(/^__Host-airlock-sign-in=; Max-Age=0;/));
    // In a sandbox a page does not go on by itself.
    expect(done.headers['content-security-policy']).toMatch(
      /^default-src 'none'; (?!.*sandbox).*frame-ancestors 'none'/,
    );
    const session = done.cookies.find((each) => each.startsWith('__Host-airlock-desk=')) ?? '';
    expect(session).toMatch(/^__Host-airlock-desk=[\w.-]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const page = await send('/mails', { headers: { cookie: session.split(';')[0] ?? '' } });
    expect([page.status, page.text.includes('pat[@]example[.]org')]).toEqual([200, true]);
  });

  test.each<[string, (back: URL) => void, Record<string, string>]>([
    ['in another browser', () => undefined, { cookie: '' }],
    ['with the state of another sign-in', (back) => back.searchParams.set('state', 'A'.repeat(43)), {}],
    ['without a state', (back) => back.searchParams.delete('state'), {}],
    ['in another browser, without a state', (back) => back.searchParams.delete('state'), { cookie: '' }],
    ['without a code, as where a person refuses', (back) => back.searchParams.delete('code'), {}],
    ['with a code that was made up', (back) => back.searchParams.set('code', 'x'), {}],
  ])('does not end %s', async (_, change, headers) => {
    const { send, issuer } = await openCloudDesk();
    const begun = await send('/sign-in');
    const back = issuer.comeBack(begun.headers.location ?? '');
    change(back);
    const cookie = begun.cookies[0]?.split(';')[0] ?? '';
    const done = await send(`${back.pathname}${back.search}`, { headers: { cookie, ...headers } });
    expect([done.status, done.cookies.some((each) => each.startsWith('__Host-airlock-desk='))]).toEqual([403, false]);
  });

  test('does not end with the token of another sign-in, nor twice with the same code', async () => {
    const { send, issuer } = await openCloudDesk();
    const begun = await send('/sign-in');
    const cookie = begun.cookies[0]?.split(';')[0] ?? '';
    const back = issuer.comeBack(begun.headers.location ?? '');
    issuer.signsIn({ nonce: 'another' });
    const path = `${back.pathname}${back.search}`;
    expect((await send(path, { headers: { cookie } })).status).toBe(403);
    issuer.signsIn({});
    expect((await send(path, { headers: { cookie } })).status).toBe(403);
  });

  test('a token that no cookie holds is refused in words', async () => {
    const { send, issuer } = await openCloudDesk();
    issuer.signsIn({ groups: Array.from({ length: 300 }, (_, number) => `a-group-${number}`) });
    const begun = await send('/sign-in');
    const back = issuer.comeBack(begun.headers.location ?? '');
    const cookie = begun.cookies[0]?.split(';')[0] ?? '';
    const done = await send(`${back.pathname}${back.search}`, { headers: { cookie } });
    expect([done.status, done.text]).toEqual([403, expect.stringContaining('more about you than a browser can keep')]);
  });

  test('signing out takes the cookie away', async () => {
    const { post } = await openCloudDesk();
    const done = await post('/sign-out', {});
    expect([done.status, done.cookies]).toEqual([
      200,
      [expect.stringMatching(/^__Host-airlock-desk=; Max-Age=0;.*Secure/)],
    ]);
  });
});

describe('a session', () => {
  test('is that of the token that the issuer gave, and not one that a browser brought along', async () => {
    const { send, issuer, cookie } = await openCloudDesk();
    const brought = await issuer.token({ email: 'eve@example.org' });
    const begun = await send('/sign-in', { headers: cookie(brought) });
    const back = issuer.comeBack(begun.headers.location ?? '');
    const sent = { cookie: `${begun.cookies[0]?.split(';')[0]}; ${cookie(brought).cookie}` };
    const done = await send(`${back.pathname}${back.search}`, { headers: sent });
    const session = done.cookies.find((each) => each.startsWith('__Host-airlock-desk=')) ?? '';
    expect([done.status, session === '', session.includes(brought)]).toEqual([200, false, false]);
  });

  test.each([
    ['eleven hours ago', 11, 200],
    ['thirteen hours ago', 13, 303],
  ])('that began %s, with a token that lasts for a year, ends after twelve hours', async (_, hours, status) => {
    const { send, issuer, cookie } = await openCloudDesk();
    const token = await issuer.token({ iat: now() - hours * 3_600, exp: now() + 365 * 86_400 });
    expect((await send('/mails', { headers: cookie(token) })).status).toBe(status);
  });

  test('of which somebody has a copy ends for him with its token, and sends no form with the secret of another one', async () => {
    const { send, post, issuer, cookie } = await openCloudDesk();
    const copied = await issuer.token();
    expect((await post('/sign-out', {}, cookie(copied), { sub: 'kim' })).status).toBe(403);
    const body = new URLSearchParams({ csrf: secretOf(copied) }).toString();
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
    const headers = { ...cookie(copied), ...form, origin: URL_OF_DESK, 'sec-fetch-site': 'same-origin' };
    expect((await send('/sign-out', { method: 'POST', headers, body })).cookies[0]).toContain('Max-Age=0');
    // The desk keeps nothing of a session, so whoever has the token is let in until it ends (docs/threat-model.md).
    expect((await send('/mails', { headers: cookie(copied) })).status).toBe(200);
    expect((await send('/mails', { headers: cookie(await issuer.token({ exp: now() - 1 })) })).status).toBe(303);
  });

  test('is begun by none of twenty wrong codes, which tell nothing, and then by the right one', async () => {
    const { send, issuer } = await openCloudDesk();
    const told = new Set<string>();
    for (let time = 0; time < 20; time += 1) {
      const begun = await send('/sign-in');
      const back = issuer.comeBack(begun.headers.location ?? '');
      back.searchParams.set('code', `x${time}`);
      const cookie = begun.cookies[0]?.split(';')[0] ?? '';
      const { status, text } = await send(`${back.pathname}${back.search}`, { headers: { cookie } });
      told.add(`${status} ${text}`);
    }
    expect([told.size, [...told][0]?.slice(0, 3)]).toEqual([1, '403']);
    const begun = await send('/sign-in');
    const back = issuer.comeBack(begun.headers.location ?? '');
    const cookie = begun.cookies[0]?.split(';')[0] ?? '';
    expect((await send(`${back.pathname}${back.search}`, { headers: { cookie } })).status).toBe(200);
  });
});

describe('who is let in', () => {
  test.each<[string, Readonly<Record<string, unknown>>, { alg?: string; kid?: string }]>([
    ['that has expired', { exp: now() - 1 }, {}],
    ['that does not expire', { exp: undefined }, {}],
    ['that is not valid yet', { nbf: now() + 600 }, {}],
    ['for another audience', { aud: 'another' }, {}],
    ['for nobody', { aud: undefined }, {}],
    ['of another issuer', { iss: 'https://evil.example' }, {}],
    ['with a key that nobody knows', {}, { kid: 'unknown' }],
  ])('nobody with a token %s', async (_, claims, head) => {
    const { send, cookie, issuer } = await openCloudDesk();
    const token = await issuer.token(claims, head);
    const [page, api] = [
      await send('/mails', { headers: cookie(token) }),
      await send('/api/mails', { headers: { authorization: `Bearer ${token}` } }),
    ];
    expect([page.status, page.headers.location, api.status]).toEqual([303, '/sign-in', 401]);
  });

  test('nobody with a token that nobody signed, that another signed, or that was changed', async () => {
    const { send, cookie, issuer } = await openCloudDesk();
    const claims = { iss: issuer.url, aud: CLIENT, sub: 'x', iat: now(), exp: now() + 600, groups: ['admin'] };
    const other = await openCloudDesk();
    const [head = '', , signature = ''] = (await issuer.token()).split('.');
    const changed = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
    for (const token of [unsigned(claims), await other.issuer.token(claims), changed, 'x', 'a.b.c', 'A'.repeat(9_000)])
      expect((await send('/mails', { headers: cookie(token) })).status).toBe(303);
  });

  test.each([[[]], [['x']], ['ADMIN'], [undefined], [{ admin: true }]])('not with the roles %j', async (groups) => {
    const { send, cookie, issuer } = await openCloudDesk();
    const token = await issuer.token({ groups, email: '<b>pat</b>' });
    const page = await send('/mails', { headers: cookie(token) });
    expect([page.status, page.text.includes('<b>pat'), page.text.includes('no role')]).toEqual([403, false, true]);
    expect((await send('/api/mails', { headers: { authorization: `Bearer ${token}` } })).status).toBe(403);
  });

  test.each(['reader', 'analyst', 'admin', ['other', 'reader']])('with the role %j, who reads', async (groups) => {
    const { send, cookie, issuer, scan } = await openCloudDesk();
    const runId = await scan(HELD);
    const headers = cookie(await issuer.token({ groups }));
    for (const path of ['/mails', `/mails/${runId}`, '/overview']) {
      const page = await send(path, { headers });
      const decides = path === `/mails/${runId}` && /analyst|admin/.test(String(groups));
      expect([path, page.status, page.text.includes('method="post" action="/mails')]).toEqual([path, 200, decides]);
      for (const link of page.text.matchAll(/href="([^"]*)"/g))
        expect([link[1], (await send((link[1] ?? '').replaceAll('&amp;', '&'), { headers })).status]).toEqual([
          link[1],
          200,
        ]);
    }
  });

  test('when the issuer has changed its key, and not with the key that it gave up', async () => {
    const { send, cookie, issuer } = await openCloudDesk();
    const earlier = await issuer.token();
    expect((await send('/mails', { headers: cookie(earlier) })).status).toBe(200);
    await issuer.rotate();
    expect((await send('/mails', { headers: cookie(await issuer.token()) })).status).toBe(200);
    expect((await send('/mails', { headers: cookie(earlier) })).status).toBe(303);
  });

  test.each(['/.well-known/openid-configuration', '/keys'])(
    'nobody while the issuer does not answer at %s',
    async (path) => {
      const { get, issuer, failures } = await openCloudDesk();
      issuer.broken.add(path);
      expect((await get('/mails')).status).toBe(502);
      expect(failures).toHaveLength(1);
      issuer.broken.clear();
      expect((await get('/mails')).status).toBe(200);
    },
  );

  test.each(['evil.example', 'desk.example.org.evil.example', 'desk.example.org:444', ''])(
    'nobody under the name %j',
    async (host) => {
      const { get } = await openCloudDesk();
      expect((await get('/mails', { host })).status).toBe(421);
    },
  );
});

test('a program reads with its token, and a cookie lets none in', async () => {
  const { send, cookie, issuer, scan } = await openCloudDesk();
  const runId = await scan(HELD);
  const headers = { authorization: `Bearer ${await issuer.token({ groups: 'reader' })}` };
  const list = JSON.parse((await send('/api/mails?state=quarantined', { headers })).text);
  expect([list.rows.length, list.rows[0].runId, list.next]).toEqual([1, runId, null]);
  expect(JSON.parse((await send(`/api/mails/${runId}`, { headers })).text)).toMatchObject({ runId });
  for (const [query, code] of [
    ['subject=*', 'unknown_filter'],
    ['sender=a&sender=', 'unknown_filter'],
    ['words=*', 'wrong_filter'],
  ]) {
    const refused = await send(`/api/mails?${query}`, { headers });
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([400, code]);
  }
  expect((await send(`/api/mails/${'ab'.repeat(16)}`, { headers })).status).toBe(404);
  expect((await send('/api/mails', { headers: cookie(await issuer.token()) })).status).toBe(401);
});

test('every answer forbids frames, scripts, other addresses and copies, and asks for TLS', async () => {
  const { get, send } = await openCloudDesk();
  for (const answer of [await get('/mails'), await get('/nowhere'), await send('/mails'), await send('/signed-in')]) {
    const policy = answer.headers['content-security-policy'] ?? '';
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
      expect(policy).toContain(directive);
    expect(policy).not.toContain('unsafe');
    expect(answer.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'strict-transport-security': 'max-age=31536000',
    });
  }
});

describe('a form that is not ours does nothing', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['without the secret of the forms', { csrf: '' }, {}],
    ['with another secret', { csrf: 'A'.repeat(43) }, {}],
    ['of another page', {}, { origin: 'https://evil.example' }],
    ['of a page without an origin', {}, { origin: 'null' }],
    ['of the same name without TLS', {}, { origin: 'http://desk.example.org' }],
    ['of another site, as the browser says', {}, { 'sec-fetch-site': 'cross-site' }],
    ['as JSON', {}, { 'content-type': 'application/json' }],
    ['that is too long', { why: 'x'.repeat(10_001) }, {}],
    ['without a cookie', {}, { cookie: 'x=y' }],
  ])('%s', async (_, fields, headers) => {
    const { post } = await openCloudDesk();
    const answer = await post('/sign-out', fields, headers);
    expect([answer.status, answer.cookies]).toEqual([403, []]);
  });

  test('nor do those of a desk on one machine that are not here', async () => {
    const { post } = await openCloudDesk();
    for (const path of ['/mails', '/blocks', '/recall'])
      expect([path, (await post(path, { why: 'x', attempt: '1' })).status]).toEqual([path, 404]);
  });

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])('nor does %s', async (method) => {
    const { send, issuer, cookie } = await openCloudDesk();
    expect((await send('/mails', { method, headers: cookie(await issuer.token()) })).status).toBe(405);
  });
});

test.each(NOWHERE)('there is nothing at %s', async (path) => {
  const { get } = await openCloudDesk();
  const answer = await get(path);
  expect([answer.status, answer.text.includes('<table>')]).toEqual([404, false]);
});

test('nobody gets anything without signing in, whatever way he writes', async () => {
  const { send, scan, looked } = await openCloudDesk();
  const runId = await scan(HELD);
  for (const path of WAYS_AROUND) {
    const { status, text } = await send(path.replace('RUN', runId));
    expect([path, [303, 401, 403, 404].includes(status), text.includes('Invoice')]).toEqual([path, true, false]);
  }
  expect(looked).toEqual([]);
});

test('a reader decides nothing, whatever way he writes', async () => {
  const { post, scan, asked } = await openCloudDesk();
  const runId = await scan(HELD);
  for (const path of DECIDING_WAYS) {
    const fields = { why: 'x', attempt: '1' };
    const { status } = await post(path.replace('RUN', runId), fields, {}, { groups: ['reader'] });
    expect([path, [401, 403, 404].includes(status)]).toEqual([path, true]);
  }
  expect(asked).toEqual([]);
});

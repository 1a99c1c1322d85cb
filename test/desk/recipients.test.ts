/** The page of a recipient: what it shows, who sees it, and that nothing but its own form asks for anything. */
import { describe, expect, test } from 'vitest';
import { recipientPage } from '../../lib/desk/recipients/page.tsx';
import { signingKey } from '../../lib/pipeline/chain/ed25519.ts';
import { LANGUAGES } from '../../lib/words/words.ts';
import { emailWith, PDF } from '../pipeline/rig.ts';
import { HELD, openDesk } from './desk-rig.ts';
import { elementsOf, strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';
import { openRecipients, policyFor, secretIn } from './recipients-rig.ts';

async function opened(more: object = {}) {
  const desk = await openDesk('analyst');
  const pages = openRecipients(desk, policyFor(more));
  const runId = await desk.scan(HELD);
  const path = pages.path(runId);
  const page = async () => (await pages.send(path)).text();
  return { desk, pages, runId, path, page };
}

describe('the page', () => {
  test('says in plain words what was done and why, and shows nothing of the message itself', async () => {
    const { page } = await opened();
    const text = await page();
    for (const words of [
      'This message was held back. It is not in your mailbox.',
      'The message holds something that can harm your computer.',
      'a.pdf',
      'A PDF document',
      'Invoice',
    ])
      expect(text).toContain(words);
    for (const hidden of ['Hello', 'see the files', 'malicious.pdf', 'types.pdf', 'a href'])
      expect(text).not.toContain(hidden);
  });

  test('of a message of which the recipient has the text does not say that nothing came', async () => {
    const { desk, runId } = await opened();
    const early = { at: '2026-11-20T12:00:00.000Z', rebuilt: { sha256: 'a'.repeat(64), size: 1 }, leaves: [] };
    const ledger = { ...(await desk.rig.ledger(runId)), early };
    const text = recipientPage({ language: 'en', ledger, ask: null, path: '/', formSecret: '' });
    expect(text).toContain('You have the text of this message already.');
    expect(text).not.toContain('It is not in your mailbox.');
  });

  test.each(LANGUAGES)('is in the language of the recipient: %s', async (language) => {
    const { page } = await opened({ told: { languageByDomain: { 'recipient.example': language } } });
    expect(await page()).toContain(`<html lang="${language}">`);
  });

  test.each<[string, string, string]>([
    ['that of a German browser', 'de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['that which a browser wants most', 'en;q=0.5,nl, fr;q=0.9', 'fr'],
    ['none that a browser refuses', 'de;q=0,nl', 'tr'],
    ['that of the policy for a browser that says nothing', '', 'tr'],
  ])('has %s where the domain of the recipient has none', async (_, wanted, language) => {
    const { pages, path } = await opened({ told: { language: 'tr' } });
    for (const address of [path, `${path}x`, '/r/x', '/nowhere']) {
      const text = await (await pages.send(address, { headers: { 'accept-language': wanted } })).text();
      expect([address, text.includes(`<html lang="${language}">`)]).toEqual([address, true]);
    }
  });

  test('is not in the language of a browser where the domain of the recipient has one', async () => {
    const { pages, path } = await opened({ told: { languageByDomain: { 'recipient.example': 'es' } } });
    expect(await (await pages.send(path, { headers: { 'accept-language': 'de' } })).text()).toContain(
      '<html lang="es">',
    );
  });

  test('of a message that was released says so, and asks for nothing', async () => {
    const { desk, runId, page } = await opened();
    await desk.post(`/mails/${runId}/release`, { why: 'fine', attempt: '1' });
    expect(await page()).toContain('This message was delivered to you.');
    expect(elementsOf(await page()).filter(({ name }) => name === 'form')).toEqual([]);
  });
});

describe('a recipient who asks', () => {
  test('is noted once, is told so, and the desk shows it until the mail is decided about', async () => {
    const { desk, pages, runId, path, page } = await opened();
    const form = secretIn(await page());
    for (const why of ['I wait for it', 'again'])
      expect((await pages.post(path, { form, why })).headers.get('location')).toBe(path);
    expect(await page()).toContain('You asked for this message on 2026-11-20.');
    expect(secretIn(await page())).toBe('');
    for (const shown of ['/asks', `/mails/${runId}`]) {
      const text = await (await desk.get(shown)).text();
      expect(text).toContain('bob[@]recipient[.]example');
      expect(text).toContain('I wait for it');
      expect(text).not.toContain('again</td>');
    }
    await desk.post(`/mails/${runId}/delete`, { why: 'spam', attempt: '1' });
    expect(await (await desk.get('/asks')).text()).toContain('Nobody asks for held mail.');
  });

  test('asks once: the same form again, many at once, or after a decision, notes nothing more', async () => {
    const { desk, pages, runId, path, page } = await opened();
    const form = secretIn(await page());
    const all = Array.from({ length: 8 }, (_, at) => pages.post(path, { form, why: `try ${at}` }));
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([303]));
    const [first, ...more] = await desk.asks.of(runId);
    expect(more).toEqual([]);
    await pages.post(path, { form, why: 'replayed' });
    await desk.post(`/mails/${runId}/release`, { why: 'fine', attempt: '1' });
    await pages.post(path, { form, why: 'replayed later' });
    expect(await desk.asks.of(runId)).toEqual([first]);
    expect(await page()).toContain('This message was delivered to you.');
  });

  test.each(['delete', 'release'])('after a %s asks for nothing with a form that was left open', async (decision) => {
    const { desk, pages, runId, path, page } = await opened();
    const form = secretIn(await page());
    await desk.post(`/mails/${runId}/${decision}`, { why: 'x', attempt: '1' });
    expect((await pages.post(path, { form, why: 'late' })).status).toBe(303);
    expect(await desk.asks.of(runId)).toEqual([]);
  });

  test('still asks after a scanner has opened the link often: opening does not use it up', async () => {
    const { desk, pages, runId, path, page } = await opened();
    for (let time = 0; time < 20; time += 1) await pages.send(path);
    expect((await pages.post(path, { form: secretIn(await page()), why: 'it is mine' })).status).toBe(303);
    expect(await desk.asks.of(runId)).toMatchObject([{ untrustedWhy: 'it is mine' }]);
    // Whoever opens it afterwards, also somebody to whom it was forwarded, sees what was asked and has no form.
    expect([await page(), secretIn(await page())]).toEqual([expect.stringContaining('You asked for this message'), '']);
  });

  test('leads nowhere else, so that no other place and no message of ours learns the link', async () => {
    const { pages, path, page } = await opened();
    const addresses = elementsOf(await page()).flatMap(({ attributes }) =>
      attributes.filter(({ name }) => ['href', 'src', 'action'].includes(name)).map(({ value }) => value),
    );
    expect(new Set(addresses)).toEqual(new Set(['/style.css', path]));
    expect((await pages.send(path)).headers.get('referrer-policy')).toBe('same-origin');
    await pages.post(path, { form: 'x' });
    expect(pages.failures).toEqual([]);
  });

  test('decides nothing', async () => {
    const { desk, pages, runId, path, page } = await opened();
    await pages.post(path, { form: secretIn(await page()), why: '' });
    expect(await desk.rig.ledger(runId)).toMatchObject({ terminal: { state: 'quarantined' }, attempt: { number: 1 } });
  });
});

describe('nothing is asked for', () => {
  test('by a GET, as a scanner of mail sends it, however often', async () => {
    const { desk, pages, runId, path, page } = await opened();
    const form = secretIn(await page());
    for (const query of ['', `?form=${form}&why=x`]) expect((await pages.send(`${path}${query}`)).status).toBe(200);
    expect(await desk.asks.of(runId)).toEqual([]);
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['without the secret of the form', { form: '' }, {}],
    ['with another secret', { form: 'A'.repeat(43) }, {}],
    ['of another page', {}, { origin: 'https://evil.example' }],
    ['without an origin', {}, { origin: 'null' }],
    ['as JSON', {}, { 'content-type': 'application/json' }],
    ['that is too long', {}, { 'content-length': '10001' }],
    ['whose length is no number', {}, { 'content-length': 'x' }],
  ])('by a form %s', async (_, changed, headers) => {
    const { desk, pages, runId, path, page } = await opened();
    const answer = await pages.post(path, { form: secretIn(await page()), why: 'x', ...changed }, headers);
    expect([answer.status, await desk.asks.of(runId)]).toEqual([403, []]);
  });

  test('by the form of another message, or of another recipient', async () => {
    const { desk, pages, runId, path } = await opened();
    const other = pages.path(await desk.scan(HELD.replace('Invoice', 'Another')));
    for (const from of [other, pages.path(runId, 'kim@recipient.example')]) {
      const form = secretIn(await (await pages.send(from)).text());
      expect((await pages.post(path, { form, why: '' })).status).toBe(403);
    }
    expect(await desk.asks.of(runId)).toEqual([]);
  });

  test.each(['PUT', 'DELETE', 'HEAD', 'OPTIONS'])('by %s', async (method) => {
    const { pages, path } = await opened();
    expect((await pages.send(path, { method })).status).toBe(405);
  });
});

describe('a link', () => {
  test('ends, and says so', async () => {
    const { desk, pages, path, page } = await opened();
    const form = secretIn(await page());
    desk.rig.advance(14 * 86_400_000);
    const answer = await pages.send(path);
    expect([answer.status, await answer.text()]).toEqual([410, expect.stringContaining('This link has expired.')]);
    expect((await pages.post(path, { form, why: '' })).status).toBe(410);
  });

  test('with any one character changed shows nothing', async () => {
    const { pages, path } = await opened();
    const start = '/r/'.length;
    for (let at = start; at < path.length; at += 1) {
      const changed = `${path.slice(0, at)}${path[at] === 'A' ? 'B' : 'A'}${path.slice(at + 1)}`;
      const answer = await pages.send(changed);
      expect([at, answer.status]).toEqual([at, 404]);
      expect(await answer.text()).not.toContain('Invoice');
    }
  });

  test.each(['', 'x', '.', 'x.y', '..%2f..%2fetc', `${'A'.repeat(700)}.${'A'.repeat(43)}`, '%00', 'W10.', '%ff'])(
    'that is %j leads nowhere',
    async (token) => {
      const { pages } = await opened();
      expect((await pages.send(`/r/${token}`)).status).toBe(404);
    },
  );

  test('to a run that is not there leads nowhere', async () => {
    const { pages } = await opened();
    expect((await pages.send(pages.path('a'.repeat(32)))).status).toBe(404);
  });

  test.each([
    ['no address', Buffer.alloc(20, 0xff)],
    ['an address with lines', Buffer.concat([Buffer.alloc(20, 0xff), Buffer.from('x\r\ny@c.example')])],
    ['less than an end', Buffer.from('x')],
  ])('that says %s is none, even when it was signed', async (_, said) => {
    const { pages } = await opened();
    const payload = said.toString('base64url');
    const signature = signingKey('a secret').sign(Buffer.from(`mail-airlock/link/2\n${payload}`));
    const token = `${payload}.${Buffer.from(signature, 'hex').toString('base64url')}`;
    expect((await pages.send(`/r/${token}`)).status).toBe(404);
  });
});

test('these are not the desk, and answer under their name only', async () => {
  const { pages, path, runId } = await opened();
  for (const other of ['/', '/mails', `/mails/${runId}`, '/asks', '/policy', '/style.css/x', `${path}/ask`])
    expect([other, (await pages.send(other)).status]).toEqual([other, 404]);
  for (const host of ['evil.example', '127.0.0.1:4321', 'airlock.example:8443'])
    expect((await pages.send(path, { headers: { host } })).status).toBe(421);
});

test('every answer forbids frames, scripts, other addresses and copies', async () => {
  const { pages, path } = await opened();
  for (const address of [path, '/r/x', '/nowhere', '/style.css']) {
    const { headers } = await pages.send(address);
    const policy = headers.get('content-security-policy') ?? '';
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"])
      expect(policy).toContain(directive);
    expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store']);
  }
});

test.each(PAYLOADS)('%j is text on it and at the desk, in a mail and in what was asked', async (payload) => {
  const desk = await openDesk();
  const pages = openRecipients(desk);
  const name = payload.replace(/["\\]/g, '');
  const runId = await desk.scan(emailWith({ subject: payload, files: [{ name: `${name}.pdf`, bytes: PDF }] }));
  const path = pages.path(runId);
  const page = await (await pages.send(path)).text();
  expect(strangeIn(page)).toEqual([]);
  await pages.post(path, { form: secretIn(page), why: payload });
  expect(await desk.asks.of(runId)).toHaveLength(1);
  for (const shown of ['/asks', `/mails/${runId}`]) expect(strangeIn(await (await desk.get(shown)).text())).toEqual([]);
});

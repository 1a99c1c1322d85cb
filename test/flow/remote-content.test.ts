/** Pictures of other servers, forms and style in delivered bodies, through the real engines. */
import { createHash } from 'node:crypto';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_POLICY, type Policy, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { type Airlock, openAirlock } from '../hostile/attack/airlock-run.ts';

let airlock: Airlock;
beforeAll(async () => {
  airlock = await openAirlock();
});
afterAll(() => airlock.close());

const LOGO = 'https://shop.example/logo.png';
const COUNTER = '<img src="https://shop.example/open.gif" width="1" height="1">';
const NEWS = `<html><head><style>.a{color:red}</style></head><body><p class="a">Hello</p><img src="${LOGO}" alt="Our logo" width="90">${COUNTER}</body></html>`;
/** The same with a script, so that it is written anew. */
const WITH_SCRIPT = NEWS.replace('<p', '<script>x()</script><p');

async function delivered(html: string, changes: Partial<Policy> = {}): Promise<string> {
  const header =
    'From: a@shop.example\r\nTo: b@r.example\r\nSubject: News\r\nDate: Fri, 20 Nov 2026 12:00:00 +0000\r\n';
  const email = `${header}Message-ID: <1@shop.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n`;
  const { message, why } = await airlock.under({ ...DEFAULT_POLICY, ...changes }).scan(email, 'news.eml');
  expect(message, why).not.toBeNull();
  return (await PostalMime.parse(message ?? '')).html ?? '';
}

test('keep: a body stays as it came, and one that is written anew keeps its style and its pictures', async () => {
  expect((await delivered(NEWS)).trim()).toBe(NEWS);
  const anew = await delivered(WITH_SCRIPT);
  expect(anew).toContain('.a{color: red}');
  expect(anew).toContain(`<img src="${LOGO}" alt="Our logo" width="90">`);
  expect(anew).not.toMatch(/airlock-src|<script/);
});

test.each([NEWS, WITH_SCRIPT])(
  'proxy-note: a note takes the place of a picture, and nothing is loaded',
  async (html) => {
    const told = { ...DEFAULT_POLICY.told, language: 'de' } as const;
    const page = await delivered(html, { remoteContent: 'proxy-note', told });
    expect(page).toContain('</p>[ein Bild von einem anderen Server wurde nicht geladen: Our logo]');
    expect(page).not.toMatch(/shop\.example|<img/);
  },
);

test.each([NEWS, WITH_SCRIPT])('remove: only the text of a picture stays', async (html) => {
  const page = await delivered(html, { remoteContent: 'remove' });
  expect(page).toContain('<img alt="Our logo" width="90">');
  expect(page).not.toMatch(/shop\.example|airlock-src/);
});

test('an address in the text of a picture makes no link out of its note', async () => {
  const html = NEWS.replace('Our logo', 'see evil.com');
  const page = await delivered(html, { remoteContent: 'proxy-note' });
  expect(page).toContain('not loaded: see evil[.]com');
});

const BACKGROUND = 'https://shop.example/back.png?a=1&b=2';
const BACKGROUNDS = `<html><head><style>.h{background:#eee url("${BACKGROUND}") no-repeat}</style></head><body onload="x()"><p class="h" title="a" style="color:red;background-image:url('${BACKGROUND.replace('&', '&amp;')}')">Hello</p></body></html>`;

test('backgrounds in style follow the same choice', async () => {
  const kept = await delivered(BACKGROUNDS);
  expect(kept).toContain(`.h{background: #eee none no-repeat;background: #eee url("${BACKGROUND}") no-repeat}`);
  const attribute = `background-image:url(&quot;${BACKGROUND.replace('&', '&amp;')}&quot;)`;
  expect(kept.replaceAll(': ', ':')).toContain(attribute);
  for (const remoteContent of ['remove', 'proxy-note'] as const) {
    const page = await delivered(BACKGROUNDS, { remoteContent });
    expect(page).toContain('Hello');
    expect(page).toContain('#eee none no-repeat');
    expect(page).not.toMatch(/shop\.example|airlock-[0-9a-f]{64}|url\(/);
  }
});

test('a word for a background comes back as a judged address or not at all, and only in style', async () => {
  const digest = createHash('sha256').update('https://shop.example/logo.png').digest('hex');
  const word = `airlock-${digest}`;
  const forged = `<p title="${word}" style="background:${word};color:${word}">${word}</p><p style="background:airlock-${'0'.repeat(64)}">b</p>`;
  const page = await delivered(`${WITH_SCRIPT}${forged}`);
  expect(page).toContain(`title="${word}"`);
  expect(page).toContain(`>${word}</p>`);
  expect(page).toContain('background: none">b</p>');
  expect(page).not.toMatch(/javascript|<script/);
});

test('a picture without a judged address does not come back', async () => {
  const forged = `<img airlock-src="${'0'.repeat(64)}" alt="x"><img airlock-src="https://evil.example/" alt="y">`;
  const page = await delivered(`${WITH_SCRIPT}${forged}`);
  expect(page).toContain('<img alt="x"><img alt="y">');
});

test('a policy that keeps bodies as they are cannot say that nothing is loaded', () => {
  const html = { verdicts: { benign: 'keep' } };
  expect(() => parsePolicy(JSON.stringify({ remoteContent: 'remove', types: { html } }))).toThrow(/remoteContent/);
  expect(parsePolicy(JSON.stringify({ types: { html } })).remoteContent).toBe('keep');
  expect(() => parsePolicy('{"remoteContent":"load"}')).toThrow(/remoteContent/);
});

test('a form becomes text, and its link is judged', async () => {
  const { ledger, message } = await airlock.scan(
    'From: a@b.example\r\nTo: c@d.example\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<form action="https://forms.example/send"><p>Your name</p><input type="submit" value="Send"></form>\r\n',
    'form.eml',
  );
  expect(ledger?.artifacts.map(({ untrustedUrl }) => untrustedUrl)).toContain('https://forms.example/send');
  const { html = '' } = await PostalMime.parse(message ?? '');
  expect(html).toContain('<p>Your name</p>[Send]');
  expect(html).not.toContain('forms.example');
});

import { describe, expect, test } from 'vitest';
import { findUrls } from '../../lib/message/urls/find.ts';
import { defang } from '../../lib/message/urls/html/defang.ts';
import { unwrap } from '../../lib/message/urls/wrappers.ts';
import { LINK_WORDS } from './link-words.ts';

const LIMITS = { urlLength: 8192 };
const EVIL = 'https://evil.example/p?a=1&b=2';
const PERCENT = encodeURIComponent(EVIL);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const mandrill = base64url(
  JSON.stringify({
    s: 'sig',
    v: 1,
    p: JSON.stringify({ u: 1, v: 1, url: EVIL.replaceAll('/', '\\/'), id: 'x' }).replaceAll('\\\\', '\\'),
  }),
);

describe('a link that a service rewrote leads to', () => {
  test.each([
    ['Safe Links', `https://eur01.safelinks.protection.outlook.com/?url=${PERCENT}&data=05%7C01&reserved=0`],
    ['Safe Links of the US government', `https://gcc02.safelinks.protection.office365.us/?url=${PERCENT}&data=x`],
    [
      'Safe Links of Teams',
      `https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=${PERCENT}&locale=en`,
    ],
    ['Proofpoint 1', `https://urldefense.proofpoint.com/v1/url?u=${PERCENT}&k=x%3D%0A&r=y`],
    ['Proofpoint 1 out of HTML source', `https://urldefense.proofpoint.com/v1/url?k=x&amp;u=${PERCENT}&amp;r=y`],
    [
      'Proofpoint 2',
      'https://urldefense.proofpoint.com/v2/url?u=https-3A__evil.example_p-3Fa-3D1-26b-3D2&d=DwMFaQ&c=x&r=y&m=z&s=s&e=',
    ],
    [
      'Proofpoint 3',
      `https://urldefense.com/v3/__${EVIL.replace('?', '*').replaceAll('&', '*')}__;${base64url('?&')}!!Abc!token$`,
    ],
    ['Proofpoint 3 with a single slash', 'https://urldefense.us/v3/__https:/evil.example/p*a=1*b=2__;PyY!!x!y$ '],
    ['Barracuda', `https://linkprotect.cudasvc.com/url?a=${PERCENT}&c=E,1,x&typo=1`],
    ['Symantec', `https://clicktime.symantec.com/a/1/abc=?d=x&u=${PERCENT}`],
    ['Symantec, short', `https://clicktime.symantec.com/3Mnsci?u=${PERCENT}`],
    ['FireEye', `https://protect2.fireeye.com/url?k=1-2&u=${PERCENT}`],
    ['FireEye 1', `https://protect2.fireeye.com/v1/url?k=1-2&q=1&e=3&u=${PERCENT}`],
    ['Trellix', `https://us.protect2.trellix.com/v1/url?k=1&u=${PERCENT}`],
    ['Cisco', `https://secure-web.cisco.com/1aBcDeF-x_Y/${PERCENT}`],
    ['Sophos', `https://eu-west-1.protection.sophos.com/?d=evil.example&u=${encodeURIComponent(base64(EVIL))}&i=x&t=y`],
    ['Sophos, unescaped', `https://us-west-2.protection.sophos.com?d=evil.example&u=${base64(EVIL)}&p=m`],
    ['Trend Micro', `https://ca-1234.check.trendmicro.com:443/wis/clicktime/v1/query?url=${PERCENT}&umid=u&auth=a`],
    ['Avanan', `https://url.avanan.click/v2/___${EVIL}___.YXAzOm1haWw6YTpvOjEyMzQ`],
    ['Check Point', `https://protect.checkpoint.com/v2/___${EVIL}___.YzJlOmFjbWU6YzpvOjEyMw`],
    ['Libraesva', `https://urlsand.esvalabs.com/?u=${PERCENT}&e=1&h=2&f=y&p=y`],
    ['Google', `https://www.google.com/url?sa=t&url=${PERCENT}&usg=x`],
    ['Google, elsewhere', `http://google.co.uk/url?q=${PERCENT}&sa=D`],
    ['Facebook', `https://l.facebook.com/l.php?u=${PERCENT}&h=AT0`],
    ['Instagram', `https://l.instagram.com/?u=${PERCENT}&e=AT1`],
    ['YouTube', `https://www.youtube.com/redirect?event=video&q=${PERCENT}`],
    ['LinkedIn', `https://www.linkedin.com/redir/redirect?url=${PERCENT}&urlhash=x`],
    ['Slack', `https://slack-redir.net/link?url=${PERCENT}&v=3`],
    ['Bing', `https://www.bing.com/ck/a?!&&p=1&ptn=3&u=a1${base64url(EVIL)}&ntb=1`],
    ['Amazon SES', `https://abc.r.us-east-1.awstrack.me/L0/${PERCENT}/1/0100/sig=12`],
    ['Mandrill', `https://mandrillapp.com/track/click/30000000/evil.example?p=${mandrill}`],
  ])('%s: what was wrapped', (_, wrapped) => {
    expect(unwrap(new URL(wrapped).href, 8192)).toEqual([EVIL]);
  });

  test('Mimecast: its domain, because the rest is a token', () => {
    expect(unwrap('https://protect-eu.mimecast.com/s/AbCdEfG?domain=evil.example', 8192)).toEqual([
      'https://evil.example/',
    ]);
    expect(unwrap('https://url.us.m.mimecastprotect.com/s/AbC?domain=evil.example', 8192)).toEqual([
      'https://evil.example/',
    ]);
  });

  test.each([
    ['https://www.google.com/amp/s/evil.example/p', 'https://evil.example/p'],
    ['https://www.google.com/amp/evil.example/p', 'http://evil.example/p'],
    ['https://www.bing.com/amp/s/evil.example/p?a=1', 'https://evil.example/p?a=1'],
    ['https://cdn.ampproject.org/c/s/evil.example/p', 'https://evil.example/p'],
    ['https://evil-example.cdn.ampproject.org/v/s/evil.example/p?amp_js_v=0.1', 'https://evil.example/p?amp_js_v=0.1'],
    ['https://evil-example.cdn.ampproject.org/i/evil.example/a.png', 'http://evil.example/a.png'],
    ['https://login-my--bank-example.translate.goog/p?_x_tr_sl=de', 'https://login.my-bank.example/p?_x_tr_sl=de'],
  ])('a cache or a translation: the page itself of %s', (wrapped, page) => {
    expect(unwrap(wrapped, 8192)).toEqual([page]);
  });

  test('an intent of Android: the address with its scheme', () => {
    expect(unwrap('intent://evil.example/p#Intent;scheme=https;package=x;end', 8192)).toEqual([
      'https://evil.example/p',
    ]);
  });
});

describe('Proofpoint 3', () => {
  const wrap = (url: string, characters: string) => `https://urldefense.com/v3/__${url}__;${base64url(characters)}!!x$`;
  test.each([
    ['a character of more than one byte', wrap('https://evil.example/*', 'é'), 'https://evil.example/%C3%A9'],
    ['single ones in order', wrap('https://evil.example/*x*', '#€'), 'https://evil.example/#x%E2%82%AC'],
    ['a run of two (A)', wrap('https://evil.example/**Ax', '##'), 'https://evil.example/##x'],
    [
      'a run of four (C), then a single one',
      wrap('https://evil.example/**C-*', '####$'),
      'https://evil.example/####-$',
    ],
    ['a run of 27 (Z)', wrap('https://evil.example/**Z', '!'.repeat(27)), `https://evil.example/${'!'.repeat(27)}`],
    ['a run of 28 (a)', wrap('https://evil.example/**a', '!'.repeat(28)), `https://evil.example/${'!'.repeat(28)}`],
    ['the longest run (_)', wrap('https://evil.example/**_', '!'.repeat(65)), `https://evil.example/${'!'.repeat(65)}`],
    ['stars that stand for nothing', wrap('https://evil.example/a*b', ''), 'https://evil.example/a*b'],
  ])('%s', (_, wrapped, expected) => {
    expect(unwrap(new URL(wrapped).href, 8192)).toEqual([new URL(expected).href]);
  });
});

describe('wrappers in wrappers', () => {
  const safe = (url: string) => `https://nam01.safelinks.protection.outlook.com/?url=${encodeURIComponent(url)}`;
  const google = (url: string) => `https://www.google.com/url?q=${encodeURIComponent(url)}`;

  test('are opened to the innermost, and every hop is kept', () => {
    expect(unwrap(safe(google(EVIL)), 8192)).toEqual([google(EVIL), EVIL]);
  });

  test('end after six', () => {
    let url = EVIL;
    for (let turn = 0; turn < 9; turn++) url = safe(url);
    expect(unwrap(url, 100_000)).toHaveLength(6);
  });

  test('that lead to themselves end there', () => {
    expect(unwrap('https://www.google.com/url?q=https://www.google.com/url', 8192)).toEqual([
      'https://www.google.com/url',
    ]);
  });
});

test.each([
  'https://evil-safelinks.protection.outlook.com.evil.example/?url=https%3A%2F%2Fa.example',
  'https://www.google.com/search?q=https%3A%2F%2Fa.example',
  'https://urldefense.com/v3/nothing',
  'https://mandrillapp.com/track/click/1/a?p=bm90IGpzb24',
  'https://eur01.safelinks.protection.outlook.com/?url=%00',
  'https://secure-web.cisco.com/',
])('is no wrapper, or a broken one: %s', (url) => {
  expect(unwrap(new URL(url).href, 8192)).toEqual([]);
});

describe('in a body', () => {
  const wrapped = `https://eur01.safelinks.protection.outlook.com/?url=${PERCENT}`;
  test('the rewritten link and what it leads to are both listed', () => {
    const found = findUrls(`<a href="${wrapped}">x</a>`, 'html', LIMITS);
    expect(found.map(({ normalised, unwrapped }) => [normalised, unwrapped])).toEqual([
      [wrapped, [EVIL]],
      [EVIL, []],
    ]);
  });

  test.each(['html', 'text'] as const)('a link whose inner URL is blocked goes (%s)', (format) => {
    const text = format === 'html' ? `<a href="${wrapped}">x</a>` : `see ${wrapped} now`;
    const isBlocked = (url: string) => url === EVIL;
    const once = defang(text, format, isBlocked, LIMITS, LINK_WORDS);
    expect(once.count).toBe(1);
    expect(findUrls(once.text, format, LIMITS).filter(({ where }) => where !== 'respelled')).toEqual([]);
    expect(defang(once.text, format, isBlocked, LIMITS, LINK_WORDS)).toEqual({ text: once.text, count: 0 });
  });
});

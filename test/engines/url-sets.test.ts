import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding, Level } from '../../lib/engines/engine.ts';
import { analyseUrl } from '../../lib/engines/url/analyse-url.ts';
import { UTS39_LATIN } from '../../lib/engines/url/confusable-table.ts';
import { urlFinding } from '../../lib/engines/url/findings.ts';
import { readPage } from '../../lib/engines/url/page.ts';
import { scoreUrl } from '../../lib/engines/url/scoring.ts';
import { targetsOf } from '../../lib/engines/url/targets.ts';
import { roundsOf } from '../hostile/share.ts';
import { ordinaryUrls } from '../hostile/urls/ordinary.ts';
import { HOSTILE_URLS } from '../hostile/urls/techniques.ts';

const RANK: Readonly<Record<Level, number>> = { benign: 0, unknown: 1, suspicious: 2, malicious: 3 };
const judged = (url: string) => {
  const report = analyseUrl(url);
  return report.outcome === 'completed' ? report : { level: report.failure.code, findings: [] as readonly Finding[] };
};

describe('ordinary URLs', () => {
  const urls = ordinaryUrls();
  const levels = urls.map((url) => ({ url, level: judged(url).level }));

  test('are at least 500 different ones', () => expect(new Set(urls).size).toBeGreaterThanOrEqual(500));
  test('are never malicious', () => expect(levels.filter(({ level }) => level === 'malicious')).toEqual([]));
  test('are read, and hardly ever suspicious', () => {
    const others = levels.filter(({ level }) => level !== 'benign');
    expect(others.length / urls.length, JSON.stringify(others)).toBeLessThanOrEqual(0.01);
  });
});

test.each(HOSTILE_URLS)('finds $technique', ({ level, finds, urls }) => {
  const missed = urls.filter((url) => {
    const report = judged(url);
    const rank = RANK[report.level as Level] ?? -1;
    return rank < RANK[level] || !report.findings.some(({ id }) => finds.includes(id));
  });
  expect(missed).toEqual([]);
});

describe('ordinary names that resemble those of attacks', () => {
  test.each([
    'https://paypal.com.au/',
    'https://www.paypalobjects.com/x.js',
    'https://route53.global.api.amazonwebservices.com.cn/',
    'https://signin.amazonaws-us-gov.com/',
    'https://www.service.gov.uk/apply',
    'https://email.mg.shop.example/c/eJx',
    'https://mail-archive.github.io/list',
    'https://wallet.vercel.app/',
    `https://pub-${'3a9e'.repeat(8)}.r2.dev/logo.png`,
    'https://dot-com.example/',
    'https://my-portfolio-20240101.netlify.app/',
    'https://case-studies.webflow.io/mail',
  ])('%s is benign', (url) => expect(judged(url).level).toBe('benign'));
});

describe('letters that look like Latin ones', () => {
  const rows = [...UTS39_LATIN];
  const hostWith = (letter: string, latin: string) => `https://${'paypal'.replace(latin, letter)}.example/`;
  test('are many, in many alphabets', () => expect(UTS39_LATIN.size).toBeGreaterThan(300));
  test('show the brand that is meant, where a host name may hold them', () => {
    const seen = rows
      .filter(([, latin]) => 'paypal'.includes(latin))
      .map(([letter, latin]) => hostWith(letter, latin))
      .map((url) => [url, judged(url)] as const);
    const possible = seen.filter(([, { level }]) => level !== 'unreadable');
    expect(possible.filter(([, { level }]) => level !== 'malicious').map(([url]) => url)).toEqual([]);
    expect(possible.length).toBeGreaterThan(20);
  });
});

describe('scores', () => {
  test('count a rule once, however often it matched', () => {
    const facts = Array.from({ length: 50 }, () => urlFinding('free-hosting', 'host'));
    expect(scoreUrl(facts, true)).toEqual({ level: 'benign', score: 15 });
  });
  test('make facts suspicious together', () => {
    const facts = [urlFinding('free-hosting', 'host'), urlFinding('brand-in-path', 'path')];
    expect(scoreUrl(facts, true)).toEqual({ level: 'suspicious', score: 40 });
  });
  test('make tricks malicious together, but never one trick and facts', () => {
    const port = urlFinding('unusual-port', 'port');
    const address = urlFinding('disguised-address', 'host');
    const login = [urlFinding('credential-words', 'host'), urlFinding('brand-in-path', 'path')];
    expect(scoreUrl([address, ...login], true).level).toBe('suspicious');
    expect(scoreUrl([address, port], true).level).toBe('suspicious');
    expect(scoreUrl([address, port, urlFinding('program-download', 'path')], true).level).toBe('malicious');
  });
  test('never call a visit benign that was not complete', () => {
    expect(scoreUrl([], false).level).toBe('unknown');
    expect(scoreUrl([], true).level).toBe('benign');
  });
});

describe('where a URL leads', () => {
  const leads = (url: string) => targetsOf(new URL(url)).map((target) => target.url);

  test.each([
    ['https://urldefense.proofpoint.com/v2/url?u=http-3A__a.example_b-2Dc-3Fd-3D1&d=x', 'http://a.example/b-c?d=1'],
    ['https://urldefense.com/v3/__http:/a.example/b__;!!x$', 'http://a.example/b'],
    ['https://x.awstrack.me/L0/https:%2F%2Fa.example%2Fb/1/2', 'https://a.example/b'],
    ['https://a--b-example.translate.goog/x', 'https://a-b.example/x'],
    ['https://shop.example/r?u=aHR0cHM6Ly9hLmV4YW1wbGUv', 'https://a.example/'],
    ['https://shop.example/r/https:/a.example/b', 'https://a.example/b'],
    ['https://shop.example/#next=https://a.example/b', 'https://a.example/b'],
  ])('%s leads to %s', (url, target) => expect(leads(url)).toContain(target));

  test('nowhere else, when it holds no URL', () => {
    expect(leads('https://shop.example/httpx?q=http+status+codes&x=aHR0&time=12:30')).toEqual([]);
  });

  test('is judged through several wrappers, but not without end', () => {
    let url = 'https://paypal-login.example/';
    for (let depth = 0; depth < 3; depth += 1) url = `https://w${depth}.example/?u=${encodeURIComponent(url)}`;
    expect(judged(url).findings).toContainEqual(
      expect.objectContaining({ id: 'borrowed-brand', where: 'host of the target' }),
    );
    const many = `https://w.example/?${Array.from({ length: 2_000 }, (_, at) => `a${at}=https://x${at}.example/`).join('&')}`;
    expect(judged(many).findings.length).toBeLessThan(20);
  });
});

describe('hostile input', () => {
  test('never throws for a URL', () => {
    const parts = fc.constantFrom(
      'https://',
      'http:',
      '//',
      '\\',
      '@',
      '%',
      '%00',
      'xn--',
      '.',
      ':',
      '[',
      ']',
      '#',
      '?',
      'u=',
      'data:',
      'paypal',
      '\u202e',
      'а',
    );
    const text = fc.array(fc.oneof(parts, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 });
    fc.assert(
      fc.property(text, (pieces) => {
        expect(['completed', 'failed']).toContain(analyseUrl(pieces.join('')).outcome);
      }),
      { numRuns: roundsOf(2_000) },
    );
  });

  test('never throws for a page, and keeps what it says short', () => {
    const parts = fc.constantFrom(
      '<',
      '>',
      '<form action=',
      '<input type=password>',
      '<script>',
      '</script>',
      'location="',
      '&#x110000;',
      '&#0;',
      '<meta http-equiv=refresh content="0;url=',
      '"',
      "'",
      '<title>',
      '<img class=logo src=',
      '<base href=',
      '\0',
    );
    const text = fc.array(fc.oneof(parts, fc.string({ maxLength: 12 })), { maxLength: 30 });
    fc.assert(
      fc.property(text, fc.string({ maxLength: 30 }), (pieces, type) => {
        const { page } = readPage(Buffer.from(pieces.join('')), 'https://site.example/', type);
        expect((page.title ?? '').length).toBeLessThanOrEqual(300);
      }),
      { numRuns: roundsOf(1_000) },
    );
  });

  test.each([
    ['tags', '<a '.repeat(1_000_000)],
    ['attributes', `<img class=logo ${'alt="x" '.repeat(400_000)}`],
    ['closing tags', '<b>'.repeat(200_000) + '</i>'.repeat(400_000)],
    ['scripts', '<script>function f(){ location </script>'.repeat(50_000)],
    ['a script', `<script>${'location = atob('.repeat(60_000)}</script>`],
    ['functions', `<script>${'function(){'.repeat(90_000)}location="/x"</script>`],
    ['codes', `<script>document.write(unescape("${'%aa'.repeat(300_000)}</script>`],
    ['digits', `<script>eval(String.fromCharCode(${'1 , '.repeat(200_000)}</script>`],
  ])(
    'reads four megabytes of %s',
    (_, html) => {
      expect(readPage(Buffer.from(html), 'https://site.example/', 'text/html').outcome).toBe('completed');
    },
    10_000,
  );

  test.each([
    ['dots', `https://${'a.'.repeat(30_000)}example/`],
    ['hyphens in a label', `https://${'a-'.repeat(25)}.example/`],
    ['slashes', `https://site.example/${'wp-content/plugins/'.repeat(3_000)}`],
    ['base64', `https://site.example/#${'QUJD'.repeat(16_000)}`],
    ['codes', `https://site.example/${'%2525'.repeat(13_000)}`],
    ['extensions', `https://site.example/${'.pdf'.repeat(16_000)}`],
    ['addresses', `https://site.example/#${'a@'.repeat(30_000)}`],
    ['words', `https://site.example/${'login-'.repeat(10_000)}`],
  ])(
    'reads 64 kilobytes of %s',
    (_, url) => {
      expect(['completed', 'failed']).toContain(analyseUrl(url).outcome);
    },
    5_000,
  );
});

import { describe, expect, test } from 'vitest';
import { ENGINE_VERSIONS } from '../../lib/engines/engine-versions.ts';
import { analyseUrl } from '../../lib/engines/url/analyse-url.ts';
import { URL_RULES } from '../../lib/engines/url/findings.ts';
import { SUSPICIOUS_SCORE } from '../../lib/engines/url/scoring.ts';
import { VISIT_RULES } from '../../lib/engines/url/visit-rules.ts';

const run = (url: string) => {
  const report = analyseUrl(url);
  if (report.outcome !== 'completed') return { level: report.failure.code, ids: [] as string[], score: 0 };
  return { level: report.level, ids: report.findings.map((finding) => finding.id), score: report.score };
};

test.each([
  'https://example.com/',
  'http://example.com',
  'https://www.example.co.uk/path/page.html?utm_source=mail&x=1#top',
  'https://user-guide.example.com:8443/docs/',
  'https://login.microsoftonline.com/common/oauth2',
  'https://www.amazon.fr/dp/B000',
  'https://www.google.co.jp/search?q=paypal',
  'https://de.wikipedia.org/wiki/Apple',
  'https://s3.eu-west-1.amazonaws.com/bucket/report.pdf',
  'https://pineapple.example/',
  'https://apple.forum.example/questions/1',
  'https://www.google-analytics.com/collect',
  'https://example.com/download/setup.pdf',
  'https://archive.org/web/20200101/example.com',
  'webcal://example.com/c.ics',
  'mailto:someone@example.com',
  'tel:+4420',
  'data:image/png;base64,iVBORw0KGgo=',
])('finds nothing wrong with %s', (url) => {
  expect(run(url)).toEqual({ level: 'benign', ids: [], score: 0 });
});

test.each([
  ['javascript:alert(1)', 'malicious', 'script-url'],
  ['javascript:void(0);alert(1)', 'malicious', 'script-url'],
  ['javascript:void(0)', 'suspicious', 'idle-script-url'],
  ['javascript:;', 'suspicious', 'idle-script-url'],
  ['JaVaScRiPt:alert(1)', 'malicious', 'script-url'],
  ['java\tscript:alert(1)', 'malicious', 'script-url'],
  ['vbscript:msgbox', 'malicious', 'script-url'],
  ['data:text/html,<script>alert(1)</script>', 'malicious', 'scripted-document'],
  ['data:text/html,hello', 'suspicious', 'data-document'],
  ['data:image/svg+xml,<svg/>', 'suspicious', 'data-document'],
  ['data:,plain', 'suspicious', 'data-document'],
  ['file:///C:/Windows/System32/calc.exe', 'suspicious', 'file-share'],
  ['file://evil.example/share/x', 'suspicious', 'file-share'],
  ['\\\\evil.example\\share\\x.docx', 'suspicious', 'file-share'],
  ['smb://evil.example/x', 'suspicious', 'file-share'],
  ['search-ms:query=x&crumb=location:\\\\evil.example', 'suspicious', 'program-scheme'],
  ['ms-msdt:/id PCWDiagnostic', 'suspicious', 'program-scheme'],
  ['ms-word:ofe|u|https://evil.example/d.docx', 'suspicious', 'program-scheme'],
  ['view-source:https://evil.example/', 'suspicious', 'program-scheme'],
  ['https://paypal.com@evil.example/', 'malicious', 'user-information'],
  ['https://good.example:pw@evil.example/x', 'suspicious', 'user-information'],
  ['http://192.0.2.1/', 'suspicious', 'ip-address-host'],
  ['http://3221225985/', 'suspicious', 'disguised-address'],
  ['http://0xC0000201/', 'suspicious', 'disguised-address'],
  ['http://0300.0.02.01/', 'suspicious', 'disguised-address'],
  ['http://127.1/', 'suspicious', 'disguised-address'],
  ['http://[2001:db8::1]/', 'suspicious', 'ip-address-host'],
  ['https://www.аррӏе.com/', 'malicious', 'mixed-script-host'],
  ['https://xn--80ak6aa92e.com/', 'malicious', 'mixed-script-host'],
  ['https://pаypal.com/', 'malicious', 'brand-homograph'],
  ['https://сосо.com/', 'suspicious', 'mixed-script-host'],
  ['https://www.paypal.com.evil.example/', 'suspicious', 'borrowed-brand'],
  ['https://paypal-login.example/', 'suspicious', 'borrowed-brand'],
  ['https://paypal.login.example/', 'suspicious', 'borrowed-brand'],
  ['https://outlook.com.login.example/', 'suspicious', 'borrowed-brand'],
  ['https://apple-id.example/', 'suspicious', 'borrowed-brand'],
  ['https://secure-paypa1.example/', 'suspicious', 'misspelled-brand'],
  ['https://evil.example/www.paypal.com/signin', 'suspicious', 'borrowed-brand'],
  ['https://example.com/update.exe', 'suspicious', 'program-download'],
  ['https://example.com/a/invoice.pdf.JS?x=1', 'suspicious', 'double-extension'],
  ['http://192.0.2.1:4444/run.exe', 'malicious', 'program-download'],
  ['https://example.com/disk%2Eiso', 'suspicious', 'program-download'],
  ['https://example.com/setup.exe%20', 'suspicious', 'program-download'],
  ['https://example.com/get?filename=run.hta', 'suspicious', 'program-download'],
  ['https://a.b.c.d.e.f.example.com/', 'suspicious', 'many-subdomains'],
  [`https://example.com/${'a'.repeat(5_000)}`, 'suspicious', 'very-long'],
  ['http://example.com:4444/', 'suspicious', 'unusual-port'],
  ['https://malicious.airlock.test/', 'malicious', 'malicious-test-url'],
  ['http://login.malicious.airlock.test/x?y', 'malicious', 'malicious-test-url'],
  ['https://www.paypal.com/signin', 'benign', 'login-path'],
  ['https://outlook.company.example/owa/', 'benign', 'login-path'],
  ['https://en.wikipedia.org/wiki/PayPal', 'benign', 'brand-in-path'],
  ['https://bücher.example/', 'benign', 'punycode-host'],
  ['https://пример.рф/', 'benign', 'punycode-host'],
  ['https://example.com/r?to=https%3A%2F%2Fother.example%2F', 'benign', 'embedded-url'],
])('judges %s as %s for %s', (url, level, id) => {
  const report = run(url);
  expect(report.ids).toContain(id);
  expect(report.level).toBe(level);
  expect(report.score).toBeGreaterThan(0);
});

describe('what the engine cannot judge', () => {
  test.each(['', 'not a url', 'https://', 'https://evil.example%00.good.example/', '/relative'])(
    'fails on %j',
    (url) => {
      expect(run(url).level).toBe('unreadable');
    },
  );

  test('fails on megabytes of URL', () => {
    expect(run(`https://example.com/${'a'.repeat(1_000_000)}`).level).toBe('oversize');
  });
});

test('does not take a name below another domain for the test URL', () => {
  expect(run('https://notmalicious.airlock.test/').level).toBe('benign');
  expect(run('https://malicious.airlock.test.example/').level).toBe('benign');
});

test('names its version in every report', () => {
  expect(analyseUrl('https://example.com/').engineVersion).toBe(ENGINE_VERSIONS.url);
  expect(analyseUrl('x').engineVersion).toBe(ENGINE_VERSIONS.url);
});

test('never calls a rule malicious below a score of 90, suspicious below what makes suspicious, or a fact what does', () => {
  for (const rule of Object.values({ ...URL_RULES, ...VISIT_RULES })) {
    if (rule.level === 'malicious') expect(rule.score).toBeGreaterThanOrEqual(90);
    else if (rule.level === 'suspicious') expect(rule.score).toBeGreaterThanOrEqual(SUSPICIOUS_SCORE);
    else expect(rule.score).toBeLessThan(SUSPICIOUS_SCORE);
  }
});

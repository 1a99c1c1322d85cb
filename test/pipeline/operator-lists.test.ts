/** Lists of the operator: what they may say, what of a message is on one, and what it makes of the verdict. */
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../lib/pipeline/errors.ts';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import { fileIdOf, urlIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import { parseOperatorList } from '../../lib/pipeline/policy/operator-list.ts';
import { lookUp } from '../../lib/pipeline/policy/operator-lists.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { type Answer, createRig, emailWith } from './rig.ts';

const NOTES = 'just notes';
const HASH = sha256Hex(NOTES);
const list = (verdict: string, ...lines: readonly string[]) =>
  [`verdict: ${verdict}`, 'source: abuse desk', 'since: 2026-11-01', 'reason: seen in attacks', ...lines].join('\n');
const entriesOf = (...texts: readonly string[]) => texts.flatMap((text) => parseOperatorList('soc.txt', text));
const url = (untrustedUrl: string) => ({ type: 'url', id: urlIdOf(untrustedUrl), untrustedUrl }) as const;
const verdictOn = (address: string, ...texts: readonly string[]) =>
  lookUp(entriesOf(...texts))(url(new URL(address).href))?.verdict ?? null;

describe('the text of a list', () => {
  test('has files, hosts and beginnings of addresses, each with who says so, since when and why', () => {
    const text = `\ufeff# of the desk\r\n${list('malicious', HASH.toUpperCase(), 'Bücher.example.', 'HTTPS://A.example/x/../y')}\r\n`;
    const other = 'verdict: allow\ngood.example | 2026-11-20 | our own form | web team';
    expect(entriesOf(`${text}${other}`)).toEqual([
      expect.objectContaining({ kind: 'sha256', value: HASH, verdict: 'malicious', source: 'abuse desk', line: 6 }),
      expect.objectContaining({ kind: 'domain', value: 'xn--bcher-kva.example', since: '2026-11-01' }),
      expect.objectContaining({
        kind: 'url',
        value: 'https://a.example/y',
        reason: 'seen in attacks',
        list: 'soc.txt',
      }),
      expect.objectContaining({ verdict: 'allow', since: '2026-11-20', reason: 'our own form', source: 'web team' }),
    ]);
  });

  test.each([
    ['evil.example', 'soc.txt:1: a line with "verdict:" must stand in front'],
    ['verdict: block', 'soc.txt:1: the verdict must be malicious, suspicious, allow, and not "block"'],
    ['since: 1.11.2026', 'soc.txt:1: since must be a day'],
    ['since: 2026-13-40', 'soc.txt:1: since must be a day'],
    ['source:', 'soc.txt:1: source needs 1 to 300 characters'],
    [list('allow', 'good.example', 'd41d8cd98f00b204e9800998ecf8427e'), 'soc.txt:6: files are known by SHA-256'],
    [list('allow', 'com'), 'soc.txt:5: "com" is neither a SHA-256'],
    [list('allow', 'a.example/path'), 'soc.txt:5: "a.example/path" is neither'],
    [list('allow', '*.example.com'), 'soc.txt:5: "*.example.com" is no name of a host'],
    [list('allow', 'javascript://x.example/'), 'soc.txt:5: "javascript://x.example/" is no address of the web'],
    [list('allow', 'https://user@a.example/'), 'soc.txt:5: the beginning of an address has no user'],
    [list('allow', 'a.example | 2026-11-02 | why | who | more'), 'soc.txt:5: behind an entry stand at most'],
    ['verdict: allow\nsince: 2026-11-01\na.example', 'soc.txt:3: it has no reason'],
    ['verdict: allow\nsince: 2026-11-01\nreason: x\na.example', 'soc.txt:4: it has no source'],
    [list('malicious', 'a'.repeat(9_000)), 'soc.txt:5: a line has at most'],
  ])('%j is refused with its file and line', (text, fault) => {
    expect(() => entriesOf(text)).toThrow(ConfigError);
    expect(() => entriesOf(text)).toThrow(fault);
  });

  test('tells all faults at once, up to a number', () => {
    const faults = (text: string) => {
      try {
        return entriesOf(text).length;
      } catch (error) {
        return error instanceof ConfigError ? error.issues.length : -1;
      }
    };
    expect(faults(list('allow', 'x', 'good.example', 'y'))).toBe(2);
    expect(faults(list('allow', ...Array.from({ length: 50 }, () => 'x')))).toBe(20);
  });
});

describe('an address against which a list speaks', () => {
  const hosts = list('malicious', 'evil.example');
  const beginnings = list('malicious', 'https://files.example/s/7f');

  test.each([
    ['https://evil.example/', hosts],
    ['http://a.b.EVIL.example.:8080/x', hosts],
    ['ftp://evil.example/', hosts],
    ['https://good.example@evil.example/', hosts],
    ['https://good.example/?to=https%3A%2F%2Fevil.example%2Fx', hosts],
    ['https://good.example/r/%2568%2574tps%253A%252F%252Fa.evil.example', hosts],
    ['https://good.example/go#//evil.example', hosts],
    ['https://files.example/s/7f', beginnings],
    ['https://files.example/s/7fabc?x', beginnings],
    ['http://files.example/%73/7f/a', beginnings],
    ['https://good.example/?u=http://files.example/s/7f/a', beginnings],
    ['https://someone@files.example/s/7f', beginnings],
    ['https://files.example./s/7f', beginnings],
    ['https://files.example:444/s/7f', beginnings],
    ['https://files.example//s/7f', beginnings],
    ['https://good.example/?u=//files.example:1/x/../s/7f', beginnings],
    ['https://good.example/?u=//other.example/?v=//evil.example', hosts],
    [`https://good.example/?${'u=//other.example&'.repeat(20)}u=//evil.example`, hosts],
    [
      `https://good.example/?${Array.from({ length: 40 }, (_, at) => `u=//x${at}.example`).join('&')}&u=//evil.example`,
      hosts,
    ],
    ['https://good.example/?u=https://b\u00fccher.example/', list('malicious', 'xn--bcher-kva.example')],
    ['https://good.example/?u=//evil.example;x', hosts],
    ['https://good.example/?u=//evil.example|x', hosts],
    ['https://good.example/?u=//good.example@evil.example', hosts],
    ['https://good.example/?u=//evil%E3%80%82example/', hosts],
    ['https://good.example/?u=//2130706433/', list('malicious', '127.0.0.1')],
    ['https://good.example/?u=https:evil.example', hosts],
    ['https://good.example/?u=evil.example', hosts],
    ['https://good.example/?evil.example/x', hosts],
    ['https://good.example/go?to=sub.evil.example:8080/x?y=1', hosts],
    ['https://good.example/?u=ok.example%2Ca&v=evil%2Eexample.', hosts],
    ['https://good.example/?u=files.example/s/7f/a', beginnings],
    ['https://good.example/?u=/%09/evil.example', hosts],
    ['https://good.example/?u=aHR0cHM6Ly9ldmlsLmV4YW1wbGUv', hosts],
    ['ms-word:ofe|u|https://evil.example/x', hosts],
    ['view-source:https://evil.example/', hosts],
  ])('%s is found', (address, text) => {
    expect(verdictOn(address, text)).toBe('malicious');
  });

  test.each([
    ['https://notevil.example/', hosts],
    ['https://evil.example.org/', hosts],
    ['https://good.example/evil.example', hosts],
    ['https://good.example/?u=evil.example.txt&v=notevil.example', hosts],
    ['https://good.example/?mail=someone@evil.example', hosts],
    ['https://files.example/S/7f', beginnings],
    ['https://other.example/s/7f', beginnings],
    ['mailto:someone@evil.example', hosts],
  ])('%s is another one', (address, text) => {
    expect(verdictOn(address, text)).toBeNull();
  });
});

describe('an address that a list allows', () => {
  const allowed = list('allow', 'good.example', 'https://share.example/ours');

  test.each([
    'https://good.example/a?b=1',
    'https://www.good.example/',
    'https://share.example/ours/x',
    'https://share.example/ours?q',
    'https://good.example/a//b?file=a%20b.pdf&at=12:30',
    'https://good.example:8443/?q=50%25',
    'https://good.example/?file=report.pdf&site=www.other.example',
    'https://good.example/reset/dGhpcyBpcyBhIHRva2Vu?s=5f2b7c9d0a1e',
    'https://good.example/settings?prefix=https://',
  ])('%s is allowed', (address) => {
    expect(verdictOn(address, allowed)).toBe('allow');
  });

  test.each([
    'https://good.example/?url=https://evil.example/',
    'https://good.example/?url=%2F%2Fevil.example',
    'https://good.example/?u=aHR0cHM6Ly9ldmlsLmV4YW1wbGUv',
    'https://user:word@good.example/',
    'https://share.example/ours-not',
    'http://share.example/ours/x',
    'https://good.example.evil.example/',
    'javascript://good.example/%0aalert(1)',
    'intent://good.example/#Intent;end',
    'file://good.example/a.exe',
    'https://good.example/?u=https:/evil.example',
    'https://good.example/?u=https:evil.example',
    'https://good.example/?u=/%09/evil.example',
    'https://good.example/?u=//evil%E3%80%82example/',
    'https://good.example/?u=//2130706433/',
    'https://good.example/?u=//[::1]/',
    'https://good.example/?u=%252525252f%252525252fevil.example',
    'https://good.example/?u=%25252525252525252fx',
    'https://good.example/?u=LmV4Ly9ldmlsLmV4YW1wbGU',
    'https://good.example/?u=68747470733a2f2f6576696c',
    'https://share.example/ours/..%2ftheirs',
    'https://share.example/ours/%252e%252e%5ctheirs',
    'https://share.example/ours/..;/theirs',
    `https://good.example/?${'a'.repeat(3_000)}`,
  ])('%s is not, because it may lead elsewhere', (address) => {
    expect(verdictOn(address, allowed)).toBeNull();
  });

  test('is not allowed when another list speaks against it, and the worst word counts', () => {
    const suspicious = list('suspicious', 'www.good.example');
    expect(verdictOn('https://www.good.example/', allowed, suspicious)).toBe('suspicious');
    expect(verdictOn('https://www.good.example/', allowed, suspicious, list('malicious', 'good.example'))).toBe(
      'malicious',
    );
  });
});

test('a file is known by its hash', () => {
  const lists = lookUp(entriesOf(list('suspicious', HASH)));
  expect(lists({ type: 'file', id: fileIdOf(HASH), untrustedUrl: null })).toMatchObject({ verdict: 'suspicious' });
  expect(lists({ type: 'file', id: fileIdOf(sha256Hex('x')), untrustedUrl: null })).toBeNull();
});

describe('in a mail', () => {
  const LINK = 'https://www.shop.example/a?b=1';
  const files = [{ name: 'notes.pdf', bytes: '%PDF-1.4 notes' }];
  const PDF = sha256Hex('%PDF-1.4 notes');
  const MAIL = emailWith({ text: `see ${LINK} and more`, files });

  async function scanned(text: string, answer: (kind: string) => Answer = () => ({}), policy = '{}') {
    const lists = text === '' ? undefined : lookUp(entriesOf(text));
    const rig = createRig({
      policy: parsePolicy(policy),
      overrides: () => ({ lists }),
      script: { polls: 0, answer: ({ kind }) => answer(kind) },
    });
    const { ledger } = await rig.scan(MAIL);
    const of = (type: 'url' | 'pdf') => ledger.artifacts.find(({ typeGroup }) => typeGroup === type);
    return {
      state: ledger.terminal?.state,
      codes: ledger.reasons.map(({ code }) => code),
      link: of('url'),
      file: of('pdf'),
    };
  }
  const found = (kind: string, verdict: 'suspicious' | 'malicious' | 'unknown') => (asked: string) =>
    asked === kind ? { verdict, reasons: ['seen'] } : {};

  test('a link that a list calls malicious holds the mail, as such a link does, and the report says who, since when and why', async () => {
    const { state, codes, link } = await scanned(list('malicious', 'shop.example'));
    expect([state, codes]).toEqual(['quarantined', ['malicious']]);
    expect(link).toMatchObject({ verdict: 'malicious', listed: { list: 'soc.txt', line: 5, kind: 'domain' } });
    expect(link?.reasons.join('; ')).toContain(
      'on a list as malicious: seen in attacks (abuse desk, since 2026-11-01; soc.txt, line 5)',
    );
  });

  test('a link that a list calls suspicious is switched off, and the mail goes on', async () => {
    const { state, link } = await scanned(list('suspicious', LINK));
    expect([state, link?.verdict, link?.disposition]).toEqual(['delivered', 'suspicious', 'disarm']);
  });

  test('a file that a list calls malicious goes', async () => {
    const { file } = await scanned(list('malicious', PDF), undefined, '{"message":{"quarantineVerdicts":[]}}');
    expect(file).toMatchObject({ verdict: 'malicious', disposition: 'remove', removedFor: 'malicious' });
  });

  test('a list that allows a link makes what is suspicious or unknown about it benign', async () => {
    for (const verdict of ['suspicious', 'unknown'] as const) {
      const { link } = await scanned(list('allow', 'shop.example'), found('url_analysis', verdict));
      expect([link?.verdict, link?.disposition]).toEqual(['benign', 'keep']);
    }
  });

  test('a list that allows a file leaves its disarm as it is', async () => {
    const disarmed = Buffer.from('%PDF-1.4 clean');
    const answer = (kind: string): Answer =>
      kind === 'cdr' ? { disarmed, removed: ['JavaScript'] } : found('static', 'suspicious')(kind);
    const { file, state } = await scanned(list('allow', PDF), answer);
    expect([state, file?.verdict, file?.disposition]).toEqual(['delivered', 'benign', 'disarm']);
  });

  test('a malicious finding counts more than a list that allows, unless the policy says otherwise', async () => {
    const malicious = found('url_analysis', 'malicious');
    const held = await scanned(list('allow', 'shop.example'), malicious);
    expect([held.state, held.link?.verdict]).toEqual(['quarantined', 'malicious']);
    expect(held.link?.reasons.join()).toContain('that does not count beside what was found');
    const kept = await scanned(list('allow', 'shop.example'), malicious, '{"lists":{"allowMalicious":true}}');
    expect([kept.state, kept.link?.verdict]).toEqual(['delivered', 'benign']);
  });

  test('no list makes up for an analysis that failed', async () => {
    const failure = { class: 'timeout', detail: 'late' } as const;
    const { state, link } = await scanned(list('allow', 'shop.example'), (kind) =>
      kind === 'url_analysis' ? { failure } : {},
    );
    expect([state, link?.disposition]).toEqual(['quarantined', 'remove']);
  });

  test('what is on no list has no word of one', async () => {
    const { link, file } = await scanned(list('malicious', 'other.example'));
    expect([link?.listed, file?.listed]).toEqual([undefined, undefined]);
  });
});

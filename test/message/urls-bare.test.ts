import { describe, expect, test } from 'vitest';
import { findUrls } from '../../lib/message/urls/find.ts';
import { defang } from '../../lib/message/urls/html/defang.ts';
import { isDataFile } from '../../lib/message/urls/sources/data-files.ts';
import { LINK_WORDS } from './link-words.ts';
import { LIMITS } from './search-rig.ts';

const links = (text: string, isData = false) =>
  findUrls(text, { format: 'text', isData }, LIMITS).map(({ normalised }) => normalised);

describe('no link is', () => {
  test.each([
    'Exchange 15.1.2.3 and (build 1.2.3.4)',
    'mx[192.0.2.1]:25: timed out, as 192.0.2.2:587 did',
    'ip4:10.0.0.0/8,192.168.0.0/16;172.16.0.0/12',
    '192.168.1.1-192.168.1.9',
    'scp x root@192.0.2.7:/tmp',
    'auth.log and (Foo.java:12) in main.py',
    '1.3.6.1.4.1.311 and 999.1.2.3:80',
  ])('%s', (text) => expect(links(text)).toEqual([]));
});

describe('a link is', () => {
  test.each([
    ['192.0.2.1:8080', 'http://192.0.2.1:8080/'],
    ['x|192.0.2.1/', 'http://192.0.2.1/'],
    ['1.2.3.4,192.0.2.1/24/x;10.0.0.0/8', 'http://192.0.2.1/24/x'],
    ['a=192.0.2.1?x', 'http://192.0.2.1/?x'],
    ['http://15.1.2.3', 'http://15.1.2.3/'],
    ['report.zip', 'http://report.zip/'],
    ['main.py.zip', 'http://main.py.zip/'],
    ['www.x.java', 'http://www.x.java/'],
  ])('%s', (text, url) => expect(links(text)).toContain(url));
});

describe('beside letters of another script, the ASCII name is a link of its own', () => {
  test.each([
    ['bank.com에서', 'http://bank.com/'],
    ['www.bank.com에서', 'http://www.bank.com/'],
    ['http://www.bank.com에서', 'http://www.bank.com/'],
    ['请访问bank.com请', 'http://bank.com/'],
    ['请访问bank.com/p?a', 'http://bank.com/p?a'],
    ['ดูที่bank.comครับ', 'http://bank.com/'],
    ['наbank.comсегодня', 'http://bank.com/'],
    ['زرbank.comالآن', 'http://bank.com/'],
    ['𠮷bank.com𠮷', 'http://bank.com/'],
  ])('%s', (text, url) => expect(links(text)).toContain(url));

  test.each([
    ['münchen.de', 'http://xn--mnchen-3ya.de/'],
    ['пример.example.ru', 'http://xn--e1afmkfd.example.ru/'],
    ['bank.рф', 'http://bank.xn--p1ai/'],
  ])('but not where the letters are a part of the same name: %s', (text, url) => expect(links(text)).toEqual([url]));

  test.each(['请ana@corp.com请', 'Node.js에서', '一个main.py文件'])('nor in %s', (text) =>
    expect(links(text)).toEqual([]),
  );
});

describe('a file of data', () => {
  test('has the links that are spelled out, and no bare host', () => {
    const text = 'srv.good-shop.com,192.0.2.1:443,www.a.example\nhttps://b.example/\n\\\\c.example\\d\\e';
    expect(links(text, true)).toEqual(['http://www.a.example/', 'https://b.example/', 'file://c.example/d/e']);
  });

  test.each([
    [true, 'text/csv', 'text/csv', ['a.csv'], false],
    [true, 'text/plain', 'application/octet-stream', ['a.log'], false],
    [true, 'text/plain', 'message/delivery-status', [], false],
    [true, 'text/xml', 'application/xml', [], false],
    [false, 'text/plain', 'text/plain', ['a.log', 'a.txt'], false],
    [false, 'text/plain', 'text/plain', ['a.log'], true],
    [false, 'text/html', 'text/csv', ['a.csv'], false],
    [false, 'image/svg+xml', 'application/xml', ['a.xml'], false],
    [false, 'text/plain', 'text/plain', [], false],
  ] as const)('%s: %s declared as %s, called %s, shown: %s', (expected, detectedType, declaredType, names, isShown) => {
    const file = { role: 'attachment', detectedType, declaredType, untrustedNames: names };
    expect(isDataFile(file, isShown)).toBe(expected);
    expect(isDataFile({ ...file, role: 'body' }, isShown)).toBe(false);
  });
});

describe('a blocked link', () => {
  const blocked = (text: string, format: 'text' | 'html' = 'text') =>
    defang(text, format, () => true, LIMITS, LINK_WORDS).text;
  test('without a scheme keeps its spelling, and a note says that it was blocked', () => {
    expect(blocked('See (Report.ZIP), now.')).toBe('See (Report[.]ZIP [off]), now.');
    expect(blocked('Bücher.example/Straße!')).toBe('Bücher.example/Straße!');
    expect(blocked('<p>at bücher.zip.</p>', 'html')).toBe('<p>at bücher[.]zip [off].</p>');
  });
  test('is told once for one word, and never in front of a quote that ends an attribute', () => {
    expect(blocked('http://a.com/x|b.com/y end')).toMatch(/^[^ ]+ \[off\] end$/);
    expect(blocked('<i title="https://a.com/x">t</i>', 'html')).not.toContain('[off]');
  });
  test('stays as it is the second time', () => {
    const once = blocked('See report.zip, https://a.com/x and 192.0.2.1:8080.');
    expect(blocked(once)).toBe(once);
  });
});

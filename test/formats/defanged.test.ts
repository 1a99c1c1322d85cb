import fc from 'fast-check';
import tlds from 'tlds';
import { expect, test } from 'vitest';
import { defanged, KEPT_ENDS, mended } from '../../lib/formats/names/defanged.ts';
import { linksOrAddressesOthersMark } from '../hostile/attack/linkifiers.ts';
import { roundsOf } from '../hostile/share.ts';

test.each([
  ['invoice.docm', 'invoice.docm'],
  ['invoice.2026.pdf', 'invoice[.]2026.pdf'],
  ['report.com', 'report[.]com'],
  ['word/_rels/document.xml.rels', 'word/_rels/document.xml.rels'],
  ['photos.tar.gz and invoice.pdf.exe', 'photos.tar.gz and invoice.pdf.exe'],
  ['invoice.pdf.com', 'invoice[.]pdf[.]com'],
  ['www.pdf.com.txt', 'www[.]pdf[.]com.txt'],
  ['evil.example.zip', 'evil[.]example[.]zip'],
  ['https://evil.example/x.js', 'hxxps[:]//evil[.]example/x.js'],
  ['HTTP:\\\\evil.example', 'hxxp[:]\\[\\]evil[.]example'],
  ['//evil.example', '/[/]evil[.]example'],
  ['\\\\server\\share', '\\[\\]server\\share'],
  ['ana@evil.example', 'ana[@]evil[.]example'],
  ['ms-word:ofe|u|https://evil.example', 'ms-word[:]ofe|u|hxxps[:]//evil[.]example'],
  ['evil\u3002example', 'evil[.]example'],
  ['it is 1.5 MB at 12:30. Next.', 'it is 1.5 MB at 12:30. Next.'],
  ['127.0.0.1:80', '127[.]0[.]0[.]1[:]80'],
  ['macro: it starts with the document', 'macro: it starts with the document'],
  ['a file of 3.pdf', 'a file of 3.pdf'],
  ['It works.; it starts (a program.), too', 'It works.; it starts (a program.), too'],
  ['evil.example.; x', 'evil[.]example.; x'],
  ['evil.;example', 'evil[.];example'],
])('%s is written as %s', (text, expected) => expect(defanged(text)).toBe(expected));

test('no extension that is kept is a top-level domain', () => {
  expect([...KEPT_ENDS].filter((end) => tlds.includes(end))).toEqual([]);
});

const PIECES = [
  'https',
  'http',
  'ftp',
  'ms-word',
  'search-ms',
  'mailto',
  'file',
  'www',
  'x',
  'evil',
  'example',
  'com',
  'berlin',
  'zip',
  'pdf',
  'docm',
  'rels',
  '.xml.rels',
  'js',
  '1',
  '127',
  '0',
  '.',
  '.',
  '.',
  ':',
  '://',
  '//',
  '\\\\',
  '\\',
  '/',
  '@',
  ' ',
  '(',
  ')',
  '-',
  '_',
  '\u3002',
  '\uff0e',
  '\uff1a',
  '\uff0f',
  '\uff20',
  '[',
  ']',
  '<',
  '>',
  '"',
  '?',
  '#',
  '%2e',
  '\u00e4',
  '\u0430',
  ',',
];
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((list) => list.join(''));

test('no linkifier finds a link in it, and a second call changes nothing', () => {
  const property = fc.property(texts, (text) => {
    const safe = defanged(text);
    expect(linksOrAddressesOthersMark(safe)).toEqual([]);
    expect(safe).not.toMatch(/\\\\|[a-z]:[/\\]/i);
    expect(defanged(safe)).toBe(safe);
  });
  fc.assert(property, { numRuns: roundsOf(30_000) });
});

test.each(['ana@evil.example', 'evil.example', 'http://evil.example:80/x', '\\\\server.example'])(
  '%s can be searched for',
  (address) => {
    expect(defanged(address)).not.toBe(address);
    expect(mended(defanged(address))).toBe(address);
  },
);

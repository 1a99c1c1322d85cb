import { expect, test } from 'vitest';
import { parseUrl } from '../../lib/formats/urls/parse-url.ts';
import { modulesWith } from '../architecture/readers.ts';

test('reads a URL as browsers do, and completes one from its base', () => {
  expect(parseUrl('HTTPS://b\u00fccher.example')?.href).toBe('https://xn--bcher-kva.example/');
  expect(parseUrl('../x', 'https://a.example/b/c')?.href).toBe('https://a.example/x');
});

test.each(['', 'a.example', 'http://', 'http://[', 'https://a b.example/'])('%j is none', (text) => {
  expect(parseUrl(text)).toBeNull();
});

test('reads a host with letters of Latin-1 after very many calls too', () => {
  let unread = 0;
  for (let at = 0; at < 50_000; at++) {
    if (parseUrl(`https://example.org/${at % 50}`) === null) unread++;
    if (at % 1000 === 0 && parseUrl('https://m\u00fcller.example/') === null) unread++;
  }
  expect(unread).toBe(0);
});

// See parse-url.ts: it answers wrong after some thousand calls.
test('nothing else asks whether a text is a URL', () => {
  expect(modulesWith(/URL\.canParse\(/)).toEqual([]);
});

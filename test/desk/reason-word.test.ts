import { expect, test } from 'vitest';
import { DESK_LANGUAGES } from '../../lib/desk/desk-words.ts';
import { reasonLabels, reasonWord } from '../../lib/desk/reason-word.tsx';
import { REASON_CODES } from '../../lib/pipeline/reason-codes.ts';

test.each(DESK_LANGUAGES)('every reason has words of its own in %s, and none is its code', (language) => {
  const words = REASON_CODES.map((code) => reasonWord(language, code));
  expect(new Set(words).size).toBe(REASON_CODES.length);
  expect(words.filter((text) => !text.includes(' ') || text.endsWith('.'))).toEqual([]);
});

test('a code that nobody knows stays, as text, and a name of every object is no words', () => {
  const { markup } = reasonLabels('de', ['malicious', '<b>new', 'toString']);
  expect(markup.replaceAll('\n', '').split('<br/>')).toEqual([
    '<span title="malicious">Schädlicher Inhalt</span>',
    '<span title="&lt;b&gt;new">&lt;b&gt;new</span>',
    '<span title="toString">toString</span>',
  ]);
});

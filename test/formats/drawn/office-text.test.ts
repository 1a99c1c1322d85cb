/** The text of an Office document for the desk: what a program shows is in it, and hostile documents cost bounded time. */
import { expect, test } from 'vitest';
import { textOfOffice } from '../../../lib/formats/drawn/office-text.ts';
import { zipOf } from '../../engines/zip-fixture.ts';
import { isLinear } from '../../growth.ts';

const MOST = 100_000;
const textOf = (parts: Record<string, string>) => textOfOffice(zipOf(parts), MOST);
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const documentOf = (text: string) => `<?xml version="1.0"?><!-- a --><w:document>${paragraph(text)}</w:document>`;

test('a main part under another name is shown beside the one with the usual name', () => {
  const parts = { 'word/document.xml': documentOf('harmless'), 'word/other.xml': documentOf('pay here') };
  expect(textOf(parts)).toBe('harmless\n\npay here');
  expect(textOf({ 'a/b.dat': documentOf('pay here') })).toBe('pay here');
});

test.each([
  ['x:document-content', '<x:p>pay <x:span>here</x:span></x:p>', 'pay here'],
  ['office:document-content', '<text:p>pay</text:p>', 'pay'],
  ['x:worksheet', '<x:row><x:c><x:v>7</x:v></x:c></x:row>', '7'],
  ['q:document', '<q:p><q:r><q:t>pay</q:t><q:instrText>PAGE</q:instrText></q:r></q:p>', 'pay'],
])('words are shown under any prefix of their names (%s)', (root, body, text) => {
  expect(textOf({ 'content.xml': `<${root}>${body}</${root}>` })).toBe(text);
});

test('a part that has no words of the document is not shown', () => {
  expect(
    textOf({ 'word/document.xml': documentOf('words'), 'word/styles.xml': '<w:styles><w:t>no</w:t></w:styles>' }),
  ).toBe('words');
  expect(textOf({ 'word/styles.xml': '<w:styles/>' })).toBeNull();
});

test('cells name the table of texts, whatever its part is called, and nothing is shown when there are two tables', () => {
  const sheet = '<worksheet><row><c t="s"><v>0</v></c></row></worksheet>';
  const table = (text: string) => `<sst><si><t>${text}</t></si></sst>`;
  expect(textOf({ 'xl/worksheets/sheet1.xml': sheet, 'xl/strings.xml': table('pay') })).toBe('pay');
  const two = { 'xl/sharedStrings.xml': table('harmless'), 'xl/strings.xml': table('pay') };
  expect(textOf({ 'xl/worksheets/sheet1.xml': sheet, ...two })).toBeNull();
});

test.each([
  [
    'text in many open elements',
    1_000,
    (n: number) => `${'<a>'.repeat(n)}${'<b>x</b>'.repeat(2 * n)}${'</a>'.repeat(n)}`,
  ],
  ['tabs before another sign', 12_500, (n: number) => `${'<w:tab></w:tab>'.repeat(n)}<w:t>x</w:t>`],
])('%s cost what their number says', async (_, size, body) => {
  const read = (n: number) => textOf({ 'word/document.xml': `<w:document>${body(n)}</w:document>` });
  expect(read(size)).not.toBeNull();
  expect(await isLinear(size, read)).toBe(true);
});

import { expect, test } from 'vitest';
import { buildDoc } from '../fixtures/build-doc.ts';
import { LIMITS, search, urlsOf } from './search-rig.ts';

const FIELD = '\x13 HYPERLINK "https://evil.example/page" \x14here\x15';
const DOC = buildDoc({ text: `See ${FIELD}.` });

test('a document of older Office programs has the link of its field, and no link from ordinary text', async () => {
  expect(await urlsOf(DOC)).toEqual(['https://evil.example/page']);
  expect(await urlsOf(buildDoc({ text: 'An ordinary text.' }))).toEqual([]);
});

test('a damaged document is searched, too', async () => {
  const damaged = Buffer.from(DOC);
  damaged.fill(0xff, 8, 512);
  expect(await urlsOf(damaged)).toEqual(['https://evil.example/page']);
});

test.each([
  [DOC.length, []],
  [DOC.length - 1, [`a document of ${DOC.length} bytes`]],
])('with a limit of %i bytes, what is not searched is %j', async (textBytes, notSearched) => {
  expect((await search(DOC, {}, { limits: { ...LIMITS, textBytes } })).notSearched).toEqual(notSearched);
});

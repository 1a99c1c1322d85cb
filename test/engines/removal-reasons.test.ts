/** The reason for a kind of content describes what that kind does, and not a word that its name happens to contain. */
import { expect, test } from 'vitest';
import { reasonFor } from '../../lib/engines/removal-reasons.ts';

test.each([
  ['DDE link', /starts another program/],
  ['embedded object', /can carry a program/],
  ['hidden or contradictory data', /different programs would see/],
  ['very hidden sheet', /ordinary hidden sheet/],
  ['HTML description', /plain description says the same/],
  ['other frames and pages', /different programs would see/],
  ['macro', /runs as a program/],
  ['macro file type', /still take it for a file with macros/],
  ['document type declaration', /load or repeat/],
  ['style sheet', /read it in different ways/],
  ['XHTML', /read it in different ways/],
  ['workbook in XML', /kept as xlsx/],
  ['misleading name', /another kind/],
  ['remote picture', /from outside/],
  ['picture set', /tells the sender/],
  ['background picture', /tells the sender/],
  ['page style', /cover other content/],
  ['linked file', /from outside/],
  ['page comment', /no reader sees it/],
  ['data attribute', /only code reads it/],
  ['page metadata', /about people/],
  ['author', /about people/],
  ['other link', /something other than a web page/],
  ['selectable text, now behind the pictures of the pages', /its fonts claim/],
  ['text beyond the limit of words', /the pictures show them/],
  ['something new', /on no list/],
])('%s', (kind, reason) => {
  expect(reasonFor(kind)).toMatch(reason);
});

/** Each kind of content is explained by what it does, not by letters that its name happens to hold. */
import { expect, test } from 'vitest';
import { reasonFor } from '../../../lib/analysis/engines/removal-reasons.ts';

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
  ['something new', /on no list/],
])('%s', (kind, reason) => {
  expect(reasonFor(kind)).toMatch(reason);
});

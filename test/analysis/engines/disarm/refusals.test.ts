/** Every type that no module takes is refused with its reason and with what to do instead. */
import { expect, test } from 'vitest';
import { refusalOf } from '../../../../lib/analysis/engines/disarm/refusals.ts';
import { describeType, FILE_TYPES } from '../../../../lib/formats/file-types.ts';

/** What the engine disarms; everything else of the table must have a reason of its own. */
const DISARMED =
  /^(?:doc[xm]?|dot[xm]|xls[xm]?|xlt[xm]|ppt[xm]?|pps[xm]|pot[xm]|o[dt][tspgm]|fod[tspg]|msg|pdf|rtf|txt|html|xhtml|svg|xml|json|csv|ics|vcf|eml|mht|dat|zip|7z|rar|gz|bz2|xz|tar|jpg|png|gif|webp|tif|bmp)$/;

test.each(
  FILE_TYPES.map(describeType).filter(({ extension, type }) => !DISARMED.test(extension) || /link-file/.test(type)),
)('$description ($extension): why, and what to do', (type) => {
  // Only opened with a password, which the module itself says.
  if (type.type === 'application/encrypted') return;
  const sentence = refusalOf(type);
  expect(sentence).toContain(`(${type.description}) cannot be disarmed: `);
  expect(sentence).not.toContain('no method to make this format safe is known here; ask for it as');
  expect(sentence).toMatch(/; (?:ask|get|install|submit|to read)/);
});

test.each(['audio/mpeg', 'video/mp4', 'font/ttf', 'application/x-unheard-of'])('%s, too', (type) => {
  expect(refusalOf({ type, extension: 'bin', description: 'some data' })).toMatch(
    /cannot be disarmed: .+; (?:ask|listen)/,
  );
});

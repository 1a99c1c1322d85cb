/** Every type that no module takes is refused with its reason and with what to do instead. */
import { expect, test } from 'vitest';
import { refusalOf } from '../../../lib/engines/disarm/refusals.ts';
import { describeType, disarmOf, FILE_TYPES } from '../../../lib/formats/file-types.ts';

test.each(FILE_TYPES.filter((type) => disarmOf(type) === null).map(describeType))(
  '$description ($extension): why, and what to do',
  (type) => {
    const sentence = refusalOf(type);
    expect(sentence).toContain(`(${type.description}) cannot be disarmed: `);
    expect(sentence).not.toContain('this format cannot be made safe here; ask for it as');
    expect(sentence).toMatch(/; (?:ask|get|install|submit|to read)/);
  },
);

test('a program is refused, and a document is not', () => {
  expect([disarmOf('application/x-dosexec'), disarmOf('application/pdf')]).toEqual([null, 'pdf']);
});

test.each(['audio/mpeg', 'video/mp4', 'font/ttf', 'application/x-unheard-of'])(
  '%s is refused with a reason and with advice',
  (type) => {
    expect(refusalOf({ type, extension: 'bin', description: 'some data' })).toMatch(
      /cannot be disarmed: .+; (?:ask|listen)/,
    );
  },
);

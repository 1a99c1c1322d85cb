/** The objects of a PDF as the inspection sees them: in the order of the file, with the bytes between them. */
import { expect, test } from 'vitest';
import { readPdfObjects } from '../../../lib/engines/inspect/pdf/objects.ts';

const read = (text: string) => {
  const { objects, gaps } = readPdfObjects(Buffer.from(text, 'latin1'));
  return {
    objects: objects.map(({ number, head, stream }) => [
      number,
      head.trim(),
      stream === null ? null : Buffer.from(stream).toString('latin1'),
    ]),
    gaps: gaps.map((gap) => gap.trim()),
  };
};

test('objects with and without a stream stand behind each other', () => {
  expect(
    read(
      '%PDF-1.7\n1 0 obj\n<< /A 1 >>\nendobj\n2 0 obj\n<< /Length 3 >>\nstream\nabc\nendstream\nendobj\nx\n3 0 obj\n[ 1 ]\nendobj\ntrailer',
    ),
  ).toEqual({
    objects: [
      [1, '<< /A 1 >>', null],
      [2, '<< /Length 3 >>', 'abc'],
      [3, '[ 1 ]', null],
    ],
    gaps: ['%PDF-1.7', '', 'x', 'trailer'],
  });
});

test('a stream ends where its length says, with any words in it', () => {
  const data = 'endobj 9 0 obj << /JS 1 >> endobj';
  const text = `1 0 obj << /Length ${data.length} >> stream\n${data}\nendstream endobj`;
  expect(read(text).objects).toEqual([[1, `<< /Length ${data.length} >>`, data]]);
});

test('an object without an end reaches to the end of the file', () => {
  expect(read('1 0 obj << /A 1 >> endobj 2 0 obj << /B 2 >>').objects).toEqual([
    [1, '<< /A 1 >>', null],
    [2, '<< /B 2 >>', null],
  ]);
});

test('a hundred thousand objects without a stream are read in one pass', () => {
  const text = Array.from({ length: 100_000 }, (_, index) => `${index} 0 obj << /A (${'x'.repeat(60)}) >> endobj\n`);
  expect(readPdfObjects(Buffer.from(text.join(''))).objects).toHaveLength(100_000);
});

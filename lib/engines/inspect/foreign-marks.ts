/**
 * Beginnings of files for which programs look anywhere in a file. A person who writes a file by hand can choose its bytes so that it is
 * another file, too.
 */

const FOREIGN = [
  'Rar!\x1a\x07',
  'PK\x03\x04',
  'PK\x05\x06',
  '7z\xbc\xaf\x27\x1c',
  'MSCF\0\0\0\0',
  '**ACE**',
  '%PDF-',
].map((mark) => Buffer.from(mark, 'latin1'));
const MARKUP = /<(?:script|html|!doctype|svg|iframe)/i;
/** The places of the marks of a tar, of a disk image and of a message. */
const AT_PLACES = [
  [257, 'ustar'],
  [32_769, 'CD001'],
  [32_769, 'BEA01'],
] as const;

/**
 * Returns true when some program could take the bytes from `from` on for another file. Compressed data seldom hold four bytes of a mark by
 * chance.
 */
export function holdsAnother(file: Buffer, from = 0): boolean {
  const isAt = ([at, mark]: (typeof AT_PLACES)[number]) => file.toString('latin1', at, at + mark.length) === mark;
  return (
    FOREIGN.some((mark) => file.includes(mark, from)) ||
    AT_PLACES.some(isAt) ||
    MARKUP.test(file.toString('latin1', from))
  );
}

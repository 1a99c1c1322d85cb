import { expect, test } from 'vitest';
import { decodeText } from '../../lib/formats/charsets/decode-text.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

test.each([
  ['the declared charset', bytes(0xe4), 'iso-8859-1', 'ä'],
  ['a Japanese charset', bytes(0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42), 'iso-2022-jp', 'あ'],
  ['UTF-16 as declared', bytes(0x68, 0, 0x69, 0), 'utf-16le', 'hi'],
  ['a byte order mark before the declaration', bytes(0xef, 0xbb, 0xbf, 0xc3, 0xa4), 'iso-8859-1', 'ä'],
  ['a UTF-16 byte order mark', bytes(0xfe, 0xff, 0, 0x68), 'us-ascii', 'h'],
  ['UTF-8 when nothing is declared', bytes(0xc3, 0xa4), null, 'ä'],
  ['UTF-8 although declared ASCII', bytes(0xc3, 0xa4), 'us-ascii', 'ä'],
  ['windows-1252 when it is not UTF-8', bytes(0x80, 0xe4), null, '€ä'],
  ['an unknown charset as UTF-8', bytes(0xc3, 0xa4), 'unknown-8bit', 'ä'],
  ['an absurdly long charset name', bytes(0x61), 'x'.repeat(100_000), 'a'],
  ['broken UTF-8 with a mark of the damage', bytes(0xc3, 0xa4, 0xff), 'utf-8', 'ä\ufffd'],
  ['windows-1252 that says UTF-8', bytes(0x61, 0xff), 'utf-8', 'aÿ'],
  ['nothing', bytes(), null, ''],
])('decodes %s', (_, input, charset, expected) => {
  expect(decodeText(input, charset)).toBe(expected);
});

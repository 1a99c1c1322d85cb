/** Fields and parameters that are given twice. With one value, every program reads the same mail. With two values, programs differ. */
import { describe, expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { mail, multipart, TEXT } from './mail-builder.ts';
import { partHeader, rebuilt } from './rebuilding/rig.ts';

const warnings = async (email: Uint8Array) =>
  (await readMessage(email, DEFAULT_LIMITS)).warnings.map(({ code }) => code);
const withFields = (...fields: readonly string[]) =>
  mail(multipart('mixed', 'b', [TEXT, [...fields, '', 'x'].join('\r\n')]));

describe('the same value twice is read once, and written once:', () => {
  test.each([
    [['Content-Type: text/plain', 'Content-Type: text/plain'], 'Content-Type: text/plain'],
    [
      ['Content-Type: text/plain; charset=utf-8', 'CONTENT-TYPE:  text/plain;charset=UTF-8;'],
      'Content-Type: text/plain; charset=utf-8',
    ],
    [['Content-Transfer-Encoding: 8bit', 'Content-Transfer-Encoding: 8BIT'], 'Content-Transfer-Encoding: 8bit'],
    [
      ['Content-Transfer-Encoding: quoted-printable', 'Content-Transfer-Encoding: quoted-printable'],
      'Content-Transfer-Encoding: quoted-printable',
    ],
    [
      [
        'Content-Disposition: attachment; filename="a b.txt"',
        'Content-Disposition: attachment;\r\n\tfilename="a b.txt"',
      ],
      'Content-Disposition: attachment; filename="a b.txt"',
    ],
    [['MIME-Version: 1.0', 'MIME-Version: 1.0'], 'MIME-Version: 1.0'],
    [['Content-Type: text/plain; charset=utf-8; charset=UTF-8'], 'Content-Type: text/plain;\r\n charset=utf-8'],
    [['Content-Type: text/plain; name=a.txt; name=a.txt'], 'Content-Type: text/plain;\r\n name="a.txt"'],
    [
      ['Content-Disposition: attachment; filename=a.txt; filename=a.txt'],
      'Content-Disposition: attachment;\r\n filename="a.txt"',
    ],
  ])('%j', async (fields, written) => {
    expect(await warnings(withFields(...fields))).toEqual([]);
    expect(await partHeader(fields)).toBe(written);
  });

  test('the type of a multipart, and its boundary', async () => {
    const body = multipart('mixed', 'b', [TEXT]);
    const other = mail('Content-Type: multipart/mixed; boundary=c', body);
    expect(await warnings(other)).toContain('duplicate_content_type');
    const alike = mail('MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="b"', body);
    expect(await warnings(alike)).toEqual([]);
    const param = mail(body.replace('boundary="b"', 'boundary="b"; boundary="b"'));
    expect(await warnings(param)).toEqual([]);
    for (const email of [alike, param]) {
      const { text } = await rebuilt(email);
      expect(text.match(/boundary/g)).toHaveLength(1);
      expect(text.match(/^MIME-Version/gm)).toHaveLength(1);
    }
  });
});

describe('another value, or a value that programs may read differently, is still told:', () => {
  test.each([
    [['Content-Type: text/plain', 'Content-Type: text/html'], 'duplicate_content_type'],
    [['Content-Type: text/plain', 'Content-Type: text/plain; charset=utf-8'], 'duplicate_content_type'],
    [['Content-Type: x/y; name=a.txt', 'Content-Type: x/y; name=a.TXT'], 'duplicate_content_type'],
    [['Content-Type: x/y; name=a b.txt', 'Content-Type: x/y; name="a b.txt"'], 'duplicate_content_type'],
    [['Content-Type: x/y; name="a; b.txt"', 'Content-Type: x/y; name="a ;b.txt"'], 'duplicate_content_type'],
    [['Content-Transfer-Encoding: 7bit', 'Content-Transfer-Encoding: 8bit'], 'duplicate_encoding'],
    [['Content-Transfer-Encoding: base64', 'Content-Transfer-Encoding: base64 '.padEnd(60, 'x')], 'duplicate_encoding'],
    [Array.from({ length: 21 }, () => 'Content-Transfer-Encoding: base64'), 'duplicate_encoding'],
    [Array.from({ length: 21 }, () => 'Content-Type: text/plain'), 'duplicate_content_type'],
    [['Content-Disposition: attachment', 'Content-Disposition: inline'], 'odd_header'],
    [['Content-Type: text/plain; charset=utf-8; charset=utf-16'], 'odd_header'],
    [["Content-Type: text/plain; charset=utf-8; charset*=us-ascii''utf-8"], 'odd_header'],
    [['Content-Disposition: attachment; filename=a.txt; filename=A.txt'], 'odd_header'],
    [['Content-Disposition: attachment; filename=a b.txt; filename="a b.txt"'], 'odd_header'],
    [['Content-Type: multipart/mixed; boundary=c; boundary=C'], 'ambiguous_boundary'],
    [["Content-Type: multipart/mixed; boundary=c; boundary*=us-ascii''c"], 'ambiguous_boundary'],
  ])('%j', async (fields, code) => expect(await warnings(withFields(...fields))).toContain(code));
});

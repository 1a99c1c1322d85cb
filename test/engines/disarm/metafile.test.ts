/** Windows metafiles in documents: what draws stays, and nothing but that. */
import { describe, expect, test } from 'vitest';
import { buildDocx } from '../../fixtures/build-office.ts';
import { zipMembers } from './contents.ts';
import { disarmed } from './run-disarm.ts';

const words = (...values: readonly number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value & 255, (value >> 8) & 255])));
const longs = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => void bytes.writeInt32LE(value, index * 4));
  return bytes;
};

const emfRecord = (type: number, body: Buffer) => Buffer.concat([longs(type, body.length + 8), body]);
const RECTANGLE = emfRecord(43, longs(10, 10, 90, 90));
const COMMENT = emfRecord(70, Buffer.concat([longs(12), Buffer.from('THREAT bytes')]));
const polyline = (counted: number) => emfRecord(4, longs(0, 0, 9, 9, counted, 0, 0, 9, 9));

/** Of the table of objects. */
const SLOTS = 1;

function emf(...records: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(88);
  const end = emfRecord(14, longs(0, 16, 20));
  const body = Buffer.concat([...records, end]);
  longs(1, 88, 0, 0, 100, 100, 0, 0, 2000, 2000).copy(header);
  header.write(' EMF', 40, 'latin1');
  longs(0x10000, 88 + body.length, records.length + 2, SLOTS).copy(header, 44);
  longs(1000, 1000, 300, 300).copy(header, 72);
  return Buffer.concat([header, body]);
}

const wmfRecord = (type: number, ...values: readonly number[]) =>
  Buffer.concat([longs(3 + values.length), words(type, ...values)]);
function wmf(...records: readonly Buffer[]): Buffer {
  const body = Buffer.concat([...records, wmfRecord(0)]);
  const longest = Math.max(...records.map(({ length }) => length / 2), 3);
  return Buffer.concat([words(1, 9, 0x300), longs((18 + body.length) / 2), words(0), longs(longest), words(0), body]);
}
const WMF_RECTANGLE = wmfRecord(0x041b, 90, 90, 10, 10);

async function throughDocx(picture: Buffer, extension: string) {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image';
  const docx = await buildDocx({
    body: '<w:p><w:r><w:pict><v:shape id="s1" style="width:72pt;height:72pt"><v:imagedata r:id="rId9"/></v:shape></w:pict></w:r></w:p>',
    parts: [{ name: `word/media/image1.${extension}`, content: picture, contentType: `image/x-${extension}` }],
    links: [{ id: 'rId9', type, target: `media/image1.${extension}` }],
  });
  const { bytes, kinds, outcome } = await disarmed(docx, 'a.docx');
  expect((await disarmed(bytes, 'a.docx')).outcome).toBe('already_safe');
  const media = [...zipMembers(bytes)].find(([name]) => name.startsWith('word/media/'));
  return { kinds, outcome, name: media?.[0], picture: Buffer.from(media?.[1] ?? []) };
}

describe('in a Word document', () => {
  test.each([
    ['emf', emf(RECTANGLE, polyline(2))],
    ['wmf', wmf(WMF_RECTANGLE)],
  ])('an %s of records that draw keeps its bytes', async (extension, picture) => {
    const result = await throughDocx(picture, extension);
    expect(result).toMatchObject({ outcome: 'already_safe', name: `word/media/image1.${extension}` });
    expect(result.picture).toEqual(picture);
  });

  test.each([
    ['emf', emf(COMMENT, RECTANGLE), emf(RECTANGLE)],
    ['emf', Buffer.concat([emf(RECTANGLE), Buffer.from('MZ appended')]), emf(RECTANGLE)],
    ['wmf', wmf(wmfRecord(0x0626, 9, 2, 0x4141), WMF_RECTANGLE), wmf(WMF_RECTANGLE)],
  ])('an %s loses records that do not draw', async (extension, picture, expected) => {
    const result = await throughDocx(picture, extension);
    expect(result.kinds).toEqual(['picture data']);
    expect(result.picture).toEqual(expected);
  });

  test.each([
    ['counts more points than it holds', 'emf', emf(polyline(5000))],
    ['holds a record of no known type', 'emf', emf(RECTANGLE, emfRecord(200, longs(0)))],
    ['draws nothing', 'emf', emf(COMMENT)],
    ['holds a record of no known type', 'wmf', wmf(WMF_RECTANGLE, wmfRecord(0x7777))],
    ['does not end', 'wmf', wmf(WMF_RECTANGLE).subarray(0, -6)],
  ])('one that %s becomes a placeholder (%s)', async (_, extension, picture) => {
    const result = await throughDocx(picture, extension);
    expect(result).toMatchObject({ kinds: ['metafile picture'], name: 'word/media/image1.png' });
  });
});

/** Archives as the second look sees them: every way in which two programs could find other files in one is a finding. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, secondLookOf } from '../../../lib/formats/file-types.ts';
import { zipOf } from '../zip-fixture.ts';

const ZIP = describeType('application/zip');

async function look(output: Uint8Array, original: Uint8Array = output, inflatedBytes?: number) {
  const limits = { ...DEFAULT_ENGINE_LIMITS, ...(inflatedBytes === undefined ? {} : { inflatedBytes }) };
  const files = { before: { bytes: original, type: ZIP }, after: { bytes: output, type: ZIP } };
  const { leftovers, members } = await inspectOutput(files.before, files.after, limits, { detectType, secondLookOf });
  return { ids: leftovers.map(({ id }) => id), members };
}
const ids = async (bytes: Uint8Array) => (await look(bytes)).ids;

/** Offsets of the records in an archive of `zipOf`. */
const localAt = (zip: Buffer, index = 0) => nthOf(zip, Buffer.from('PK\x03\x04'), index);
const centralAt = (zip: Buffer, index = 0) => nthOf(zip, Buffer.from('PK\x01\x02'), index);
const endAt = (zip: Buffer) => zip.length - 22;
function nthOf(zip: Buffer, word: Buffer, index: number): number {
  let at = zip.indexOf(word);
  for (let count = 0; count < index; count++) at = zip.indexOf(word, at + 1);
  return at;
}
/** Bytes put in, and the offsets behind them in the directory and the end record moved. */
function withBytesAt(zip: Buffer, at: number, bytes: Buffer): Buffer {
  const out = Buffer.concat([zip.subarray(0, at), bytes, zip.subarray(at)]);
  for (let central = out.indexOf('PK\x01\x02'); central >= 0; central = out.indexOf('PK\x01\x02', central + 1))
    if (out.readUInt32LE(central + 42) >= at)
      out.writeUInt32LE(out.readUInt32LE(central + 42) + bytes.length, central + 42);
  out.writeUInt32LE(out.readUInt32LE(endAt(out) + 16) + bytes.length, endAt(out) + 16);
  return out;
}

const plain = () => zipOf({ 'a.txt': 'one', 'b/c.txt': 'two' });

describe('an archive', () => {
  test('of files and folders is nothing but that', async () => {
    expect(await look(zipOf({ 'b/': '', 'b/c.txt': 'two', 'a.txt': 'one' }))).toEqual({
      ids: [],
      members: { before: 2, after: 2 },
    });
    expect(await ids(plain().fill(0, 0, 0))).toEqual([]);
    expect(await ids(zipOf({}))).toEqual([]);
  });

  test('is compared with the number of files of the original', async () => {
    const { members } = await look(zipOf({ 'a.txt': 'one' }), plain());
    expect(members).toEqual({ before: 2, after: 1 });
    expect((await look(plain(), Buffer.from('no archive'))).members).toBeNull();
    expect((await look(Buffer.from('no archive'), plain())).members).toBeNull();
  });

  test('with bytes behind it is a finding', async () => {
    expect(await ids(Buffer.concat([plain(), Buffer.from('x')]))).toEqual(['zip-data-behind']);
    const withComment = Buffer.concat([plain(), Buffer.from('xy')]);
    withComment.writeUInt16LE(2, withComment.length - 4);
    expect(await ids(withComment)).toEqual(['zip-data-behind']);
  });

  test.each<[string, (zip: Buffer) => number]>([
    ['in front of the first file', () => 0],
    ['between two files', (zip) => localAt(zip, 1)],
    ['between the files and the directory', (zip) => centralAt(zip)],
  ])('with bytes %s hides something', async (_, where) => {
    const zip = plain();
    expect(await ids(withBytesAt(zip, where(zip), Buffer.from('hidden')))).toEqual(['zip-hidden-data']);
  });

  test('with bytes in front of all of it, of which the directory does not know, hides something', async () => {
    const zip = Buffer.concat([Buffer.from('hidden'), plain()]);
    expect(await ids(zip)).toEqual(['zip-hidden-data']);
  });

  test('without an end, or whose directory breaks off, cannot be read', async () => {
    expect(await ids(Buffer.from('PK\x03\x04 and nothing'))).toEqual(['zip-unreadable']);
    const zip = plain();
    zip.writeUInt16LE(3, endAt(zip) + 10);
    expect(await ids(zip)).toEqual(['zip-unreadable']);
    zip.writeUInt16LE(2, endAt(zip) + 10);
    zip.write('XX', centralAt(zip, 1));
    expect(await ids(zip)).toEqual(['zip-unreadable']);
  });

  test('in several volumes is a finding', async () => {
    for (const field of [4, 6]) {
      const zip = plain();
      zip.writeUInt16LE(1, endAt(zip) + field);
      expect(await ids(zip)).toEqual(['zip-volumes']);
    }
  });
});

describe('a file', () => {
  test.each([
    '../a.txt',
    'a/../../b.txt',
    '/a.txt',
    'c:a.txt',
    'C:/a.txt',
    'a\\b.txt',
    'a\x01.txt',
    'a\u202etxt.b',
    'a\u2066.txt',
  ])('that goes elsewhere is a finding: %j', async (name) =>
    expect(await ids(zipOf({ [name]: 'x' }))).toEqual(['zip-unsafe-path']),
  );
  test.each(['a..b.txt', 'a/b..txt', 'ab:c.txt', '1:a.txt', 'grüße.txt'])('that does not is none: %s', async (name) =>
    expect(await ids(zipOf({ [name]: 'x' }))).toEqual([]),
  );

  test.each(['con', 'a/PRN.txt', 'aux .txt', 'nul/a.txt', 'com1.txt', 'lpt9', 'conin$', 'CONOUT$.a'])(
    'with the name of a device is a finding: %s',
    async (name) => expect(await ids(zipOf({ [name]: 'text' }))).toContain('zip-device-name'),
  );
  test.each(['desktop.ini', 'a/Desktop.ini', ' DESKTOP.INI. ', 'folder.htt', '.directory', 'desktop.ini/a.txt'])(
    'with the name of settings of a folder is a finding: %s',
    async (name) => expect(await ids(zipOf({ [name]: 'text' }))).toContain('zip-folder-settings'),
  );
  test.each([
    'my-desktop.ini',
    'desktop.ini.txt',
    'a.ini',
    'directory',
    'icon.txt',
    'con-a.txt',
    'a.con.txt',
    'comx.txt',
    'com.txt',
    'nula/a.txt',
  ])('with another is none: %s', async (name) => expect(await ids(zipOf({ [name]: 'text' }))).toEqual([]));

  test.each([0o120777, 0o060644, 0o020644, 0o010644])('of the kind %i is a finding', async (unixMode) => {
    expect(await ids(zipOf({ 'a.txt': { content: 'x', unixMode } }))).toEqual(['zip-link']);
  });
  test.each([0o100644, 0o040755, 0o644])('of the kind %i is none', async (unixMode) => {
    expect(await ids(zipOf({ 'a.txt': { content: 'x', unixMode } }))).toEqual([]);
  });

  test('that is there twice, in any case, is a finding', async () => {
    expect(await ids(zipOf({ 'a.txt': 'x', 'A.TXT': 'y' }))).toEqual(['zip-duplicate-name']);
  });

  test('that has another name or method in front of it is a finding', async () => {
    expect(await ids(zipOf({ 'a.txt': { content: 'x', localName: 'b.txt' } }))).toEqual(['zip-two-stories']);
    expect(await ids(zipOf({ 'a.txt': { content: 'x', localName: 'a.txtx' } }))).toEqual(['zip-two-stories']);
    const zip = plain();
    zip.writeUInt16LE(0, localAt(zip) + 8);
    expect(await ids(zip)).toEqual(['zip-two-stories']);
  });

  test('with an extra field, here or there, is a finding', async () => {
    const zip = plain();
    const local = withBytesAt(zip, localAt(zip) + 35, Buffer.from('\xca\xfe\0\0', 'latin1'));
    local.writeUInt16LE(4, localAt(local) + 28);
    expect(await ids(local)).toEqual(['zip-extra-field']);
    const at = centralAt(zip) + 51;
    const central = Buffer.concat([zip.subarray(0, at), Buffer.from('\xca\xfe\0\0', 'latin1'), zip.subarray(at)]);
    central.writeUInt16LE(4, centralAt(central) + 30);
    central.writeUInt32LE(central.readUInt32LE(endAt(central) + 12) + 4, endAt(central) + 12);
    expect(await ids(central)).toEqual(['zip-extra-field']);
  });

  test('that is larger or smaller than it says is a finding', async () => {
    for (const claimedSize of [2, 4]) {
      expect(await ids(zipOf({ 'a.txt': { content: 'one', claimedSize } }))).toEqual(['zip-lying-size']);
    }
  });

  test('that is encrypted, packed in an unknown way, or damaged cannot be read', async () => {
    const unreadable = async (zip: Buffer) => expect(await ids(zip)).toContain('zip-member-unreadable');
    await unreadable(zipOf({ 'a.txt': { content: 'x', encrypted: true } }));
    for (const [offset, value] of [
      [10, 9],
      [42, 1],
    ] as const) {
      const zip = plain();
      zip.writeUInt16LE(value, centralAt(zip) + offset);
      await unreadable(zip);
    }
    const zip = plain();
    zip.fill(0xff, localAt(zip) + 35, localAt(zip) + 38);
    await unreadable(zip);
  });

  test('that is stored is read as it is', async () => {
    const zip = Buffer.from(zipOf({ 'a.txt': 'xyz' }));
    // What deflate made of it is text enough.
    const packed = zip.readUInt32LE(centralAt(zip) + 20);
    for (const at of [localAt(zip) + 8, centralAt(zip) + 10]) zip.writeUInt16LE(0, at);
    zip.writeUInt32LE(packed, centralAt(zip) + 24);
    zip.fill('a', localAt(zip) + 35, localAt(zip) + 35 + packed);
    expect(await ids(zip)).toEqual([]);
  });

  test('that expands a thousand times is a bomb, from a megabyte on', async () => {
    const zeroes = (bytes: number) => zipOf({ 'a.txt': { content: Buffer.alloc(bytes) } });
    expect(await ids(zeroes(1024 * 1024))).toEqual(['no-second-look']);
    expect(await ids(zeroes(1024 * 1024 + 1_000))).toEqual(['zip-bomb', 'no-second-look']);
  });

  test('or all of them together may not be larger than the budget', async () => {
    const zip = plain();
    expect((await look(zip, zip, 6)).ids).toEqual([]);
    expect((await look(zip, zip, 5)).ids).toEqual(['zip-bomb']);
    expect((await look(zip, zip, 1)).ids).toEqual(['zip-bomb']);
  });
});

test.each([12, 16, 20, 24])('a description of %i bytes behind a file hides nothing', async (length) => {
  const withFlag = (zip: Buffer) => {
    for (const at of [localAt(zip) + 6, centralAt(zip) + 8]) zip.writeUInt16LE(8, at);
    return zip;
  };
  const one = plain();
  expect(await ids(withFlag(withBytesAt(one, localAt(one, 1), Buffer.alloc(length, 1))))).toEqual([]);
  const last = zipOf({ 'a.txt': 'one' });
  expect(await ids(withFlag(withBytesAt(last, centralAt(last), Buffer.alloc(length, 1))))).toEqual([]);
  expect(await ids(withFlag(withBytesAt(last, centralAt(last), Buffer.alloc(length + 1, 1))))).toEqual([
    'zip-hidden-data',
  ]);
});

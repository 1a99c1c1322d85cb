import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openContainer, writeContainer } from '../../../lib/engines/disarm/office/package/container.ts';
import { type PackedPart, packPart, writeZip } from '../../../lib/engines/disarm/office/package/zip-write.ts';
import { DEFAULT_ENGINE_LIMITS, EngineError } from '../../../lib/engines/engine.ts';

const text = Buffer.from('<a>some text that packs, some text that packs, some text that packs</a>');

async function readBack(part: PackedPart): Promise<string> {
  try {
    const { entries } = await openContainer(writeZip(new Map([['a.xml', part]])), DEFAULT_ENGINE_LIMITS);
    return Buffer.from((await entries.get('a.xml')?.read()) ?? '').toString('utf8');
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
}

test('an archive is read back as it was written, with names outside of ASCII', async () => {
  const bytes = await writeContainer(
    new Map([
      ['b/ä.xml', text],
      ['[Content_Types].xml', Buffer.from('x')],
    ]),
  );
  const { entries, ambiguous } = await openContainer(bytes, DEFAULT_ENGINE_LIMITS);
  expect([...entries.keys()]).toEqual(['[content_types].xml', 'b/ä.xml']);
  expect(ambiguous).toBe(false);
  expect(Buffer.from((await entries.get('b/ä.xml')?.read()) ?? '').equals(text)).toBe(true);
});

test('data that does not get smaller is stored', () => {
  expect(packPart(Buffer.from('x')).method).toBe(0);
  expect(packPart(text).method).toBe(8);
});

describe('a packed part is refused', () => {
  const honest = packPart(text);

  test.each([
    ['with another checksum', { ...honest, crc: crc32(Buffer.from('other')) }, 'unreadable'],
    ['that is shorter than it says', { ...honest, size: text.length + 1 }, 'unreadable'],
    ['that is longer than it says', { ...honest, size: text.length - 1 }, 'oversize'],
    [
      'with bytes behind its end',
      { ...honest, data: Buffer.concat([deflateRawSync(text), Buffer.from('hidden')]) },
      'unreadable',
    ],
  ])('%s', async (_, part, code) => {
    expect(await readBack(honest)).toBe(text.toString('utf8'));
    expect(await readBack(part)).toBe(code);
  });
});

/** An archive of one file, with the given directory. */
function archiveOf(directory: { extra?: Buffer; comment?: Buffer; attributes?: number }): Uint8Array {
  const name = Buffer.from('word/document.xml');
  const { extra = Buffer.alloc(0), comment = Buffer.alloc(0), attributes = 0 } = directory;
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt32LE(crc32(text), 10);
  fields.writeUInt32LE(text.length, 14);
  fields.writeUInt32LE(text.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, text]);
  fields.writeUInt16LE(extra.length, 24);
  const more = Buffer.alloc(14);
  more.writeUInt16LE(comment.length, 0);
  more.writeUInt32LE(attributes, 6);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, more, name, extra, comment]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, entry, Buffer.from('PK\x05\x06'), end]);
}

function extraField(id: number, value: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16LE(id, 0);
  header.writeUInt16LE(value.length, 2);
  return Buffer.concat([header, value]);
}

/** A second name of the entry, which some programs read. Its checksum is that of the first name. */
function otherName(name: string): Buffer {
  const head = Buffer.alloc(5, 1);
  head.writeUInt32LE(crc32(Buffer.from('word/document.xml')), 1);
  return extraField(0x7075, Buffer.concat([head, Buffer.from(name)]));
}

describe('an archive', () => {
  const ambiguityOf = async (directory: Parameters<typeof archiveOf>[0]) =>
    (await openContainer(archiveOf(directory), DEFAULT_ENGINE_LIMITS)).ambiguous;

  test.each([
    ['gives a part a second name', { extra: otherName('word/styles.xml') }],
    ['has a comment on a part', { comment: Buffer.from('MZ and more') }],
    ['keeps bytes of nobody beside a part', { extra: extraField(0x9999, Buffer.alloc(4_000)) }],
    ['calls a part a folder', { attributes: 0x10 }],
  ])('is ambiguous when its directory %s', async (_, directory) => {
    expect(await ambiguityOf(directory)).toBe(true);
  });

  test.each([
    ['nothing of the kind', {}],
    [
      'a date and an owner',
      { extra: Buffer.concat([extraField(0x5455, Buffer.alloc(5)), extraField(0x7875, Buffer.alloc(11))]) },
    ],
  ])('is not with %s', async (_, directory) => {
    expect(await ambiguityOf(directory)).toBe(false);
  });
});

test.each([1, 5, 30, 31, 64])(
  'an archive without its first %d bytes ends in a result or as unreadable',
  async (cut) => {
    const parts = ['a.xml', 'b.xml', 'c.xml'].map((name) => [name, packPart(text)] as const);
    const bytes = writeZip(new Map(parts)).subarray(cut);
    const error: unknown = await openContainer(bytes, DEFAULT_ENGINE_LIMITS).then(
      () => null,
      (fault) => fault,
    );
    expect(error === null || (error instanceof EngineError && error.code === 'unreadable')).toBe(true);
  },
);

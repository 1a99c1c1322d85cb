import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openContainer, writeContainer } from '../../../../lib/analysis/engines/disarm/office/container.ts';
import { type PackedPart, packPart, writeZip } from '../../../../lib/analysis/engines/disarm/office/zip-write.ts';
import { DEFAULT_ENGINE_LIMITS, EngineError } from '../../../../lib/analysis/engines/engine.ts';

const text = Buffer.from('<a>some text that packs, some text that packs, some text that packs</a>');

async function readBack(part: PackedPart): Promise<string> {
  try {
    const { entries } = await openContainer(writeZip(new Map([['a.xml', part]])), DEFAULT_ENGINE_LIMITS);
    return Buffer.from((await entries.get('a.xml')?.read()) ?? '').toString('utf8');
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
}

test('an archive is read back as it was written, names outside of ASCII included', async () => {
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

test('what does not get smaller is stored', () => {
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

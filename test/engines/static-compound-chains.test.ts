/** Compound files whose chains or paths meet themselves: the static engine ends, and says that they are damaged. */
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS, EngineError } from '../../lib/engines/engine.ts';
import { readCompound } from '../../lib/engines/static/compound-streams.ts';

const CFB = createRequire(import.meta.url)('cfb') as typeof import('cfb');

function sound(): Buffer {
  const container = CFB.utils.cfb_new();
  for (const name of ['a', 'b', 'c']) CFB.utils.cfb_add(container, `/dir/${name}`, Buffer.alloc(6_000, name));
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Uint8Array);
}

/** Bytes of the file with one change. */
function changed(change: (file: Buffer, directory: number, table: number) => void): Buffer {
  const file = sound();
  const at = (sector: number) => (sector + 1) * 512;
  change(file, at(file.readUInt32LE(0x30)), at(file.readUInt32LE(0x4c)));
  return file;
}

function outcome(file: Buffer): string {
  try {
    return `${readCompound(file, DEFAULT_ENGINE_LIMITS).streams.length} streams`;
  } catch (error) {
    return error instanceof EngineError ? error.code : String(error);
  }
}

describe('a compound file', () => {
  test('that is sound is read', () => {
    expect(outcome(sound())).toBe('3 streams');
  });

  const links = [68, 72, 76];
  const rings = links.flatMap((link) => [0, 1, 2].map((entry) => [link, entry] as const));
  test.each(rings)('whose directory is a ring (field %d of entry %d) is unreadable', (link, entry) => {
    const file = changed((bytes, directory) => bytes.writeUInt32LE(entry, directory + entry * 128 + link));
    expect(outcome(file)).toBe('unreadable');
  });

  test('whose unused first entry leads to itself is unreadable', () => {
    const file = changed((bytes, directory) => {
      bytes.writeUInt8(0, directory + 66);
      for (const [index, link] of links.entries()) bytes.writeUInt32LE([0, 1, 4][index] as number, directory + link);
    });
    expect(outcome(file)).toBe('unreadable');
  });

  test.each([0, 1, 5])('whose chain of sectors leads back to sector %d is unreadable', (target) => {
    const file = changed((bytes, _, table) => {
      for (let sector = 0; sector < 30; sector++)
        if (bytes.readUInt32LE(table + sector * 4) === 0xfffffffe) bytes.writeUInt32LE(target, table + sector * 4);
    });
    expect(outcome(file)).toBe('unreadable');
  });
});

/** The reader of compound files: who opens one decides at each fault, and what is readable is read. */
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { openCompoundFile } from '../../lib/formats/compound/compound-file.ts';
import { KIND } from '../../lib/formats/compound/directory.ts';
import type { CompoundFault } from '../../lib/formats/compound/faults.ts';

const CFB = createRequire(import.meta.url)('cfb') as typeof import('cfb');
const STREAMS = { large: Buffer.alloc(6_000, 'L'), other: Buffer.alloc(7_000, 'O'), small: Buffer.alloc(300, 's') };

function written(): Buffer {
  const container = CFB.utils.cfb_new();
  for (const [name, bytes] of Object.entries(STREAMS)) CFB.utils.cfb_add(container, `/dir/${name}`, bytes);
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Uint8Array);
}

interface Place {
  readonly bytes: Buffer;
  /** Where the entry of a stream begins. */
  readonly entry: (name: string) => number;
  /** Where the allocation table names the sector behind a sector. */
  readonly next: (sector: number) => number;
}

function placesOf(bytes: Buffer): Place {
  const at = (sector: number) => (sector + 1) * 512;
  const directory = at(bytes.readUInt32LE(0x30));
  return {
    bytes,
    entry: (name) => bytes.indexOf(Buffer.from(`${name}\0`, 'utf16le'), directory),
    next: (sector) => at(bytes.readUInt32LE(0x4c)) + sector * 4,
  };
}

/** Streams by name with what could be read of them, and the faults in the order they were met. */
function readWith(bytes: Buffer, onFault: (fault: CompoundFault) => void = () => undefined, maxEntries = 1_000) {
  const faults: CompoundFault[] = [];
  const note = (fault: CompoundFault) => {
    faults.push(fault);
    onFault(fault);
  };
  const file = openCompoundFile(bytes, { onFault: note, maxEntries });
  const streams = Object.fromEntries(
    (file?.root.children.find(({ untrustedName }) => untrustedName === 'dir')?.children ?? [])
      .filter(({ kind }) => kind === KIND.stream)
      .map((entry) => [entry.untrustedName, file?.read(entry)]),
  );
  return { file, streams, faults };
}

test('a sound file is read without a fault', () => {
  const { streams, faults } = readWith(written());
  expect(streams).toEqual(STREAMS);
  expect(faults).toEqual([]);
});

const FAULTS: readonly (readonly [CompoundFault, (place: Place) => Buffer | undefined])[] = [
  ['sector-outside', ({ bytes, entry }) => void bytes.writeUInt32LE(60_000, entry('large') + 116)],
  [
    'sector-shared',
    ({ bytes, entry }) => void bytes.writeUInt32LE(bytes.readUInt32LE(entry('other') + 116), entry('large') + 116),
  ],
  [
    'sector-shared',
    ({ bytes, entry, next }) => {
      const start = bytes.readUInt32LE(entry('large') + 116);
      bytes.writeUInt32LE(start, next(start + 1));
    },
  ],
  ['mini-sector-shared', ({ bytes }) => void bytes.writeUInt32LE(0, (bytes.readUInt32LE(0x3c) + 1) * 512)],
  ['stream-ends-early', ({ bytes, entry }) => void bytes.writeUInt32LE(7_000, entry('large') + 120)],
  ['stream-too-long', ({ bytes, entry }) => void bytes.writeUInt32LE(0xfffffff0, entry('large') + 120)],
  [
    'not-a-tree',
    ({ bytes, entry }) => {
      const leaf = Object.keys(STREAMS).find((name) => bytes.readUInt32LE(entry(name) + 68) === 0xffffffff) ?? '';
      bytes.writeUInt32LE(0, entry(leaf) + 68);
    },
  ],
  ['header-field', ({ bytes }) => void bytes.writeUInt32LE(8_192, 0x38)],
  ['mini-sector-size', ({ bytes }) => void bytes.writeUInt16LE(7, 0x20)],
];

describe('at a fault', () => {
  test.each(FAULTS)('%s, who goes on gets what is readable, and who throws gets nothing', (fault, change) => {
    const place = placesOf(written());
    const bytes = change(place) ?? place.bytes;
    const { streams, faults } = readWith(bytes);
    expect(faults).toContain(fault);
    expect(streams.other?.equals(STREAMS.other)).toBe(true);
    const refuse = (found: CompoundFault) => {
      throw new Error(found);
    };
    expect(() => readWith(bytes, refuse)).toThrow(fault);
  });

  test('no stream is longer than the file, whatever its chain and its size say', () => {
    const { bytes, entry, next } = placesOf(written());
    const start = bytes.readUInt32LE(entry('large') + 116);
    bytes.writeUInt32LE(0xffffffff, entry('large') + 120);
    bytes.writeUInt32LE(start, next(start + 1));
    expect(readWith(bytes).streams.large?.length).toBe(1_024);
  });

  test('an entry that no path leads to is listed, but is not in the tree', () => {
    const { bytes, entry } = placesOf(written());
    bytes.writeUInt32LE(0xffffffff, entry('dir') + 76);
    const { file, streams } = readWith(bytes);
    expect(streams).toEqual({});
    const orphan = file?.entries.find(({ untrustedName }) => untrustedName === 'other');
    expect(orphan && file?.read(orphan).equals(STREAMS.other)).toBe(true);
  });

  test('entries beyond the limit are not read', () => {
    const { file, faults } = readWith(written(), () => undefined, 2);
    expect([file?.entries.length, faults]).toEqual([2, expect.arrayContaining(['too-many-entries'])]);
  });

  test.each([
    ['no-header', Buffer.alloc(4_096)],
    ['sector-size', Buffer.concat([written().subarray(0, 0x1e), Buffer.from([20, 0]), written().subarray(0x20)])],
    ['no-directory', written().subarray(0, 512)],
  ] as const)('%s leaves nothing to read', (fault, bytes) => {
    expect(readWith(bytes)).toMatchObject({ file: null, faults: expect.arrayContaining([fault]) });
  });

  test('a directory that is cut ends with its last whole entry', () => {
    const bytes = written();
    const directory = (bytes.readUInt32LE(0x30) + 1) * 512;
    const { file, faults } = readWith(bytes.subarray(0, directory + 300));
    expect(file?.entries.length).toBe(2);
    expect(faults).toEqual(expect.arrayContaining(['sector-cut', 'entry-cut']));
  });
});

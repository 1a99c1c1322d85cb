/** Files whose parts overlap, form a ring or are nested without end. Each is small, and was read for minutes. */
import { describe, expect, test } from 'vitest';
import { filterData } from '../../lib/engines/disarm/doc/data.ts';
import { objectsOf, readSaves } from '../../lib/engines/disarm/ppt/saves.ts';
import { isSafeFormula } from '../../lib/engines/disarm/xls/formulas.ts';
import { DEFAULT_ENGINE_LIMITS, EngineError } from '../../lib/engines/engine.ts';
import { readLegacyOffice } from '../../lib/engines/inspect/office/legacy-office.ts';
import { picturesOfStore } from '../../lib/engines/inspect/office/legacy-pictures.ts';
import { walkTiff } from '../../lib/engines/inspect/picture/tiff.ts';
import { openTally } from '../../lib/engines/inspect/word-tally.ts';
import { readCompound } from '../../lib/engines/static/compound-streams.ts';
import { ByteReader, OutOfBytes } from '../../lib/formats/byte-reader.ts';
import { bitmapsIn } from '../../lib/formats/pictures/metafile-bitmaps.ts';
import { tiffPages } from '../../lib/formats/pictures/tiff-directory.ts';
import { buildDoc } from '../fixtures/build-doc.ts';
import { emfRecord } from '../fixtures/build-metafile.ts';
import { atom } from '../fixtures/build-ppt.ts';
import { isLinear } from '../growth.ts';
import { compoundFile } from './office-fixture.ts';

const many = <Part>(count: number, make: (index: number) => Part): Part[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Little-endian numbers of four bytes. */
const longs = (...values: readonly number[]) => Buffer.from(Uint32Array.from(values).buffer);

/** What work does, or the name of the refusal. */
function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof EngineError || error instanceof RangeError) return error.message;
    throw error;
  }
}

/** A TIFF with this many directories, each of whose fields names the whole file. The last one leads to the first if it is a ring. */
function overlappingTiff(directories: number, isRing = false): Buffer {
  const entries = 4;
  const bytes = 2 + entries * 12 + 4;
  const out = Buffer.alloc(8 + directories * bytes);
  out.write('II*\0', 0, 'latin1');
  out.writeUInt32LE(8, 4);
  for (let index = 0; index < directories; index++) {
    const at = 8 + index * bytes;
    out.writeUInt16LE(entries, at);
    for (const [entry, tag] of [273, 279, 324, 325].entries()) {
      out.writeUInt16LE(tag, at + 2 + entry * 12);
      out.writeUInt16LE(4, at + 4 + entry * 12);
      out.writeUInt32LE(out.length / 4 - 2, at + 6 + entry * 12);
      out.writeUInt32LE(8, at + 10 + entry * 12);
    }
    const isLast = index === directories - 1;
    out.writeUInt32LE(isLast ? (isRing ? 8 : 0) : at + bytes, at + bytes - 4);
  }
  return out;
}

const walked = (file: Buffer) =>
  outcomeOf(() => walkTiff(new DataView(file.buffer, file.byteOffset, file.byteLength), () => undefined));

/** Saves of a presentation that all name one list of objects. */
function savesOfOneList(count: number): Buffer {
  const list = atom(0x1772, Buffer.concat([longs(0xfff0_0000), Buffer.alloc(0xfff * 4)]));
  const edits = many(count, (index) =>
    atom(0x0ff5, Buffer.concat([longs(0, 0, index === 0 ? 0 : list.length + (index - 1) * 36, 0), Buffer.alloc(12)])),
  );
  return Buffer.concat([list, ...edits]);
}

/** A presentation whose objects are so many containers, each with all that follow in it. */
function nestedObjects(count: number): Buffer {
  const objects = many(count, (index) => longs(0x03ee_000f, (count - index - 1) * 8));
  const most = 0xfff;
  const runs = many(Math.ceil(count / most), (run) => {
    const first = run * most;
    const places = many(Math.min(most, count - first), (index) => (first + index) * 8);
    return longs(((places.length << 20) | first) >>> 0, ...places);
  });
  const list = atom(0x1772, Buffer.concat(runs));
  const edit = atom(0x0ff5, Buffer.concat([longs(0, 0, 0, count * 8), Buffer.alloc(12)]));
  return compoundFile({
    'PowerPoint Document': Buffer.concat([...objects, list, edit, Buffer.alloc(5_000)]),
    'Current User': Buffer.concat([longs(0, 0, 0, 0, count * 8 + list.length), Buffer.alloc(5_000)]),
  });
}

/** The table of pieces of a document, each of which is the whole text. */
function equalPieces(count: number, characters: number): Buffer {
  const places = longs(...many(count + 1, (index) => (index % 2) * characters));
  const pieces = many(count, () => Buffer.from('000000080040000000', 'hex').subarray(0, 8));
  const table = Buffer.concat([places, ...pieces]);
  return Buffer.concat([Buffer.from([2]), longs(table.length), table]);
}

/** Records of a drawing that each claim a picture up to the end of the file. */
const greedyDrawing = (records: number) =>
  Buffer.concat([
    emfRecord(1, Buffer.concat([Buffer.alloc(32), Buffer.from(' EMF'), Buffer.alloc(64)])),
    ...many(records, () =>
      emfRecord(81, Buffer.concat([Buffer.alloc(40), longs(80, 0x7fff_ffff, 80, 0), Buffer.alloc(36)])),
    ),
  ]);

/** Objects of a document, each of which reaches to the end of all of them. */
function greedyObjects(count: number): Buffer {
  const head = 72;
  return Buffer.concat([
    ...many(count, (index) => Buffer.concat([longs((count - index) * head + 8, 0x0001_0044), Buffer.alloc(64)])),
    Buffer.alloc(8),
  ]);
}

const placesOf = (bytes: Buffer) =>
  new Map(many(Math.floor(bytes.length / 72), (index) => [index * 72, 'picture' as const]));
const count = (file: Buffer) => outcomeOf(() => readLegacyOffice(file, openTally(), null));

/** What is read of each, by a number of parts. */
const READERS: readonly (readonly [what: string, size: number, read: (size: number) => unknown])[] = [
  ['directories of a TIFF that name all of it', 40, (size) => tiffPages(overlappingTiff(size * 4))],
  ['directories of a TIFF that name all of it, in the second look', 40, (size) => walked(overlappingTiff(size * 4))],
  ['records of a drawing that claim all of it', 300, (size) => [...bitmapsIn(greedyDrawing(size))]],
  [
    'numbers of one object of a presentation',
    4_000,
    (size) =>
      objectsOf(atom(0x03e8, Buffer.alloc(16)), {
        edit: Buffer.alloc(0),
        offsets: new Map(many(size, (id) => [id, 0])),
      }),
  ],
  [
    'saves of a presentation with one list',
    500,
    (size) => outcomeOf(() => readSaves(savesOfOneList(size), 8 + 0xfff * 4 + 4 + (size - 1) * 36)),
  ],
  ['objects of a presentation in each other, in the second look', 1_000, (size) => count(nestedObjects(size))],
  [
    'fields of a document in each other, in the second look',
    1_500,
    (size) => count(buildDoc({ text: '{a'.repeat(size) })),
  ],
  [
    'pieces of a document that are all of it, in the second look',
    200,
    (size) => count(buildDoc({ text: 'a '.repeat(size * 2), pieces: equalPieces(size, size * 4) })),
  ],
  [
    'objects of a document that overlap',
    2_000,
    (size) => outcomeOf(() => filterData(greedyObjects(size), placesOf(greedyObjects(size)), () => undefined)),
  ],
  [
    'pictures of a store with one empty place, in the second look',
    2_000,
    (size) =>
      outcomeOf(() =>
        picturesOfStore(
          Buffer.concat(many(size, (index) => atom(0xf007, Buffer.concat([Buffer.alloc(28), longs(index * 8, 0)])))),
          Buffer.concat(many(size, (index) => longs(0xf01e_0000, (size - index - 1) * 8))),
        ),
      ),
  ],
  [
    'calls of functions of add-ins',
    4_000,
    (size) =>
      isSafeFormula(
        Buffer.concat([Buffer.from('39000001000000', 'hex'), ...many(size, () => Buffer.from('2201ff00', 'hex'))]),
        { isInternalSheet: () => true, isSafeExternalName: () => true },
      ),
  ],
];

describe('processor time grows as the file does', () => {
  test.each(READERS)('%s', async (_, size, read) => {
    expect(await isLinear(size, read)).toBe(true);
  });
});

describe('storages in storages', () => {
  const nested = (levels: number) => compoundFile({ [`${'a/'.repeat(levels)}b`]: Buffer.from('text') });
  const read = (levels: number) => readCompound(nested(levels), DEFAULT_ENGINE_LIMITS).streams.length;

  test('are read as deep as no document goes, and no deeper', () => {
    expect(read(99)).toBe(1);
    expect(() => read(110)).toThrow('the compound file is damaged');
  });
});

describe('a reader of bytes', () => {
  test.each([-1, -3, Number.NaN, 5])('goes no further for a count of %d', (count) => {
    const reader = new ByteReader(Buffer.alloc(6), 2);
    expect(() => reader.skip(count)).toThrow(OutOfBytes);
    expect(() => reader.take(count)).toThrow(OutOfBytes);
    expect(reader.at).toBe(2);
  });

  test.each([-1, Number.NaN])('does not begin at %d', (from) => {
    expect(() => new ByteReader(Buffer.alloc(6), from)).toThrow(OutOfBytes);
  });
});

/**
 * Records of metafiles whose counts, offsets and objects lie: none of them is passed on, and neither is any that chance makes of
 * sound ones.
 */
import { describe, expect, test } from 'vitest';
import { rebuildMetafile } from '../../../lib/engines/disarm/image/metafile.ts';
import { openFindings } from '../../../lib/engines/inspect/fact.ts';
import { inspectPicture } from '../../../lib/engines/inspect/picture/picture.ts';

const longs = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => void bytes.writeInt32LE(value | 0, index * 4));
  return bytes;
};
const words = (...values: readonly number[]) => Buffer.from(Uint16Array.from(values).buffer);
const BOUNDS = [0, 0, 9, 9];
/** Two by two pixels of 24 bits: a header, and two lines of eight bytes. */
const dib = (width = 2, depth = 24, colours = 0) =>
  Buffer.concat([longs(40, width, 2, 1 | (depth << 16), 0, 16, 0, 0, colours, 0)]);
const PIXELS = Buffer.alloc(16, 7);

const record = (type: number, ...body: readonly Buffer[]) => {
  const content = Buffer.concat(body);
  return Buffer.concat([longs(type, content.length + 8), content]);
};
const RECTANGLE = record(43, longs(...BOUNDS));
function emf(...records: readonly Buffer[]): Buffer {
  const body = Buffer.concat([...records, record(14, longs(0, 16, 20))]);
  const header = Buffer.concat([
    longs(1, 88, ...BOUNDS, 0, 0, 2000, 2000, 0x464d4520, 0x10000, 88 + body.length, records.length + 2, 4),
    longs(0, 0, 0, 1000, 1000, 300, 300),
  ]);
  return Buffer.concat([header, body]);
}

interface Stretched {
  readonly places?: readonly number[];
  readonly header?: Buffer;
  readonly usage?: number;
}
const stretched = ({ places = [80, 40, 120, 16], header = dib(), usage = 0 }: Stretched = {}) =>
  record(81, longs(...BOUNDS, 0, 0, 0, 0, 2, 2, ...places, usage, 0xcc0020, 9, 9), header, PIXELS);
const written = (count: number, offset = 76, distances = 80) =>
  record(84, longs(...BOUNDS, 1, 0, 0, 5, 5, count, offset, 0, ...BOUNDS, distances), words(65, 66), longs(4, 4));
const clip = (size: number, count: number) => record(75, longs(size, 5), longs(32, 1, count, 16, ...BOUNDS, ...BOUNDS));
const gradient = (corner: number) => record(118, longs(...BOUNDS, 2, 1, 0, ...BOUNDS, ...BOUNDS, 0, corner, 0));
const polygons = (first: number) => record(91, longs(...BOUNDS, 2, 4, first, 2), longs(0, 0, 0, 0));
const pen = (slot: number, dashes = 2) => record(95, longs(slot, 0, 0, 0, 0, 7, 1, 0, 0, 0, dashes, 3, 3));
const font = record(82, longs(1), Buffer.alloc(320));
const brush = (slot: number) => record(94, longs(slot, 0, 32, 40, 72, 16), dib(), PIXELS);

const SOUND_EMF: readonly (readonly [string, Buffer])[] = [
  ['bitmap', stretched()],
  ['text', written(2)],
  ['clip', clip(48, 1)],
  ['gradient', gradient(1)],
  ['polygons', polygons(2)],
  ['pen', pen(3)],
  ['font', font],
  ['brush', brush(1)],
];

const wmfRecord = (type: number, ...body: readonly Buffer[]) => {
  const content = Buffer.concat(body);
  return Buffer.concat([longs(3 + content.length / 2), words(type), content]);
};
const WMF_RECTANGLE = wmfRecord(0x041b, words(90, 90, 10, 10));
function wmf(...records: readonly Buffer[]): Buffer {
  const body = Buffer.concat([...records, wmfRecord(0)]);
  const longest = Math.max(...records.map(({ length }) => length / 2), 3);
  return Buffer.concat([words(1, 9, 0x300), longs((18 + body.length) / 2), words(4), longs(longest), words(0), body]);
}
const wmfBitmap = (width: number) =>
  wmfRecord(0x0f43, longs(0xcc0020), words(0, 2, 2, 0, 0, 9, 9, 0, 0), dib(width), PIXELS);
const wmfText = (count: number) => wmfRecord(0x0a32, words(5, 5, count, 0, 0x4241, 4, 4));
const wmfPolygons = (first: number) => wmfRecord(0x0538, words(1, first, 0, 0, 1, 1));
const SOUND_WMF: readonly (readonly [string, Buffer])[] = [
  ['bitmap', wmfBitmap(2)],
  ['text', wmfText(2)],
  ['polygons', wmfPolygons(2)],
  ['end of a clip', Buffer.concat([wmfRecord(0x012c, words(0)), WMF_RECTANGLE])],
];

type Rebuild = (bytes: Uint8Array) => Uint8Array | null;
const asEmf: Rebuild = (bytes) => rebuildMetafile(bytes, 'emf');
const asWmf: Rebuild = (bytes) => rebuildMetafile(bytes, 'wmf');

function isPassed(bytes: Uint8Array): boolean {
  const findings = openFindings();
  return inspectPicture(bytes, findings, 'picture') && findings.list.length === 0;
}

/** What the inspection makes of the rebuilt drawing, and the rebuild of it. */
function expectSound(result: Uint8Array | null, rebuild: Rebuild): void {
  expect(result).not.toBeNull();
  if (result === null) return;
  expect(isPassed(result)).toBe(true);
  expect(Buffer.compare(rebuild(result) ?? Buffer.alloc(0), result)).toBe(0);
}

describe('sound records stay as they are', () => {
  test.each(SOUND_EMF)('%s of an enhanced metafile', (_, sound) => {
    expectSound(asEmf(emf(sound, RECTANGLE)), asEmf);
  });
  test.each(SOUND_WMF)('%s of a Windows metafile', (_, sound) => {
    const drawing = wmf(sound);
    expectSound(asWmf(drawing), asWmf);
    expect(Buffer.from(asWmf(drawing) ?? []).subarray(18)).toEqual(drawing.subarray(18));
  });
});

describe('a record with a false count or size makes the drawing unusable', () => {
  test.each([
    ['pixels behind the record', stretched({ places: [80, 40, 120, 4000] })],
    ['a header in the fixed fields', stretched({ places: [8, 40, 120, 16] })],
    ['an offset that wraps around', stretched({ places: [0xfffffff0, 40, 120, 16] })],
    ['more pixels than it holds', stretched({ header: dib(30_000) })],
    ['a side that is negative', stretched({ header: dib(-2) })],
    ['a depth that does not exist', stretched({ header: dib(2, 25) })],
    ['more colours than pixels can name', stretched({ header: dib(2, 8, 70_000) })],
    ['colours of a palette', stretched({ usage: 1 })],
    ['more characters than it holds', written(90)],
    ['characters in the fixed fields', written(2, 4)],
    ['distances behind the record', written(2, 76, 84)],
    ['more rectangles than the clip holds', clip(48, 4)],
    ['a clip behind the record', clip(4000, 1)],
    ['a corner that does not exist', gradient(2)],
    ['polygons that do not add up', polygons(3)],
    ['a slot behind the table', pen(4)],
    ['slot 0, which is the drawing itself', brush(0)],
    ['a selection behind the table', record(37, longs(77))],
    ['more dashes than there are', pen(1, 16)],
    ['a fixed record cut short', record(43, longs(1, 2))],
  ])('%s (enhanced)', (_, bad) => {
    expect(asEmf(emf(bad, RECTANGLE))).toBeNull();
    expect(isPassed(emf(bad, RECTANGLE))).toBe(false);
  });

  test.each([
    ['more pixels than it holds', wmfBitmap(30_000)],
    ['more characters than it holds', wmfText(90)],
    ['more points than it holds', wmfPolygons(3)],
    ['a bitmap of a device', wmfRecord(0x0922, words(0, 0, 0, 0, 0, 0, 0, 0, 0))],
    ['a clip that names a region', wmfRecord(0x012c, words(1))],
    ['a region', wmfRecord(0x06ff, words(0, 6, 0, 0, 0, 0, 0, 0))],
  ])('%s (Windows)', (_, bad) => {
    expect(asWmf(wmf(bad, WMF_RECTANGLE))).toBeNull();
    expect(isPassed(wmf(bad, WMF_RECTANGLE))).toBe(false);
  });
});

test('bytes between the parts of a record and behind them are removed', () => {
  const gap = record(
    81,
    longs(...BOUNDS, 0, 0, 0, 0, 2, 2, 92, 40, 132, 16, 0, 0xcc0020, 9, 9),
    Buffer.from('THREAT bytes'),
    dib(),
    PIXELS,
    Buffer.from('THREAT'.padEnd(8)),
  );
  expect(asEmf(emf(gap))).toEqual(asEmf(emf(stretched())));
  expect(Buffer.from(asEmf(emf(gap)) ?? []).includes('THREAT')).toBe(false);
});

/** Numbers that break readers: none, one, signs, the largest. */
const EVIL = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

/** The drawing with one number changed, at every place, and cut short at every place. */
function* mutations(sound: Buffer): Generator<Buffer> {
  for (let at = 0; at + 4 <= sound.length; at += 2) {
    const copy = Buffer.from(sound);
    const value = EVIL[(at * 7) % EVIL.length] as number;
    if (at % 4 === 0) copy.writeUInt32LE(value, at);
    else copy.writeUInt16LE(value & 0xffff, at);
    yield copy;
    if (at % 8 === 0) yield sound.subarray(0, at);
  }
}

test.each([
  ['enhanced metafile', emf(...SOUND_EMF.map(([, sound]) => sound)), asEmf],
  ['Windows metafile', wmf(...SOUND_WMF.map(([, sound]) => sound)), asWmf],
] as const)('no change of one number in an %s leads to a result that does not pass', (_, sound, rebuild) => {
  let kept = 0;
  for (const mutated of mutations(Buffer.from(sound))) {
    const result = rebuild(mutated);
    if (result === null) continue;
    kept++;
    expectSound(result, rebuild);
  }
  expect(kept).toBeGreaterThan(0);
});

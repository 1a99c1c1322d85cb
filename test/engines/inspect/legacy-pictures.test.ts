/** Pictures of Office 97-2003 and of rich text are counted as in every format: one that is gone without a word about it is a loss. */
import { describe, expect, test } from 'vitest';
import { lossOf } from '../../../lib/engines/disarm/kept.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, type FileType, secondLookOf } from '../../../lib/formats/file-types.ts';
import { buildDoc } from '../../fixtures/build-doc.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { atom, buildPpt, container } from '../../fixtures/build-ppt.ts';
import { buildXls, label } from '../../fixtures/build-xls.ts';
import { disarmReport } from '../disarm/run-disarm.ts';

const PNG = buildPng();
const EMPTY = Buffer.alloc(PNG.length);

/** A picture as drawings hold it. An emptied one keeps its length. */
const picture = (png: Uint8Array) =>
  png === EMPTY
    ? atom(0xf01e, Buffer.alloc(17 + png.length), 0x6e0)
    : atom(0xf01e, Buffer.concat([Buffer.alloc(17, 1), png]), 0x6e0);

/** The entry of a store that points at a picture elsewhere, or holds it. */
function entry(place: number | null, inside: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(36);
  head.writeUInt32LE(place ?? 0xffffffff, 28);
  const out = atom(0xf007, Buffer.concat([head, inside]));
  out[0] = 0x02;
  return out;
}
const store = (...entries: readonly Uint8Array[]) => container(0xf000, [container(0xf001, entries)]);

/** A Word document with a picture in the text and one in the store of its drawings. */
function doc(inText: Uint8Array, floating: Uint8Array): Buffer {
  const head = Buffer.alloc(68);
  const drawn = picture(inText);
  head.writeUInt32LE(68 + drawn.length, 0);
  head.writeUInt16LE(68, 4);
  head.writeUInt16LE(0x64, 6);
  const place = 1024;
  const hidden = `${'\0'.repeat(place - 920)}${picture(floating).toString('latin1')}`;
  const drawings = store(entry(place), entry(place));
  return buildDoc({ text: 'A@B', data: Buffer.concat([head, drawn]), dataAt: 0, hidden, pairs: { 50: drawings } });
}

/** A workbook whose store is longer than one record. */
function xls(first: Uint8Array, second: Uint8Array): Buffer {
  const tree = store(entry(null, picture(first)), entry(null, picture(second)));
  const half = tree.length >> 1;
  const globals = [[0x00eb, tree.subarray(0, half)] as const, [0x003c, tree.subarray(half)] as const];
  return buildXls({ sheets: [{ name: 'A', records: [label(0, 0, 'word')] }], globals });
}

/** A presentation with its pictures in their own stream. */
function ppt(first: Uint8Array, second: Uint8Array): Buffer {
  const pictures = [picture(first), picture(second)] as const;
  const group = container(0x040b, [store(entry(0), entry(pictures[0].length))]);
  return buildPpt({ document: [group], pictures: Buffer.concat(pictures) });
}

/** A text with two pictures, one of them in the two forms that Word writes. */
function rtf(first: Uint8Array, second: Uint8Array): Buffer {
  const pict = (png: Uint8Array) =>
    png === EMPTY ? '{\\pict\\pngblip }' : `{\\pict\\pngblip ${Buffer.from(png).toString('hex')}}`;
  const both = `{\\*\\shppict${pict(first)}}{\\nonshppict${pict(PNG)}}`;
  return Buffer.from(`{\\rtf1 words ${both} and ${pict(second)}\\par}`, 'latin1');
}

const FORMATS = [
  ['doc', 'application/msword', doc],
  ['xls', 'application/vnd.ms-excel', xls],
  ['ppt', 'application/vnd.ms-powerpoint', ppt],
  ['rtf', 'application/rtf', rtf],
] as const satisfies readonly (readonly [string, FileType, unknown])[];

describe.each(FORMATS)('pictures in %s', (extension, fileType, build) => {
  const type = describeType(fileType);
  const look = (original: Uint8Array, output: Uint8Array) =>
    inspectOutput({ bytes: original, type }, { bytes: output, type }, DEFAULT_ENGINE_LIMITS, {
      detectType,
      secondLookOf,
    });

  test('are counted, each once, and an emptied one is none', async () => {
    expect((await look(build(PNG, PNG), build(PNG, EMPTY))).pictures).toEqual({ before: 2, after: 1 });
    expect((await look(build(EMPTY, PNG), build(PNG, PNG))).pictures).toEqual({ before: 1, after: 2 });
  });

  test('are a loss when one is gone and no removal can have held it', async () => {
    const inspection = await look(build(PNG, PNG), build(EMPTY, PNG));
    const told = { outcome: 'disarmed', type, removals: 3 } as const;
    const lost = { id: 'pictures-lost', where: '1 of 2' };
    expect(lossOf(inspection, { ...told, pictureRemovals: 0 }, { keepsText: true })).toEqual(lost);
    expect(lossOf(inspection, { ...told, pictureRemovals: 1 }, { keepsText: true })).toBeNull();
  });

  test('stay in what the disarm writes, and the report says that they were counted', async () => {
    const report = await disarmReport(build(PNG, PNG), `a.${extension}`);
    if (report.outcome === 'failed') return expect.fail(report.failure.message);
    expect(report.quality.checks).toContain('pictures');
    expect((await look(build(PNG, PNG), report.bytes)).pictures).toEqual({ before: 2, after: 2 });
  });
});

test('a picture behind the cells of a workbook, and one in a header, are named when they go', async () => {
  const records = [label(0, 0, 'word'), [0x00e9, Buffer.alloc(64, 1)] as const, [0x0866, Buffer.alloc(64, 1)] as const];
  const report = await disarmReport(buildXls({ sheets: [{ name: 'A', records }] }), 'a.xls');
  if (report.outcome === 'failed') return expect.fail(report.failure.message);
  const kinds = report.details.map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['picture behind the cells', 'picture in a header']));
});

test('the background of the pages of a text in rich text is named when it goes', async () => {
  const hex = Buffer.from(PNG).toString('hex');
  const background = `{\\*\\background{\\shp{\\*\\shpinst{\\sp{\\sn fillBlip}{\\sv {\\pict\\pngblip ${hex}}}}}}}`;
  const report = await disarmReport(Buffer.from(`{\\rtf1 ${background}words\\par}`, 'latin1'), 'a.rtf');
  if (report.outcome === 'failed') return expect.fail(report.failure.message);
  expect(report.details.map(({ kind }) => kind)).toContain('page background');
});

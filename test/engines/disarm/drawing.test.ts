/** Windows metafiles as files: an ordinary one keeps all that it draws, and what does not draw goes. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { analyseFile } from '../../../lib/engines/static/analyse-file.ts';
import { readCodesHere } from '../../../lib/formats/codes/read-codes.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { identifyFile } from '../../../lib/formats/detection/file-type.ts';
import { bitmapsIn } from '../../../lib/formats/pictures/metafile-bitmaps.ts';
import { qrPng } from '../../fixtures/build-codes.ts';
import { buildEmf, buildWmf, emfBitmap, emfRecord, wmfRecord } from '../../fixtures/build-metafile.ts';
import { disarmed, disarmReport, refusalCode } from './run-disarm.ts';

const WORDS = ['Quarterly', 'results'];
const comment = Buffer.concat([Buffer.from([12, 0, 0, 0]), Buffer.from('EMF+ payload')]);
const KINDS = [
  ['emf', buildEmf, emfRecord(70, comment), emfRecord(200, Buffer.alloc(4))],
  ['wmf', buildWmf, wmfRecord(0x0626, Buffer.alloc(8)), wmfRecord(0x7777)],
] as const;

describe.each(KINDS)('a drawing (%s)', (kind, build, silent, unknown) => {
  const name = `plan.${kind}`;

  test('of records that draw keeps its bytes, and its words and marks are counted', async () => {
    const report = await disarmReport(build(WORDS), name);
    expect(report).toMatchObject({
      outcome: 'already_safe',
      type: { type: `image/${kind}`, extension: kind },
      quality: { words: { before: 2, kept: 2 }, units: { kind: 'marks', before: 4, after: 4 } },
    });
  });

  test('is told by its bytes, for engines and for policy, and a name of another picture is set right', async () => {
    expect((await detectType(build(WORDS), 'x')).type).toBe(`image/${kind}`);
    const hints = { untrustedNames: [name], declaredType: `image/x-${kind}`, role: 'attachment' } as const;
    expect(identifyFile(build(WORDS), hints)).toMatchObject({ detectedType: `image/${kind}`, typeGroup: 'image' });
    expect((await disarmed(build(WORDS), 'photo.png')).extension).toBe(kind);
    expect(await refusalCode(build(WORDS), 'invoice.pdf')).not.toBeNull();
  });

  test('loses what does not draw, and the report says so', async () => {
    const { bytes, kinds } = await disarmed(build(WORDS, { before: [silent], appended: 'behind' }), name);
    expect([...kinds].sort()).toEqual(['appended data', 'record that does not draw']);
    expect(Buffer.compare(bytes, build(WORDS))).toBe(0);
  });

  test.each([
    ['with an unknown record', build(WORDS, { before: [unknown] })],
    ['that does not end', build(WORDS).subarray(0, -8)],
    ['that is cut in its header', build(WORDS).subarray(0, 30)],
  ])('%s is refused', async (_, bytes) => {
    expect(await refusalCode(bytes, name)).not.toBeNull();
  });

  test('is looked at by the static engine to its end', async () => {
    const look = async (bytes: Uint8Array) => {
      const input = { bytes: new Uint8Array(bytes), untrustedName: name, password: null };
      const report = await analyseFile(input, DEFAULT_ENGINE_LIMITS);
      return 'findings' in report ? { ids: report.findings.map(({ id }) => id) } : null;
    };
    expect(await look(build(WORDS))).toMatchObject({ ids: [] });
    expect((await look(build(WORDS, { appended: `PK\x03\x04${'x'.repeat(99)}` })))?.ids).toContain('polyglot');
  });
});

test('a Windows metafile that ends a clip, as office programs write it, keeps its records', async () => {
  const noClip = wmfRecord(0x012c, Buffer.alloc(2));
  const { bytes, kinds } = await disarmed(buildWmf(WORDS, { before: [noClip] }), 'plan.wmf');
  expect(kinds).toEqual(['picture data']);
  expect(Buffer.from(bytes).includes(noClip)).toBe(true);
});

test('a drawing in EMF+ alone is refused with what to ask for, and a damaged one as damaged', async () => {
  // The header of a drawing and its last record; between them one comment.
  const whole = buildEmf([]);
  const alone = Buffer.concat([whole.subarray(0, 88), emfRecord(70, comment), whole.subarray(-20)]);
  alone.writeUInt32LE(alone.length, 48);
  alone.writeUInt32LE(3, 52);
  expect(await disarmReport(alone, 'plan.emf')).toMatchObject({
    failure: { code: 'unsupported', message: expect.stringContaining('EMF+ alone') },
  });
  expect(await refusalCode(alone.subarray(0, -20), 'plan.emf')).toBe('unreadable');
  expect(
    await refusalCode(buildEmf(WORDS, { before: [emfRecord(70, comment), emfRecord(200, Buffer.alloc(4))] }), 'a.emf'),
  ).toBe('unreadable');
});

test('a description of program and title goes', async () => {
  const { bytes, kinds } = await disarmed(buildEmf(WORDS, { description: 'Draw\0Plan of Alice\0\0' }), 'plan.emf');
  expect(kinds).toEqual(['metadata']);
  expect(Buffer.from(bytes).toString('utf16le')).not.toContain('Alice');
});

test('a compressed drawing comes in a zip', async () => {
  const { gzipSync } = await import('node:zlib');
  const { bytes, extension } = await disarmed(gzipSync(buildEmf(WORDS)), 'plan.emz');
  expect(extension).toBe('zip');
  expect(Buffer.from(bytes).includes('.emf')).toBe(true);
});

/** The bitmap of a QR code, as a drawing holds it. */
async function codeBitmap(): Promise<Buffer> {
  const { data, info } = await sharp(await qrPng('https://evil.example/qr'))
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const stride = Math.ceil((info.width * 3) / 4) * 4;
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(info.width, 4);
  header.writeInt32LE(-info.height, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(24, 14);
  const rows = Array.from({ length: info.height }, (_, row) => {
    const line = Buffer.alloc(stride);
    data.copy(line, 0, row * info.width * 3, (row + 1) * info.width * 3);
    return line;
  });
  return Buffer.concat([header, ...rows]);
}

test('codes in the bitmaps of a drawing are read', async () => {
  const bitmap = await codeBitmap();
  const scaled = Buffer.concat([Buffer.alloc(20), bitmap]);
  const read = async (bytes: Uint8Array) => readCodesHere({ kind: 'picture', bytes, workMs: 10_000 });
  const found = { outcome: 'read', untrustedTexts: ['https://evil.example/qr'] };
  expect(await read(buildEmf(WORDS, { before: [emfBitmap(bitmap)] }))).toEqual(found);
  expect(await read(buildWmf(WORDS, { before: [wmfRecord(0x0b41, scaled)] }))).toEqual(found);
  expect(await read(buildEmf(WORDS))).toEqual({ outcome: 'read', untrustedTexts: [] });
  const many = Array.from({ length: 21 }, () => emfBitmap());
  expect((await read(buildEmf(WORDS, { before: many }))).outcome).toBe('partly');
});

test('a search for bitmaps ends at what is damaged', () => {
  const none = (bytes: Uint8Array) => [...bitmapsIn(bytes)].length;
  expect(none(buildEmf(WORDS))).toBe(1);
  expect(none(buildEmf(WORDS).subarray(0, 100))).toBe(0);
  const stuck = buildEmf(WORDS);
  stuck.writeUInt32LE(0, 92);
  expect(none(stuck)).toBe(0);
});

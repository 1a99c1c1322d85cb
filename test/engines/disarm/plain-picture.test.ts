/** What the disarm says of pictures that hold nothing but their picture, and that the second look has the last word. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { isPlainAsSaid } from '../../../lib/engines/disarm/gate.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { describeType } from '../../../lib/formats/file-types.ts';
import { buildPng } from '../../fixtures/build-image.ts';

const inputOf = (bytes: Uint8Array, untrustedName: string) => ({ bytes, untrustedName, password: null });
async function isPlain(bytes: Uint8Array, name: string): Promise<boolean> {
  const report = await disarmFile(inputOf(bytes, name), DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') throw new Error(report.failure.message);
  return report.isPlain === true;
}

const photo = () => sharp(Buffer.alloc(40 * 30 * 3, 'some pixels'), { raw: { width: 40, height: 30, channels: 3 } });

test('a picture with nothing else in it is plain', async () => {
  expect(await isPlain(buildPng(), 'a.png')).toBe(true);
  expect(await isPlain(await photo().jpeg().toBuffer(), 'a.jpg')).toBe(true);
  expect(await isPlain(await photo().gif().toBuffer(), 'a.gif')).toBe(true);
});

test('a picture with plain data about it is plain', async () => {
  expect(await isPlain(buildPng({ comment: 'x' }), 'a.png')).toBe(true);
  const exif = { IFD0: { Copyright: 'c' } };
  expect(await isPlain(await photo().withExif(exif).withIccProfile('srgb').jpeg().toBuffer(), 'a.jpg')).toBe(true);
});

test('one with something else in it, or in a format that nobody reads to its last byte, is not', async () => {
  expect(await isPlain(buildPng({ appended: Buffer.from('x') }), 'a.png')).toBe(false);
  expect(await isPlain(await photo().webp().toBuffer(), 'a.webp')).toBe(false);
  const photoshop = Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xed, 0, 22]),
    Buffer.from('Photoshop 3.0\x008BIM\x04\x04'),
  ]);
  const jpeg = await photo().jpeg().toBuffer();
  expect(await isPlain(Buffer.concat([photoshop, jpeg.subarray(2)]), 'a.jpg')).toBe(false);
});

test('one whose compressed data the decoder does not use up is made anew, and is not plain', async () => {
  const jpeg = await photo().jpeg().toBuffer();
  const hidden = Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(200, 'hidden'), jpeg.subarray(-2)]);
  expect(await isPlain(hidden, 'a.jpg')).toBe(false);
});

test('a disarm that lies is not believed', () => {
  const [type, details] = [describeType('image/png'), [] as const];
  const said = { outcome: 'disarmed', bytes: buildPng(), type, details, isPlain: true } as const;
  const original = (bytes: Uint8Array) => inputOf(bytes, 'a.png');
  expect(isPlainAsSaid(said, original(buildPng()))).toBe(true);
  expect(isPlainAsSaid(said, original(buildPng({ comment: '\x1b[2J' })))).toBe(false);
  expect(isPlainAsSaid(said, original(buildPng({ appended: Buffer.from('PK\x03\x04') })))).toBe(false);
  expect(isPlainAsSaid(said, original(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))).toBe(false);
  const removed = (kind: string) => [{ kind, action: 'removed', where: 'picture file' } as const];
  expect(isPlainAsSaid({ ...said, details: removed('metadata') }, original(buildPng({ comment: 'x' })))).toBe(true);
  expect(isPlainAsSaid({ ...said, details: removed('appended data') }, original(buildPng()))).toBe(false);
});

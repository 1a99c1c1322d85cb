/**
 * Lengths and counts of binary files that lie. In a sample of each format with lengths, numbers that could be lengths are set to what they
 * should not be, all over the file. An engine that comes no further is ended by its limit of processor time, and that is the fault that is
 * searched for here.
 */
import { afterAll, expect, test } from 'vitest';
import { compoundFile, vbaCompress } from '../engines/office-fixture.ts';
import { buildXls, label } from '../fixtures/build-xls.ts';
import { sampleOf } from '../formats/format-samples.ts';
import { faultOn, openSearchedPool } from './fuzz-engines.ts';
import { type Random, random } from './mutate.ts';
import { roundsOf } from './share.ts';
import { compiledProject, OFFICES } from './static/compiled-fixture.ts';

const TYPES = [
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.ms-outlook',
  'application/vnd.ms-tnef',
  'application/vnd.ms-excel.sheet.binary.macroenabled.12',
  'application/rtf',
  'image/emf',
  'image/wmf',
  'image/tiff',
  'image/bmp',
  'image/vnd.microsoft.icon',
  'image/vnd.adobe.photoshop',
  'image/jp2',
  'audio/flac',
  'audio/ogg',
  'video/mp4',
  'video/webm',
  'video/x-msvideo',
] as const;

interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** One plus one, with a ruler and a font. */
const FORMULA = Buffer.from('0a070201100001200008014172696100028831000000', 'hex');
const equation = () => {
  const head = Buffer.from('1c0000000200d3c10000000000000000000000000000000000000000', 'hex');
  head.writeUInt32LE(FORMULA.length + 5, 8);
  return Buffer.concat([head, Buffer.from('030101030a', 'hex'), FORMULA]);
};
const SUB = 'Sub AutoOpen()\r\nMsgBox "Total"\r\nEnd Sub\r\n';
const office = OFFICES['Office 2016 of 64 bits'] ?? { number: 0xd7, is64: true };

const MORE: readonly Sample[] = [
  {
    name: 'formula.doc',
    bytes: compoundFile({ WordDocument: Buffer.alloc(700), 'ObjectPool/_1/Equation Native': equation() }),
  },
  {
    name: 'macro.doc',
    bytes: compoundFile({ WordDocument: Buffer.alloc(700), 'Macros/VBA/Module1': vbaCompress(SUB) }),
  },
  { name: 'compiled.doc', bytes: compiledProject(office, SUB, 'AutoOpen', []) },
  {
    name: 'excel-95.xls',
    bytes: buildXls({ sheets: [{ name: 'A', records: [label(0, 0, 'words')] }], version: 0x0500 }),
  },
];

/** A number at a place, of one to four bytes in either order. */
interface Field {
  readonly at: number;
  readonly width: 1 | 2 | 4;
  readonly isLittle: boolean;
}

const read = (bytes: Buffer, { at, width, isLittle }: Field) =>
  isLittle ? bytes.readUIntLE(at, width) : bytes.readUIntBE(at, width);

/** Returns a place in this part of the file whose number could be a length. */
function fieldIn(bytes: Buffer, from: number, end: number, below: Random): Field | null {
  for (let tries = 0; tries < 60; tries++) {
    const width = ([1, 2, 4, 4] as const)[below(4)] ?? 4;
    const field = { at: from + below(end - from), width, isLittle: below(4) > 0 };
    if (field.at + width > bytes.length) continue;
    const value = read(bytes, field);
    if (value > 0 && field.at + width + value <= bytes.length) return field;
  }
  return null;
}

/** Returns what such a number is set to: nothing, one more and less, back to its own place, to the end, and the largest numbers. */
function liesOf(bytes: Buffer, field: Field): readonly number[] {
  const [value, most] = [read(bytes, field), 2 ** (8 * field.width) - 1];
  const toEnd = bytes.length - field.at;
  return [0, 1, value - 1, value + 1, value * 2 + 7, toEnd, most, most - 3, most - 7, (most + 1) / 2, most - field.at]
    .filter((lie) => lie >= 0)
    .map((lie) => lie % (most + 1));
}

function withLie(bytes: Buffer, { at, width, isLittle }: Field, lie: number): Buffer {
  const copy = Buffer.from(bytes);
  if (isLittle) copy.writeUIntLE(lie, at, width);
  else copy.writeUIntBE(lie, at, width);
  return copy;
}

/** Parts of a file. In each, one number lies; and the file ends in the middle of each. */
const PARTS = 8;

function* damagedOnes(bytes: Buffer, seed: number): Generator<Buffer> {
  const below = random(seed);
  const parts = roundsOf(PARTS);
  for (let part = 0; part < parts; part++) {
    const [from, end] = [part, part + 1].map((edge) => Math.floor((bytes.length * edge) / parts));
    const field = fieldIn(bytes, from ?? 0, end ?? 1, below);
    if (field === null) continue;
    const lies = liesOf(bytes, field);
    yield withLie(bytes, field, lies[below(lies.length)] ?? 0);
    yield bytes.subarray(0, field.at + below(field.width + 1));
  }
}

const pool = openSearchedPool();
afterAll(() => pool.close());

async function faultsIn({ name, bytes }: Sample): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [index, damaged] of [...damagedOnes(Buffer.from(bytes), 1_018)].entries()) {
    const fault = await faultOn(pool, name, damaged);
    if (fault !== null) faults.push(`${name} ${index}: ${fault}`);
  }
  return faults;
}

test.each(TYPES)('every engine comes to the end of a %s whose lengths lie', async (type) => {
  const sample = await sampleOf(type);
  if (sample === null) throw new Error(`no sample of ${type}`);
  expect(await faultsIn(sample)).toEqual([]);
});

test.each(MORE)('every engine comes to the end of $name with lengths that lie', async (sample) => {
  expect(await faultsIn(sample)).toEqual([]);
});

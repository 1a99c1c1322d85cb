import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../../hostile/static/sample.ts';
import { reportOn, verdictOn } from './analyse.ts';
import { cabinet, dynamicDisk, fatVolume, fixedDisk, partitioned } from './image-fixture.ts';

const note = Buffer.from('a note, and nothing else');
const plain = fatVolume({ 'NOTE.TXT': note });
const loaded = fatVolume({ 'NOTE.TXT': note, 'SETUP.EXE': PROGRAM });
const locked = Buffer.from(plain);
locked.write('-FVE-FS-', 3, 'latin1');

describe('a disk', () => {
  test.each<[string, Uint8Array, string, string]>([
    ['with files to read is an image, and not more', fixedDisk(partitioned(plain)), 'a.vhd', 'suspicious disk-image'],
    ['without partitions', fixedDisk(plain), 'a.vhd', 'suspicious disk-image'],
    ['copied raw', plain, 'a.img', 'suspicious disk-image'],
    ['behind a password', fixedDisk(partitioned(locked)), 'a.vhd', 'failed:encrypted'],
    ['copied raw, behind a password', locked, 'a.img', 'failed:encrypted'],
    [
      'that cannot be read',
      Buffer.concat([Buffer.from('vhdxfile'), Buffer.alloc(4_000)]),
      'a.vhdx',
      'suspicious disk-image not-all-analysed',
    ],
    ['that is none', Buffer.from('0102030405'.repeat(300), 'hex'), 'a.bin', 'unknown'],
    [
      'whose boot sector is only its mark',
      Buffer.concat([Buffer.alloc(510, 1), Buffer.from('55aa', 'hex'), Buffer.alloc(2_000, 1)]),
      'a.bin',
      'unknown',
    ],
  ])('%s', async (_, bytes, name, expected) => {
    expect(await verdictOn(bytes, name)).toBe(expected);
  });

  test.each([
    ['fixed', fixedDisk(partitioned(loaded))],
    ['dynamic, of a gigabyte', dynamicDisk(partitioned(loaded), 1_000_000_000)],
    ['raw', partitioned(loaded)],
  ])('%s gives its files, each judged', async (_, bytes) => {
    const { findings, extracted = [] } = await reportOn(bytes, 'a.vhd');
    expect(findings.find(({ id }) => id === 'disk-image-runs')?.where).toBe('SETUP.EXE');
    expect(extracted.map(({ untrustedName }) => untrustedName).sort()).toEqual(['NOTE.TXT', 'SETUP.EXE']);
    expect(extracted.find(({ untrustedName }) => untrustedName === 'NOTE.TXT')?.level).toBe('benign');
  });
});

describe('a cabinet', () => {
  const long = Buffer.from('words '.repeat(60));
  test.each<[string, Uint8Array, string]>([
    ['with files to read', cabinet({ 'note.txt': long }), 'unknown'],
    ['with a program', cabinet({ 'note.txt': long, 'folder\\setup.exe': PROGRAM }), 'suspicious archive-executable'],
    [
      'with a program under a harmless name',
      cabinet({ 'note.txt': long, 'picture.jpg': PROGRAM }),
      'malicious archive-executable disguised-program',
    ],
    ['that breaks off', cabinet({ 'note.txt': long }).subarray(0, 200), 'unknown'],
  ])('%s', async (_, bytes, expected) => {
    expect((await verdictOn(bytes, 'a.cab')).replace(/ program\S*/g, '')).toBe(expected);
  });
});

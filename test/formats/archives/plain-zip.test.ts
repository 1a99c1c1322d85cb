import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openPlainZip } from '../../../lib/formats/archives/plain-zip.ts';
import { createUnpacker } from '../../../lib/formats/archives/unpacker.ts';
import type { Allowance, Unpacked } from '../../../lib/formats/archives/unpacking.ts';
import { openZip } from '../../../lib/formats/archives/zip.ts';
import { zipOf } from '../../engines/zip-fixture.ts';
import { buildDocx } from '../../fixtures/build-office.ts';
import { packed } from './archives.ts';

const ALLOWANCE: Allowance = {
  members: 100,
  bytes: 32 * 1024 * 1024,
  memberBytes: 16 * 1024 * 1024,
  ratio: 250,
  workMs: 20_000,
  passwordTries: 0,
};
const requestOf = (bytes: Uint8Array, allowance: Partial<Allowance> = {}) => ({
  format: 'zip' as const,
  bytes,
  untrustedName: null,
  passwords: [],
  allowance: { ...ALLOWANCE, ...allowance },
});
const filesOf = ({ members }: Unpacked) =>
  members.map(({ untrustedNames, bytes }) => [untrustedNames[0], Buffer.from(bytes).toString('latin1')]);
const plain = (bytes: Uint8Array, allowance: Partial<Allowance> = {}) => {
  const opened = openPlainZip(requestOf(bytes, allowance));
  return opened === null ? null : filesOf(opened);
};

const FILES = { 'word/document.xml': `<w:t>${'text '.repeat(50)}</w:t>`, 'a.bin': 'x' };
const SMALL = zipOf({ 'a.xml': 'aaaaaaaaaaaa', 'b/c.rels': 'bc' });

/** The end record of a copy of `zip`, and behind it what is appended. */
function changed(zip: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(zip);
  change(copy);
  return copy;
}

/** A zip whose sizes and checksum stand behind the data, as programs write it that do not know them before. */
function streamed(hasSignature: boolean): Buffer {
  const zip = zipOf({ 'a.xml': 'hello' });
  const directory = zip.readUInt32LE(zip.length - 6);
  const local = changed(zip.subarray(0, directory), (copy) => {
    copy[6] = 8;
    copy.fill(0, 14, 26);
  });
  const central = changed(zip.subarray(directory), (copy) => {
    copy[8] = 8;
    copy.writeUInt32LE(directory + (hasSignature ? 16 : 12), copy.length - 6);
  });
  const signature = Buffer.from(hasSignature ? '504b0708' : '', 'hex');
  return Buffer.concat([local, signature, zip.subarray(14, 26), central]);
}

describe('a plain zip is opened in this thread', () => {
  test.each([
    ['7-Zip', packed('zip', FILES)],
    ['7-Zip, stored', packed('zip', FILES, { switches: ['-mx=0'] })],
    ['an Office program', buildDocx({ body: '<w:p/>' })],
    ['a program that streams', streamed(true)],
    ['a program that streams, of the old kind', streamed(false)],
  ])('written by %s: with the members that the library finds', async (_, written) => {
    const zip = await written;
    expect(plain(zip)).toEqual(filesOf(await openZip(requestOf(zip))));
    expect(plain(zip)).not.toEqual([]);
  });

  test('whatever surrounds its bytes in memory', () => {
    const around = Buffer.concat([Buffer.alloc(7, 'x'), SMALL, Buffer.alloc(9, 'y')]);
    expect(plain(around.subarray(7, 7 + SMALL.length))).toEqual(plain(SMALL));
  });

  test('without a thread', async () => {
    const none = createUnpacker({ workerFile: new URL('./no-such-worker.mjs', import.meta.url) });
    expect(filesOf(await none.unpack(requestOf(SMALL)))).toEqual(plain(SMALL));
    expect((await none.unpack(requestOf(Buffer.concat([SMALL, SMALL])))).outcome).toBe('unsupported');
  });
});

describe('a zip that is left to the library', () => {
  const central = SMALL.readUInt32LE(SMALL.length - 6);
  test.each<readonly [string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['an empty zip', zipOf({})],
    ['something in front', Buffer.concat([Buffer.from('MZ'), SMALL])],
    ['something behind', Buffer.concat([SMALL, Buffer.from('x')])],
    ['a comment', Buffer.concat([changed(SMALL, (copy) => copy.writeUInt16LE(1, copy.length - 2)), Buffer.from('x')])],
    ['a second directory', Buffer.concat([SMALL, SMALL])],
    ['another name in the local header', zipOf({ 'a.xml': { content: 'x', localName: 'b.exe' } })],
    ['one name in two spellings', zipOf({ 'a.xml': 'x', 'A.XML': 'y' })],
    ['a path with backslashes', zipOf({ 'a\\b.xml': 'x' })],
    ['a name in other letters', zipOf({ 'ä.xml': 'x' })],
    ['an encrypted member', zipOf({ 'a.xml': { content: 'x', encrypted: true } })],
    ['a link', zipOf({ 'a.xml': { content: '/etc/passwd', unixMode: 0o120777 } })],
    ['a folder with content', zipOf({ 'a/': 'x' })],
    ['a size too small', zipOf({ 'a.xml': { content: 'xxxxxxxx', claimedSize: 4 } })],
    ['a size too large', zipOf({ 'a.xml': { content: 'xxxxxxxx', claimedSize: 400 } })],
    ['a wrong checksum', changed(SMALL, (copy) => copy.fill(1, 14, 18).fill(1, central + 16, central + 20))],
    ['a member that the directory leaves out', withHidden()],
    ['a directory cut short', changed(SMALL, (copy) => copy.writeUInt16LE(1, copy.length - 12))],
  ])('%s', (_, bytes) => {
    expect(plain(bytes)).toBeNull();
  });

  test.each([
    ['more members than allowed', { members: 1 }],
    ['a member larger than allowed', { memberBytes: 11 }],
    ['more bytes than allowed', { bytes: 13 }],
  ])('%s', (_, allowance) => {
    expect(plain(SMALL, allowance)).toBeNull();
    expect(plain(SMALL, { members: 2, memberBytes: 12, bytes: 14 })).toHaveLength(2);
  });

  test('one that unpacks to more than this thread may read', () => {
    expect(plain(zipOf({ a: { content: Buffer.alloc(4 * 1024 * 1024) } }))).toHaveLength(1);
    expect(plain(zipOf({ a: { content: Buffer.alloc(4 * 1024 * 1024 + 1) } }))).toBeNull();
  });
});

/** Between two members lies a third, which programs find that read from the front. */
function withHidden(): Buffer {
  const hidden = zipOf({ 'b.exe': 'MZ' });
  const member = hidden.subarray(0, hidden.readUInt32LE(hidden.length - 6));
  const directory = SMALL.readUInt32LE(SMALL.length - 6);
  const moved = changed(SMALL.subarray(directory), (copy) =>
    copy.writeUInt32LE(directory + member.length, copy.length - 6),
  );
  return Buffer.concat([SMALL.subarray(0, directory), member, moved]);
}

test('with any byte changed it is left to the library, or gives what the library gives', async () => {
  const compressed = deflateRawSync('aaaaaaaaaaaa');
  expect(SMALL.includes(compressed)).toBe(true);
  for (let at = 0; at < SMALL.length; at++)
    for (const bit of [0x01, 0x08, 0x20, 0x80]) {
      const zip = changed(SMALL, (copy) => copy.writeUInt8((copy[at] as number) ^ bit, at));
      const found = plain(zip);
      if (found === null) continue;
      const whole = await openZip(requestOf(zip));
      expect([at, bit, whole.outcome, filesOf(whole)]).toEqual([at, bit, 'opened', found]);
    }
});

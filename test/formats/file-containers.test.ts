/** The type of a container counts what its reader finds, and never less than what another program would find. */
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writeCompoundFile } from '../../lib/engines/disarm/compound/write.ts';
import { identifyFile } from '../../lib/formats/detection/file-type.ts';

const groupOf = (bytes: Uint8Array) =>
  identifyFile(bytes, { untrustedNames: [], declaredType: '', role: 'attachment' }).typeGroup;

const NO_CLASS = '0'.repeat(32);
const wide = (text: string) => Buffer.from(`${text}\0`, 'utf16le');
const compound = (streams: Readonly<Record<string, Uint8Array>>, clsid = NO_CLASS) =>
  groupOf(writeCompoundFile({ clsid, streams: new Map(Object.entries(streams)) }));

test('the type of a compound file is told by the names of its streams, not by their content', () => {
  const content = Buffer.alloc(8_192, 'a');
  expect(compound({ WordDocument: content })).toBe('office');
  expect(compound({ content: Buffer.concat([wide('WordDocument'), content]) })).toBe('other');
});

test('the type of a compound file is told by its own root, not by bytes in front of it', () => {
  // The place of the class id is behind the name of the entry.
  const claim = Buffer.concat([Buffer.alloc(80), Buffer.from('0609020000000000', 'hex'), Buffer.alloc(8_192)]);
  wide('Root Entry').copy(claim);
  expect(compound({ a: claim })).toBe('other');
});

test.each(['84', '86', '82'])('what the Windows installer opens (%s) is no document, whatever it carries', (first) => {
  const clsid = `${first}100c0000000000c000000000000046`;
  expect(compound({ WordDocument: Buffer.alloc(8_192, 'a') }, clsid)).toBe('executable');
});

test('the class id of a document alone makes no document', () => {
  expect(compound({ x: Buffer.from('x') }, '0609020000000000c000000000000046')).toBe('other');
});

/** A directory with entries of these names, all of which point at one member in front of it. */
const directory = (names: readonly string[]) =>
  Buffer.concat(
    names.flatMap((name) => {
      const entry = Buffer.alloc(46);
      entry.write('PK\x01\x02', 'latin1');
      entry.writeUInt16LE(8, 10);
      entry.writeUInt32LE(PACKED.length, 20);
      entry.writeUInt16LE(name.length, 28);
      return [entry, Buffer.from(name)];
    }),
  );
const PACKED = deflateRawSync('x');
const MEMBER = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(26), PACKED]);

function end(size: number, start: number, count: number): Buffer {
  const record = Buffer.alloc(22);
  record.write('PK\x05\x06', 'latin1');
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(count, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(start, 16);
  return record;
}

const DOCX = ['[Content_Types].xml', 'word/document.xml'];
const JAR = ['META-INF/MANIFEST.MF', 'A.class'];
const zip = (names: readonly string[], count = names.length) => {
  const entries = directory(names);
  return Buffer.concat([MEMBER, entries, end(entries.length, MEMBER.length, count)]);
};

test('entries behind the claimed count count too', () => {
  expect(groupOf(zip(['a.txt']))).toBe('archive');
  expect(groupOf(zip(['a.txt', ...JAR], 1))).toBe('executable');
});

test.each([
  [DOCX, JAR],
  [JAR, DOCX],
])('of two directories the more dangerous counts: %j, then %j', (there, inFront) => {
  const [first, second] = [directory(there), directory(inFront)];
  const file = Buffer.concat([MEMBER, first, Buffer.alloc(4), second, end(second.length, MEMBER.length, 2)]);
  expect(groupOf(file)).toBe('executable');
});

test('a directory that breaks off within an entry is not harmless', () => {
  const whole = zip(DOCX);
  expect(groupOf(whole)).toBe('office');
  const broken = Buffer.from(whole);
  // The comment of the second entry ends behind the file.
  broken.writeUInt16LE(0xffff, MEMBER.length + 46 + 19 + 32);
  expect(groupOf(broken)).toBe('other');
});

test('the directory of zip64 is read where it stands', () => {
  const entries = directory(DOCX);
  const end64 = Buffer.alloc(56);
  end64.write('PK\x06\x06', 'latin1');
  end64.writeBigUInt64LE(2n, 32);
  end64.writeBigUInt64LE(BigInt(MEMBER.length), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(MEMBER.length + entries.length), 8);
  const file = Buffer.concat([MEMBER, entries, end64, locator, end(0xffffffff, 0xffffffff, 0xffff)]);
  expect(groupOf(file)).toBe('office');
});

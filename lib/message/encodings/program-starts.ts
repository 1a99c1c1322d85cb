/**
 * Decides by a few header fields whether bytes begin as a file that starts something, or that holds such files: a program, a script, a
 * shortcut, an archive. Two bytes are not enough here: these bytes come from any word of a text that decodes to them.
 */
import { asBuffer } from '../../formats/byte-scan.ts';
import { identifyFile } from '../../formats/detection/file-type.ts';

const HEAD_BYTES = 64;
/** Windows looks for the second header at a multiple of four, and no linker puts it far into the file. */
const MAX_SECOND_HEADER = 2 ** 24;
const PATH = /^#! ?\/[\w./-]{2,50}[ \t\r\n]/;
const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
const ZIP_METHODS: readonly number[] = [0, 8, 9, 12, 14, 93, 95, 96, 97, 98, 99];
const MAX_NAME_LENGTH = 1_024;

type Check = (head: Buffer) => boolean;

/** The first bytes of each kind, and the fields that must fit. All of them lie within HEAD_BYTES. */
const STARTS: readonly (readonly [magic: string, fits: Check])[] = [
  ['MZ', (head) => head.length >= HEAD_BYTES && isSecondHeader(head.readUInt32LE(60))],
  ['\x7fELF', (head) => isOneOf(head[4], 1, 2) && isOneOf(head[5], 1, 2) && head[6] === 1],
  ...['\xfe\xed\xfa\xce', '\xfe\xed\xfa\xcf', '\xce\xfa\xed\xfe', '\xcf\xfa\xed\xfe'].map(
    (magic) => [magic, (head: Buffer) => head.length >= 28] as const,
  ),
  ['\xca\xfe\xba\xbe', (head) => head[4] === 0],
  ['dex\n0', () => true],
  ['L\0\0\0\x01\x14\x02\0', () => true],
  ['PK\x03\x04', isZipEntry],
  ['PK\x07\x08PK', () => true],
  ['7z\xbc\xaf\x27\x1c', () => true],
  ['Rar!\x1a\x07', () => true],
  ['MSCF\0\0\0\0', () => true],
  ['ITSF', (head) => head[4] === 3],
  ['\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d', () => true],
  [OLE, (head) => head.length === HEAD_BYTES],
  ...['#!/', '#! /'].map((magic) => [magic, (head: Buffer) => PATH.test(head.toString('latin1'))] as const),
  ['@echo ', () => true],
];

const isOneOf = (byte: number | undefined, ...wanted: readonly number[]) => byte !== undefined && wanted.includes(byte);

const isSecondHeader = (offset: number) => offset > 0 && offset < MAX_SECOND_HEADER && offset % 4 === 0;

function isZipEntry(head: Buffer): boolean {
  if (head.length < 30) return false;
  const nameLength = head.readUInt16LE(26);
  return (
    (head[5] ?? 1) <= 3 && ZIP_METHODS.includes(head.readUInt16LE(8)) && nameLength > 0 && nameLength < MAX_NAME_LENGTH
  );
}

/**
 * Returns true when the bytes begin as such a file. A document of an office program is none: it starts nothing until somebody decodes it,
 * opens it and lets its macros run.
 */
export function startsProgram(bytes: Uint8Array): boolean {
  return isProgramHead(bytes) && !isDocument(bytes);
}

/** Does the same for the first bytes of a file, and takes documents of office programs for archives. */
export function isProgramHead(bytes: Uint8Array): boolean {
  const head = asBuffer(bytes).subarray(0, HEAD_BYTES);
  const text = head.toString('latin1');
  return STARTS.some(([magic, fits]) => text.startsWith(magic) && fits(head));
}

function isDocument(bytes: Uint8Array): boolean {
  const [first] = bytes;
  const mayBe = first === 0x50 || first === OLE.charCodeAt(0);
  return mayBe && identifyFile(bytes, { untrustedNames: [], declaredType: '', role: 'file' }).typeGroup === 'office';
}

/** Digits that are searched for. A text may break its lines anywhere, so they are few. */
const START_DIGITS = 4;

/** The first digits in base64 of every magic above. */
export const BASE64_STARTS: readonly string[] = STARTS.flatMap(([magic]) => base64Starts(Buffer.from(magic, 'latin1')));
/** The same in hexadecimal digits of small letters. */
export const HEX_STARTS: readonly string[] = STARTS.map(([magic]) =>
  Buffer.from(magic, 'latin1')
    .toString('hex')
    .slice(0, 2 * START_DIGITS),
);

/** Two bytes leave two bits of the third digit open. */
function base64Starts(magic: Buffer): string[] {
  if (magic.length > 2) return [magic.toString('base64').slice(0, START_DIGITS)];
  return [0x00, 0x40, 0x80, 0xc0].map((next) =>
    Buffer.from([...magic, next])
      .toString('base64')
      .slice(0, 3),
  );
}

/**
 * Finds files between lines of dashes (RFC 7468, RFC 1421): `-----BEGIN PKCS7-----`, and `-----BEGIN CERTIFICATE-----` around anything at
 * all, because programs unpack it whatever the line says. Keys, certificates, requests and signatures are ordinary, whatever the line says.
 * OpenPGP armor has a reader of its own (`containers/pgp-armor.ts`).
 */
import { asBuffer, holdsMatch } from '../../formats/byte-scan.ts';
import { identifyFile } from '../../formats/detection/file-type.ts';
import type { FileGroup } from '../../formats/file-groups.ts';
import type { Steps } from '../../formats/steps.ts';
import { begunFileSteps } from './beginnings.ts';
import { childrenOf, type Element, elementAt, objectIdOf } from './der.ts';
import { BASE64, digitRun } from './digit-runs.ts';
import type { TextFile } from './uuencode.ts';

const DASHES = Buffer.from('----');
const MARK = /-{4} ?begin /i;
const BEGIN = /-{4} ?begin (?!pgp )[^\r\n-]{1,80}-{4,5}/gi;
const MAX_LINE_LENGTH = 100;
/** The fields of RFC 1421 in front of the data, with the marks of quoted lines in front of each. */
const FIELDS = /(?:[\s>|]*[A-Za-z][\w-]{0,60}:[^\r\n]{0,1000}(?=\r?\n)){1,20}/y;
const BLANK_LINE = /\n[ \t>|]*\r?\n/g;
const MAX_FIELD_BYTES = 20_000;
/** Fewer bytes are no file. */
const LEAST_BYTES = 16;
/** Texts and unknown bytes are no files here: nobody has a program that opens them. */
const FILES: ReadonlySet<FileGroup> = new Set(['html', 'pdf', 'office', 'archive', 'email', 'script', 'executable']);
const SEQUENCE = 0x30;
const EXPLICIT = 0xa0;
/** PKCS #7, and the content types of S/MIME. */
const CONTENT = /^2a864886f70d01(?:07|0910)/;
const SIGNED = '2a864886f70d010702';
const ZIP_END = Buffer.from('PK\x05\x06');

/** Returns the files of a text. Their bytes are between the lines. Linear. */
export function* pemFileSteps(bytes: Uint8Array): Steps<TextFile[]> {
  const text = asBuffer(bytes);
  // Most texts have no such dashes, and this search is the fastest.
  if (!text.includes(DASHES) || !holdsMatch(bytes, MARK, MAX_LINE_LENGTH)) return [];
  return yield* begunFileSteps(text, BEGIN, MAX_LINE_LENGTH, ([line], start) =>
    filesAt(text, start, start + line.length),
  );
}

function filesAt(text: Buffer, start: number, lineEnd: number): TextFile[] {
  const files: TextFile[] = [];
  for (const data of dataStarts(text, lineEnd)) {
    const { bytes, end } = digitRun(text, data, BASE64);
    if (isFile(bytes)) files.push({ name: '', bytes, start, end });
  }
  return files;
}

/** Returns where the data may begin. With fields, programs begin behind them or behind the first blank line. */
function dataStarts(text: Buffer, lineEnd: number): number[] {
  const next = text.toString('latin1', lineEnd, lineEnd + MAX_FIELD_BYTES);
  FIELDS.lastIndex = 0;
  const fields = FIELDS.exec(next)?.[0].length ?? 0;
  if (fields === 0) return [lineEnd];
  BLANK_LINE.lastIndex = 0;
  const blank = BLANK_LINE.exec(next);
  const starts = [fields, ...(blank === null ? [] : [blank.index + blank[0].length])];
  return [...new Set(starts)].map((at) => lineEnd + at);
}

function isFile(bytes: Buffer): boolean {
  if (bytes.length < LEAST_BYTES) return false;
  if (bytes.includes(ZIP_END) || holdsContent(bytes)) return true;
  return FILES.has(identifyFile(bytes, { untrustedNames: [], declaredType: '', role: 'file' }).typeGroup);
}

/** Returns true for a ContentInfo of CMS with content in it. Certificates are often sent as one that is signed by nobody and has no content. */
function holdsContent(bytes: Buffer): boolean {
  const root = bytes[0] === SEQUENCE ? elementAt(bytes, 0, bytes.length) : null;
  const [id, wrapper] = root === null ? [] : childrenOf(bytes, root, 2);
  const type = objectIdOf(bytes, id);
  if (type === null || !CONTENT.test(type) || wrapper?.tag !== EXPLICIT) return false;
  const [data] = childrenOf(bytes, wrapper, 1);
  return type !== SIGNED || data === undefined || !isDetached(bytes, data);
}

function isDetached(bytes: Buffer, signed: Element): boolean {
  const info = childrenOf(bytes, signed, 3)[2];
  return info?.tag === SEQUENCE && childrenOf(bytes, info, 2).length === 1;
}

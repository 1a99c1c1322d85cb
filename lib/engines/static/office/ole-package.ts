/** Files that are packaged as OLE objects. A double click on the icon in the document opens them. */
import type { Finding } from '../../engine.ts';
import type { Compound } from '../compound-streams.ts';
import { isProgram } from '../findings/executable-kind.ts';
import { finding } from '../findings/findings.ts';
import type { Piece } from '../findings/module.ts';

const PACKAGE = /(?:^|\/)\[1\]Ole10Native$/i;
/** An embedded document of Office 2007 and later, and of LibreOffice. */
const DOCUMENT = /(?:^|\/)(?:Package|package_stream)$/i;
/** The data of many programs, and a whole file of Acrobat. */
const CONTENTS = /(?:^|\/)CONTENTS$/i;
const EQUATION = /(?:^|\/)Equation Native$/i;
/** The most bytes of names, paths and lengths in front of the file. Real packages have a few hundred. */
const HEADER_BYTES = 4_096;
const RUNNABLE_NAME = /\.(?:exe|scr|com|pif|bat|cmd|js|jse|vbs|vbe|wsf|hta|ps1|lnk|msi|jar)(?![\w.])/i;

export interface ObjectContents {
  readonly findings: readonly Finding[];
  readonly pieces: readonly Piece[];
}

/** Reads the objects of a compound file: packaged files and equations. */
export function readObjects({ streams }: Compound): ObjectContents {
  const findings: Finding[] = [];
  const pieces: Piece[] = [];
  for (const { path, bytes } of streams) {
    if (EQUATION.test(path) && hasOverlongFont(bytes)) findings.push(finding('equation-overflow', path));
    if (DOCUMENT.test(path) || (CONTENTS.test(path) && isPdf(bytes)))
      pieces.push({ where: path, bytes, untrustedName: 'package', kind: 'extracted_file', scope: 'file' });
    if (!PACKAGE.test(path)) continue;
    if (holdsProgram(bytes)) findings.push(finding('office-embedded-program', path));
    const packaged = readPackage(bytes);
    if (packaged === null) continue;
    pieces.push({ where: path, ...packaged, kind: 'extracted_file', scope: 'file' });
  }
  return { findings, pieces };
}

const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 4)).toString('latin1') === '%PDF';

interface PackagedFile {
  readonly bytes: Uint8Array;
  readonly untrustedLabel: string;
  /** The label and the two paths, and also their Unicode forms if they are there. */
  readonly untrustedNames: readonly string[];
  /** Whether the file is in the object. Otherwise only its path is. */
  readonly isEmbedded: boolean;
  /** Whether everything behind the file was read. */
  readonly isWhole: boolean;
}

/**
 * Returns the file in a package stream ([MS-OLEDS] 2.3.6). Returns null for a stream that ends before it, and for a stream without bytes of
 * a file.
 */
export function readPackage(bytes: Uint8Array): Pick<Piece, 'untrustedName' | 'bytes'> | null {
  const file = fileIn(bytes);
  return file === null || file.bytes.length === 0
    ? null
    : { untrustedName: file.untrustedLabel === '' ? 'package' : file.untrustedLabel, bytes: file.bytes };
}

const IS_EMBEDDED = 3;

/** Reads total size, a marker, label, path, the way of packaging, temporary path, and the bytes behind their size. */
function fileIn(bytes: Uint8Array): PackagedFile | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const label = textAt(bytes, 6);
    const path = textAt(bytes, label.end);
    const temporary = view.getUint32(path.end + 4, true);
    const at = path.end + 8 + temporary;
    const end = at + 4 + view.getUint32(at, true);
    const names = [label.text, path.text, latin1(bytes.subarray(path.end + 8, at)).replace(/\0+$/, '')];
    const wide = wideNames(bytes.subarray(end));
    return {
      bytes: bytes.subarray(at + 4, end),
      untrustedLabel: label.text,
      untrustedNames: [...names, ...(wide ?? [])],
      isEmbedded: view.getUint16(path.end + 2, true) === IS_EMBEDDED,
      isWhole: wide !== null && end <= bytes.length,
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Returns the names in Unicode behind the file, each behind its length. Older programs write none, and fill up with zeros. Returns null for
 * anything else.
 */
function wideNames(rest: Uint8Array): string[] | null {
  if (rest.every((byte) => byte === 0)) return [];
  const buffer = Buffer.from(rest);
  const names: string[] = [];
  let at = 0;
  for (; names.length < WIDE_NAMES && at + 4 <= buffer.length; ) {
    const end = at + 4 + buffer.readUInt32LE(at) * 2;
    if (end > buffer.length) return null;
    names.push(buffer.toString('utf16le', at + 4, end));
    at = end;
  }
  return names.length === WIDE_NAMES && buffer.subarray(at).every((byte) => byte === 0) ? names : null;
}
const WIDE_NAMES = 3;

/** Extensions of files that a program only shows. Documents among them are judged by themselves. */
const TO_READ = new Set(
  'pdf doc docx xls xlsx ppt pptx rtf odt ods odp txt csv jpg jpeg png gif bmp tif tiff wmf emf mp3 mp4 wav avi mpg mpeg mid'.split(
    ' ',
  ),
);

/**
 * Returns true for a package whose file is a picture, a text, a document or the like by each of its names, and no program by its bytes. A
 * double click opens it with the program for its name.
 */
export function isFileToRead(bytes: Uint8Array): boolean {
  const file = fileIn(bytes);
  if (file === null || !file.isEmbedded || !file.isWhole || holdsProgram(bytes)) return false;
  const [label = '', ...paths] = file.untrustedNames;
  return (label === '' || isNameToRead(label) || !label.includes('.')) && paths.every(isNameToRead);
}

function isNameToRead(untrustedName: string): boolean {
  const extension = /\.([a-z\d]{1,5})$/i.exec(untrustedName)?.[1]?.toLowerCase() ?? '';
  // A colon behind the drive begins the name of a stream.
  return (
    TO_READ.has(extension) && !/[\p{Cc}\p{Cf}]|:.*[:.]|[^\\/:]{2}:/u.test(untrustedName.replace(/^[a-z]:(?=\\)/i, ''))
  );
}

function textAt(bytes: Uint8Array, at: number): { text: string; end: number } {
  const end = bytes.subarray(0, at + HEADER_BYTES).indexOf(0, at);
  if (end === -1) throw new RangeError('the name does not end');
  return { text: latin1(bytes.subarray(at, end)), end: end + 1 };
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Returns true when a package stream holds a program, or a file with the name of one. */
function holdsProgram(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEADER_BYTES);
  for (let at = 4; at < head.length; at++) if (head[at] === 0x4d && isProgram(bytes.subarray(at))) return true;
  return RUNNABLE_NAME.test(latin1(head));
}

/** The space that the equation editor had for the name of a font. A longer name overwrote its stack. */
const FONT_NAME_ROOM = 40;
const FONT_RECORD = 0x08;

/** Returns true when an equation (28 bytes of header, then MTEF version 3 and its records) begins with a font name that is too long. */
export function hasOverlongFont(bytes: Uint8Array): boolean {
  const records = bytes.subarray(28 + 5, 28 + 5 + 64);
  for (let at = 0; at + 3 < records.length; at++) {
    if ((records[at] ?? 0) !== FONT_RECORD || at > 16) continue;
    const name = bytes.subarray(28 + 5 + at + 3, 28 + 5 + at + 3 + FONT_NAME_ROOM + 1);
    if (name.length > FONT_NAME_ROOM && !name.includes(0)) return true;
  }
  return false;
}

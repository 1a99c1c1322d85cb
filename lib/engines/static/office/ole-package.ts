/** Files that are packaged as OLE objects. A double click on the icon in the document opens them. */
import type { Finding } from '../../engine.ts';
import type { Compound } from '../compound-streams.ts';
import { isProgram } from '../findings/executable-kind.ts';
import { finding } from '../findings/findings.ts';
import type { Piece } from '../findings/module.ts';

const PACKAGE = /(?:^|\/)\[1\]Ole10Native$/i;
/** An embedded document of Office 2007 and later. */
const DOCUMENT = /(?:^|\/)Package$/i;
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
    if (DOCUMENT.test(path))
      pieces.push({ where: path, bytes, untrustedName: 'package', kind: 'extracted_file', scope: 'file' });
    if (!PACKAGE.test(path)) continue;
    if (holdsProgram(bytes)) findings.push(finding('office-embedded-program', path));
    const packaged = readPackage(bytes);
    if (packaged === null) continue;
    pieces.push({ where: path, ...packaged, kind: 'extracted_file', scope: 'file' });
  }
  return { findings, pieces };
}

/**
 * The file in a package stream ([MS-OLEDS] 2.3.6): total size, a marker, label, path, two numbers, temporary path, then the bytes behind
 * their size. Null for a stream that ends before that.
 */
export function readPackage(bytes: Uint8Array): Pick<Piece, 'untrustedName' | 'bytes'> | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const label = textAt(bytes, 6);
    const path = textAt(bytes, label.end);
    const temporary = view.getUint32(path.end + 4, true);
    const at = path.end + 8 + temporary;
    const content = bytes.subarray(at + 4, at + 4 + view.getUint32(at, true));
    return content.length === 0 ? null : { untrustedName: label.text === '' ? 'package' : label.text, bytes: content };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function textAt(bytes: Uint8Array, at: number): { text: string; end: number } {
  const end = bytes.subarray(0, at + HEADER_BYTES).indexOf(0, at);
  if (end === -1) throw new RangeError('the name does not end');
  return { text: Buffer.from(bytes.subarray(at, end)).toString('latin1'), end: end + 1 };
}

/** True when a package stream holds a program, or a file with the name of one. */
function holdsProgram(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEADER_BYTES);
  for (let at = 4; at < head.length; at++) if (head[at] === 0x4d && isProgram(bytes.subarray(at))) return true;
  return RUNNABLE_NAME.test(Buffer.from(head).toString('latin1'));
}

/** The space that the equation editor had for the name of a font. A longer name overwrote its stack. */
const FONT_NAME_ROOM = 40;
const FONT_RECORD = 0x08;

/** True when an equation (28 bytes of header, then MTEF version 3 and its records) begins with a font name that is too long. */
export function hasOverlongFont(bytes: Uint8Array): boolean {
  const records = bytes.subarray(28 + 5, 28 + 5 + 64);
  for (let at = 0; at + 3 < records.length; at++) {
    if ((records[at] ?? 0) !== FONT_RECORD || at > 16) continue;
    const name = bytes.subarray(28 + 5 + at + 3, 28 + 5 + at + 3 + FONT_NAME_ROOM + 1);
    if (name.length > FONT_NAME_ROOM && !name.includes(0)) return true;
  }
  return false;
}

/** OneNote sections ([MS-ONESTORE] 2.6.13): finds files in the notebook, which attacks hide behind pictures. */
import { extensionOf } from '../../../formats/detection/detect.ts';
import { isProgram, RUNS_AT_ONCE } from '../findings/executable-kind.ts';
import { finding } from '../findings/findings.ts';
import type { Piece, StaticModule } from '../findings/module.ts';

/** The first bytes of a FileDataStoreObject. */
const FILE_DATA = Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex');
const MAX_FILES = 60;
/** The first bytes of pictures and printouts, which are in most notebooks. EMF has its mark 40 bytes further. */
const PICTURES = ['\x89PNG', '\xff\xd8\xff', 'GIF8', 'BM', 'RIFF', '\xd7\xcd\xc6\x9a', '%PDF'];
const SCRIPT =
  /^\s*(?:<(?:!doctype hta|html|hta:|script|job|package)|@?echo |on error resume|dim |sub |function |var |\$\w+\s*=|powershell|cmd |wscript|start )/i;

export const notebookModule: StaticModule = {
  name: 'notebook',
  accepts: (type) => type === 'application/onenote',
  run: ({ bytes }) => {
    const names = namesIn(bytes);
    const pieces = filesIn(bytes);
    const runs = pieces.find((piece) => isProgram(piece.bytes) || SCRIPT.test(head(piece.bytes)));
    const named = names.find((name) => RUNS_AT_ONCE.has(extensionOf(name)));
    const other = pieces.find((piece) => !isPicture(piece.bytes));
    const isProgramInside = runs !== undefined || (named !== undefined && other !== undefined);
    return {
      findings: [
        ...(isProgramInside ? [finding('onenote-program', runs?.where ?? null, named)] : []),
        ...(other === undefined ? [] : [finding('onenote-file', other.where)]),
      ],
      views: [],
      pieces,
      understood: false,
    };
  },
};

const head = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 300)).toString('latin1').replaceAll('\0', '');

function isPicture(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 48)).toString('latin1');
  return PICTURES.some((magic) => start.startsWith(magic)) || start.slice(40, 44) === ' EMF';
}

function filesIn(untrustedBytes: Uint8Array): Piece[] {
  const bytes = Buffer.from(untrustedBytes.buffer, untrustedBytes.byteOffset, untrustedBytes.byteLength);
  const pieces: Piece[] = [];
  for (
    let at = bytes.indexOf(FILE_DATA);
    at !== -1 && pieces.length < MAX_FILES;
    at = bytes.indexOf(FILE_DATA, at + 16)
  ) {
    if (at + 36 > bytes.length) break;
    const size = bytes.readUInt32LE(at + 16);
    const content = bytes.subarray(at + 36, Math.min(bytes.length, at + 36 + size));
    pieces.push({
      where: `file at ${at}`,
      bytes: content,
      kind: 'extracted_file',
      untrustedName: `embedded-${pieces.length + 1}`,
      type: 'text/x-script',
      scope: 'file',
    });
  }
  return pieces;
}

/** The longest path in bytes that is read backwards from an extension, and the most names that are read. */
const NAME_BYTES = 240;
const MAX_NAMES = 2_000;

/** Returns the names of embedded files, which have two bytes per character. They are read backwards from their extensions. */
function namesIn(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4 * 1024 * 1024)).toString('latin1');
  const names: string[] = [];
  for (const match of text.matchAll(/\.\0(?:[a-z0-9]\0){2,4}/gi)) {
    if (names.length >= MAX_NAMES) break;
    const before = text.slice(Math.max(0, match.index - NAME_BYTES), match.index).replaceAll('\0', '');
    names.push(`${before}${match[0].replaceAll('\0', '')}`);
  }
  return names;
}

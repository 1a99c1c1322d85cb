/** Archives other than zip: whether their list of members needs a password, and its entries. Their members are analysed in turn. */
import { gunzipSync } from 'node:zlib';
import { singleStream } from '../../../formats/archives/gzip-layout.ts';
import type { SevenZipFormat } from '../../archives/seven-zip.ts';
import { EngineError, type Finding } from '../../engine.ts';
import { isProgram } from '../findings/executable-kind.ts';
import { finding } from '../findings/findings.ts';
import type { ModuleResult, Piece, StaticFile, StaticModule } from '../findings/module.ts';
import { judgeNames, memberPiece } from './archive.ts';
import { sevenZipMembers } from './seven-zip-members.ts';

/** The most bytes of a gzip stream that are unpacked for the rules. */
const MAX_GUNZIP_BYTES = 64 * 1024 * 1024;
const MAX_TAR_MEMBERS = 200;
const TAR_BLOCK = 512;

const READERS: Readonly<Record<string, (file: StaticFile) => ModuleResult | Promise<ModuleResult>>> = {
  'application/vnd.rar': readRar,
  'application/x-7z-compressed': readSevenZip,
  'application/x-bzip2': (file) => unpack(file, 'bzip2'),
  'application/x-xz': (file) => unpack(file, 'xz'),
  'application/zstd': (file) => unpack(file, 'zstd'),
  'application/vnd.ms-cab-compressed': readCabinet,
  'application/x-arj': (file) => unpack(file, 'arj'),
  'application/x-lzh-compressed': (file) => unpack(file, 'lzh'),
  'application/vnd.ms-htmlhelp': (file) => unpack(file, 'chm'),
  'application/x-tar': ({ bytes }) => readTar(bytes),
  'application/gzip': readGzip,
};

/**
 * A file of these types is not benign, because not every member was analysed. The exception is a gzip that is one file to its last byte.
 */
export const otherArchiveModule: StaticModule = {
  name: 'archive',
  accepts: (type) => Object.hasOwn(READERS, type),
  run: (file) => READERS[file.type.type]?.(file) ?? NOTHING,
};

const NOTHING: ModuleResult = { findings: [], views: [], understood: false };
const RAR5 = '526172211a070100';
const RAR4_ENCRYPTED_HEADERS = 0x0080;

function readRar(file: StaticFile): Promise<ModuleResult> {
  const { bytes } = file;
  const isRar5 = Buffer.from(bytes.subarray(0, 8)).toString('hex') === RAR5;
  // In RAR 5, the first header after the signature has type 4 when all others are encrypted. In RAR 4, a flag of the main header says so.
  const isEncrypted = isRar5 ? bytes[13] === 4 : ((bytes[10] ?? 0) & RAR4_ENCRYPTED_HEADERS) !== 0;
  if (isEncrypted) throw new EngineError('encrypted', 'the list of members needs a password');
  return unpack(file, isRar5 ? 'rar5' : 'rar');
}

/** The id of the AES-256 coder in a 7z header. */
const SEVEN_ZIP_AES = Buffer.from([0x06, 0xf1, 0x07, 0x01]);

function readSevenZip(file: StaticFile): Promise<ModuleResult> {
  const { bytes } = file;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 32) throw new EngineError('unreadable', 'the archive is cut off');
  const start = 32 + Number(view.getBigUint64(12, true));
  const header = bytes.subarray(start, start + Number(view.getBigUint64(20, true)));
  if (Buffer.from(header).includes(SEVEN_ZIP_AES)) throw new EngineError('encrypted', 'the archive needs a password');
  return unpack(file, '7z');
}

/** Unpacks cabinets, and the images that install Windows, which libmagic calls cabinets too. */
function readCabinet(file: StaticFile): Promise<ModuleResult> {
  const isImage = Buffer.from(file.bytes.subarray(0, 5)).toString('latin1') === 'MSWIM';
  return unpack(file, isImage ? 'wim' : 'cab');
}

/** Unpacks an archive. An archive that 7-Zip does not open is only not understood. */
async function unpack(file: StaticFile, format: SevenZipFormat): Promise<ModuleResult> {
  try {
    const { names, pieces } = await sevenZipMembers(file, format);
    return { findings: judgeNames(names, pieces), views: [], pieces, understood: false };
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'unreadable') throw error;
    return NOTHING;
  }
}

function readGzip({ bytes, limits }: StaticFile): ModuleResult {
  const content = gunzip(bytes, Math.min(MAX_GUNZIP_BYTES, limits.inflatedBytes));
  const tar = isTar(content) ? readTar(content) : null;
  if (tar !== null) return tar;
  const findings = isProgram(content) ? [finding('archive-executable')] : [];
  const understood = singleStream(bytes, content.length) !== null;
  return { findings, views: [], pieces: [memberPiece('content', content)], understood };
}

function gunzip(bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError)
      throw new EngineError('oversize', `the archive inflates to more than ${maxBytes} bytes`);
    throw new EngineError('unreadable', 'the archive is damaged');
  }
}

function isTar(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar';
}

/** Returns names and contents of the first members (POSIX ustar header blocks). */
function readTar(bytes: Uint8Array): ModuleResult {
  const pieces: Piece[] = [];
  const findings: Finding[] = [];
  let at = 0;
  while (at + TAR_BLOCK <= bytes.length && bytes[at] !== 0 && pieces.length < MAX_TAR_MEMBERS) {
    const header = Buffer.from(bytes.subarray(at, at + TAR_BLOCK)).toString('latin1');
    const name = header.slice(0, 100).split('\0', 1)[0] ?? '';
    const size = Number.parseInt(header.slice(124, 136), 8) || 0;
    const content = bytes.subarray(at + TAR_BLOCK, at + TAR_BLOCK + size);
    if (/(?:^|\/)\.\.(?:\/|$)|^\//.test(name) || /[12]/.test(header.charAt(156)))
      findings.push(finding('archive-path', name));
    pieces.push(memberPiece(name, content));
    at += TAR_BLOCK + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
  const names = pieces.map(({ where }) => where);
  return { findings: [...findings, ...judgeNames(names, pieces)], views: [], pieces, understood: false };
}

/**
 * Detects the type of a file by its bytes. The readers of this project decide first, for containers, scripts, and text that only looks like
 * another type. libmagic (wasm) is loaded and asked for all others. The name can make a text more dangerous, never less.
 */
import { createRequire } from 'node:module';
import { asBuffer } from '../byte-scan.ts';
import { decodeCharset } from '../charsets/decode-charset.ts';
import { withoutStains } from '../charsets/stained-text.ts';
import { textEncoding } from '../charsets/text-encoding.ts';
import { describeType, type FileType, groupOf, isFileType } from '../file-types.ts';
import { hasPdfHeader, latin1, signedType } from '../signatures.ts';
import { detectCfb, detectZip } from './detect-container.ts';
import { detectText } from './detect-text.ts';
import type { DetectedType } from './detected-type.ts';

/** Bytes that libmagic reads. It copies them into its own memory, and all of its signatures are within them. */
const MAGIC_BYTES = 256 * 1024;
/** Bytes of a text that are read to detect its type. */
const TEXT_HEAD_BYTES = 64 * 1024;
/** Characters of a name that are read. A name may have megabytes. */
const MAX_NAME_LENGTH = 1_000;

type Magic = (bytes: Uint8Array) => string;
let magicLoading: Promise<Magic> | undefined;

/** Loads libmagic once, with the first file that needs it. */
function loadMagic(): Promise<Magic> {
  magicLoading ??= (async () => {
    // The package is loaded with `require`, because all bundlers and loaders then find the wasm file beside it.
    const { WASMagic } = createRequire(import.meta.url)('wasmagic') as typeof import('wasmagic');
    const wasmagic = await WASMagic.create();
    return (bytes: Uint8Array) => wasmagic.detect(bytes);
  })();
  return magicLoading;
}

/**
 * Returns the type of the bytes. It is in file-types.ts, or it is one of libmagic's own MIME types with the extension `bin`. Never throws
 * for any bytes or name.
 */
export async function detectType(bytes: Uint8Array, untrustedName: string): Promise<DetectedType> {
  const extension = extensionOf(untrustedName);
  const encoding = textEncoding(bytes);
  const own = detectBinary(bytes, encoding !== null, extension);
  if (own !== null) return describeType(own);
  const magic = askedOnce(bytes);
  if (encoding === null) return await describeBinary(await magic(), bytes, extension);
  const head = decodeCharset(bytes.subarray(0, TEXT_HEAD_BYTES), encoding);
  return describeType(await detectText({ head, extension, magic }));
}

/** Returns the answer of libmagic about the bytes. */
function askedOnce(bytes: Uint8Array): () => Promise<string> {
  let answer: Promise<string> | undefined;
  const ask = async () => normalize((await loadMagic())(bytes.subarray(0, MAGIC_BYTES)));
  return () => {
    answer ??= bytes.length === 0 ? Promise.resolve('text/plain') : ask();
    return answer;
  };
}

/**
 * Returns the extension of an untrusted name as Windows sees it, in lower case. Empty when there is none. Trailing dots and spaces,
 * invisible characters (which turn `cod.exe` around) and stream suffixes (`a.exe::$DATA`) do not hide it.
 */
export function extensionOf(untrustedName: string): string {
  let end = untrustedName.length;
  while (end > MAX_NAME_LENGTH && /[\s.\p{Cc}\p{Cf}]/u.test(untrustedName.charAt(end - 1))) end--;
  const name = untrustedName
    .slice(Math.max(0, end - MAX_NAME_LENGTH), end)
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/::?\$.*$/, '')
    .replace(/[. ]+$/, '');
  return /\.([a-z0-9-]{1,20})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Pictures that libmagic calls by the brand of their container, or does not know. */
const OWN_PICTURES: ReadonlySet<FileType> = new Set([
  'image/avif',
  'image/heic',
  'image/jp2',
  'image/jxl',
  'image/emf',
  'image/wmf',
  'image/vnd.microsoft.icon',
]);

/** Returns the type by signatures that outweigh libmagic, the most dangerous reading first. */
function detectBinary(bytes: Uint8Array, isText: boolean, extension: string): FileType | null {
  if (isPdf(bytes, extension)) return 'application/pdf';
  const signed = signedType(bytes);
  // A small archive may consist of bytes that a text can have, so the signature decides before the bytes count as text.
  if (signed !== null && signed !== 'application/zip' && groupOf(signed) === 'archive') return signed;
  if (isText) return null;
  if (signed !== null && (groupOf(signed) === 'media' || OWN_PICTURES.has(signed))) return signed;
  if (startsWith(bytes, 'MZ'))
    return isPortableExecutable(bytes) ? 'application/vnd.microsoft.portable-executable' : 'application/x-dosexec';
  if (startsWith(bytes, '\x7fELF')) return 'application/x-executable';
  const cfb = detectCfb(bytes);
  if (cfb !== null) return cfb;
  if (startsWith(bytes, 'PK')) return detectZip(bytes, extension);
  // A text that starts as RTF may hold \bin bytes further on, so it need not be text as a whole.
  if (startsWith(bytes, '{\\rt')) return 'application/rtf';
  return null;
}

async function describeBinary(magic: string, bytes: Uint8Array, extension: string): Promise<DetectedType> {
  const isWeak = magic === 'application/octet-stream' || magic.startsWith('text/');
  if (isWeak) {
    // Zip readers search for the end record, so an archive behind other bytes is an archive.
    const found =
      detectZip(bytes, extension) ?? detectDamagedText(bytes) ?? (await detectStainedText(bytes, extension));
    return describeType(found ?? 'application/octet-stream');
  }
  if (isFileType(magic)) return describeType(magic);
  if (!/^[a-z0-9.+-]{1,40}\/[a-z0-9.+-]{1,80}$/.test(magic)) return describeType('application/octet-stream');
  return { type: magic, extension: 'bin', description: `data of type ${magic}` };
}

/** Returns the type of markup with stray control bytes. It is not text, but browsers and mail programs show it. */
function detectDamagedText(bytes: Uint8Array): FileType | null {
  const head = latin1(bytes, 0, 4_096).replaceAll('\0', '');
  return /<(?:!doctype\s+html|html|script|body|iframe|svg)\b/i.test(head) ? 'text/html' : null;
}

/** Returns the type of a text with a few bytes that are no text; null for everything else. */
async function detectStainedText(bytes: Uint8Array, extension: string): Promise<FileType | null> {
  const text = withoutStains(bytes);
  const encoding = text === null ? null : textEncoding(text);
  if (text === null || encoding === null) return null;
  const head = decodeCharset(text.subarray(0, TEXT_HEAD_BYTES), encoding);
  return await detectText({ head, extension, magic: async () => 'text/plain' });
}

/** The table has other names for these types of libmagic. */
const ALIASES: Readonly<Record<string, FileType>> = {
  'text/rtf': 'application/rtf',
  'image/x-icon': 'image/vnd.microsoft.icon',
  'image/apng': 'image/png',
  'image/x-ms-bmp': 'image/bmp',
  'image/heif': 'image/heic',
  'image/x-emf': 'image/emf',
  'image/x-wmf': 'image/wmf',
  'application/x-rar': 'application/vnd.rar',
  'application/x-gzip': 'application/gzip',
  'application/x-zstd': 'application/zstd',
  'application/x-pie-executable': 'application/x-executable',
  'application/x-sharedlib': 'application/x-executable',
  'application/x-object': 'application/x-executable',
  'application/x-java-applet': 'application/java-vm',
  'application/x-lharc': 'application/x-lzh-compressed',
  'application/x-lha': 'application/x-lzh-compressed',
  'application/x-virtualbox-vhd': 'application/x-vhd',
  'application/x-virtualbox-vhdx': 'application/x-vhdx',
  'application/x-ms-wim': 'application/vnd.ms-cab-compressed',
};

function normalize(magic: string): string {
  const type = magic.toLowerCase();
  return Object.hasOwn(ALIASES, type) ? (ALIASES[type] ?? type) : type;
}

/**
 * Extensions of archives that may hold a PDF uncompressed; `dat` is that of winmail.dat. Programs open a file with such a name as what it
 * begins with, not as the PDF in it.
 */
const ARCHIVE_NAMES = new Set(['zip', '7z', 'rar', 'tar', 'dat']);
const ARCHIVE_STARTS = ['PK\x03\x04', '7z\xbc\xaf', 'Rar!', '\x78\x9f\x3e\x22'];

function startsAsArchive(bytes: Uint8Array): boolean {
  return startsWith(bytes.subarray(257), 'ustar') || ARCHIVE_STARTS.some((magic) => startsWith(bytes, magic));
}

/** Returns true for a PDF. A file named .pdf is opened with a PDF reader, and PDF readers repair damaged files. */
function isPdf(bytes: Uint8Array, extension: string): boolean {
  if (!hasPdfHeader(bytes) || (ARCHIVE_NAMES.has(extension) && startsAsArchive(bytes))) return false;
  return extension === 'pdf' || /^%PDF-\d/.test(latin1(bytes, 0, 8)) || holdsPdfObjects(bytes);
}

/**
 * Returns true when objects of a PDF, or lists of them, occur anywhere in the file. Prose that quotes the header has none. The whole file
 * is searched, because tens of kilobytes of comments may precede the objects.
 */
function holdsPdfObjects(bytes: Uint8Array): boolean {
  const view = asBuffer(bytes);
  if (view.includes('startxref')) return true;
  for (let at = view.indexOf('obj'); at !== -1; at = view.indexOf('obj', at + 3))
    if (isObjectWord(view, at)) return true;
  return false;
}

/**
 * Returns true for `obj` or `endobj` as a separate word, or directly after a number. It reads single bytes, because a file may have only
 * such letters.
 */
function isObjectWord(view: Buffer, at: number): boolean {
  if (isWordByte(view[at + 3] ?? 0x20)) return false;
  const before = view[at - 1] ?? 0x20;
  const isBehindNumber = before >= 0x30 && before <= 0x39;
  return isBehindNumber || !isWordByte(before) || view.toString('latin1', Math.max(0, at - 3), at) === 'end';
}

function isWordByte(byte: number): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f || byte === 0x2d;
}

function isPortableExecutable(bytes: Uint8Array): boolean {
  if (bytes.length < 0x40) return false;
  const at = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0x3c, true);
  return startsWith(bytes.subarray(at, at + 4), 'PE\0\0');
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  return latin1(bytes, 0, magic.length) === magic;
}

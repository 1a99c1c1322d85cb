/**
 * What a file is, for policy: decided from the bytes and every claimed name together. Fails closed: a group that is kept or
 * disarmed lightly is only given when nothing contradicts it.
 */
import { isUtf8 } from 'node:buffer';
import { COMPOUND_MAGIC, typeOfCompoundFile, typeOfZip, zipEnd } from './file-containers.ts';
import { type FileType, latin1, PDF, typeBySignature, UNKNOWN } from './file-magic.ts';
import { areAllPlainText, dangerOf, hasExtension } from './file-names.ts';
import type { TypeGroup } from './model.ts';

export interface FileHints {
  /** Every name claimed for the file. */
  readonly untrustedNames: readonly string[];
  /** Lower-case `type/subtype` as declared; empty when nothing was. */
  readonly declaredType: string;
  readonly role: 'body' | 'attachment' | 'file';
}

const TEXT: FileType = { detectedType: 'text/plain', extension: 'txt', typeGroup: 'text' };
const HTML: FileType = { detectedType: 'text/html', extension: 'html', typeGroup: 'html' };
const EMAIL: FileType = { detectedType: 'message/rfc822', extension: 'eml', typeGroup: 'email' };
const SCRIPT: FileType = { detectedType: 'text/x-script', extension: 'script', typeGroup: 'script' };
const OTHER_TEXT: FileType = { detectedType: 'application/octet-stream', extension: 'bin', typeGroup: 'other' };

/** Readers accept a PDF header within this many bytes (PDF 1.7, implementation note 13). */
const PDF_HEADER_BYTES = 1_024;
/** A local entry, the end record of an empty archive, and the mark of a split one (APPNOTE 4.3). */
const ZIP_STARTS = new Set(['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08']);
/** How much of a text is looked at for what it is. */
const HEAD_BYTES = 4_096;

/** Groups whose disarm builds the file anew, so that a second format hidden in it is lost. */
const REBUILT: ReadonlySet<TypeGroup> = new Set(['pdf', 'image', 'office']);

/**
 * Identifies a file. `detectedType` is a MIME type and `extension` one to eight of [a-z0-9], both from closed lists. A dangerous
 * name forces `executable`, `script` or `other` whatever the bytes say; of several names the most dangerous counts.
 */
export function identifyFile(bytes: Uint8Array, hints: FileHints): FileType {
  const found = typeWithoutNames(bytes, hints);
  const danger = dangerOf(hints.untrustedNames);
  if (danger === null || found.typeGroup === 'executable') return found;
  return { ...found, typeGroup: danger };
}

function typeWithoutNames(bytes: Uint8Array, hints: FileHints): FileType {
  // A body is shown, never opened by its first bytes: a letter that starts with `MZ` is a letter.
  if (hints.role === 'body' && asText(bytes) !== null) return typeOfText(bytes, hints);
  const found = typeOfBytes(bytes, hints);
  if (found === null) return withoutPolyglots(typeOfText(bytes, hints), bytes);
  // A browser opens by name what an engine would take for a picture: the two must not disagree.
  return isCalledHtml(hints) && found.typeGroup !== 'executable'
    ? { ...found, typeGroup: 'other' }
    : withoutPolyglots(found, bytes);
}

function isCalledHtml({ untrustedNames, declaredType }: FileHints): boolean {
  return declaredType === 'text/html' || hasExtension(untrustedNames, 'html', 'htm');
}

function typeOfBytes(bytes: Uint8Array, hints: FileHints): FileType | null {
  if (latin1(bytes, 0, 8) === COMPOUND_MAGIC) return typeOfCompoundFile(bytes);
  if (ZIP_STARTS.has(latin1(bytes, 0, 4))) return typeOfZip(bytes);
  const signed = typeBySignature(bytes);
  if (!hasPdfHeader(bytes)) return signed;
  // Behind the first bytes of a picture, a PDF is opened as what it is called.
  const isCalledPdf = hints.declaredType === PDF.detectedType || hasExtension(hints.untrustedNames, 'pdf');
  return signed === null || (isCalledPdf && signed.typeGroup === 'image') ? PDF : signed;
}

function hasPdfHeader(bytes: Uint8Array): boolean {
  return latin1(bytes, 0, PDF_HEADER_BYTES).includes('%PDF-');
}

/** A file of two formats is what its reader takes it for. Only a disarm that builds anew makes it one. */
function withoutPolyglots(found: FileType, bytes: Uint8Array): FileType {
  if (REBUILT.has(found.typeGroup) || found.typeGroup === 'executable') return found;
  // A message ends with its last attachment, which may well be a zip.
  if (found.typeGroup === 'email') return found;
  const isZip = found.typeGroup === 'archive' && /^PK/.test(latin1(bytes, 0, 2));
  const hasSecond = (found !== PDF && hasPdfHeader(bytes)) || (!isZip && hasZipEnd(bytes));
  return hasSecond ? { ...found, typeGroup: 'other' } : found;
}

/** An end record that is followed by nothing but its comment, as archive programs ask for; prose about zips has none. */
function hasZipEnd(bytes: Uint8Array): boolean {
  const at = zipEnd(bytes);
  if (at === -1 || at + 22 > bytes.length) return false;
  const comment = (bytes[at + 20] ?? 0) | ((bytes[at + 21] ?? 0) << 8);
  return at + 22 + comment <= bytes.length;
}

/** True for bytes that are text in UTF-8, a 8-bit or 7-bit charset, or UTF-16: no NUL, no control that text does not have. */
function asText(bytes: Uint8Array): string | null {
  const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isMarked && bytes.length % 2 === 0) {
    const text = new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
    return hasBinaryControls(text) ? null : text.slice(0, HEAD_BYTES);
  }
  for (const byte of bytes) if ((byte < 0x20 && !TEXT_CONTROLS.has(byte)) || byte === 0x7f) return null;
  const head = bytes.subarray(0, HEAD_BYTES);
  return isUtf8(head) ? new TextDecoder().decode(head) : latin1(head, 0, head.length);
}

/** Tab, line feed, vertical tab, form feed, carriage return, and the escape of ISO-2022 charsets. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);
const hasBinaryControls = (text: string) => /[^\P{Cc}\t\n\v\f\r\x85]/u.test(text);

const SHEBANG = /^#!/;
const MARKUP =
  /<(?:!doctype\s+html|!--|\/?(?:html|head|body|title|meta|style|table|tr|td|div|span|p|a|b|i|img|br|hr|font|center|h[1-6]|ul|ol|li|form|input|iframe|frame|script|object|embed|link|base|svg|math))[\s>/]/i;
const HTML_START = /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i;
/** Texts that some program acts on, by how they begin. */
const ACTED_ON =
  /^\s*(?:\{\\rt|ID;P|%!PS|WEB\r?\n1\r?\n|BEGIN:V(?:CALENDAR|CARD)|Windows Registry Editor|REGEDIT4|\[InternetShortcut\]|\[Desktop Entry\]|<\?|<%|@echo\b|<scriptlet|<package|<job)/i;
const HEADER_NAMES =
  /^(?:from|to|subject|date|received|mime-version|return-path|message-id|content-type|delivered-to|reply-to|dkim-signature):/gim;

function looksLikeEmail(head: string): boolean {
  const header = head.split(/\r?\n\r?\n/, 1)[0] ?? '';
  if (!/^[!-9;-~]{1,76}:/.test(header)) return false;
  return new Set((header.match(HEADER_NAMES) ?? []).map((name) => name.toLowerCase())).size >= 3;
}

/** What a file without a signature is: text in one of its kinds, or unknown. */
function typeOfText(bytes: Uint8Array, hints: FileHints): FileType {
  const { untrustedNames, declaredType, role } = hints;
  const text = asText(bytes);
  // A page is read with whatever control characters are in it, so damage makes it no less a page.
  if (isCalledHtml(hints)) return HTML;
  if (declaredType.startsWith('message/') || hasExtension(untrustedNames, 'eml', 'msg')) return EMAIL;
  if (text === null) return isUtf16Latin(bytes) && role === 'body' && untrustedNames.length === 0 ? TEXT : UNKNOWN;
  const head = text.replace(/^\ufeff/, '');
  // Mail programs show a body declared as plain text as text, tags and all.
  if (role === 'body' && declaredType === 'text/plain' && areAllPlainText(untrustedNames)) return TEXT;
  if (SHEBANG.test(head)) return SCRIPT;
  if (HTML_START.test(head)) return HTML;
  if (role !== 'body' && looksLikeEmail(head)) return EMAIL;
  const isPlain =
    areAllPlainText(untrustedNames) && !ACTED_ON.test(head) && !MARKUP.test(head) && !isFormulaTable(head);
  return isPlain ? TEXT : OTHER_TEXT;
}

/** Without a mark, only Latin text in UTF-16 can be told from binary data: a NUL in every second place, and text between. */
function isUtf16Latin(bytes: Uint8Array): boolean {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return false;
  const high = bytes[1] === 0 ? 1 : 0;
  for (let at = 0; at < bytes.length; at += 2) {
    const low = bytes[at + 1 - high] ?? 0;
    if (bytes[at + high] !== 0 || low === 0x7f || (low < 0x20 && !TEXT_CONTROLS.has(low))) return false;
  }
  return true;
}

/** Cells that a spreadsheet program would calculate: they start with a formula sign and call something. */
function isFormulaTable(head: string): boolean {
  return /(?:^|[,;\t|"])\s{0,9}[=+@-]\s{0,9}[a-z_.]{1,40}\s{0,9}[(|]/im.test(head);
}

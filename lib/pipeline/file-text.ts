/** What a file without a signature is: text in one of its kinds, or unknown. */
import { isUtf8 } from 'node:buffer';
import { atOnce, STEP_BYTES, type Steps } from '../message/turns.ts';
import { isDeclaredMessage, isDeclaredPlain, saysNothing } from './file-declared.ts';
import { type FileHints, type FileType, latin1, UNKNOWN } from './file-magic.ts';
import { areAllPages, areAllPlainText, hasExtension, isCalledText } from './file-names.ts';

const TEXT: FileType = { detectedType: 'text/plain', extension: 'txt', typeGroup: 'text' };
const HTML: FileType = { detectedType: 'text/html', extension: 'html', typeGroup: 'html' };
const EMAIL: FileType = { detectedType: 'message/rfc822', extension: 'eml', typeGroup: 'email' };
const SCRIPT: FileType = { detectedType: 'text/x-script', extension: 'script', typeGroup: 'script' };
const OTHER_TEXT: FileType = { detectedType: 'application/octet-stream', extension: 'bin', typeGroup: 'other' };

/** How much of a text is looked at for what it is. */
const HEAD_BYTES = 4_096;

/** What was found for these bytes: several questions about one file begin with this one. */
const heads = new WeakMap<Uint8Array, string | null>();

/** The start of bytes that are text, null when they are not: text in UTF-8, a 8-bit or 7-bit charset, or UTF-16: no NUL, no control that text does not have. */
export function asText(bytes: Uint8Array): string | null {
  const known = heads.get(bytes);
  return known === undefined ? atOnce(asTextSteps(bytes)) : known;
}

/** The same in pieces; asked for these bytes again, it is answered at once. */
export function* asTextSteps(bytes: Uint8Array): Steps<string | null> {
  const head = yield* headSteps(bytes);
  heads.set(bytes, head);
  return head;
}

function* headSteps(bytes: Uint8Array): Steps<string | null> {
  if (isMarkedUtf16(bytes) && bytes.length % 2 === 0) {
    const text = new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
    return hasBinaryControls(text) ? null : text.slice(0, HEAD_BYTES);
  }
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) yield;
    if (!areTextBytes(bytes.subarray(at, at + STEP_BYTES))) return null;
  }
  const head = bytes.subarray(0, HEAD_BYTES);
  return isUtf8(head) ? new TextDecoder().decode(head) : latin1(head, 0, head.length);
}

/** Tab, line feed, vertical tab, form feed, carriage return, and the escape of ISO-2022 charsets. */
const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);
const IS_TEXT_BYTE = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte < 0x20 && !TEXT_CONTROLS.has(byte)) || byte === 0x7f ? 0 : 1,
);

/** An iterator over 40 MB costs a second, an index a few milliseconds. */
function areTextBytes(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (IS_TEXT_BYTE[bytes[at] as number] === 0) return false;
  return true;
}

const hasBinaryControls = (text: string) => /[^\P{Cc}\t\n\v\f\r\x85]/u.test(text);

function isMarkedUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

const SHEBANG = /^#!/;
const MARKUP =
  /<(?:!doctype\s+html|!--|\/?(?:html|head|body|title|meta|style|table|tr|td|div|span|p|a|b|i|img|br|hr|font|center|h[1-6]|ul|ol|li|form|input|iframe|frame|script|object|embed|link|base|svg|math))[\s>/]/i;
/** Markup of XML under any prefix: `<h:script>` runs as well as `<script>` where the file is read as XML. */
const XML_MARKUP = /<[a-z_][\w.-]{0,60}:[a-z_][\w.-]{0,60}[\s>/]|\sxmlns(?::[\w.-]{1,60})?\s{0,9}=/i;
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

/** True when a name or the declared type says page. */
export function isCalledPage({ untrustedNames, declaredType }: FileHints): boolean {
  return declaredType === 'text/html' || hasExtension(untrustedNames, 'html', 'htm');
}

/**
 * The type of a file without a signature. Text is only what is declared and called plain text and looks like it; a page is
 * what nothing calls anything else.
 */
export function typeOfText(bytes: Uint8Array, hints: FileHints): FileType {
  const { untrustedNames, declaredType, role } = hints;
  const text = asText(bytes);
  if (role === 'body') {
    // A page is read with whatever control characters are in it, so damage makes it no less a page.
    if (declaredType === 'text/html') return HTML;
    // Mail programs show a body declared as plain text as text, tags and all.
    if (declaredType === 'text/plain') return text !== null || isUtf16Latin(bytes) ? TEXT : UNKNOWN;
  }
  const isMessage = isDeclaredMessage(declaredType) || hasExtension(untrustedNames, 'eml', 'msg');
  if (isCalledPage(hints)) return !isMessage && mayBePage(hints) ? HTML : OTHER_TEXT;
  if (isMessage) return EMAIL;
  return text === null ? UNKNOWN : typeOfHead(text.replace(/^\ufeff/, ''), bytes, hints);
}

function typeOfHead(head: string, bytes: Uint8Array, hints: FileHints): FileType {
  if (SHEBANG.test(head)) return SCRIPT;
  if (HTML_START.test(head)) return mayBePage(hints) ? HTML : OTHER_TEXT;
  if (hints.declaredType !== HEADERS && looksLikeEmail(head)) return EMAIL;
  const isActive = ACTED_ON.test(head) || MARKUP.test(head) || XML_MARKUP.test(head) || isFormulaTable(head);
  return mayBeText(hints) && !isActive && !isTextOfTwoKinds(bytes) ? TEXT : OTHER_TEXT;
}

/** The header of a returned message in a delivery report (RFC 6522 §4): it looks like an email, and is shown as text. */
const HEADERS = 'text/rfc822-headers';

/** Nothing calls it anything but a page: `a.xls` goes to a spreadsheet program, `application/foo` to one we do not know. */
function mayBePage({ untrustedNames, declaredType }: FileHints): boolean {
  const isDeclared = declaredType === 'text/html' || declaredType === 'text/plain' || saysNothing(declaredType);
  return isDeclared && areAllPages(untrustedNames);
}

/** Nothing calls it anything but a plain text, and something does, unless it is a bare file. */
function mayBeText({ untrustedNames, declaredType, role }: FileHints): boolean {
  const isSaid = isDeclaredPlain(declaredType) || (saysNothing(declaredType) && isCalledText(untrustedNames));
  return (isSaid || role === 'file') && areAllPlainText(untrustedNames);
}

/** Marked as UTF-16, and with an address in ASCII: whoever does not know the mark sees another text than the one judged. */
function isTextOfTwoKinds(bytes: Uint8Array): boolean {
  return isMarkedUtf16(bytes) && latin1(bytes, 0, bytes.length).includes('://');
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

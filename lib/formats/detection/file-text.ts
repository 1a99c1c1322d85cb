/** Detects the type of a file without a signature: a kind of text, or unknown. */
import { isUtf8 } from 'node:buffer';
import { markedEncoding } from '../charsets/labels.ts';
import { areTextBytes, decodeMarked, unmarkedUtf16 } from '../charsets/text-encoding.ts';
import { decodeUtf32, utf32Order } from '../charsets/utf32.ts';
import { latin1 } from '../signatures.ts';
import { runSync, STEP_BYTES, type Steps } from '../steps.ts';
import { isDeclaredMessage, isDeclaredPlain, saysNothing } from './file-declared.ts';
import { type FileHints, type FileType, fileTypeOf, UNKNOWN } from './file-magic.ts';
import { areAllPages, areAllPlainText, hasExtension, isCalledText } from './file-names.ts';
import { isShownAsText } from './source-text.ts';

const TEXT = fileTypeOf('text/plain');
const HTML = fileTypeOf('text/html');
const EMAIL = fileTypeOf('message/rfc822');
const SCRIPT = fileTypeOf('text/x-script');

/** Bytes of a text that are read to detect its type. */
const HEAD_BYTES = 4_096;

/** The results by bytes. They are kept because several questions about one file need them. */
const heads = new WeakMap<Uint8Array, string | null>();

/**
 * Returns the start of a text in UTF-8, UTF-16 with a mark, UTF-32, or an 8-bit or 7-bit charset. Returns null for bytes that are not text.
 */
export function asText(bytes: Uint8Array): string | null {
  const known = heads.get(bytes);
  return known === undefined ? runSync(asTextSteps(bytes)) : known;
}

/** Does the work of `asText` in pieces. The result is kept for later calls of `asText`. */
export function* asTextSteps(bytes: Uint8Array): Steps<string | null> {
  const head = yield* headSteps(bytes);
  heads.set(bytes, head);
  return head;
}

function* headSteps(bytes: Uint8Array): Steps<string | null> {
  const wide = utf32Order(bytes);
  if (wide !== null) return decodeUtf32(bytes.subarray(0, HEAD_BYTES * 4), wide).slice(0, HEAD_BYTES);
  if (isMarkedUtf16(bytes) && bytes.length % 2 === 0) {
    const text = decodeMarked(bytes);
    return hasBinaryControls(text) ? null : text.slice(0, HEAD_BYTES);
  }
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) yield;
    if (!areTextBytes(bytes.subarray(at, at + STEP_BYTES))) return null;
  }
  const head = bytes.subarray(0, HEAD_BYTES);
  return isUtf8(head) ? new TextDecoder().decode(head) : latin1(head, 0, head.length);
}

const hasBinaryControls = (text: string) => /[^\P{Cc}\t\n\v\f\r\x85]/u.test(text);

const isMarkedUtf16 = (bytes: Uint8Array) => /^utf-16/.test(markedEncoding(bytes) ?? '');

const SHEBANG = /^#!/;
const MARKUP =
  /<(?:!doctype\s+html|!--|\/?(?:html|head|body|title|meta|style|table|tr|td|div|span|p|a|b|i|img|br|hr|font|center|h[1-6]|ul|ol|li|form|input|iframe|frame|script|object|embed|link|base|svg|math))[\s>/]/i;
/** Markup of XML with any prefix. In XML, `<h:script>` runs like `<script>`. */
const XML_MARKUP = /<[a-z_][\w.-]{0,60}:[a-z_][\w.-]{0,60}[\s>/]|\sxmlns(?::[\w.-]{1,60})?\s{0,9}=/i;
const HTML_START = /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i;
/** The beginnings of texts on which some program acts. The last two are archives: their files may all be texts. */
const ACTED_ON =
  /^\s*(?:\{\\rt|ID;P|%!PS|WEB\r?\n1\r?\n|BEGIN:V(?:CALENDAR|CARD)|Windows Registry Editor|REGEDIT4|\[InternetShortcut\]|\[Desktop Entry\]|<\?|<%|@echo\b|<scriptlet|<package|<job|!<arch>\r?\n|WARC\/\d\.\d+\r?\n)/i;
const HEADER_NAMES =
  /^(?:from|to|subject|date|received|mime-version|return-path|message-id|content-type|delivered-to|reply-to|dkim-signature):/gim;

/** Returns true for the fields of a message at the start of a text. */
export function looksLikeEmail(head: string): boolean {
  const header = head.split(/\r?\n\r?\n/, 1)[0] ?? '';
  if (!/^[!-9;-~]{1,76}:/.test(header)) return false;
  return new Set((header.match(HEADER_NAMES) ?? []).map((name) => name.toLowerCase())).size >= 3;
}

/** Returns true when a name or the declared type says that the file is a page. */
export function isCalledPage({ untrustedNames, declaredType }: FileHints): boolean {
  return declaredType === 'text/html' || hasExtension(untrustedNames, 'html', 'htm');
}

/** Returns the text that a mail program shows. A body in UTF-32 has none, because programs do not agree on it. */
const shownText = (bytes: Uint8Array, role: FileHints['role']) =>
  role === 'body' && utf32Order(bytes) !== null ? null : asText(bytes);

/**
 * Returns the type of a file without a signature. It is text only if its declared type, its names and its content all agree. It is a page
 * only if no name or type contradicts that.
 */
export function typeOfText(bytes: Uint8Array, hints: FileHints): FileType {
  const { untrustedNames, declaredType, role } = hints;
  const text = shownText(bytes, role);
  if (role === 'body') {
    // Programs read a page with any control characters in it, so a damaged page is a page.
    if (declaredType === 'text/html') return HTML;
    // Mail programs show a body that is declared as plain text as text, with its tags.
    if (declaredType === 'text/plain') return text !== null || unmarkedUtf16(bytes) !== null ? TEXT : UNKNOWN;
  }
  const isMessage = isDeclaredMessage(declaredType) || hasExtension(untrustedNames, 'eml', 'msg');
  if (isCalledPage(hints)) {
    if (text !== null && role === 'attachment' && isOnlyDeclaredPage(text, hints))
      return typeOfHead(text.replace(/^\ufeff/, ''), bytes, { ...hints, declaredType: 'text/plain' });
    return !isMessage && mayBePage(hints) ? HTML : UNKNOWN;
  }
  if (isMessage) return EMAIL;
  return text === null ? UNKNOWN : typeOfHead(text.replace(/^\ufeff/, ''), bytes, hints);
}

/** Returns true for a text without any markup and with names of texts, if only its declared type calls it a page. */
function isOnlyDeclaredPage(text: string, { untrustedNames }: FileHints): boolean {
  return isCalledText(untrustedNames) && !MARKUP.test(text) && !XML_MARKUP.test(text);
}

/** The first line of OpenPGP armor (RFC 9580 §6.2). */
const ARMOR = /^-----BEGIN PGP /m;

/**
 * Returns true for names of texts that programs only show. A text that OpenPGP programs open is read completely, because anything can
 * follow the armor.
 */
function mayQuotePages(head: string, { untrustedNames }: FileHints): boolean {
  return isCalledText(untrustedNames) && !hasExtension(untrustedNames, 'asc') && !ARMOR.test(head);
}

function typeOfHead(head: string, bytes: Uint8Array, hints: FileHints): FileType {
  if (SHEBANG.test(head)) return SCRIPT;
  if (HTML_START.test(head)) return mayBePage(hints) ? HTML : UNKNOWN;
  if (hints.declaredType !== HEADERS && looksLikeEmail(head)) return EMAIL;
  const isMarked = mayQuotePages(head, hints) ? !isShownAsText(head) : MARKUP.test(head);
  const isActive = ACTED_ON.test(head) || isMarked || XML_MARKUP.test(head) || isFormulaTable(head);
  return mayBeText(hints) && !isActive && !isTextOfTwoKinds(bytes) ? TEXT : UNKNOWN;
}

/** The header of a returned message in a delivery report (RFC 6522 §4). It looks like an email, but is shown as text. */
const HEADERS = 'text/rfc822-headers';

/**
 * Returns true when no name or type contradicts a page: `a.xls` is opened by a spreadsheet program, `application/foo` by an unknown one.
 */
function mayBePage({ untrustedNames, declaredType }: FileHints): boolean {
  const isDeclared = declaredType === 'text/html' || declaredType === 'text/plain' || saysNothing(declaredType);
  return isDeclared && areAllPages(untrustedNames);
}

/** Returns true when all names and types are of plain text. At least one must be, unless it is a bare file. */
function mayBeText({ untrustedNames, declaredType, role }: FileHints): boolean {
  const isSaid = isDeclaredPlain(declaredType) || (saysNothing(declaredType) && isCalledText(untrustedNames));
  return (isSaid || role === 'file') && areAllPlainText(untrustedNames);
}

/**
 * Returns true for bytes with a mark of UTF-16 and an address in ASCII. A program that ignores the mark sees another text than the judged
 * one.
 */
export function isTextOfTwoKinds(bytes: Uint8Array): boolean {
  return isMarkedUtf16(bytes) && latin1(bytes, 0, bytes.length).includes('://');
}

/** Returns true for cells that a spreadsheet program calculates: they start with a formula sign and call a function. */
function isFormulaTable(head: string): boolean {
  return /(?:^|[,;\t|"])\s{0,9}[=+@-]\s{0,9}[a-z_.]{1,40}\s{0,9}[(|]/im.test(head);
}

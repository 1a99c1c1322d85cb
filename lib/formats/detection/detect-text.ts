/** Detects the kind of a text file: by its content if that is clear, otherwise by a name that makes a program run it. */
import type { FileType } from '../file-types.ts';
import { isMailbox } from '../mail/mailbox.ts';
import { SHOWN_AS_TEXT, typeOfActingName } from '../names/acting-names.ts';
import { officeXmlType } from '../office/xml-roots.ts';

/** Extensions of pages and documents. The programs for these names read any text as one. */
const TYPE_OF_EXTENSION: Readonly<Record<string, FileType>> = {
  svg: 'image/svg+xml',
  html: 'text/html',
  htm: 'text/html',
  fodt: 'application/vnd.oasis.opendocument.text-flat-xml',
  fods: 'application/vnd.oasis.opendocument.spreadsheet-flat-xml',
  fodp: 'application/vnd.oasis.opendocument.presentation-flat-xml',
  fodg: 'application/vnd.oasis.opendocument.graphics-flat-xml',
  shtml: 'text/html',
  xht: 'application/xhtml+xml',
  xhtml: 'application/xhtml+xml',
  css: 'text/css',
  kml: 'application/vnd.google-earth.kml+xml',
  xml: 'text/xml',
};

/** Extensions of tables, calendars and cards. The programs for these names read any text as one. */
const RECORD_OF_EXTENSION: Readonly<Record<string, FileType>> = {
  csv: 'text/csv',
  tsv: 'text/csv',
  ics: 'text/calendar',
  vcs: 'text/calendar',
  ical: 'text/calendar',
  ifb: 'text/calendar',
  vcf: 'text/vcard',
};

/** Extensions that prove nothing and run nothing. Unless the content looks like another kind, such a file is plain text. */
const PLAIN_EXTENSIONS = new Set(['', ...SHOWN_AS_TEXT, 'csv', 'tsv', 'ini', 'cfg', 'conf']);

interface TextFacts {
  /** The first characters of the text, decoded, without byte order mark. */
  readonly head: string;
  /** The extension of the untrusted name, in lower case. */
  readonly extension: string;
  /**
   * Returns the type that libmagic finds. It takes 10 ms for a text in which it finds nothing, so it is asked only where its answer counts.
   */
  readonly magic: () => Promise<string>;
}

/** Returns the type of a text file. `text/plain` when nothing says otherwise. */
export async function detectText(facts: TextFacts): Promise<FileType> {
  const fromMarkup = detectMarkup(facts);
  const fromName = typeOfActingName(facts.extension) ?? typeOfDocumentName(facts.extension);
  if (fromName !== null)
    return strongest(fromName, fromMarkup ?? (YIELDS.has(fromName) ? await askedPage(facts) : null));
  return (
    fromMarkup ??
    (await askedPage(facts)) ??
    detectRecord(facts) ??
    (await askedRecord(facts)) ??
    (await detectScript(facts)) ??
    'text/plain'
  );
}

function typeOfDocumentName(extension: string): FileType | null {
  return Object.hasOwn(TYPE_OF_EXTENSION, extension) ? (TYPE_OF_EXTENSION[extension] ?? null) : null;
}

/** Types by name that are overruled by a page. */
const YIELDS: ReadonlySet<FileType> = new Set(['text/css', 'application/xhtml+xml']);

/**
 * Returns the type by name. A name that makes a program run the text outweighs its content, but some names are read as the page in the
 * content.
 */
function strongest(fromName: FileType, fromMarkup: FileType | null): FileType {
  if (fromMarkup === null) return fromName;
  // Browsers read a page with the name of HTML as HTML, whatever XML it claims to be, and run its scripts and event handlers.
  if (fromName === 'text/html') return READ_AS_HTML.test(fromMarkup) ? fromName : fromMarkup;
  // Browsers read a file with the name of XML as XML, in which only the name space makes a page.
  if (fromName === 'text/xml') return fromMarkup === 'text/html' ? fromName : fromMarkup;
  return YIELDS.has(fromName) ? fromMarkup : fromName;
}

/** Types of markup that a browser shows as a page when the name says that it is one. */
const READ_AS_HTML =
  /^(?:text\/html|text\/xml|application\/xhtml\+xml|image\/svg\+xml|application\/vnd\.oasis\..*-flat-xml|application\/x-(?:flat-opc|spreadsheetml|wordml))$/;

/** A text that starts with one of these elements is a page to a program that does not know its name. */
const PAGE_START = new RegExp(
  `^<(?:${[
    'html|head|body|script|noscript|iframe|frameset|meta|title|style|link|base|object|embed|applet|param|template|svg|math',
    'a|abbr|address|article|aside|audio|b|big|blockquote|br|button|canvas|center|code|dd|del|details|dialog|dir|div|dl|dt',
    'em|fieldset|figure|font|footer|form|h[1-6]|header|hr|i|img|input|ins|label|legend|li|main|map|marquee|menu|nav|ol|p',
    'picture|pre|q|s|section|select|slot|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|textarea|th|thead',
    'tr|tt|u|ul|var|video|wbr|xmp',
  ].join('|')})(?=[\\s/>])`,
  'i',
);
/** Fewer elements for files with names of plain text, because people write `<b>` and `<q>` in texts. */
const PLAIN_PAGE_START =
  /^<(?:html|head|body|script|iframe|meta|title|style|table|div|p|a|img|form|base|link|object|embed)\b/i;
/** The start of XML without its declaration: an element. */
const ELEMENT_START = /^<([a-z_][\w.:-]{0,100})(?=[\s/>])/i;

/** The beginning of every rule of libmagic for pages. */
const MAGIC_PAGE = /<[!ahst]/i;

async function askedPage({ head, extension, magic }: TextFacts): Promise<FileType | null> {
  const canBePage = !PLAIN_EXTENSIONS.has(extension) && MAGIC_PAGE.test(head);
  return canBePage && (await magic()) === 'text/html' ? 'text/html' : null;
}

function detectMarkup({ head, extension }: TextFacts): FileType | null {
  const start = head.trimStart().slice(0, 4_096);
  const afterProlog = start.replace(
    /^(?:\s*(?:<\?[^>]{0,1000}\?>|<!--[\s\S]{0,4000}?-->|<!doctype[^>[]{0,500}(?:\[[^\]]{0,2000}\])?>))+\s*/i,
    '',
  );
  if (/^\{\\rt/i.test(start)) return 'application/rtf';
  if (/<hta:application\b/i.test(head)) return 'application/hta';
  if (/^<(?:job|package)\b[^>]*>/i.test(afterProlog) && /<script\b/i.test(head)) return 'application/x-wsf';
  if (/^<(?:scriptlet|component)\b/i.test(afterProlog)) return 'text/scriptlet';
  if (/^<(?:\w+:)?svg\b/i.test(afterProlog)) return 'image/svg+xml';
  if (isMap(extension, afterProlog)) return 'application/vnd.google-earth.kml+xml';
  const flat = flatDocument(head, afterProlog) ?? officeXmlType(head);
  if (flat !== null) return flat;
  const isPlain = PLAIN_EXTENSIONS.has(extension) && extension !== '';
  const page = detectPage(start, afterProlog, isPlain);
  if (page !== null) return page;
  return start.startsWith('<?xml') || (!isPlain && isBareXml(head, afterProlog)) ? 'text/xml' : null;
}

/**
 * Returns whether a text is a map. The name must allow it, because programs for maps open a file by its name. Under the name of XML, it is
 * data.
 */
function isMap(extension: string, afterProlog: string): boolean {
  return (extension === '' || extension === 'kml') && /^<(?:[\w.-]{1,40}:)?kml[\s>]/.test(afterProlog);
}

function detectPage(start: string, afterProlog: string, isPlain: boolean): FileType | null {
  if (/^<!doctype\s+html\b/i.test(start)) return 'text/html';
  if (/^<html\b[^>]*xmlns/i.test(afterProlog) && start.startsWith('<?xml')) return 'application/xhtml+xml';
  // A browser that is not told that a file is XML runs `<main><script>` behind an XML declaration.
  return (isPlain ? PLAIN_PAGE_START : PAGE_START).test(afterProlog) ? 'text/html' : null;
}

function isBareXml(head: string, afterProlog: string): boolean {
  const root = ELEMENT_START.exec(afterProlog)?.[1];
  return root !== undefined && (/^<[^>]{0,4000}\sxmlns/.test(afterProlog) || head.includes(`</${root}`));
}

const FLAT_DOCUMENT =
  /\bmimetype\s{0,9}=\s{0,9}["']application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation|graphics)\b/;

/** Returns the type of OpenDocument in one XML file. Its root names the type, after some kilobytes of name spaces. */
function flatDocument(head: string, afterProlog: string): FileType | null {
  if (!/^<(?:[\w.-]{1,40}:)?document\s/.test(afterProlog)) return null;
  const family = FLAT_DOCUMENT.exec(head)?.[1];
  if (family === undefined) return null;
  return `application/vnd.oasis.opendocument.${family as 'text' | 'spreadsheet' | 'presentation' | 'graphics'}-flat-xml`;
}

/** Recognises formats of lines by their beginning. */
function detectRecord({ head, extension }: TextFacts): FileType | null {
  const start = head.trimStart();
  const record = recordOf(start, extension);
  if (record !== null) return record;
  if (/^%!PS/.test(start)) return 'application/postscript';
  if (/^\[(?:InternetShortcut|\{000214A0)/i.test(start)) return 'application/x-mswinurl';
  if (/^WEB\r?\n1\r?\n/i.test(start)) return 'text/x-ms-iqy';
  if (/^(?:Windows Registry Editor|REGEDIT4)/.test(start)) return 'text/x-ms-regedit';
  if (SHOWN_AS_TEXT.includes(extension)) return null;
  if (isMailbox(start)) return 'application/mbox';
  if (!isEmail(start, extension)) return null;
  return isWebArchive(start, extension) ? 'multipart/related' : 'message/rfc822';
}

/** Recognises JSON by reading all of it, and a table by the commas of its first lines. */
async function askedRecord({ head, extension, magic }: TextFacts): Promise<FileType | null> {
  if (extension === 'json') return 'application/json';
  if (/^\s*(?:[[{]|$)/.test(head) && (await magic()) === 'application/json') return 'application/json';
  const canBeTable = !PLAIN_EXTENSIONS.has(extension) && head.includes(',');
  return canBeTable && (await magic()) === 'text/csv' ? 'text/csv' : null;
}

/** Recognises SYLK, which outweighs the name in programs, too. A table is recognised by its name alone. */
function recordOf(start: string, extension: string): FileType | null {
  if (/^ID;P/.test(start)) return 'application/x-sylk';
  const called = Object.hasOwn(RECORD_OF_EXTENSION, extension) ? (RECORD_OF_EXTENSION[extension] ?? null) : null;
  if (called === 'text/csv') return called;
  if (/^BEGIN:VCALENDAR\b/i.test(start)) return 'text/calendar';
  if (/^BEGIN:VCARD\b/i.test(start)) return 'text/vcard';
  return called;
}

const HEADER_LINE = /^[\x21-\x39\x3b-\x7e]{1,76}:/;
const MAIL_HEADER =
  /^(?:from|to|subject|date|received|mime-version|return-path|message-id|content-type|delivered-to|dkim-signature|reply-to|x-[\w-]+)\s*:/gim;

/** The line before the message. A message that was taken out of a mailbox has often kept it. */
const FROM_LINE = /^From \S[^\n]{0,500}\d{4}[^\n]{0,20}\n/;

/** Returns true for a text that starts with a header field (RFC 5322), and whose header has fields of mail. */
function isEmail(start: string, extension: string): boolean {
  const message = start.replace(FROM_LINE, '');
  if (!HEADER_LINE.test(message)) return false;
  const header = message.split(/\r?\n\r?\n/, 1)[0] ?? '';
  const fields = new Set((header.match(MAIL_HEADER) ?? []).map((field) => field.toLowerCase()));
  const isNamedMail = ['eml', 'mht', 'mhtml', 'msg', 'emlx'].includes(extension);
  return fields.size >= (isNamedMail ? 1 : 3);
}

function isWebArchive(start: string, extension: string): boolean {
  if (extension === 'mht' || extension === 'mhtml') return true;
  return (
    /^content-type:\s*multipart\/related/im.test(start) &&
    /^(?:content-location|snapshot-content-location):/im.test(start) &&
    !/^(?:from|received):(?!\s*<saved by)/im.test(start)
  );
}

/**
 * Signs of scripts. Two different ones must appear, because prose about scripts may have one by chance. Every repetition is bounded or
 * kept within a line, so that a megabyte of blanks does not cost quadratic time.
 */
const SCRIPT_SIGNS: readonly (readonly [FileType, readonly RegExp[]])[] = [
  [
    'application/x-powershell',
    [
      /\bInvoke-(?:Expression|WebRequest)\b|\bIEX\b/i,
      /\bNew-Object\s+(?:System\.)?Net\.WebClient/i,
      /^[ \t]*\$\w{1,64}[ \t]*=/m,
      /\b(?:Write-Host|Start-Process|Set-ExecutionPolicy|Get-\w+)\b/,
      /-(?:EncodedCommand|ExecutionPolicy)\b/i,
    ],
  ],
  [
    'text/vbscript',
    [
      /\bCreateObject\s*\(/i,
      /^[ \t]*Dim[ \t]+\w/im,
      /\bOn Error Resume Next\b/i,
      /\bWScript\.(?:Shell|Sleep|CreateObject|Echo)\b/i,
      /^[ \t]*End (?:Sub|Function|If)[ \t]*$/im,
    ],
  ],
  [
    'text/javascript',
    [
      /\bnew ActiveXObject\s*\(/,
      /^[ \t]*(?:var|let|const)[ \t]+[\w$]{1,64}[ \t]*=/m,
      /\bfunction\s{0,9}[\w$]{0,64}\s{0,9}\([^)]{0,200}\)\s{0,9}\{/,
      /\b(?:eval|unescape)\s{0,9}\(/,
      /\bWScript\.\w+\s*\(/,
    ],
  ],
  [
    'text/x-msdos-batch',
    [
      /^@?echo off\b/im,
      /^[ \t]*(?:set|if exist|goto|call|start|rem)[ \t]+\S/im,
      /%(?:~dp0|temp|appdata|userprofile)%?/i,
    ],
  ],
];

async function detectScript({ head, extension, magic }: TextFacts): Promise<FileType | null> {
  if (SHOWN_AS_TEXT.includes(extension)) return null;
  if (/^#!.{0,100}\b(?:ba|z|k|da)?sh\b/.test(head)) return 'text/x-shellscript';
  if (/^#!.{0,100}\bpython/.test(head)) return 'text/x-python';
  if (/^#!\s*\//.test(head)) return 'text/x-script';
  if (/^\s*@/.test(head) && (await magic()) === 'text/x-msdos-batch') return 'text/x-msdos-batch';
  const match = SCRIPT_SIGNS.find(([, signs]) => signs.filter((sign) => sign.test(head)).length >= 2);
  return match?.[0] ?? null;
}

/** What the program that a file's name starts will take the file for: it goes by the name, and so must the disarm. */

import { describeType, FILE_TYPES, type FileType } from '../../../formats/file-types.ts';
import { extensionOf } from '../detect.ts';
import { type DetectedType, EngineError, type FileInput } from '../engine.ts';
import { decodeText, textEncoding } from '../text-encoding.ts';
import type { CheckedDisarm } from './disarm-module.ts';

interface Kind {
  readonly extensions: readonly string[];
  /** Types that a file of these names may be found to be: macro twins, templates and what their programs open by content. */
  readonly accepts: { test(type: string): boolean };
  /** Types that its program opens by content under these names, too: the file is disarmed as what it is, and gets the name of that. */
  readonly holds?: readonly FileType[];
  /** What any other file is read as, since that is what its program will do; without it, the file is refused. */
  readonly opensAs?: FileType;
}

/** One module takes all of Office Open XML, and looks at the parts of each program in any package. */
const officeAnd = (others: string) =>
  new RegExp(
    `^application\\/(?:vnd\\.(?:openxmlformats-officedocument\\.|ms-(?:word|excel|powerpoint)\\.)|(?:encrypted|${others})$)`,
  );
const word = (list: string) => list.split(' ');

/** Names that make a program open a file as one kind. A name that is not here says nothing, and the content decides. */
const KINDS: readonly Kind[] = [
  { extensions: word('csv tsv'), accepts: /^text\/csv$/, opensAs: 'text/csv' },
  { extensions: word('ics vcs'), accepts: /^text\/calendar$/, opensAs: 'text/calendar' },
  { extensions: word('vcf'), accepts: /^text\/vcard$/, opensAs: 'text/vcard' },
  { extensions: word('html htm'), accepts: /^text\/html$/, opensAs: 'text/html' },
  { extensions: word('xhtml xht'), accepts: /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)$/ },
  { extensions: word('svg'), accepts: /^image\/svg\+xml$/, opensAs: 'image/svg+xml' },
  { extensions: word('pdf'), accepts: /^application\/pdf$/, opensAs: 'application/pdf' },
  {
    extensions: word('xml'),
    accepts:
      /^(?:text\/xml|application\/xhtml\+xml|image\/svg\+xml|application\/vnd\.oasis\.opendocument\..*-flat-xml)$/,
    opensAs: 'text/xml',
  },
  {
    extensions: word('docx docm dotx dotm doc dot rtf'),
    accepts: officeAnd('msword|rtf'),
    holds: ['text/html', 'multipart/related'],
  },
  {
    extensions: word('xlsx xlsm xltx xltm xlsb xlam xls xlt'),
    accepts: officeAnd('vnd\\.ms-excel'),
    holds: ['text/html', 'multipart/related', 'text/csv', 'application/x-spreadsheetml'],
  },
  {
    extensions: word('pptx pptm potx potm ppsx ppsm ppam ppt pps pot'),
    accepts: officeAnd('vnd\\.ms-powerpoint'),
  },
  {
    extensions: word('odt ott ods ots odp otp odg otg odm fodt fods fodp fodg'),
    accepts: /^application\/vnd\.oasis\.opendocument\./,
  },
  {
    extensions: word('png jpg jpeg jpe jfif gif webp bmp tif tiff ico heic heif avif jxl jp2'),
    accepts: /^image\/(?!svg)/,
  },
  {
    // Office documents are zip archives; unpackers open every kind of archive by its content.
    extensions: word('zip 7z rar tar gz tgz bz2 tbz tbz2 xz txz zst cab ace arj lzh lha iso'),
    accepts:
      /^application\/(?:zip|x-7z-compressed|vnd\.rar|x-tar|gzip|x-bzip2|x-xz|vnd\.(?:openxmlformats-|ms-(?:word|excel|powerpoint)\.|oasis\.opendocument\.(?!.*flat)).*)$/,
  },
  { extensions: word('eml emlx mbox'), accepts: /^(?:message\/rfc822|multipart\/related)$/ },
  { extensions: word('mht mhtml'), accepts: /^(?:message\/rfc822|multipart\/related)$/ },
  { extensions: word('msg'), accepts: /^(?:application\/vnd\.ms-outlook|message\/rfc822)$/ },
];

/** Names of the table of types that say nothing, or that are opened by a program which only shows what is in the file. */
const TELLS_NOTHING = new Set(['bin', 'txt', 'json', 'dat', 'ole']);

/** What a name is a promise of: its row above, else the types that customarily have it. Null for a name that promises nothing. */
function kindOf(extension: string): Kind | null {
  const row = KINDS.find(({ extensions }) => extensions.includes(extension));
  if (row !== undefined) return row;
  const types = FILE_TYPES.filter((type) => describeType(type).extension === extension);
  if (types.length === 0 || TELLS_NOTHING.has(extension)) return null;
  return { extensions: [extension], accepts: { test: (type) => types.some((each) => each === type) } };
}

/** A program that reads text can still find its own between other bytes, but no module here reads it then as that program would. */
function isReadable(type: FileType, bytes: Uint8Array): boolean {
  return type === 'application/pdf' || textEncoding(bytes) !== null;
}

interface Called {
  readonly type: DetectedType;
  /** Whether only the name says so. */
  readonly isByName: boolean;
  /** Whether the file is no file of that name, and must not keep it. */
  readonly isRenamed: boolean;
}

/** The type to disarm a file as. Throws EngineError `unsupported` when its name and its bytes do not go together. */
export function typeAsCalled(detected: DetectedType, { bytes, untrustedName }: FileInput): Called {
  const extension = extensionOf(untrustedName);
  const kind = kindOf(extension);
  // A file of no bytes is nothing to any program.
  if (kind === null || bytes.length === 0 || kind.accepts.test(detected.type))
    return { type: detected, isByName: false, isRenamed: false };
  const held = heldType(detected, bytes);
  if (kind.holds?.includes(held)) return { type: describeType(held), isByName: false, isRenamed: true };
  if (kind.opensAs === undefined || !isReadable(kind.opensAs, bytes)) throw miscalled(detected, untrustedName);
  return { type: describeType(kind.opensAs), isByName: true, isRenamed: false };
}

/** How much of a text is looked at for the form of a table or a header. */
const HEAD = 64 * 1024;
/** The root of a workbook of Excel 2003, behind declarations and comments. */
const WORKBOOK = /<(?:[\w.-]{1,40}:)?Workbook\s[^<>]{0,4000}["']urn:schemas-microsoft-com:office:spreadsheet["']/;
const MAIL_FIELDS = /^(?:[\w-]{1,76}:[^\r\n]{0,1000}\r?\n(?:[ \t][^\r\n]{0,1000}\r?\n){0,20}){1,40}\r?\n/;

/**
 * What a text is that an office program opens by its content, under a name of its own: what web systems export as `report.xls`, and
 * what Word and Excel save as a web archive. Bytes that no text holds could be a second file, so they are none of these.
 */
function heldType({ type }: DetectedType, bytes: Uint8Array): FileType {
  const encoding = textEncoding(bytes);
  if (encoding === null) return 'application/octet-stream';
  if (!/^(?:text\/(?:plain|xml)|message\/rfc822)$/.test(type)) return type as FileType;
  const head = decodeText(bytes.subarray(0, HEAD), encoding).replace(/^\ufeff/, '');
  if (type === 'text/xml' && WORKBOOK.test(head)) return 'application/x-spreadsheetml';
  const fields = MAIL_FIELDS.exec(head)?.[0] ?? '';
  if (/^mime-version:/im.test(fields) && /^content-type:\s{0,9}multipart\/related\b/im.test(fields))
    return 'multipart/related';
  return type === 'text/plain' && isTable(head) ? 'text/csv' : (type as FileType);
}

/** Two lines or more with the same number of tabs or semicolons in each. The last one may be cut off. */
function isTable(head: string): boolean {
  const lines = head.split(/\r?\n/).filter((line) => line !== '');
  const whole = head.length < HEAD / 2 || lines.length < 3 ? lines : lines.slice(0, -1);
  const counts = (delimiter: string) => new Set(whole.map((line) => line.split(delimiter).length));
  return lines.length > 1 && ['\t', ';'].some((each) => counts(each).size === 1 && !counts(each).has(1));
}

/** The result for a file that must not keep its name: whoever took its bytes for unchanged would leave it under it. */
export function renamed(result: CheckedDisarm, untrustedName: string): CheckedDisarm {
  const change = { kind: 'misleading name', action: 'sanitized', where: `.${extensionOf(untrustedName)}` } as const;
  return { ...result, outcome: 'disarmed', details: [change, ...result.details] };
}

/** The refusal of a file whose name and bytes do not go together. */
export function miscalled({ description }: DetectedType, untrustedName: string): EngineError {
  const called = `the file is called .${extensionOf(untrustedName)}, but its bytes are something else (${description})`;
  return new EngineError('unsupported', `${called}; ask the sender for it under its right name`);
}

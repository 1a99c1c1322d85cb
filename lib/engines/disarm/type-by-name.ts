/** The type as which a program will open a file. The program decides by the file's name, so the disarm must do the same. */

import { decodeCharset } from '../../formats/charsets/decode-charset.ts';
import { textEncoding } from '../../formats/charsets/text-encoding.ts';
import { extensionOf } from '../../formats/detection/detect.ts';
import type { DetectedType } from '../../formats/detection/detected-type.ts';
import { describeType, FILE_TYPES, type FileType } from '../../formats/file-types.ts';
import { setsFolder } from '../../formats/names/acting-names.ts';
import { EngineError, type FileInput } from '../engine.ts';
import type { CheckedDisarm } from './disarm-module.ts';

interface Kind {
  readonly extensions: readonly string[];
  /** Types that a file with one of these names may have: macro types, templates, and types that the program opens by content. */
  readonly accepts: { test(type: string): boolean };
  /** Types that the program also opens under these names. The file is disarmed as its real type and gets the name of that type. */
  readonly holds?: readonly FileType[];
  /** The type as which any other file is read, because its program will do so. Without it, the file is refused. */
  readonly opensAs?: FileType;
}

/**
 * Matches all types of Office Open XML and the given others. One module disarms all of Office Open XML. In every package it checks the
 * parts of every program.
 */
const officeAnd = (others: string) =>
  new RegExp(
    `^application\\/(?:vnd\\.(?:openxmlformats-officedocument\\.|ms-(?:word|excel|powerpoint)\\.)|(?:encrypted|${others})$)`,
  );
const word = (list: string) => list.split(' ');

/** Office documents and OpenDocument packages, which are zip archives. */
const ZIPPED_DOCUMENT =
  'vnd\\.(?:openxmlformats-|ms-(?:word|excel|powerpoint|visio)\\.|oasis\\.opendocument\\.(?!.*flat)).*';
const ARCHIVES = ['zip', 'x-7z-compressed', 'vnd\\.rar', 'x-tar', 'gzip', 'x-bzip2', 'x-xz'];

/** Names that make a program open a file as one type. For every other name, the content decides. */
const KINDS: readonly Kind[] = [
  { extensions: word('csv tsv'), accepts: /^text\/csv$/, opensAs: 'text/csv' },
  { extensions: word('ics vcs ical ifb'), accepts: /^text\/calendar$/, opensAs: 'text/calendar' },
  { extensions: word('vcf'), accepts: /^text\/vcard$/, opensAs: 'text/vcard' },
  { extensions: word('html htm'), accepts: /^text\/html$/, opensAs: 'text/html' },
  {
    // Browsers read any text under these names as XML, also a page that lacks the marks of XML.
    extensions: word('xhtml xht'),
    accepts: /^(?:application\/xhtml\+xml|image\/svg\+xml)$/,
    opensAs: 'application/xhtml+xml',
  },
  { extensions: word('svg'), accepts: /^image\/svg\+xml$/, opensAs: 'image/svg+xml' },
  { extensions: word('pdf'), accepts: /^application\/pdf$/, opensAs: 'application/pdf' },
  {
    extensions: word('xml'),
    accepts:
      /^(?:text\/xml|application\/xhtml\+xml|image\/svg\+xml|application\/(?:vnd\.oasis\.opendocument\..*-flat-xml|x-flat-opc|x-spreadsheetml|x-wordml))$/,
    opensAs: 'text/xml',
  },
  {
    extensions: word('docx docm dotx dotm doc dot rtf'),
    accepts: officeAnd('msword|rtf'),
    holds: ['text/html', 'multipart/related', 'application/x-flat-opc', 'application/x-wordml'],
  },
  {
    extensions: word('xlsx xlsm xltx xltm xlsb xlam xls xlt'),
    accepts: officeAnd('vnd\\.ms-excel'),
    holds: ['text/html', 'multipart/related', 'text/csv', 'application/x-spreadsheetml', 'application/x-flat-opc'],
  },
  {
    extensions: word('pptx pptm potx potm ppsx ppsm ppam ppt pps pot'),
    accepts: officeAnd('vnd\\.ms-powerpoint'),
    holds: ['application/x-flat-opc'],
  },
  { extensions: word('vsdx vsdm vstx vstm'), accepts: /^application\/vnd\.ms-visio\./ },
  {
    extensions: word('odt ott ods ots odp otp odg otg odm fodt fods fodp fodg'),
    accepts: /^application\/vnd\.oasis\.opendocument\./,
  },
  {
    extensions: word(
      'png apng jpg jpeg jpe jfif gif webp bmp tif tiff ico heic heif hif avif jxl jp2 j2k jpf jpx jpc j2c psd emf wmf',
    ),
    accepts: /^image\/(?!svg)/,
  },
  { extensions: word('mp4 m4a m4v mov 3gp qt'), accepts: /^(?:audio\/mp4|video\/(?:mp4|quicktime))$/ },
  { extensions: word('ogg oga opus'), accepts: /^audio\/ogg$/ },
  {
    // Office documents are zip archives; unpackers open every kind of archive by its content.
    extensions: word('zip 7z rar tar gz tgz bz2 tbz tbz2 xz txz zst cab ace arj lzh lha iso'),
    accepts: new RegExp(`^application/(?:${[...ARCHIVES, ZIPPED_DOCUMENT].join('|')})$`),
  },
  { extensions: word('eml emlx mbox'), accepts: /^(?:message\/rfc822|multipart\/related)$/ },
  { extensions: word('mht mhtml'), accepts: /^(?:message\/rfc822|multipart\/related)$/ },
  { extensions: word('msg'), accepts: /^(?:application\/vnd\.ms-outlook|message\/rfc822)$/ },
];

/** Extensions in the table of types without a meaning, or whose program only shows the content of the file. */
const TELLS_NOTHING = new Set(['bin', 'txt', 'json', 'dat', 'ole', 'cfg']);

interface Called {
  readonly type: DetectedType;
  /** Whether only the name says that the file has this type. */
  readonly isByName: boolean;
  /** Whether the name does not fit the file, so that the file must not keep it. */
  readonly isRenamed: boolean;
}

/** Returns the type as which a file is disarmed. Throws EngineError `unsupported` when its name and its bytes contradict each other. */
export function typeAsCalled(detected: DetectedType, { bytes, untrustedName }: FileInput): Called {
  const extension = extensionOf(untrustedName);
  if (setsFolder(untrustedName.slice(untrustedName.lastIndexOf('/') + 1)))
    throw new EngineError(
      'unsupported',
      'the computer follows a file of this name for the whole folder; ask for its text under another name',
    );
  const kind = kindOf(extension);
  // No program does anything with an empty file.
  if (kind === null || bytes.length === 0 || kind.accepts.test(detected.type))
    return { type: detected, isByName: false, isRenamed: false };
  const held = heldType(detected, bytes);
  if (kind.holds?.includes(held)) return { type: describeType(held), isByName: false, isRenamed: true };
  if (kind.opensAs === undefined || !isReadable(kind.opensAs, bytes)) throw miscalled(detected, untrustedName);
  return { type: describeType(kind.opensAs), isByName: true, isRenamed: false };
}

/**
 * Refuses a file that is no text. A program that reads text can find its text between other bytes. No module here reads such a file as that
 * program would.
 */
function isReadable(type: FileType, bytes: Uint8Array): boolean {
  return type === 'application/pdf' || textEncoding(bytes) !== null;
}

/**
 * Returns the types that a name promises: its row above, otherwise the types that usually have it. Returns null for a name that promises
 * nothing.
 */
function kindOf(extension: string): Kind | null {
  const row = KINDS.find(({ extensions }) => extensions.includes(extension));
  if (row !== undefined) return row;
  const types = FILE_TYPES.filter((type) => describeType(type).extension === extension);
  if (types.length === 0 || TELLS_NOTHING.has(extension)) return null;
  return { extensions: [extension], accepts: { test: (type) => types.some((each) => each === type) } };
}

/** How much of a text is searched for the form of a table or a header. */
const HEAD = 64 * 1024;
const MAIL_FIELDS = /^(?:[\w-]{1,76}:[^\r\n]{0,1000}\r?\n(?:[ \t][^\r\n]{0,1000}\r?\n){0,20}){1,40}\r?\n/;

/**
 * Returns the type of a text that an office program opens by its content under another name. Web systems export tables as `report.xls`, and
 * Word and Excel save web archives. Bytes that no text contains could be a second file, so such a file has none of these types.
 */
function heldType({ type }: DetectedType, bytes: Uint8Array): FileType {
  const encoding = textEncoding(bytes);
  if (encoding === null) return 'application/octet-stream';
  if (!/^(?:text\/(?:plain|xml)|message\/rfc822)$/.test(type)) return type as FileType;
  const head = decodeCharset(bytes.subarray(0, HEAD), encoding).replace(/^\ufeff/, '');
  const fields = MAIL_FIELDS.exec(head)?.[0] ?? '';
  if (/^mime-version:/im.test(fields) && /^content-type:\s{0,9}multipart\/related\b/im.test(fields))
    return 'multipart/related';
  return type === 'text/plain' && isTable(head) ? 'text/csv' : (type as FileType);
}

/** Returns whether two or more lines have the same number of tabs or semicolons. The last line may be cut off. */
function isTable(head: string): boolean {
  const lines = head.split(/\r?\n/).filter((line) => line !== '');
  const whole = head.length < HEAD / 2 || lines.length < 3 ? lines : lines.slice(0, -1);
  const counts = (delimiter: string) => new Set(whole.map((line) => line.split(delimiter).length));
  return lines.length > 1 && ['\t', ';'].some((each) => counts(each).size === 1 && !counts(each).has(1));
}

/** Returns the result for a file that must not keep its name. A caller that sees unchanged bytes would leave the file its name. */
export function renamed(result: CheckedDisarm, untrustedName: string): CheckedDisarm {
  const change = { kind: 'misleading name', action: 'sanitized', where: `.${extensionOf(untrustedName)}` } as const;
  return { ...result, outcome: 'disarmed', details: [change, ...result.details] };
}

/** Returns the refusal of a file whose name and bytes contradict each other. */
export function miscalled({ description }: DetectedType, untrustedName: string): EngineError {
  const called = `the file is called .${extensionOf(untrustedName)}, but its bytes are something else (${description})`;
  return new EngineError('unsupported', `${called}; ask the sender for it under its right name`);
}

/**
 * Recognises tables, appointments, address cards and XML, which are texts that a program acts on. The name or declared type together with
 * the beginning tells their kind, if no other name or type contradicts it.
 */
import { describeType } from '../file-types.ts';
import { OFFICE_XML } from '../office/xml-roots.ts';
import { latin1 } from '../signatures.ts';
import { saysNothing } from './file-declared.ts';
import { type FileHints, type FileType, fileTypeOf } from './file-magic.ts';
import { extensionsOf } from './file-names.ts';
import { asText } from './file-text.ts';

interface DataKind {
  readonly type: FileType;
  readonly names: RegExp;
  readonly declared: RegExp;
  /** The beginning of such a file. */
  readonly start: RegExp;
}

/** This type is not in the table of types, because the engines treat it as csv. */
const TABS: FileType = { detectedType: 'text/tab-separated-values', extension: 'tsv', typeGroup: 'data' };
const XML_START = /^\s*(?:<\?xml\s[^>]{0,200}\?>\s*)?(?:<!--(?:(?!-->)[\s\S]){0,2000}-->\s*){0,4}<[a-z_]/i;

const FLAT_START =
  /^\s*(?:<\?xml\s[^>]{0,200}\?>\s*)?(?:<!--(?:(?!-->)[\s\S]){0,2000}-->\s*){0,4}<(?:[\w.-]{1,40}:)?document(?:-content)?\s/i;
const MAP_START =
  /^\s*(?:<\?xml\s[^>]{0,200}\?>\s*)?(?:<!--(?:(?!-->)[\s\S]){0,2000}-->\s*){0,4}<(?:[\w.-]{1,40}:)?kml[\s>]/i;

/** The beginning of a table. Programs open web queries, pages and RTF as such, under any name. */
const TABLE_START = /^(?!WEB\r?\n1\r?\n|\s*<|\s*\{\\rt|%!PS)/i;
/**
 * A page instead of a table. It may be anywhere in the first line, because a program that looks for a page ignores the text before it.
 * After the first line, markup inside of cells is allowed, because web shops export such tables.
 */
const PAGE =
  /(?:^[^\r\n]*|[\r\n]\s*)<(?:(?:!doctype|html|head|body|script|iframe|frame|object|embed|applet|svg|math|base|form)\b|[a-z][^<>]{0,500}(?:\son[a-z]{3,30}\s{0,9}=|javascript:|http-equiv))/i;
/** A record of a symbolic link file (SYLK), which programs open as such under any name. The first line alone may be one of a table. */
const SYLK_RECORD = /[\r\n]\s{0,9}(?:C|F|B|P|E|NN|NE|NU|O|W);/;

const KINDS: readonly DataKind[] = [
  {
    type: fileTypeOf('text/csv'),
    names: /^csv$/,
    // Windows declares a table as a workbook when Excel is installed.
    declared: /^(?:(?:text|application)\/(?:csv|x-csv|comma-separated-values)|application\/vnd\.ms-excel)$/,
    start: TABLE_START,
  },
  {
    type: TABS,
    names: /^tsv$/,
    declared: /^text\/tab-separated-values$/,
    start: TABLE_START,
  },
  {
    type: fileTypeOf('text/calendar'),
    names: /^(?:ics|ical|ifb|vcs)$/,
    declared: /^(?:text\/(?:calendar|x-vcalendar)|application\/ics)$/,
    start: /^\s*BEGIN:VCALENDAR\s/i,
  },
  {
    type: fileTypeOf('text/vcard'),
    names: /^(?:vcf|vcard)$/,
    declared: /^text\/(?:x-)?(?:vcard|directory)$/,
    start: /^\s*BEGIN:VCARD\s/i,
  },
  {
    type: fileTypeOf('image/svg+xml'),
    names: /^svg$/,
    declared: /^image\/svg\+xml$/,
    start: /^\s*(?:<\?xml\s[^>]{0,200}\?>\s*|<!--[^>]{0,2000}-->\s*|<!doctype\s+svg[^>[]{0,300}>\s*){0,4}<svg[\s>]/i,
  },
  ...(['text', 'spreadsheet', 'presentation', 'graphics'] as const).map((family) => ({
    type: fileTypeOf(`application/vnd.oasis.opendocument.${family}-flat-xml`),
    names: new RegExp(`^${describeType(`application/vnd.oasis.opendocument.${family}-flat-xml`).extension}$`),
    declared: /^(?:application\/vnd\.oasis\.opendocument\.[a-z-]{1,40}|(?:text|application)\/xml)$/,
    start: FLAT_START,
  })),
  {
    type: fileTypeOf('application/vnd.google-earth.kml+xml'),
    names: /^kml$/,
    declared: /^(?:application\/vnd\.google-earth\.kml(?:\+xml)?|(?:text|application)\/xml)$/,
    start: MAP_START,
  },
  ...OFFICE_XML.map(([type, start]) => ({
    type: fileTypeOf(type),
    names: /^(?:xml|docx?|xlsx?|pptx?)$/,
    declared: /^(?:(?:text|application)\/xml|application\/(?:msword|vnd\.(?:ms-|openxmlformats-)[a-z.-]{1,100}))$/,
    start,
  })),
  {
    // Windows declares a web archive as a message, and browsers declare it as a multipart.
    type: fileTypeOf('multipart/related'),
    names: /^mht(?:ml)?$/,
    declared: /^(?:message\/rfc822|multipart\/related|application\/x-(?:mimearchive|mht))$/,
    start: /^(?=[!-9;-~]{1,76}:)(?:[^\r\n]{1,998}\r?\n){0,40}?(?:mime-version|content-type):/i,
  },
  {
    type: fileTypeOf('text/xml'),
    names: /^(?:xml|gpx)$/,
    declared: /^(?:(?:text|application)\/xml|application\/gpx\+xml)$/,
    start: XML_START,
  },
];

/** Declared types that files of other kinds have, too. Without a name they do not prove that a file is of this kind. */
const OF_MANY =
  /^(?:application\/(?:msword|vnd\.(?:ms-|openxmlformats-)[a-z.-]{1,100})|message\/rfc822|multipart\/related)$/;

/** A body has no name, so only its declared type counts. Only appointments are sent as bodies. */
const SHOWN_AS_BODY = /^text\/calendar$/;

/** Returns the type of a file whose names, declared type and beginning all say that it is data. Returns null for every other file. */
export function typeOfData(bytes: Uint8Array, hints: FileHints): FileType | null {
  const kinds = KINDS.filter((each) => isCalled(each, hints));
  if (kinds.length === 0) return null;
  const head = asText(bytes)?.replace(/^\ufeff/, '');
  const kind = kinds.find(({ start }) => head !== undefined && start.test(head));
  if (head === undefined || kind === undefined || isSymbolicLink(bytes, head)) return null;
  return kind.start === TABLE_START && PAGE.test(head) ? null : kind.type;
}

function isSymbolicLink(bytes: Uint8Array, head: string): boolean {
  return /^ID;/.test(head) && SYLK_RECORD.test(latin1(bytes, 0, bytes.length));
}

function isCalled({ names, declared }: DataKind, { untrustedNames, declaredType, role }: FileHints): boolean {
  if (role === 'body')
    return SHOWN_AS_BODY.test(declaredType) && declared.test(declaredType) && untrustedNames.length === 0;
  const extensions = untrustedNames.flatMap(extensionsOf);
  // The folders of a path have no extension.
  const isNamed =
    extensions.some((each) => names.test(each)) && extensions.every((each) => each === '' || names.test(each));
  const isSilent = saysNothing(declaredType) || declaredType === 'text/plain';
  if (isNamed) return isSilent || declared.test(declaredType);
  return untrustedNames.length === 0 && declared.test(declaredType) && !OF_MANY.test(declaredType);
}

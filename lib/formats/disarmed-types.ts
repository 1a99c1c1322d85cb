/**
 * Every type of file that a disarm can write. A closed list: the second look has a reader for each of them (the compiler asks for it),
 * and what is of any other type is not handed out.
 */
import type { FileType } from './file-types.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';

export const DISARMED_TYPES = [
  'text/plain',
  'application/json',
  'text/html',
  'application/xhtml+xml',
  'text/xml',
  'text/csv',
  'text/calendar',
  'text/vcard',
  'image/svg+xml',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/tiff',
  'image/bmp',
  'application/pdf',
  'application/rtf',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  `${OOXML}.wordprocessingml.document`,
  `${OOXML}.wordprocessingml.template`,
  `${OOXML}.spreadsheetml.sheet`,
  `${OOXML}.spreadsheetml.template`,
  `${OOXML}.presentationml.presentation`,
  `${OOXML}.presentationml.slideshow`,
  `${OOXML}.presentationml.template`,
  `${ODF}.text`,
  `${ODF}.text-template`,
  `${ODF}.text-master`,
  `${ODF}.spreadsheet`,
  `${ODF}.spreadsheet-template`,
  `${ODF}.presentation`,
  `${ODF}.presentation-template`,
  `${ODF}.graphics`,
  `${ODF}.graphics-template`,
  `${ODF}.text-flat-xml`,
  `${ODF}.spreadsheet-flat-xml`,
  `${ODF}.presentation-flat-xml`,
  `${ODF}.graphics-flat-xml`,
  'message/rfc822',
  'application/zip',
] as const satisfies readonly FileType[];

export type DisarmedType = (typeof DISARMED_TYPES)[number];

/** Whether a disarm can write files of a type. */
export function isDisarmedType(type: string): type is DisarmedType {
  return (DISARMED_TYPES as readonly string[]).includes(type);
}

/** The document information of a PDF (ISO 32000-2, 14.3.3), written anew when the caller asks to keep it. */
import type { PDF } from '@libpdf/core';
import { writeString } from './write.ts';

/** A text can be megabytes long. */
const MAX_TEXT_LENGTH = 4_096;

/** Returns the text of the information dictionary: title, author, subject, keywords and dates; null when the file has none of them. */
export function infoOf(pdf: PDF): string | null {
  const texts = [
    ['Title', pdf.getTitle()],
    ['Author', pdf.getAuthor()],
    ['Subject', pdf.getSubject()],
    ['Keywords', pdf.getKeywords()?.join(' ')],
  ] as const;
  const dates = [
    ['CreationDate', pdf.getCreationDate()],
    ['ModDate', pdf.getModificationDate()],
  ] as const;
  const rows = [
    ...texts.flatMap(([key, text]) => (text ? [`/${key} ${textString(text.slice(0, MAX_TEXT_LENGTH))}`] : [])),
    ...dates.flatMap(([key, date]) => (isDate(date) ? [`/${key} ${writeString(Buffer.from(dateText(date)))}`] : [])),
  ];
  return rows.length === 0 ? null : `<< ${rows.join(' ')} >>`;
}

function isDate(date: Date | undefined): date is Date {
  return (
    date !== undefined && !Number.isNaN(date.getTime()) && date.getUTCFullYear() > 1900 && date.getUTCFullYear() < 2200
  );
}

function dateText(date: Date): string {
  return `D:${date
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace(/[-:T]/g, '')}Z`;
}

/** Writes ASCII unchanged, and everything else in UTF-16 with a mark. */
function textString(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return writeString(Buffer.from(text, 'latin1'));
  return writeString(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()]));
}

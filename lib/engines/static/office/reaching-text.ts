/**
 * Texts of cells that would load or start something as a formula. As a text, such a cell only shows it. A macro that copies the text into another
 * cell makes a formula of it.
 */
import { DANGEROUS_FUNCTION } from './open-xml-text.ts';
import { unescapeXml } from './xml-escapes.ts';

/** The marks between the texts of a part. A text may be split into runs of different looks. */
const BETWEEN = /<\/?(?:\w+:)?(?:si|is|c|v|row|comment|p)\b[^<>]*>/;
const FORMULA = /^\s*[=+@-]/;
/** A text in the records of a workbook of Excel 97 to 2003, whose characters have one byte or two. */
const IN_RECORDS = /[=+@-][^\p{Cc}]{1,255}/gu;

/** Returns whether a part of a package holds such a text. */
export function holdsReachingText(part: string): boolean {
  return part.split(BETWEEN).some((piece) => {
    const text = unescapeXml(piece.replace(/<[^<>]*>/g, ''));
    return FORMULA.test(text) && DANGEROUS_FUNCTION.test(text);
  });
}

/** Returns whether the stream of a workbook holds such a text. */
export function holdsReachingRecord(stream: Uint8Array): boolean {
  const text = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength).toString('latin1').replaceAll('\0', '');
  return (
    DANGEROUS_FUNCTION.test(text) && [...text.matchAll(IN_RECORDS)].some(([found]) => DANGEROUS_FUNCTION.test(found))
  );
}

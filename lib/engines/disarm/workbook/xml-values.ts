/** The values of cells of an Excel 2003 workbook in XML. */
import { type Cell, ErrorValue } from './book.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(1899, 11, 30);
const FIRST_DAY_1904 = Date.UTC(1904, 0, 1);
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})\d{0,6})?)?Z?$/;

/** Returns the value of a cell of this type from its text. Days are counted from 1900, or from 1904. */
export function cellValue(
  { type, value }: { readonly type: string; readonly value: string | null },
  is1904: boolean,
): Cell['value'] {
  if (value === null || value === '') return null;
  if (type === 'Number') return Number.isFinite(Number(value)) && value.trim() !== '' ? Number(value) : value;
  if (type === 'Boolean') return /^(?:1|true)$/i.test(value.trim());
  if (type === 'Error') return new ErrorValue(value.trim());
  return type === 'DateTime' ? (dayOf(value.trim(), is1904) ?? value) : value;
}

/** Returns the number of a day and the part of it. */
function dayOf(text: string, is1904: boolean): number | null {
  const found = DATE.exec(text);
  if (found === null) return null;
  const [year, month, day, hour, minute, second, fraction] = found.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const time = Date.UTC(year, month - 1, day, hour, minute, second) + fraction;
  const first = is1904 ? FIRST_DAY_1904 : FIRST_DAY;
  // Excel counts a day that did not exist: 29 February 1900.
  const days = (time - first) / DAY_MS;
  return !is1904 && days < 61 ? days - 1 : days;
}

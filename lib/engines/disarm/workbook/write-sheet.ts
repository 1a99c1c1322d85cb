/** The part of one sheet (ECMA-376 part 1, 18.3), with the values of its cells. */
import { escapeText, escapeValue } from '../xml-escape.ts';
import {
  areaName,
  type Cell,
  type Column,
  columnName,
  ErrorValue,
  type Link,
  MAX_COLUMNS,
  MAX_ROWS,
  type Row,
  type Sheet,
} from './book.ts';

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const SHEET_SPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const REFERENCE_SPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/**
 * Escapes a string of a workbook. Excel reads `_x0041_` in a string as the character of that number (ECMA-376 part 1, 22.9.2.19), and would
 * show something that the original does not.
 */
export function escapeString(text: string): string {
  return escapeText(text).replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
}

/** Removes characters that XML cannot contain (XML 1.0, 2.2). */
export function plainText(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r\x7f-\x9f]|\p{Cs}|[\ufffe\uffff]/gu, '');
}

/** Gives each text a number, and stores it once. */
export interface TextList {
  indexOf(text: string): number;
}

/** The references of a sheet besides its cells. */
export interface SheetReferences {
  /** Identifiers of the relationships of links, in the order of the links with a target. */
  readonly links: readonly string[];
  /** Identifier of the relationship of the drawing; null for none. */
  readonly drawing: string | null;
  /** The reference to the drawing that shows the comments. */
  readonly notes: string | null;
}

const ERROR = /^#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|GETTING_DATA)$/;
/** The widest column and the highest row of Excel. */
const MAX_WIDTH = 255;
const MAX_HEIGHT = 409.5;

/** Returns the pieces of the markup of a worksheet, in their order. */
export function* sheetMarkup(sheet: Sheet, texts: TextList, references: SheetReferences): Generator<string> {
  yield `${XML_HEAD}<worksheet xmlns="${SHEET_SPACE}" xmlns:r="${REFERENCE_SPACE}">`;
  yield viewMarkup(sheet);
  yield '<sheetFormatPr defaultRowHeight="15"/>';
  yield columnsMarkup(sheet.columns);
  yield '<sheetData>';
  for (const row of sheet.rows) yield rowMarkup(row, texts);
  yield '</sheetData>';
  const merges = sheet.merges
    .filter((area) => areaName(area).includes(':'))
    .map((area) => `<mergeCell ref="${areaName(area)}"/>`);
  if (merges.length > 0) yield `<mergeCells count="${merges.length}">${merges.join('')}</mergeCells>`;
  yield linksMarkup(sheet.links, references.links);
  if (references.drawing !== null) yield `<drawing r:id="${escapeValue(references.drawing)}"/>`;
  if (references.notes !== null) yield `<legacyDrawing r:id="${escapeValue(references.notes)}"/>`;
  yield '</worksheet>';
}

function viewMarkup({ frozen }: Sheet): string {
  if (frozen === null || (frozen.rows === 0 && frozen.columns === 0)) return '';
  const { rows, columns } = frozen;
  const split = `${columns > 0 ? ` xSplit="${columns}"` : ''}${rows > 0 ? ` ySplit="${rows}"` : ''}`;
  const corner = `${columnName(columns)}${rows + 1}`;
  const pane = rows > 0 && columns > 0 ? 'bottomRight' : rows > 0 ? 'bottomLeft' : 'topRight';
  return `<sheetViews><sheetView workbookViewId="0"><pane${split} topLeftCell="${corner}" activePane="${pane}" state="frozen"/></sheetView></sheetViews>`;
}

function columnsMarkup(columns: readonly Column[]): string {
  let next = 0;
  const rows: string[] = [];
  for (const { first, last, width, isHidden, format } of columns) {
    // Columns must be in order, each once.
    if (first < next || last < first || last >= MAX_COLUMNS) continue;
    next = last + 1;
    const size =
      width !== null && width >= 0 && width <= MAX_WIDTH ? ` width="${width}" customWidth="1"` : ' width="9.140625"';
    rows.push(
      `<col min="${first + 1}" max="${last + 1}"${size}${format === null ? '' : ` style="${format}"`}${isHidden ? ' hidden="1"' : ''}/>`,
    );
  }
  return rows.length === 0 ? '' : `<cols>${rows.join('')}</cols>`;
}

function rowMarkup({ index, height, isHidden, cells }: Row, texts: TextList): string {
  if (index >= MAX_ROWS) return '';
  const size = height !== null && height >= 0 && height <= MAX_HEIGHT ? ` ht="${height}" customHeight="1"` : '';
  const content = cells.map((cell) => cellMarkup(cell, index, texts)).join('');
  return `<row r="${index + 1}"${size}${isHidden ? ' hidden="1"' : ''}>${content}</row>`;
}

function cellMarkup({ column, format, value, formula }: Cell, row: number, texts: TextList): string {
  const isOfFormula = formula !== undefined;
  const head = `<c r="${columnName(column)}${row + 1}"${format === null ? '' : ` s="${format}"`}`;
  const code = isOfFormula ? `<f>${escapeString(formula)}</f>` : '';
  const text = storedText(value, isOfFormula, texts);
  if (text === null) return code === '' ? `${head}/>` : `${head}>${code}</c>`;
  return `${head}${typeMarkup(value, isOfFormula)}>${code}<v>${text}</v></c>`;
}

/**
 * Returns the written form of a value; null for an empty cell. A text that a formula gave is in its cell, not in the list (ECMA-376 part 1,
 * 18.18.11).
 */
function storedText(value: Cell['value'], isOfFormula: boolean, texts: TextList): string | number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string') return isOfFormula ? escapeString(plainText(value)) : texts.indexOf(value);
  if (value instanceof ErrorValue) return ERROR.test(value.code) ? value.code : '#N/A';
  return null;
}

function typeMarkup(value: Cell['value'], isOfFormula: boolean): string {
  if (typeof value === 'boolean') return ' t="b"';
  if (typeof value === 'string') return isOfFormula ? ' t="str"' : ' t="s"';
  return value instanceof ErrorValue ? ' t="e"' : '';
}

function linksMarkup(links: readonly Link[], ids: readonly string[]): string {
  let next = 0;
  const rows = links.map((link) => {
    const target = link.target === null ? '' : ` r:id="${escapeValue(ids[next++] ?? '')}"`;
    const location = link.location === null ? '' : ` location="${escapeValue(link.location)}"`;
    return `<hyperlink ref="${areaName(link)}"${target}${location}/>`;
  });
  return rows.length === 0 ? '' : `<hyperlinks>${rows.join('')}</hyperlinks>`;
}

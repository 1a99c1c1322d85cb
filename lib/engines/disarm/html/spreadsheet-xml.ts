/**
 * Disarm of workbooks that Excel 2003 and many web systems write as XML under the name of a workbook. Each sheet becomes a table in an
 * HTML page, with the values that the cells show. Nothing else is taken from the file.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { decodeStrictXml } from '../text/decode-xml.ts';
import { disarm as disarmHtml } from './html.ts';

const NAMESPACE = 'urn:schemas-microsoft-com:office:spreadsheet';
/** The most cells of one workbook, empty ones included. `ss:Index` makes a million cells out of ten bytes. */
const MAX_CELLS = 1_000_000;
/** The most columns of a sheet in Excel. */
const MAX_COLUMNS = 16_384;

/**
 * Always `disarmed`, as an HTML page. Throws EngineError: `unreadable` for what is not well-formed, `unsupported` for a document type
 * declaration or another root element, `oversize` over a limit.
 */
export async function disarm(input: FileInput, _type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const log = removalLog();
  log.note('workbook in XML', 'workbook', 'sanitized');
  const bytes = new TextEncoder().encode(pageOf(decodeStrictXml(input.bytes), limits, log));
  const html = describeType('text/html');
  // Our own page is disarmed like every other, so that what is written is stable.
  const page = await disarmHtml({ bytes, untrustedName: 'workbook.html', password: null }, html, limits);
  return { outcome: 'disarmed', bytes: page.bytes, type: html, details: log.removals };
}

interface Sheets {
  readonly out: string[];
  readonly log: RemovalLog;
  /** How many cells were written in the open row. */
  column: number;
  cells: number;
  isInData: boolean;
}

function pageOf(xml: string, limits: EngineLimits, log: RemovalLog): string {
  const sheets: Sheets = { out: [], log, column: 0, cells: 0, isInData: false };
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  parser.on('error', () => {
    throw new EngineError('unreadable', 'the workbook is not well-formed XML');
  });
  parser.on('doctype', () => {
    throw new EngineError('unsupported', 'the workbook holds a document type declaration');
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > limits.depth) throw new EngineError('oversize', `elements are nested more than ${limits.depth} deep`);
    const isWorkbook = tag.uri === NAMESPACE && tag.local === 'Workbook';
    if (depth === 1 && !isWorkbook) throw new EngineError('unsupported', 'the XML document is no workbook');
    if (tag.uri === NAMESPACE) open(sheets, tag);
  });
  parser.on('text', (text) => {
    if (sheets.isInData) sheets.out.push(escaped(text));
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    if (tag.uri === NAMESPACE) close(sheets, tag.local);
  });
  parser.write(xml).close();
  return `<!DOCTYPE html>\n<html><head><title>Workbook</title></head><body>${sheets.out.join('')}</body></html>`;
}

function open(sheets: Sheets, tag: SaxesTagNS): void {
  const { out, log } = sheets;
  const attribute = (local: string) => tag.attributes[`${prefixOf(tag)}${local}`]?.value ?? null;
  if (tag.local === 'Worksheet') out.push(`<h2>${escaped(attribute('Name') ?? 'Sheet')}</h2>`);
  if (tag.local === 'Table') out.push('<table border="1"><tbody>');
  if (tag.local === 'Row') {
    out.push('<tr>');
    sheets.column = 0;
  }
  if (tag.local === 'Cell') {
    if (attribute('Formula') !== null) log.note('formula', 'cell');
    if (attribute('HRef') !== null) log.note('link', 'cell');
    openCell(sheets, Number(attribute('Index') ?? sheets.column + 1), Number(attribute('MergeAcross') ?? 0));
  }
  if (tag.local !== 'Data') return;
  // The note of a cell is not part of its value, so it starts on a new line.
  if (out.at(-1)?.startsWith('<td') !== true) out.push('<br>');
  sheets.isInData = true;
}

/** The prefix of SpreadsheetML's attributes. They have one even where the elements have none. */
function prefixOf({ attributes, ns }: SaxesTagNS): string {
  const own = Object.entries(ns).find(([prefix, uri]) => uri === NAMESPACE && prefix !== '')?.[0];
  const used = Object.values(attributes).find(({ uri }) => uri === NAMESPACE)?.prefix;
  return used ? `${used}:` : own ? `${own}:` : '';
}

/** Writes the empty cells in front of a cell, and the start of the cell, which may extend over the next ones. */
function openCell(sheets: Sheets, index: number, merged: number): void {
  const target = Number.isInteger(index) ? index : sheets.column + 1;
  const width = 1 + (Number.isInteger(merged) && merged > 0 ? merged : 0);
  if (target + width - 1 > MAX_COLUMNS)
    throw new EngineError('oversize', `a sheet has more than ${MAX_COLUMNS} columns`);
  const empty = Math.max(0, target - sheets.column - 1);
  sheets.cells += empty + width;
  if (sheets.cells > MAX_CELLS) throw new EngineError('oversize', `the workbook has more than ${MAX_CELLS} cells`);
  sheets.out.push('<td></td>'.repeat(empty), width > 1 ? `<td colspan="${width}">` : '<td>');
  sheets.column += empty + width;
}

const ENDS: Readonly<Record<string, string>> = { Table: '</tbody></table>', Row: '</tr>', Cell: '</td>' };

function close(sheets: Sheets, local: string): void {
  if (local === 'Data') sheets.isInData = false;
  const end = Object.hasOwn(ENDS, local) ? ENDS[local] : undefined;
  if (end !== undefined) sheets.out.push(end);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

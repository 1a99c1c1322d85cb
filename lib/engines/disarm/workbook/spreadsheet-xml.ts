/**
 * Workbooks that Excel 2003 and many web systems write as XML ("XML Spreadsheet 2003"), often under the name of a workbook. The visible
 * content of the sheets is written as xlsx, which is then disarmed. Formulas, names, queries and everything else are left out.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput, type Removal } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { disarmContainer } from '../office/office.ts';
import { partsContainer } from '../office-xml/parts-container.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { decodeStrictXml } from '../text/decode-xml.ts';
import { bookParts } from './write-book.ts';
import { XmlBook } from './xml-book.ts';

const NAMESPACE = 'urn:schemas-microsoft-com:office:spreadsheet';
const EXCEL = 'urn:schemas-microsoft-com:office:excel';

/**
 * Converts and disarms the workbook. The outcome is always `disarmed`. Throws EngineError: `unreadable` for malformed XML, `unsupported`
 * for a document type declaration or another root element, `oversize` over a limit.
 */
export async function disarm(input: FileInput, _type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const log = removalLog();
  log.note('workbook in XML', 'workbook', 'sanitized');
  const book = readBook(decodeStrictXml(input.bytes), limits, log);
  const form: readonly Removal[] = log.removals;
  return disarmContainer(partsContainer(bookParts(book, limits)), limits, input.keepMetadata === true, form);
}

function readBook(xml: string, limits: EngineLimits, log: RemovalLog) {
  const book = new XmlBook(log);
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
    if (isKnown(tag)) book.open(tag.local, attributesOf(tag));
  });
  parser.on('text', (text) => book.text(text));
  parser.on('cdata', (text) => book.text(text));
  parser.on('closetag', (tag) => {
    depth -= 1;
    if (isKnown(tag)) book.close(tag.local);
  });
  parser.write(xml).close();
  return book.finish();
}

/** Handles elements of the workbook, and of Excel's own settings. Their names do not overlap. */
const isKnown = ({ uri }: SaxesTagNS) => uri === NAMESPACE || uri === EXCEL;

/** Returns attributes by name. They have the prefix of the workbook even if elements have none. Some programs leave it out. */
function attributesOf({ attributes }: SaxesTagNS): ReadonlyMap<string, string> {
  return new Map(
    Object.values(attributes)
      .filter(({ uri }) => uri === NAMESPACE || uri === '')
      .map(({ local, value }) => [local, value]),
  );
}

/**
 * Word 2003 documents in XML ("WordprocessingML 2003"). The text with its styles, tables, lists, notes, headers, comments and pictures is
 * written in the markup of docx, which is then disarmed. Macros, objects, templates, properties and settings stay behind.
 */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { disarmContainer } from '../office/office.ts';
import { removalLog } from '../removals.ts';
import { childrenOf, readXml, type XmlElement } from '../xml/tree.ts';
import { partsContainer } from './parts-container.ts';
import { WordConverter } from './word-converter.ts';
import { rootPart, Story } from './word-parts.ts';
import { numberingRoot, stylesRoot } from './word-tables.ts';

/** Vocabularies of such documents. Of other elements (smart tags, custom XML) only the content is written. */
const SPACES = new Map([
  ['http://schemas.microsoft.com/office/word/2003/wordml', 'w'],
  ['http://schemas.microsoft.com/office/word/2003/auxHint', 'wx'],
  ['http://schemas.microsoft.com/aml/2001/core', 'aml'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['urn:schemas-microsoft-com:office:office', 'o'],
  ['urn:schemas-microsoft-com:office:word', 'w10'],
]);
/** Dropped content beside the text, and its name in the report. */
const DROPPED: ReadonlyMap<string, string> = new Map([
  ['w:docSuppData', 'macro'],
  ['w:docOleData', 'embedded object'],
  ['o:CustomDocumentProperties', 'document properties'],
  ['o:DocumentProperties', 'document properties'],
]);

/** Always `disarmed`. Throws EngineError `unreadable` (not well-formed, a document type, no Word document) or `oversize`. */
export async function disarm(input: FileInput, _type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const { root, hasDoctype } = readXml(input.bytes, limits, SPACES);
  if (hasDoctype) throw new EngineError('unreadable', 'the document has a document type declaration');
  const body = childrenOf(root, 'w:body')[0];
  if (root.key !== 'w:wordDocument' || body === undefined)
    throw new EngineError('unreadable', 'the XML is no document of Word 2003');
  const log = removalLog();
  log.note('document in XML', 'document', 'sanitized');
  for (const { key } of childrenOf(root)) {
    const kind = DROPPED.get(key ?? '');
    if (kind !== undefined) log.note(kind, 'document');
  }
  if (hasTemplate(root)) log.note('external template', 'document');
  const story = new Story('document', 'document.main');
  const converter = new WordConverter(log, limits, story);
  converter.collectPictures(root);
  const text = converter.document(body);
  const styles = new Story('styles', 'styles');
  const numbering = new Story('numbering', 'numbering');
  story.refer('styles', '/word/styles.xml');
  const [lists] = childrenOf(root, 'w:lists');
  if (lists !== undefined) story.refer('numbering', '/word/numbering.xml');
  const parts = [
    rootPart(),
    ...converter.stories(),
    ...styles.parts(stylesRoot(root, converter)),
    ...(lists === undefined ? [] : numbering.parts(numberingRoot(lists, converter))),
    ...story.parts(text),
    ...converter.pictures.parts,
  ];
  return disarmContainer(partsContainer(parts), limits, input.keepMetadata === true, log.removals);
}

/** Returns whether the document asks for a template from elsewhere. */
function hasTemplate(root: XmlElement): boolean {
  const settings = childrenOf(root, 'w:docPr')[0];
  const [template] = settings === undefined ? [] : childrenOf(settings, 'w:attachedTemplate');
  return (template?.attributes.get('w:val') ?? '') !== '';
}

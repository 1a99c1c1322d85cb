/** The styles and the lists of a Word 2003 document, in the parts that docx has for them. */
import { childrenOf, type XmlElement } from '../xml/tree.ts';
import type { WordConverter } from './word-converter.ts';
import { numberFormat } from './word-names.ts';
import { element } from './word-parts.ts';

/** Writes the part with the styles: the default fonts of texts, then each style. */
export function stylesRoot(document: XmlElement, converter: WordConverter): XmlElement {
  const [fonts] = childrenOf(document, 'w:fonts');
  const [defaults] = fonts === undefined ? [] : childrenOf(fonts, 'w:defaultFonts');
  const [styles] = childrenOf(document, 'w:styles');
  const own = styles === undefined ? [] : childrenOf(styles, 'w:style').map((style) => styleOf(style, converter));
  const first =
    defaults === undefined
      ? []
      : [
          element('w:docDefaults', {}, [
            element('w:rPrDefault', {}, [
              element('w:rPr', {}, [element('w:rFonts', converter.attributes({ ...defaults, key: 'w:rFonts' }))]),
            ]),
          ]),
        ];
  return element('w:styles', {}, [...first, ...own]);
}

function styleOf(style: XmlElement, converter: WordConverter): XmlElement {
  // Names of the style in other programs, and the save from which it came.
  const children = childrenOf(style).filter(({ key }) => key !== null && !/^(?:wx:|w:rsid$)/.test(key));
  const attributes = converter.attributes(style);
  if (attributes['w:default'] === 'on') attributes['w:default'] = '1';
  // A style of a list is one of numbering.
  if (attributes['w:type'] === 'list') attributes['w:type'] = 'numbering';
  return element('w:style', attributes, converter.all(children));
}

/** Returns the part with the lists. */
export function numberingRoot(lists: XmlElement, converter: WordConverter): XmlElement {
  const definitions = childrenOf(lists, 'w:listDef').map((definition) =>
    element(
      'w:abstractNum',
      { 'w:abstractNumId': definition.attributes.get('w:listDefId') ?? '0' },
      childrenOf(definition).flatMap((child) => definitionPart(child, converter)),
    ),
  );
  const numbers = childrenOf(lists, 'w:list').map((list) => {
    const definition = childrenOf(list, 'w:ilst')[0]?.attributes.get('w:val') ?? '0';
    const changes = childrenOf(list, 'w:lvlOverride').map((change) =>
      element(
        'w:lvlOverride',
        { 'w:ilvl': change.attributes.get('w:ilvl') ?? '0' },
        childrenOf(change).flatMap((child) => overridePart(child, converter)),
      ),
    );
    return element('w:num', { 'w:numId': list.attributes.get('w:ilfo') ?? '0' }, [
      element('w:abstractNumId', { 'w:val': definition }),
      ...changes,
    ]);
  });
  return element('w:numbering', {}, [...definitions, ...numbers]);
}

const valOf = ({ attributes }: XmlElement) => attributes.get('w:val') ?? '';

function definitionPart(child: XmlElement, converter: WordConverter): XmlElement[] {
  switch (child.key) {
    case 'w:lsid':
      return [element('w:nsid', { 'w:val': valOf(child) })];
    case 'w:plt':
      return [element('w:multiLevelType', { 'w:val': PLANS[valOf(child)] ?? 'multilevel' })];
    case 'w:tmpl':
    case 'w:styleLink':
      return [element(child.key, { 'w:val': valOf(child) })];
    case 'w:listStyleLink':
      return [element('w:numStyleLink', { 'w:val': valOf(child) })];
    case 'w:lvl':
      return [level(child, converter)];
    default:
      return [];
  }
}

const PLANS: Readonly<Record<string, string>> = {
  SingleLevel: 'singleLevel',
  Multilevel: 'multilevel',
  HybridMultilevel: 'hybridMultilevel',
};

function overridePart(child: XmlElement, converter: WordConverter): XmlElement[] {
  if (child.key === 'w:startOverride') return [element('w:startOverride', { 'w:val': valOf(child) })];
  return child.key === 'w:lvl' ? [level(child, converter)] : [];
}

function level(node: XmlElement, converter: WordConverter): XmlElement {
  const [formats] = childrenOf(node, 'w:nfc');
  const rows = childrenOf(node).flatMap((child) => {
    if (child.key === 'w:nfc') return [];
    if (child.key === 'w:suff') return [element('w:suff', { 'w:val': valOf(child).toLowerCase() })];
    const [written] = converter.all([child]);
    return written === undefined || typeof written === 'string' ? [] : [written];
  });
  // The format of the numbers follows their start.
  const at = rows.findIndex(({ key }) => key === 'w:start') + 1;
  const format = element('w:numFmt', { 'w:val': formats === undefined ? 'decimal' : numberFormat(valOf(formats)) });
  return element('w:lvl', { 'w:ilvl': node.attributes.get('w:ilvl') ?? '0' }, [
    ...rows.slice(0, at),
    format,
    ...rows.slice(at),
  ]);
}

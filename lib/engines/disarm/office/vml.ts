/**
 * The VML of text documents, comments and old drawings that may stay (ECMA-376 part 4, 19 and [MS-OI29500]): a closed list of elements,
 * attributes that do not load, link or run, and styles that only place and measure.
 */
import { isSafeLink } from '../safe-links.ts';
import type { XmlAttribute, XmlElement } from './xml/element.ts';

const keysOf = (prefix: string, names: string): readonly string[] => names.split(' ').map((name) => `${prefix}${name}`);

/** Shapes and their looks, and the few elements of HTML that Excel writes into the text box of a comment. */
const ELEMENTS: ReadonlySet<string> = new Set([
  ...keysOf(
    'v:',
    'shape shapetype group rect roundrect oval line polyline arc curve image background textbox textpath imagedata fill stroke ' +
      'path formulas f handles h shadow wrap',
  ),
  ...keysOf(
    'o:',
    'shapedefaults shapelayout idmap regrouptable entry rules r proxy colormru colormenu signatureline callout lock extrusion skew ' +
      'complex left top right bottom column clippath ink diagram relationtable rel fill',
  ),
  ...keysOf('', 'xml div p br font span b i u s strike sub sup em strong center'),
]);

/** Returns true for an element of VML, or of the HTML in it, that no known drawing needs. Elements of HTML have no namespace. */
export function isUnknownVml(key: string): boolean {
  return /^(?:[vo]:|[^:]*$)/.test(key) && !ELEMENTS.has(key);
}

/** Signs that no style of a drawing needs: a function that loads or calculates, an import, an escape, the end of the style. */
const LIVE_STYLE = /[()@\\<>{}]/;

/** Attributes that run code, load a picture, or have the address of a program that checks signatures. `o:oned` says that it is a line. */
const LIVE = /^(?:on(?!ed$)[a-z]+|script|src|althref|ole|gfxdata|movie|sigprovurl|addlxml)$/;
/** The scripts of VML stand under these prefixes, or under none. */
const PREFIX = /^[vo]:/;

/** Returns the attribute of an element of VML as it may stay, or null when it may not. */
export function safeVmlAttribute(element: XmlElement, each: XmlAttribute): XmlAttribute | null {
  const key = each.key ?? '';
  const name = key.replace(PREFIX, '');
  if (LIVE.test(name) || key === 'xml:base') return null;
  if (name === 'href') return isSafeAddress(element, each) ? each : null;
  if (name !== 'style' || !LIVE_STYLE.test(each.value)) return each;
  const kept = each.value.split(';').filter((declaration) => !LIVE_STYLE.test(declaration));
  return { ...each, value: kept.join(';') };
}

/**
 * On a shape an address is a link that needs a click. On a picture or a fill it is loaded with the page: it is the source of a picture, and
 * not the target of a click. `o:href` is always a source.
 */
function isSafeAddress(element: XmlElement, { key, value }: XmlAttribute): boolean {
  if (key === 'o:href' || /^v:(?:imagedata|image|fill|stroke)$/.test(element.key ?? '')) return false;
  return isSafeLink(value) || value.startsWith('#');
}

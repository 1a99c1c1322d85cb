/** Writes the elements of a map anew: only listed elements, each with content of its required form. */
import { EngineError, type EngineLimits } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';
import { childrenOf, readXml, textOf, writeXml, type XmlElement } from '../xml/tree.ts';
import { contentOf, isLocalStyle, isMapAttribute, MAP_DECLARATIONS, MAP_DROPPED, MAP_SPACES } from './rules.ts';
import { plainWords } from './words.ts';

export interface MapWork {
  readonly log: RemovalLog;
  readonly limits: EngineLimits;
  /** Returns the name in the output of the picture at an address; null when the file holds no such picture. */
  readonly picture: (href: string) => string | null;
}

/** Parses a map. Throws EngineError `unreadable` when it is none, and the errors of `readXml`. */
export function readMap(bytes: Uint8Array, limits: EngineLimits, log: RemovalLog): XmlElement {
  const { root, hasDoctype, hasInstructions } = readXml(bytes, limits, MAP_SPACES);
  if (root.key !== 'kml') throw new EngineError('unreadable', 'the file holds no map');
  if (hasDoctype) log.note('document type declaration', 'map');
  if (hasInstructions) log.note('processing instruction', 'map');
  return root;
}

/** Returns the map written anew. */
export function writeMap(root: XmlElement, work: MapWork): Uint8Array {
  return writeXml(rewrittenParts(root, work), MAP_DECLARATIONS);
}

/** Returns the addresses of all pictures of a map. */
export function pictureAddresses(element: XmlElement): string[] {
  return childrenOf(element).flatMap((child) =>
    child.key === 'href' ? [textOf(child).trim()] : pictureAddresses(child),
  );
}

function rewrittenParts(element: XmlElement, work: MapWork): XmlElement {
  const children = childrenOf(element).flatMap((child) => rewritten(child, work) ?? []);
  return { ...element, attributes: keptAttributes(element), children };
}

/** Writes attributes. Attributes of programs are no content, so their loss is not reported. */
function keptAttributes({ attributes }: XmlElement): Map<string, string> {
  return new Map([...attributes].filter(([name, value]) => isMapAttribute(name, value)));
}

/** Writes an element; null when it is left out. */
function rewritten(element: XmlElement, work: MapWork): XmlElement | null {
  const { key } = element;
  const dropped = MAP_DROPPED.get(key ?? '');
  if (dropped !== undefined) return without(dropped, element, work);
  if (key === 'Icon' || key === 'ItemIcon') return rewrittenIcon(element, work);
  if (key === 'href') return rewrittenAddress(element, work);
  if (key === 'styleUrl')
    return isLocalStyle(textOf(element))
      ? { ...element, attributes: new Map(), children: [textOf(element).trim()] }
      : without('external reference', element, work);
  const content = contentOf(key);
  if (content === null) return without('unknown markup', element, work);
  if (content === 'parts') return rewrittenParts(element, work);
  return content === 'words' ? rewrittenWords(element, work) : rewrittenValue(element, content, work);
}

function without(kind: string, { untrustedName }: XmlElement, { log }: MapWork): null {
  log.note(kind, untrustedName);
  return null;
}

/** Leaves out an icon without its picture, which would hide the place. Without the icon, programs draw their own pin. */
function rewrittenIcon(element: XmlElement, work: MapWork): XmlElement | null {
  const parts = rewrittenParts(element, work);
  return childrenOf(parts, 'href').length === 0 ? null : parts;
}

function rewrittenAddress(element: XmlElement, work: MapWork): XmlElement | null {
  const href = textOf(element).trim();
  const name = work.picture(href);
  if (name === null) return href === '' ? null : without('external picture', element, work);
  return { ...element, attributes: new Map(), children: [name] };
}

function rewrittenWords(element: XmlElement, work: MapWork): XmlElement {
  const text = textOf(element);
  const words = plainWords(text, work.limits);
  if (words !== text && /<[a-z!/?]/i.test(text)) work.log.note('page in a map', element.untrustedName, 'sanitized');
  return { ...element, attributes: keptAttributes(element), children: words === '' ? [] : [words] };
}

function rewrittenValue(element: XmlElement, form: RegExp, work: MapWork): XmlElement | null {
  const text = textOf(element);
  if (childrenOf(element).length > 0 || !form.test(text)) return without('unknown markup', element, work);
  return { ...element, attributes: keptAttributes(element), children: text === '' ? [] : [text] };
}

/** Reads hostile XML with saxes (strict, no entity is ever expanded) under bounds. */
import { SaxesParser } from 'saxes';

export interface XmlEvents {
  readonly doctype?: (doctype: string) => void;
  readonly open: (name: string, attributes: readonly (readonly [string, string])[], isEmpty: boolean) => void;
  readonly close: (name: string, isEmpty: boolean) => void;
  readonly text: (text: string) => void;
}

export interface XmlBounds {
  /** The most elements around another. Without it, millions of elements that are never closed would fill the memory of the parser. */
  readonly depth: number;
  /** The texts of entities. XML itself has five. @default those; any other ends the reading */
  readonly entities?: Record<string, string>;
}

/** Ends the reading. An event may throw it. */
export class XmlStop extends Error {}

/** The most attributes of an element. Without it, millions of attributes would fill the memory of the parser. */
const MAX_ATTRIBUTES = 10_000;

/**
 * Reports each element and text in order. Returns false when the reading ended early: the text is no XML, is over a bound, or an event
 * ended it.
 */
export function readXml(untrustedXml: string, events: XmlEvents, { depth, entities }: XmlBounds): boolean {
  const parser = new SaxesParser();
  if (entities !== undefined) parser.ENTITIES = entities;
  let [open, attributes] = [0, 0];
  parser.on('error', stop);
  parser.on('opentagstart', () => {
    attributes = 0;
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES) stop();
  });
  parser.on('doctype', (doctype) => events.doctype?.(doctype));
  parser.on('opentag', (tag) => {
    open += 1;
    if (open > depth) stop();
    events.open(tag.name, Object.entries(tag.attributes), tag.isSelfClosing);
  });
  parser.on('closetag', (tag) => {
    open -= 1;
    events.close(tag.name, tag.isSelfClosing);
  });
  parser.on('text', events.text);
  parser.on('cdata', events.text);
  try {
    parser.write(untrustedXml.replace(/^\uFEFF/, '')).close();
    return true;
  } catch (error) {
    if (error instanceof XmlStop) return false;
    throw error;
  }
}

function stop(): never {
  throw new XmlStop();
}

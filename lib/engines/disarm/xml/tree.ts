/**
 * XML as a tree of a closed list of name spaces. saxes reads it (strict, no entity is ever expanded). Our own code writes it with our own
 * prefixes, so a name means the same to every program.
 */
import { SaxesParser } from 'saxes';
import { EngineError, type EngineLimits } from '../../engine.ts';
import { decodeStrictXml } from '../text/decode-xml.ts';
import { escapeText, escapeValue } from '../xml-escape.ts';

/** Elements, attributes and texts of one document. A large map or book has some 200,000; millions attack the memory. */
const MAX_NODES = 1_000_000;

export interface XmlElement {
  /** `prefix:local`, or `local` in the main name space; null in a name space that is not listed. */
  readonly key: string | null;
  /** As written in the file, without its prefix. Untrusted. */
  readonly untrustedName: string;
  /** By key, in their order. Attributes of other name spaces are left out. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
}

/** A string is text. */
export type XmlNode = XmlElement | string;

/** The prefixes under which name spaces are written, by their addresses; empty for the main one. */
export type XmlSpaces = ReadonlyMap<string, string>;

export interface XmlDocument {
  readonly root: XmlElement;
  readonly hasDoctype: boolean;
  readonly hasInstructions: boolean;
}

interface Open extends XmlElement {
  readonly children: XmlNode[];
}

/**
 * Parses a document. Entities of a document type are not known to the parser, so a document that uses one is refused. Throws EngineError
 * `unreadable` (not well-formed, or in an encoding that hides markup) or `oversize`.
 */
export function readXml(bytes: Uint8Array, limits: EngineLimits, spaces: XmlSpaces): XmlDocument {
  const open: Open[] = [];
  let root: XmlElement | undefined;
  let nodes = 0;
  let [hasDoctype, hasInstructions] = [false, false];
  const count = (more: number) => {
    nodes += more;
    if (nodes > MAX_NODES) throw new EngineError('oversize', 'an XML part has too many elements');
  };
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('error', () => {
    throw new EngineError('unreadable', 'an XML part is not well-formed');
  });
  parser.on('doctype', () => {
    hasDoctype = true;
  });
  parser.on('processinginstruction', () => {
    hasInstructions = true;
  });
  parser.on('opentag', (tag) => {
    if (open.length >= limits.depth) throw new EngineError('oversize', 'an XML part is nested too deep');
    const attributes = attributesOf(Object.values(tag.attributes), spaces);
    count(1 + attributes.size);
    const key = keyOf(tag.uri, tag.local, spaces);
    const element: Open = { key, untrustedName: tag.local, attributes, children: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  const text = (content: string) => {
    count(1);
    open.at(-1)?.children.push(content);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  parser.write(decodeStrictXml(bytes)).close();
  if (root === undefined) throw new EngineError('unreadable', 'an XML part is empty');
  return { root, hasDoctype, hasInstructions };
}

function keyOf(uri: string, local: string, spaces: XmlSpaces): string | null {
  const prefix = spaces.get(uri.trim());
  if (prefix === undefined) return null;
  return prefix === '' ? local : `${prefix}:${local}`;
}

interface UntrustedAttribute {
  readonly uri: string;
  readonly local: string;
  readonly name: string;
  readonly value: string;
}

/** Returns the key of an attribute. Without a prefix it is in no name space. The first of two with one key counts. */
function attributesOf(list: readonly UntrustedAttribute[], spaces: XmlSpaces): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const { uri, local, name, value } of list) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) continue;
    const key = uri === '' ? local : keyOf(uri, local, spaces);
    if (key !== null && !attributes.has(key)) attributes.set(key, value);
  }
  return attributes;
}

/** Returns the text of an element and of everything in it. */
export function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

/** Returns the elements directly in another one. */
export function childrenOf(element: XmlElement, key?: string): readonly XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => typeof child !== 'string' && (key === undefined || child.key === key),
  );
}

/** Returns the document as UTF-8, with these declarations of name spaces (`xmlns`, `xmlns:gx`) at its root. */
export function writeXml(root: XmlElement, declarations: Readonly<Record<string, string>>): Uint8Array {
  const out: string[] = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  write({ ...root, attributes: new Map([...Object.entries(declarations), ...root.attributes]) }, out);
  return Buffer.from(out.join(''), 'utf8');
}

function write(node: XmlNode, out: string[]): void {
  if (typeof node === 'string') {
    out.push(escapeText(node));
    return;
  }
  if (node.key === null) throw new Error('an element of an unknown name space is never written');
  out.push('<', node.key);
  for (const [name, value] of node.attributes) out.push(' ', name, '="', escapeValue(value), '"');
  if (node.children.length === 0) {
    out.push('/>');
    return;
  }
  out.push('>');
  for (const child of node.children) write(child, out);
  out.push('</', node.key, '>');
}

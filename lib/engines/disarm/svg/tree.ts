/** A drawing as a tree. saxes reads it (strict, only plain entities are inserted), and our own code writes it. */

import { SaxesParser } from 'saxes';
import { EngineError, type EngineLimits } from '../../engine.ts';
import { decodeStrictXml } from '../text/decode-xml.ts';
import { escapeText, escapeValue } from '../xml-escape.ts';
import { addPlainEntities } from './entities.ts';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

/** Elements and attributes of one drawing; maps and plans have some 200,000. */
const MAX_NODES = 1_000_000;

export interface SvgAttribute {
  /** Local name, with the prefix `xlink:` or `xml:` for those name spaces. */
  readonly name: string;
  readonly value: string;
}

export interface SvgElement {
  /** Local name. */
  readonly name: string;
  /** False for elements of other name spaces. */
  readonly isSvg: boolean;
  readonly attributes: readonly SvgAttribute[];
  readonly children: SvgNode[];
}

/** A string is text. */
export type SvgNode = SvgElement | string;

export interface ParsedSvg {
  readonly root: SvgElement;
  readonly hasDoctype: boolean;
  readonly hasInstructions: boolean;
}

/**
 * Parses a drawing. Of the entities of a DOCTYPE the parser knows those of plain text, so a drawing that uses another one is refused.
 * Throws EngineError `unreadable` or `oversize`.
 */
export function parseSvg(bytes: Uint8Array, limits: EngineLimits): ParsedSvg {
  const open: SvgElement[] = [];
  let root: SvgElement | undefined;
  let nodes = 0;
  let [hasDoctype, hasInstructions] = [false, false];
  const count = (more: number) => {
    nodes += more;
    if (nodes > MAX_NODES) throw new EngineError('oversize', 'the drawing has too many elements');
  };
  const parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('error', () => {
    throw new EngineError('unreadable', 'the drawing is not well-formed XML');
  });
  parser.on('doctype', (doctype) => {
    hasDoctype = true;
    addPlainEntities(doctype, parser.ENTITIES);
  });
  parser.on('processinginstruction', () => {
    hasInstructions = true;
  });
  parser.on('opentag', (tag) => {
    if (open.length >= limits.depth) throw new EngineError('oversize', 'the drawing is nested too deep');
    const attributes = Object.values(tag.attributes).flatMap(({ uri, local, name, value }) =>
      attributeOf(uri, local, name, value),
    );
    count(1 + attributes.length);
    // Without a declaration the name space is empty; editors' fragments look like that.
    const isSvg = tag.uri === SVG_NAMESPACE || tag.uri === '';
    const element: SvgElement = { name: tag.local, isSvg, attributes, children: [] };
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
  if (root === undefined) throw new EngineError('unreadable', 'the file holds no drawing');
  return { root, hasDoctype, hasInstructions };
}

function attributeOf(uri: string, local: string, name: string, value: string): SvgAttribute[] {
  if (name === 'xmlns' || name.startsWith('xmlns:')) return [];
  if (uri === '') return [{ name: local, value }];
  if (uri === XLINK_NAMESPACE && local === 'href') return [{ name: 'xlink:href', value }];
  if (uri === XML_NAMESPACE && local === 'space') return [{ name: 'xml:space', value }];
  return [];
}

/** Writes the drawing as UTF-8 text. An attribute that occurs twice is written once, because two would not be XML. */
export function serializeSvg(root: SvgElement): string {
  const out: string[] = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  const spaces: readonly SvgAttribute[] = [
    { name: 'xmlns', value: SVG_NAMESPACE },
    { name: 'xmlns:xlink', value: XLINK_NAMESPACE },
  ];
  write({ ...root, attributes: [...spaces, ...root.attributes] }, out);
  return out.join('');
}

function write(node: SvgNode, out: string[]): void {
  if (typeof node === 'string') {
    out.push(escapeText(node));
    return;
  }
  out.push('<', node.name);
  const written = new Set<string>();
  for (const { name, value } of node.attributes) {
    if (written.has(name)) continue;
    written.add(name);
    out.push(' ', name, '="', escapeValue(value), '"');
  }
  if (node.children.length === 0) {
    out.push('/>');
    return;
  }
  out.push('>');
  for (const child of node.children) write(child, out);
  out.push('</', node.name, '>');
}

/** Our own XML serialiser: no byte of the input's markup is copied. */
import { isElement, type XmlElement, type XmlNode } from './office-xml.ts';

const TEXT_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
const VALUE_ESCAPES: Readonly<Record<string, string>> = {
  ...TEXT_ESCAPES,
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => TEXT_ESCAPES[character] ?? '');
}

/** Text as it stands between the double quotes of an attribute. */
export function escapeValue(value: string): string {
  return value.replace(/[&<>"\r\n\t]/g, (character) => VALUE_ESCAPES[character] ?? '');
}

/** Markup of nodes, without an XML declaration. */
export function serializeNodes(nodes: readonly XmlNode[]): string {
  const out: string[] = [];
  for (const node of nodes) writeNode(node, out);
  return out.join('');
}

function writeNode(node: XmlNode, out: string[]): void {
  if (typeof node === 'string') {
    out.push(escapeText(node));
  } else if (!isElement(node)) {
    out.push(node.markup);
  } else {
    out.push('<', node.name);
    for (const each of node.attributes) out.push(' ', each.name, '="', escapeValue(each.value), '"');
    if (node.children.length === 0) {
      out.push('/>');
      return;
    }
    out.push('>');
    for (const child of node.children) writeNode(child, out);
    out.push('</', node.name, '>');
  }
}

/** A whole part, UTF-8 with declaration. */
export function serializeXml(root: XmlElement): Uint8Array {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${serializeNodes([root])}`, 'utf8');
}

/** Reads the text of an HTML page for a person: its words in lines, and the targets of its links. */
import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Elements that begin a line. */
const LINES = new Set(
  'address article aside blockquote br caption center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul'.split(
    ' ',
  ),
);
/** Elements whose content nobody reads. */
const UNREAD = new Set('script style template head title noscript iframe object svg math'.split(' '));

/** Returns the text. A page with endless nesting is read without recursion. */
export function textOfPage(html: string): string {
  const pieces: string[] = [];
  const open: (Node | string)[] = [...parse(html).childNodes].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === 'string') pieces.push(node);
    else if (tree.isTextNode(node)) pieces.push(node.value.replace(/\s+/g, ' '));
    else if (tree.isElementNode(node) && !UNREAD.has(node.tagName)) {
      if (LINES.has(node.tagName)) pieces.push('\n');
      open.push(...[endOf(node), ...[...node.childNodes].reverse()]);
    }
  }
  return pieces
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

function endOf({ tagName, attrs }: DefaultTreeAdapterTypes.Element): string {
  const value = (name: string) => attrs.find((attribute) => attribute.name === name)?.value ?? '';
  if (tagName === 'img') return value('alt') === '' ? '[picture]' : `[picture: ${value('alt')}]`;
  if (tagName === 'a' && value('href') !== '') return ` [${value('href')}]`;
  return LINES.has(tagName) ? '\n' : '';
}

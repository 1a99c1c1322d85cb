/** The HTML body of a delivered message, read by parsers of others. */
import { simpleParser } from 'mailparser';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export type PageElement = DefaultTreeAdapterTypes.Element;

/** The HTML of a message as text; empty when it has none. */
export async function htmlOf(message: Uint8Array): Promise<string> {
  const options = { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true };
  const { html } = await simpleParser(Buffer.from(message), options);
  return typeof html === 'string' ? html : '';
}

/** Every element of a page, the contents of templates included. */
export function elementsOf(html: string): PageElement[] {
  const found: PageElement[] = [];
  const open: DefaultTreeAdapterTypes.Node[] = [parse(html)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('tagName' in node) found.push(node);
    if ('content' in node) open.push(node.content);
    if ('childNodes' in node) open.push(...node.childNodes);
  }
  return found;
}

/**
 * The page to a program that takes all that stands in comments for a part of it, whatever their conditions say: Outlook with every
 * feature that it could have.
 */
export function unfolded(html: string): string {
  return html
    .replace(/<!--\s*\[\s*if[^>]*>/gi, ' ')
    .replace(/<!\s*\[\s*(?:end)?if[^>]*>/gi, ' ')
    .replace(/<!--|--!?>/g, ' ');
}

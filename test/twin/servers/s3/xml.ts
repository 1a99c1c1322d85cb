/** The XML that S3 speaks. */
import type { Answer, AwsError } from '../call.ts';

type Tree = string | number | boolean | { readonly [name: string]: Tree | readonly Tree[] | undefined };

/** An answer with one element. */
export function xmlAnswer(name: string, tree: Tree, headers: Readonly<Record<string, string>> = {}): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, tree)}`;
  return { status: 200, headers: { 'content-type': 'application/xml', ...headers }, body };
}

/** An error with the status that belongs to it. */
export function xmlError({ name, status, message }: AwsError): Answer {
  return { ...xmlAnswer('Error', { Code: name, Message: message }), status };
}

function element(name: string, tree: Tree | readonly Tree[] | undefined): string {
  if (tree === undefined) return '';
  if (Array.isArray(tree)) return tree.map((one: Tree) => element(name, one)).join('');
  const inner =
    typeof tree === 'object'
      ? Object.entries(tree)
          .map(([child, one]) => element(child, one as Tree))
          .join('')
      : escaped(String(tree));
  return `<${name}>${inner}</${name}>`;
}

function escaped(text: string): string {
  const escapes: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    '\r': '&#13;',
  };
  return text.replace(/[&<>"\r]/g, (character) => escapes[character] ?? character);
}

/** The texts of all elements with this name. */
export function textsIn(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replaceAll('&amp;', '&'),
  );
}

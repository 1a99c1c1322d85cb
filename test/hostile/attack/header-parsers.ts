/** What parsers of others find in the headers of a message, and what a reader sees who ends a line wherever anybody ends one. */
import { createRequire } from 'node:module';
import { simpleParser } from 'mailparser';
import PostalMime from 'postal-mime';
import { linksOthersMark } from './linkifiers.ts';
import { fieldsPythonFinds } from './python-headers.ts';

/** A field of the message's own header or of a part's. */
export interface ParsedField {
  readonly parser: string;
  /** Lower case, without what is not a letter, a digit or a dash. */
  readonly name: string;
  readonly value: string;
  readonly isPart: boolean;
}

interface ParsedHeader {
  readonly initial?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

interface Node {
  readonly headers: Readonly<Record<string, readonly ParsedHeader[]>>;
  readonly childNodes: readonly Node[];
}
// CommonJS, without types.
const parseMime = createRequire(import.meta.url)('emailjs-mime-parser').default as (text: string) => Node;

/** Every field that one of five readers finds, in the message, its parts and the messages inside it. */
export async function fieldsOthersFind(message: Uint8Array): Promise<ParsedField[]> {
  const bytes = Buffer.from(message);
  const node = parseMime(bytes.toString('latin1'));
  const { headers } = await PostalMime.parse(bytes);
  const { headerLines } = await simpleParser(bytes);
  const python = await fieldsPythonFinds(bytes);
  return [
    ...python.map(([name, value, isPart]) => ({ parser: 'Python', name: plain(name), value, isPart })),
    ...fieldsOfNode(node, false),
    ...headers.map(({ key, value }) => ({ parser: 'postal-mime', name: plain(key), value, isPart: false })),
    ...headerLines.map(({ key, line }) => ({ parser: 'mailparser', name: plain(key), value: line, isPart: false })),
    ...linesAnywhere(bytes.toString('latin1')),
  ];
}

function fieldsOfNode({ headers, childNodes }: Node, isPart: boolean): ParsedField[] {
  const own = Object.entries(headers).flatMap(([name, values]) =>
    values.map(({ initial = '' }) => ({ parser: 'emailjs', name: plain(name), value: initial, isPart })),
  );
  return [...own, ...childNodes.flatMap((child) => fieldsOfNode(child, true))];
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9-]/g, '');

/** Whatever looks like a field to somebody, at the start of whatever somebody takes for a line. */
function linesAnywhere(text: string): ParsedField[] {
  const field = /(?:^|[\r\n\0\v\f])[ \t]*([^\r\n\0\v\f:]{1,200}):([^\r\n]*)/g;
  return [...text.matchAll(field)].map(([, name = '', value = '']) => ({
    parser: 'any line',
    name: plain(name.replace(/\([^)]*\)/g, '')),
    value,
    isPart: false,
  }));
}

/** A link that is spelled out: with a scheme, a path or www. Names of hosts are what headers are made of. */
export function spelledOutLinks(value: string): string[] {
  return linksOthersMark(value).filter((link) => /^[a-z][a-z0-9+.-]*:\/\/(?:www\.|[^/]+\/.)/i.test(link));
}

/** Every parameter that emailjs finds in the Content-Type and Content-Disposition of the parts. */
export function parametersOthersFind(message: Uint8Array): { readonly name: string; readonly value: string }[] {
  const walk = ({ headers, childNodes }: Node): { readonly name: string; readonly value: string }[] => {
    const own = ['content-type', 'content-disposition'].flatMap((name) =>
      (headers[name] ?? []).flatMap(({ params = {} }) => Object.entries(params)),
    );
    return [...own.map(([name, value]) => ({ name, value: String(value) })), ...childNodes.flatMap(walk)];
  };
  return walk(parseMime(Buffer.from(message).toString('latin1')));
}

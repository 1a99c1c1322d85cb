/** Reads messages with independent mail parsers. It shares no code with the reader. */
import { createRequire } from 'node:module';
import { extract } from 'letterparser';
import { simpleParser } from 'mailparser';
import PostalMime from 'postal-mime';

export type ParserName = 'mailparser' | 'postal-mime' | 'emailjs-mime-parser' | 'letterparser';

/** The decoded attachments and texts of a message. A parser that throws shows nothing. */
type Parser = (email: Buffer) => Promise<readonly Uint8Array[]>;

const latin1 = (text: string) => Buffer.from(text, 'latin1');

interface Node {
  readonly content?: Uint8Array;
  readonly childNodes: readonly Node[];
}

// The package has no types of its own.
const emailjs = createRequire(import.meta.url)('emailjs-mime-parser') as { readonly default: (text: string) => Node };

function leavesOf(node: Node): Uint8Array[] {
  return [...(node.content === undefined ? [] : [node.content]), ...node.childNodes.flatMap(leavesOf)];
}

export const PARSERS: Readonly<Record<ParserName, Parser>> = {
  async mailparser(email) {
    const { attachments } = await simpleParser(email, { skipHtmlToText: true, skipTextToHtml: true });
    return attachments.map(({ content }) => content);
  },
  async 'postal-mime'(email) {
    const { attachments } = await PostalMime.parse(email, { attachmentEncoding: 'arraybuffer' });
    return attachments.map(({ content }) => (typeof content === 'string' ? latin1(content) : new Uint8Array(content)));
  },
  async 'emailjs-mime-parser'(email) {
    return leavesOf(emailjs.default(email.toString('latin1')));
  },
  async letterparser(email) {
    const { attachments = [] } = extract(email.toString('latin1'));
    return attachments.map(({ body }) => (typeof body === 'string' ? latin1(body) : (body as Uint8Array)));
  },
};

/** The leaves that hold these bytes, and the parsers that list them. */
export async function leavesThatOthersYield(
  email: Uint8Array,
  mark: Uint8Array,
): Promise<readonly { readonly parser: ParserName; readonly bytes: Uint8Array }[]> {
  const found: { parser: ParserName; bytes: Uint8Array }[] = [];
  for (const [name, parse] of Object.entries(PARSERS)) {
    const leaves = await parse(Buffer.from(email)).catch(() => []);
    for (const bytes of leaves)
      if (Buffer.from(bytes).includes(Buffer.from(mark))) found.push({ parser: name as ParserName, bytes });
  }
  return found;
}

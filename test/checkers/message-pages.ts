/** The pages of a message as parsers of others cut them out: the bytes, and what the header says of them. */
import { createRequire } from 'node:module';
import PostalMime from 'postal-mime';

/** A page in a message, its body or an attached file. */
export interface MessagePage {
  readonly type: string;
  /** What the header says; null when it says nothing. */
  readonly charset: string | null;
  /** Behind the transfer encoding, in the charset that the sender wrote. */
  readonly bytes: Buffer;
}

interface Node {
  readonly raw: string;
  readonly contentType: { readonly value: string; readonly params?: Readonly<Record<string, string>> };
  readonly contentTransferEncoding: { readonly value: string };
  readonly childNodes: readonly Node[];
}
// CommonJS, without types.
const parseMime = createRequire(import.meta.url)('emailjs-mime-parser').default as (text: string) => Node;

const PAGE_TYPE = /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)$/;

/** Every page of a message. */
export async function pagesOf(message: Uint8Array | string): Promise<MessagePage[]> {
  const text = typeof message === 'string' ? message : Buffer.from(message).toString('latin1');
  const pages = leavesOf(parseMime(text)).filter(({ contentType }) => PAGE_TYPE.test(contentType.value));
  return Promise.all(
    pages.map(async (node) => ({
      type: node.contentType.value,
      charset: node.contentType.params?.charset ?? null,
      bytes: await bytesOf(node),
    })),
  );
}

const leavesOf = (node: Node): Node[] => (node.childNodes.length === 0 ? [node] : node.childNodes.flatMap(leavesOf));

/** One parser finds the part, and decodes it to text; the other gives the bytes of what is attached as they are. */
async function bytesOf({ raw, contentTransferEncoding }: Node): Promise<Buffer> {
  const body = raw.slice(raw.indexOf('\n\n') + 2).replaceAll('\n', '\r\n');
  const head = [
    'Content-Type: application/octet-stream; name="page.bin"',
    'Content-Disposition: attachment; filename="page.bin"',
    `Content-Transfer-Encoding: ${contentTransferEncoding.value}`,
  ];
  const email = Buffer.from([...head, '', body].join('\r\n'), 'latin1');
  const { attachments } = await PostalMime.parse(email, { attachmentEncoding: 'arraybuffer' });
  const content = attachments[0]?.content ?? '';
  return typeof content === 'string' ? Buffer.from(content, 'latin1') : Buffer.from(new Uint8Array(content));
}

/** What of an ordinary mail was spoiled. Reads with postal-mime and parse5, and with nothing of the reader. */
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import PostalMime, { type Attachment } from 'postal-mime';
import type { Scan } from '../hostile/attack/airlock-run.ts';
import type { OrdinaryMail } from './ordinary-mail.ts';

/** Parts that programs read, and not people. */
const REPORTS = /^(?:message\/(?:delivery-status|feedback-report|disposition-notification)|text\/rfc822-headers)$/;
/** What stands in place of a link that was defanged, and behind it. A report is one word of 200 KB without its white space. */
const BLOCKED = /[^\s<>]{0,200}(?:\[[.:@%]\]|hxxps?:)[^\s<>]*(?: \[link switched off\])?/g;
/** What stands beside the text of a link of a page that was defanged. */
const BESIDE = / ?\[link switched off: [^\s<>]*\]/g;

interface Read {
  readonly words: string;
  readonly reports: readonly string[];
  readonly files: ReadonlyMap<string, string>;
}

/** Null when the mail was delivered with its words, its reports and its files; else what is wrong. */
export async function spoiledBy({ bytes, words }: OrdinaryMail, { message, why, state }: Scan): Promise<string | null> {
  if (message === null) return `${state}: ${why}`;
  const [before, after] = [await readMail(bytes), await readMail(message)];
  const expected = withoutLinks(words ?? before.words).trim();
  const delivered = withoutLinks(withoutBanner(after.words)).trim();
  if (expected !== delivered) return `words: ${difference(expected, delivered)}`;
  if (before.reports.join('\n') !== after.reports.join('\n'))
    return `a report: ${difference(before.reports.join('\n'), after.reports.join('\n'))}`;
  for (const [name, content] of before.files) {
    // The disarm writes an archive of one file as a zip.
    const delivered = after.files.get(name) ?? after.files.get(name.replace(/gz$/, 'zip'));
    if (delivered === undefined) return `${name} is gone: ${[...after.files.keys()].join(', ')}`;
    if (withoutLinks(content) !== withoutLinks(delivered))
      return `${name}: ${difference(withoutLinks(content), withoutLinks(delivered))}`;
  }
  return null;
}

/** Words that are not the same in the delivered message, of the sender's without links, and of ours without the banner. */
export async function wordsChanged({ bytes, words }: OrdinaryMail, message: Uint8Array): Promise<string[]> {
  const [before, after] = [await readMail(bytes), await readMail(message)];
  const counts = new Map<string, number>();
  const add = (text: string, by: number) => {
    for (const word of text.split(/\s+/).filter((each) => each !== '')) counts.set(word, (counts.get(word) ?? 0) + by);
  };
  add(withoutLinks(words ?? before.words), 1);
  add(withoutLinks(withoutBanner(after.words)), -1);
  return [...counts].flatMap(([word, left]) => Array<string>(Math.abs(left)).fill(word));
}

/** Places of a delivered message that were defanged. */
export async function blockedIn(message: Uint8Array): Promise<number> {
  const { words } = await readMail(message);
  const { html = '' } = await PostalMime.parse(message);
  return (words.match(BLOCKED)?.length ?? 0) + (html.match(/#blocked-by-mail-airlock/g)?.length ?? 0);
}

/** The banner of a text stands between our sign and a line. */
const withoutBanner = (text: string) => text.replace(/\[ Mail Airlock \].*?-{70} ?/g, '');

/** A link and what is left of it count alike. */
const withoutLinks = (text: string) =>
  text
    .replace(BESIDE, '')
    .replace(BLOCKED, '<link>')
    .replace(/https?:\/\/[^\s"'<>]+/g, '<link>');

function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 60));
  return `${around(one)} became ${around(other)}`;
}

async function readMail(bytes: Uint8Array): Promise<Read> {
  const { text = '', html = '', attachments } = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' });
  const contents = attachments.map((attachment) => ({ ...attachment, bytes: bytesOf(attachment) }));
  const reports = contents.filter(({ mimeType }) => REPORTS.test(mimeType));
  const files = contents.filter(({ filename, mimeType }) => filename !== null && !REPORTS.test(mimeType));
  return {
    words: `${squeezed(text)}\n${squeezed(wordsOf(parse(html)))}`,
    reports: reports.map((report) => `${report.mimeType}: ${squeezed(report.bytes.toString('latin1'))}`),
    files: new Map(files.map((file) => [file.filename ?? '', contentOf(file.bytes)])),
  };
}

const bytesOf = ({ content }: Attachment) =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content));

const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();

/** What is in a file, unpacked, as its program shows it: the quotes of a table and the form of a markup do not count. */
function contentOf(bytes: Buffer): string {
  const packed = bytes.toString('latin1', 0, 2);
  const plain = packed === '\x1f\x8b' ? gunzipSync(bytes) : packed === 'PK' ? memberOf(bytes) : bytes;
  const text = plain.toString('utf8');
  return squeezed(
    text.startsWith('<?xml')
      ? text
          .replace(/<\?xml[^>]*>/, '')
          .replace(/\s*\/>/g, '/>')
          .replace(/>\s+/g, '>')
      : text.replaceAll('"', ''),
  );
}

/** The first member of a zip. */
function memberOf(zip: Buffer): Buffer {
  const directory = zip.indexOf('PK\x01\x02', 0, 'latin1');
  const at = zip.readUInt32LE(directory + 42);
  const start = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  const data = zip.subarray(start, start + zip.readUInt32LE(directory + 20));
  return zip.readUInt16LE(directory + 10) === 0 ? data : inflateRawSync(data);
}

type Node = DefaultTreeAdapterMap['node'];

function wordsOf(node: Node): string {
  if (/^(?:style|script|title)$/.test(node.nodeName) || isBanner(node)) return '';
  const own = 'value' in node && node.nodeName === '#text' ? node.value : '';
  const inner = 'childNodes' in node ? node.childNodes.map(wordsOf).join('') : '';
  return /^(?:p|div|br|td|tr|h\d|li)$/.test(node.nodeName) ? `\n${own}${inner}` : own + inner;
}

const isBanner = (node: Node) =>
  'attrs' in node && node.attrs.some(({ name, value }) => name === 'class' && value === 'mail-airlock-banner');

/** One message through the rebuilding, for tests. */
import type { AddedHeader, Replacement } from '../../../lib/message/model.ts';
import { readMessage } from '../../../lib/message/reading/read.ts';
import { rebuildMessage } from '../../../lib/message/rebuilding/rebuild.ts';
import { DEFAULT_LIMITS } from '../../../lib/pipeline/limits.ts';
import { LINK_WORDS } from '../link-words.ts';
import { mail, multipart, TEXT } from '../mail-builder.ts';

export interface RebuildTestOptions {
  /** New names, by path. */
  readonly names?: Readonly<Record<string, string>>;
  /** Replacements, by path. */
  readonly replaced?: Readonly<Record<string, Replacement>>;
  readonly headers?: readonly AddedHeader[];
  readonly isBlocked?: (normalised: string) => boolean;
}

/** The message that comes out, one character per byte, and what it says of the headers. */
export async function rebuilt(email: Buffer, options: RebuildTestOptions = {}) {
  const { names = {}, replaced = {}, headers = [], isBlocked = () => false } = options;
  const { bytes, changes } = rebuildMessage(email, await readMessage(email, DEFAULT_LIMITS), {
    replacements: new Map(Object.entries(replaced)),
    names: new Map(Object.entries(names)),
    links: { isBlocked, limits: DEFAULT_LIMITS, words: LINK_WORDS },
    headers,
  });
  return { text: Buffer.from(bytes).toString('latin1'), changes };
}

/** The header of the second part of a message, as it is delivered. One character per byte. */
export async function partHeader(fields: readonly string[], options: RebuildTestOptions = {}): Promise<string> {
  const email = mail(multipart('mixed', 'b', [TEXT, [...fields, '', 'x', ''].join('\r\n')])).toString();
  const { text } = await rebuilt(Buffer.from(email, 'latin1'), options);
  return `\r\n${text.split('--b\r\n')[2]}`.split('\r\n\r\n')[0]?.slice(2) ?? '';
}

/** What becomes of fields of a message that stand between From and Subject. */
export async function rootFields(fields: string, options: RebuildTestOptions = {}): Promise<string> {
  const email = Buffer.from(`From: a@b.example\r\n${fields}\r\nSubject: x\r\n\r\ntext`, 'latin1');
  const { text } = await rebuilt(email, options);
  return text.slice('From: a@b.example\r\n'.length, text.indexOf('Subject: x'));
}

/** What stands in place of a leaf. */
export const withBytes = (text: string, more: Partial<Replacement> = {}): Replacement => ({
  type: 'text/plain',
  charset: 'utf-8',
  filename: null,
  isInline: true,
  method: null,
  keepContentId: false,
  bytes: Buffer.from(text),
  ...more,
});

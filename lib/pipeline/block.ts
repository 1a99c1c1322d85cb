/** What people block: a file by its hash, a link, a host of links, or a sender. */
import * as z from 'zod/mini';
import { parseUrl } from '../formats/urls/parse-url.ts';
import { normaliseUrl } from '../message/urls/normalise.ts';
import type { Policy } from './policy.ts';
import { Blocked } from './policy-blocked.ts';

export const BLOCK_KINDS = ['file', 'url', 'host', 'sender'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

export const Block = z.strictObject({ kind: z.enum(BLOCK_KINDS), value: z.string().check(z.maxLength(8_192)) });
export type Block = z.infer<typeof Block>;

const FIELD = { file: 'files', url: 'urls', host: 'hosts', sender: 'senders' } as const;
const MOST_URL_CHARS = 8_192;

/** What a person wrote, in the form in which it is compared. Null when it is none of this kind. */
export function blockOf(kind: BlockKind, text: string): Block | null {
  const value = FORM[kind](text.trim());
  if (value === null) return null;
  return Blocked.safeParse({ [FIELD[kind]]: [value] }).success ? { kind, value } : null;
}

const FORM: Readonly<Record<BlockKind, (text: string) => string | null>> = {
  file: (text) => text.toLowerCase(),
  url: (text) => normaliseUrl(text, null, MOST_URL_CHARS),
  host: (text) => parseUrl(`http://${text}/`)?.hostname.replace(/\.$/, '') ?? null,
  sender: (text) => text.toLowerCase().replace(/^@/, ''),
};

/** The policy that also blocks these. */
export function withBlocks(policy: Policy, blocks: readonly Block[]): Policy {
  if (blocks.length === 0) return policy;
  const added = (kind: BlockKind) => blocks.filter((block) => block.kind === kind).map(({ value }) => value);
  const { files, urls, hosts, senders } = policy.blocked;
  const blocked = {
    files: [...files, ...added('file')],
    urls: [...urls, ...added('url')],
    hosts: [...hosts, ...added('host')],
    senders: [...senders, ...added('sender')],
  };
  return { ...policy, blocked };
}

/** Blocked URLs in texts: made unclickable, and looked for again in what was rebuilt. */

import { decodePart } from '../message/decode.ts';
import type { MessagePart, MessageReading } from '../message/model.ts';
import { decodeText } from '../message/text.ts';
import { findUrls } from '../message/urls/find.ts';
import { readHeaderFacts } from '../message/urls/header-urls.ts';
import { neutralise } from '../message/urls/neutralise.ts';
import { type UrlId, urlIdOf } from './artifact-id.ts';
import { identifyFile } from './file-type.ts';
import type { Limits } from './limits.ts';
import type { TypeGroup } from './model.ts';

export interface BlockedLinks {
  readonly ids: ReadonlySet<UrlId>;
  /** What relative links start from, as a header of the part says; else null. */
  readonly base: string | null;
}

/** What a header of the part says that the relative links of its page start from, or null. */
export function linkBaseOf(limits: Limits, email: Uint8Array, { header }: Pick<MessagePart, 'header'>): string | null {
  return readHeaderFacts(email.subarray(header.start, header.end), limits).base;
}

/** The text with blocked URLs made unclickable, as UTF-8; null when it holds none. */
export function withoutBlockedLinks(
  limits: Limits,
  text: string,
  group: TypeGroup,
  blocked: BlockedLinks,
): Uint8Array | null {
  const isBlocked = (normalised: string) => blocked.ids.has(urlIdOf(normalised));
  const reading = { format: group === 'html' ? 'html' : 'text', base: blocked.base } as const;
  const { text: safe, count } = neutralise(text, reading, isBlocked, limits);
  return count > 0 ? new TextEncoder().encode(safe) : null;
}

/** How many blocked URLs the texts of a message still hold. */
export function blockedLinksLeft(
  limits: Limits,
  reading: MessageReading,
  email: Uint8Array,
  blockedIds: ReadonlySet<UrlId>,
): number {
  if (blockedIds.size === 0) return 0;
  let left = 0;
  for (const part of reading.parts) {
    if (part.role === 'multipart' || part.role === 'message') continue;
    const bytes = decodePart(email, part);
    const { typeGroup } = identifyFile(
      bytes,
      part.role === 'body' ? { ...part, role: 'body' } : { ...part, role: 'attachment' },
    );
    if (typeGroup !== 'text' && typeGroup !== 'html') continue;
    const reading = { format: typeGroup, base: linkBaseOf(limits, email, part) };
    const urls = findUrls(decodeText(bytes, part.charset), reading, limits);
    left += urls.filter((url) => url.where !== 'respelled' && blockedIds.has(urlIdOf(url.normalised))).length;
  }
  return left;
}

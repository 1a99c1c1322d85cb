/** Blocked URLs in texts: made unclickable, and looked for again in what was rebuilt. */

import { decodePart } from '../message/decode.ts';
import { unflowed } from '../message/flowed.ts';
import type { MessagePart, MessageReading } from '../message/model.ts';
import { decodeText } from '../message/text.ts';
import { findUrls } from '../message/urls/find.ts';
import { readLinkFacts } from '../message/urls/header-urls.ts';
import { neutralise } from '../message/urls/neutralise.ts';
import { type UrlId, urlIdOf } from './artifact-id.ts';
import { identifyFile } from './file-type.ts';
import type { Limits } from './limits.ts';
import type { TypeGroup } from './model.ts';

export interface BlockedLinks {
  readonly ids: ReadonlySet<UrlId>;
  readonly reading: LinkReading;
}

/** How the header of a part says that its links are read. */
export interface LinkReading {
  /** What relative links start from; null when it does not say. */
  readonly base: string | null;
  /** Lines that end in a blank go on in the next one, without it (RFC 3676). */
  readonly isDelSp: boolean;
}

/** Of bytes that no header describes. */
export const PLAIN_READING: LinkReading = { base: null, isDelSp: false };

/** What the header of the part says. */
export function linkReadingOf(email: Uint8Array, { header }: Pick<MessagePart, 'header'>): LinkReading {
  return readLinkFacts(email.subarray(header.start, header.end));
}

/**
 * The text with blocked URLs made unclickable, as UTF-8; null when it holds none. Lines that only some programs join are joined: a
 * blocked URL that stands on two of them is one.
 */
export function withoutBlockedLinks(
  limits: Limits,
  text: string,
  group: TypeGroup,
  blocked: BlockedLinks,
): Uint8Array | null {
  const isBlocked = (normalised: string) => blocked.ids.has(urlIdOf(normalised));
  const { base, isDelSp } = blocked.reading;
  const isJoined = group === 'text' && isDelSp;
  const reading = { format: group === 'html' ? 'html' : 'text', base } as const;
  const { text: safe, count } = neutralise(isJoined ? unflowed(text) : text, reading, isBlocked, limits);
  return count > 0 || isJoined ? new TextEncoder().encode(safe) : null;
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
    const reading = { format: typeGroup, base: linkReadingOf(email, part).base };
    const urls = findUrls(decodeText(bytes, part.charset), reading, limits);
    left += urls.filter((url) => url.where !== 'respelled' && blockedIds.has(urlIdOf(url.normalised))).length;
  }
  return left;
}

/** Only URLs that were judged and may stay are left clickable, and whatever was rebuilt is searched for others. */

import { decodePart } from '../message/decode.ts';
import { unflowed } from '../message/flowed.ts';
import type { DiscoveredUrl, MessagePart, MessageReading } from '../message/model.ts';
import { decodeText } from '../message/text.ts';
import { findUrls } from '../message/urls/find.ts';
import { readHeaderFacts, readLinkFacts } from '../message/urls/header-urls.ts';
import { neutralise } from '../message/urls/neutralise.ts';
import { calendar } from '../message/urls/source-calendar.ts';
import { type UrlId, urlIdOf } from './artifact-id.ts';
import { identifyFile } from './file-type.ts';
import type { Limits } from './limits.ts';
import type { TypeGroup } from './model.ts';

export interface KeptLinks {
  /** Of URLs that were judged, and may stay. Every other one goes, also one that the disarm wrote. */
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
 * The text with every other URL made unclickable, as UTF-8; null when it holds none. Lines that only some programs join are joined: a
 * blocked URL that stands on two of them is one.
 */
export function withKeptLinksOnly(limits: Limits, text: string, group: TypeGroup, kept: KeptLinks): Uint8Array | null {
  const isBlocked = (normalised: string) => !kept.ids.has(urlIdOf(normalised));
  const { base, isDelSp } = kept.reading;
  const isJoined = group === 'text' && isDelSp;
  const reading = { format: group === 'html' ? 'html' : 'text', base } as const;
  const { text: safe, count } = neutralise(isJoined ? unflowed(text) : text, reading, isBlocked, limits);
  return count > 0 || isJoined ? new TextEncoder().encode(safe) : null;
}

/**
 * The links of a rebuilt message that nobody judged, or that may not stay: in the texts, in appointments and address cards, and in the
 * header of every part. Respelled ones may stay, as nobody opens them by a click. Other files are not searched again: what they hold
 * went through the disarm.
 */
export async function linksNotKept(
  limits: Limits,
  reading: MessageReading,
  email: Uint8Array,
  keptIds: ReadonlySet<UrlId>,
): Promise<string[]> {
  const others = new Set<string>();
  const note = ({ where, normalised }: DiscoveredUrl) => {
    if (where !== 'respelled' && !keptIds.has(urlIdOf(normalised))) others.add(normalised);
  };
  for (const part of reading.parts) {
    for (const url of readHeaderFacts(email.subarray(part.header.start, part.header.end), limits).urls) note(url);
    for (const url of await linksInLeaf(limits, part, email)) note(url);
  }
  return [...others];
}

/** An appointment or a card is text: nothing in it is to be unpacked or drawn. */
const NO_TOOLS = { unpack: null, readCodes: null, timeLeftMs: () => 0 };

async function linksInLeaf(limits: Limits, part: MessagePart, email: Uint8Array): Promise<readonly DiscoveredUrl[]> {
  if (part.role === 'multipart' || part.role === 'message') return [];
  const bytes = decodePart(email, part);
  const role = part.role === 'body' ? 'body' : 'attachment';
  const { typeGroup, detectedType } = identifyFile(bytes, { ...part, role });
  const source = { ...part, ...linkReadingOf(email, part), detectedType, bytes, extensions: [] };
  if (calendar.accepts(source)) return (await calendar.find(source, { limits, ...NO_TOOLS })).urls;
  if (typeGroup !== 'text' && typeGroup !== 'html') return [];
  return findUrls(decodeText(bytes, part.charset), { format: typeGroup, base: source.base }, limits);
}

/** Leaves only those URLs clickable that were judged and may stay. Searches everything that was rebuilt for other URLs. */

import { asBuffer } from '../../formats/byte-scan.ts';
import { decodeText } from '../../formats/charsets/decode-text.ts';
import { deliveredText } from '../../formats/charsets/stained-text.ts';
import { identifyPart } from '../../formats/detection/file-type.ts';
import { numberOf, rememberedLater } from '../../formats/remembered.ts';
import { decodePart } from '../../message/encodings/decode-part.ts';
import { unflowed } from '../../message/encodings/flowed.ts';
import type { DiscoveredUrl, MessagePart, MessageReading } from '../../message/model.ts';
import { findUrls } from '../../message/urls/find.ts';
import { readHeaderFacts, readLinkFacts } from '../../message/urls/header-urls.ts';
import type { BlockedWords } from '../../message/urls/html/blocked-looks.ts';
import { defang } from '../../message/urls/html/defang.ts';
import { isDataFile } from '../../message/urls/sources/data-files.ts';
import { calendar } from '../../message/urls/sources/source-calendar.ts';
import { type UrlId, urlIdOf } from '../ledger/artifact-id.ts';
import type { Part } from '../ledger/ledger.ts';
import type { Limits } from '../limits.ts';
import type { TypeGroup } from '../model.ts';
import { isTable } from './blocked-urls.ts';

export interface KeptLinks {
  /** Ids of URLs that were judged and may stay. Every other URL is removed, even one that the disarm wrote. */
  readonly ids: ReadonlySet<UrlId>;
  readonly reading: LinkReading;
  /** The words beside the other links. */
  readonly words: BlockedWords;
}

/** How to read the links of a part, by its header. */
export interface LinkReading {
  /** The base of relative links; null when the header names none. */
  readonly base: string | null;
  /** A line that ends in a blank continues in the next line, without the blank (RFC 3676). */
  readonly isDelSp: boolean;
  /** The same with the blank. */
  readonly isFlowed: boolean;
  /** Bare host names in it are no links. */
  readonly isData: boolean;
}

/** Returns the reading of a file that no header describes. */
export function linkReadingOfFile(part: Part): LinkReading {
  return { base: null, isDelSp: false, isFlowed: false, isData: isDataFile(part, false) };
}

/** Returns the reading that the header of the part asks for. */
export function linkReadingOf(email: Uint8Array, part: Part): LinkReading {
  const { base, isDelSp, isFlowed, isShown } = readLinkFacts(email.subarray(part.header.start, part.header.end));
  return { base, isDelSp, isFlowed, isData: isDataFile(part, isShown) };
}

/**
 * Returns the text with every other URL defanged, as UTF-8; null when it has no other URL. Lines that only some programs join are
 * joined, so that a blocked URL on two lines is found.
 */
export function withKeptLinksOnly(limits: Limits, text: string, group: TypeGroup, kept: KeptLinks): Uint8Array | null {
  const isBlocked = (normalised: string) => !kept.ids.has(urlIdOf(normalised));
  const { base, isDelSp, isData } = kept.reading;
  const isJoined = group === 'text' && isDelSp;
  const reading = { format: group === 'html' ? 'html' : 'text', base, isData } as const;
  const { text: safe, count } = defang(isJoined ? unflowed(text) : text, reading, isBlocked, limits, kept.words);
  return count > 0 || isJoined ? new TextEncoder().encode(safe) : null;
}

/**
 * Returns the links of a rebuilt message that nobody judged or that may not stay. It searches the texts, appointments and address cards,
 * and the header of every part. Defanged links may stay, because no click opens them. Other files are not searched again, because their
 * contents went through the disarm. `isData` says for each leaf, in order, whether it came in as data, in which bare host names are no
 * links. Its name may be ours by now.
 */
export async function linksNotKept(
  limits: Limits,
  reading: MessageReading,
  email: Uint8Array,
  { keptIds, isData }: { readonly keptIds: ReadonlySet<UrlId>; readonly isData: readonly boolean[] },
): Promise<string[]> {
  const others = new Set<string>();
  const note = ({ where, normalised }: DiscoveredUrl) => {
    if (where !== 'respelled' && !keptIds.has(urlIdOf(normalised))) others.add(normalised);
  };
  let leaf = 0;
  for (const part of reading.parts) {
    for (const url of readHeaderFacts(email.subarray(part.header.start, part.header.end), limits).urls) note(url);
    if (part.sha256 === null) continue;
    for (const url of await linksInLeaf({ limits, part, email, isData: isData[leaf++] === true })) note(url);
  }
  return [...others];
}

/** An appointment or a card is text. It contains nothing to unpack or draw. */
const NO_TOOLS = { unpack: null, readCodes: null, workLeftMs: () => 0 };

interface SearchedLeaf {
  readonly limits: Limits;
  readonly part: MessagePart;
  readonly email: Uint8Array;
  readonly isData: boolean;
}

/** Many mails have the same signature, picture or file. */
const REMEMBERED = 200;
/** Longer headers and more links are searched each time, because an attacker may make megabytes of them. */
const REMEMBERED_BYTES = 4_096;
const REMEMBERED_LINKS = 100;

/** The header determines how the bytes are read, so equal leaves must have equal headers. */
function keyOfLeaf({ limits, part, email, isData }: SearchedLeaf): string | null {
  const { header, sha256, role, declaredType, charset, encoding } = part;
  if (header.end - header.start > REMEMBERED_BYTES) return null;
  const facts = [sha256, role, isData, declaredType, charset, encoding, numberOf(limits)].join(' ');
  return `${facts} ${asBuffer(email).toString('latin1', header.start, header.end)}`;
}

const linksInLeaf = rememberedLater<SearchedLeaf, readonly DiscoveredUrl[]>(
  { most: REMEMBERED, keyOf: keyOfLeaf, isKept: (urls) => urls.length <= REMEMBERED_LINKS },
  searchLeaf,
);

async function searchLeaf({ limits, part, email, isData }: SearchedLeaf): Promise<readonly DiscoveredUrl[]> {
  const bytes = decodePart(email, part);
  const role = part.role === 'body' ? 'body' : 'attachment';
  const { typeGroup, detectedType } = identifyPart(bytes, { ...part, role });
  const facts = readLinkFacts(email.subarray(part.header.start, part.header.end));
  const source = { ...part, ...facts, isData, detectedType, bytes, extensions: [] };
  if (calendar.accepts(source)) return (await calendar.find(source, { limits, ...NO_TOOLS })).urls;
  const isText = typeGroup === 'text' || isTable({ detectedType });
  if (!isText && typeGroup !== 'html') return [];
  const format = isText ? 'text' : 'html';
  const text = (isText ? deliveredText(bytes) : null) ?? bytes;
  return findUrls(decodeText(text, part.charset), { format, base: source.base, isData }, limits);
}

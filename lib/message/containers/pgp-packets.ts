/**
 * Reads the frames of OpenPGP packets (RFC 9580 §4). An encrypted message must be encrypted from its first octet to its last. Nothing is
 * decrypted or decompressed. The size of the input bounds every step.
 */

/** Marker and padding packets, which programs skip (§5.8, §5.14). */
const SKIPPED = [10, 21];
/** A session key that is encrypted to a public key (§5.1). */
const SESSION_KEY = 1;
/** A session key for a password (§5.3). */
const PASSWORD_KEY = 3;
/** Encrypted data: without integrity protection, with it, and AEAD as GnuPG writes it (§5.7, §5.13, tag 20 of its drafts). */
const ENCRYPTED_DATA = [9, 18, 20];
/** Pieces of one packet: real ones are 512 octets or longer (§4.2.1.4). */
const MAX_PIECES = 200_000;

interface Packet {
  readonly tag: number;
  /** The first octet of its body: the version of most packets. -1 for an empty one. */
  readonly version: number;
  readonly end: number;
}

/** Returns the type of a packet (§4.2) in either format; -1 when it is not a packet. */
export function tagOf(first: number): number {
  if ((first & 0x80) === 0) return -1;
  return (first & 0x40) === 0 ? (first >> 2) & 0x0f : first & 0x3f;
}

/** The thing that opens an encrypted message. */
export type Opener = 'private_key' | 'password';

/**
 * Returns what opens a message that is encrypted (§10.3) and nothing else: session keys, one packet of encrypted data, and no octet behind
 * it. Null for anything else. A password opens a message with a session key for one (§5.3), or without any session key. The mail itself may
 * tell it.
 */
export function openerOf(bytes: Uint8Array): Opener | null {
  const keys = new Set<number>();
  for (let at = 0; at < bytes.length; ) {
    const packet = packetAt(bytes, at);
    if (packet === null) return null;
    const { tag, version, end } = packet;
    if (ENCRYPTED_DATA.includes(tag)) {
      if (end !== bytes.length || !isDataVersion(tag, version)) return null;
      return keys.has(SESSION_KEY) && !keys.has(PASSWORD_KEY) ? 'private_key' : 'password';
    }
    const isKey = (tag === SESSION_KEY || tag === PASSWORD_KEY) && version >= 2 && version <= 6;
    if (!isKey && !SKIPPED.includes(tag)) return null;
    if (isKey) keys.add(tag);
    at = end;
  }
  return null;
}

/** Returns the types of the packets that make up all bytes; empty when some bytes are in no packet. */
export function packetTags(bytes: Uint8Array): number[] {
  const { tags, end } = leadingTags(bytes);
  return end === bytes.length ? tags : [];
}

/** Returns the types of the packets up to the first byte that is in no packet, and the offset of that byte. */
export function leadingTags(bytes: Uint8Array): { readonly tags: number[]; readonly end: number } {
  const tags: number[] = [];
  let end = 0;
  for (let packet = packetAt(bytes, 0); packet !== null; packet = packetAt(bytes, end)) {
    tags.push(packet.tag);
    end = packet.end;
  }
  return { tags, end };
}

/** Returns true for encrypted data of a known version. The packet without integrity protection has no version. */
function isDataVersion(tag: number, version: number): boolean {
  return version >= 0 && (tag === 9 || version === 1 || (tag === 18 && version === 2));
}

function packetAt(bytes: Uint8Array, at: number): Packet | null {
  const first = bytes[at] ?? 0;
  const tag = tagOf(first);
  if (tag < 0) return null;
  const body = (first & 0x40) === 0 ? oldBody(bytes, at + 1, first & 3) : newBody(bytes, at + 1);
  if (body === null || body.end > bytes.length) return null;
  return { tag, version: body.start < body.end ? (bytes[body.start] ?? -1) : -1, end: body.end };
}

interface Body {
  readonly start: number;
  readonly end: number;
}

/** Reads a length of §4.2.2. Length type 3 reaches to the end of the file. */
function oldBody(bytes: Uint8Array, at: number, type: number): Body | null {
  if (type === 3) return { start: at, end: bytes.length };
  const start = at + 2 ** type;
  return start > bytes.length ? null : { start, end: start + numberAt(bytes, at, 2 ** type) };
}

/** Reads a length of §4.2.1. With partial lengths the packet is in pieces, and the last piece has another kind of length. */
function newBody(bytes: Uint8Array, at: number): Body | null {
  let start: number | null = null;
  let next = at;
  for (let count = 0; count < MAX_PIECES && next < bytes.length; count++) {
    const first = bytes[next] ?? 0;
    const isPartial = first >= 224 && first < 255;
    const size = first < 192 || isPartial ? 1 : first === 255 ? 5 : 2;
    if (next + size > bytes.length) return null;
    const length = isPartial ? 2 ** (first & 0x1f) : lengthOf(bytes, next, first);
    start ??= next + size;
    next += size + length;
    if (!isPartial) return { start, end: next };
  }
  return null;
}

function lengthOf(bytes: Uint8Array, at: number, first: number): number {
  if (first < 192) return first;
  return first === 255 ? numberAt(bytes, at + 1, 4) : (first - 192) * 256 + (bytes[at + 1] ?? 0) + 192;
}

function numberAt(bytes: Uint8Array, at: number, count: number): number {
  return bytes.subarray(at, at + count).reduce((value, byte) => value * 256 + byte, 0);
}

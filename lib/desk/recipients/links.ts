/**
 * Links for one recipient to the page of one message. A link is signed (Ed25519). The sender of digests has the secret, and the pages have
 * only the public key. So an intruder in the pages can make no link: not for another message, another recipient or a later day.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { readKeyDocument, signingKey } from '../../pipeline/chain/ed25519.ts';
import { keys } from '../../pipeline/keys.ts';
import { nullIfMissing } from '../../pipeline/null-if-missing.ts';
import type { Blobs } from '../../pipeline/ports.ts';
import { isPlainAddress } from '../../words/notice.ts';

/** The mail and the recipient of a link. */
export interface Link {
  readonly runId: string;
  readonly recipient: string;
  /** Seconds since the epoch. */
  readonly expiresAtSeconds: number;
}

export interface LinkSigner {
  /** Returns the last piece of the address of the page. */
  sign(link: Link): string;
  /** Returns the document that publishes the public key. */
  readonly document: Uint8Array;
}

/** Reads the link in a piece of an address; `expired` only for one that was signed. */
export type ReadLink = (token: string, nowMs: number) => Link | 'invalid' | 'expired';

const OWNER = 'links';
/** The content of a link, and the 64 bytes of its signature. */
const TOKEN = /^([A-Za-z0-9_-]{1,600})\.([A-Za-z0-9_-]{86})$/;
/** The content of a link: the id of the run (16 bytes), the end (4 bytes), and the address. */
const [ID_BYTES, SAID_BEFORE_ADDRESS] = [16, 20];
const MAX_KEY_BYTES = 1_000;
const KeyDocument = z.object({ keyId: z.string() });

/** Makes links with this secret. Any text will do; an attacker who guesses it can sign. */
export function linkSigner(secret: string): LinkSigner {
  const key = signingKey(secret);
  return {
    document: key.documentFor(OWNER),
    sign: ({ runId, recipient, expiresAtSeconds }) => {
      const end = Buffer.alloc(4);
      end.writeUInt32BE(expiresAtSeconds);
      const said = Buffer.concat([Buffer.from(runId, 'hex'), end, Buffer.from(recipient)]).toString('base64url');
      return `${said}.${Buffer.from(key.sign(signed(said)), 'hex').toString('base64url')}`;
    },
  };
}

/** Reads links with a published key. Returns null when the document publishes none. */
export function linkReader(document: Uint8Array): ReadLink | null {
  const key = readKeyDocument(document, OWNER, keyIdIn(document));
  if (key === null) return null;
  return (token, nowMs) => {
    const [, said = '', signature = ''] = TOKEN.exec(token) ?? [];
    const bytes = Buffer.from(signature, 'base64url');
    // Spare bits of base64url would make another spelling of the same link.
    if (said === '' || bytes.toString('base64url') !== signature) return 'invalid';
    if (!key.verifies(signed(said), bytes.toString('hex'))) return 'invalid';
    const link = linkIn(Buffer.from(said, 'base64url'));
    return link !== 'invalid' && link.expiresAtSeconds * 1000 <= nowMs ? 'expired' : link;
  };
}

/** Publishes the public key in the work bucket. It replaces an earlier one, whose links end. Throws TransientError. */
export async function publishLinkKey(blobs: Pick<Blobs, 'get' | 'put'>, { document }: LinkSigner): Promise<void> {
  const known = await publishedKey(blobs);
  if (known !== null && Buffer.compare(known, document) === 0) return;
  await blobs.put('work', keys.linkKey(), document, { contentType: 'application/json' });
}

/** Reads links with the key in the work bucket. Before one is published, no link is valid. Throws TransientError. */
export async function publishedReader(blobs: Pick<Blobs, 'get'>): Promise<ReadLink> {
  const document = await publishedKey(blobs);
  return (document === null ? null : linkReader(document)) ?? (() => 'invalid');
}

/** Returns the secret of the form of the page of this link. A person who knows the link could make it, and could also open the page. */
export function formSecret(token: string): string {
  return createHash('sha256').update(`mail-airlock/form/2\n${token}`).digest('base64url');
}

const signed = (said: string): Uint8Array => Buffer.from(`mail-airlock/link/2\n${said}`);

const publishedKey = (blobs: Pick<Blobs, 'get'>): Promise<Uint8Array | null> =>
  nullIfMissing(blobs.get('work', keys.linkKey(), { maxBytes: MAX_KEY_BYTES }));

/** Returns the id in a document; the reader of the document compares it with the key. */
function keyIdIn(document: Uint8Array): string {
  try {
    return KeyDocument.parse(JSON.parse(Buffer.from(document).toString())).keyId;
  } catch {
    return '';
  }
}

/** Reads the signed bytes, still in their closed form, because a holder of the key could sign anything. */
function linkIn(said: Buffer): Link | 'invalid' {
  if (said.length <= SAID_BEFORE_ADDRESS) return 'invalid';
  const recipient = said.subarray(SAID_BEFORE_ADDRESS).toString();
  if (!isPlainAddress(recipient)) return 'invalid';
  return { runId: said.toString('hex', 0, ID_BYTES), recipient, expiresAtSeconds: said.readUInt32BE(ID_BYTES) };
}

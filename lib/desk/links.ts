/**
 * Links for one recipient to the page of one message. A link is a keyed hash (HMAC-SHA-256) over what it says, so nobody can make one for
 * another message, another recipient or a later day.
 */
import { createHmac } from 'node:crypto';
import { RUN_ID } from '../pipeline/run-id.ts';
import { isPlainAddress } from '../words/notice.ts';
import { isSame } from './same.ts';

/** The mail and the recipient of a link. */
export interface Link {
  readonly runId: string;
  readonly recipient: string;
  /** Seconds since the epoch. */
  readonly expiresAtSeconds: number;
}

export interface Links {
  /** The last piece of the address of the page. */
  sign(link: Link): string;
  /** The link in a piece of an address; `expired` only for one that was signed. */
  read(token: string, nowMs: number): Link | 'invalid' | 'expired';
  /** Stands in the form of the page of this link. */
  formSecret(token: string): string;
}

const TOKEN = /^([A-Za-z0-9_-]{1,600})\.([A-Za-z0-9_-]{43})$/;

/** Makes and reads links with this secret. */
export function createLinks(secret: string): Links {
  const keyed = (use: 'link' | 'form', text: string) =>
    createHmac('sha256', secret).update(`mail-airlock/${use}/1\n${text}`).digest('base64url');
  return {
    sign: ({ runId, recipient, expiresAtSeconds }) => {
      const said = Buffer.from(JSON.stringify([runId, recipient, expiresAtSeconds])).toString('base64url');
      return `${said}.${keyed('link', said)}`;
    },
    read: (token, nowMs) => {
      const [, said = '', hash = ''] = TOKEN.exec(token) ?? [];
      if (said === '' || !isSame(hash, keyed('link', said))) return 'invalid';
      const link = linkIn(said);
      return link !== 'invalid' && link.expiresAtSeconds * 1000 <= nowMs ? 'expired' : link;
    },
    formSecret: (token) => keyed('form', token),
  };
}

/** A holder of the key could sign anything, so the signed text is still read in its closed form. */
function linkIn(said: string): Link | 'invalid' {
  const [runId, recipient, expiresAtSeconds] = valuesIn(said);
  const isLink =
    typeof runId === 'string' && RUN_ID.test(runId) && typeof recipient === 'string' && isPlainAddress(recipient);
  if (!isLink || typeof expiresAtSeconds !== 'number' || !Number.isSafeInteger(expiresAtSeconds)) return 'invalid';
  return { runId, recipient, expiresAtSeconds };
}

function valuesIn(said: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(said, 'base64url').toString());
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}

/**
 * The way of a message according to its header: the servers that it passed, and their results about its sender. A sender can forge all of
 * it. Pure.
 */
import { withoutComments } from '../../formats/mail/header-comments.ts';
import { rawHeader } from '../../message/headers/raw-fields.ts';

/** Fields of a hundred kilobytes are not read to their end. Characters of one. */
const FIELD_CHARS = 2_000;
const NAME_CHARS = 255;

/** One server that took the message. A text is empty when the field does not contain it. */
export interface Hop {
  readonly untrustedFrom: string;
  readonly untrustedBy: string;
  readonly untrustedAt: string;
}

/** The finding of a server about the sender (RFC 8601): `spf`, `pass`. */
export interface SenderCheck {
  readonly untrustedServer: string;
  readonly untrustedMethod: string;
  readonly untrustedResult: string;
}

export interface MailWay {
  /** In the order in which the message passed them. */
  readonly hops: readonly Hop[];
  readonly checks: readonly SenderCheck[];
}

/** Reads the way from a header with one character for each byte. Linear. Never throws. */
export function wayIn(untrustedHeader: string): MailWay {
  const bytes = Buffer.from(untrustedHeader, 'latin1');
  const { fields } = rawHeader(bytes, { start: 0, end: bytes.length });
  const valuesOf = (name: string) =>
    fields.filter((field) => field.name === name).map(({ value }) => withoutComments(value.slice(0, FIELD_CHARS)));
  // Each server writes its line above the lines of the servers before it.
  return {
    hops: valuesOf('received').reverse().map(hopOf),
    checks: valuesOf('authentication-results').flatMap(checksIn),
  };
}

function hopOf(untrusted: string): Hop {
  const words = untrusted.split(/\s+/);
  const after = (word: string) => {
    const at = words.findIndex((each) => each.toLowerCase() === word);
    return at < 0 ? '' : (words[at + 1] ?? '').replace(/;$/, '').slice(0, NAME_CHARS);
  };
  const date = untrusted.includes(';') ? untrusted.slice(untrusted.lastIndexOf(';') + 1).trim() : '';
  return { untrustedFrom: after('from'), untrustedBy: after('by'), untrustedAt: date.slice(0, NAME_CHARS) };
}

/** Reads `server; spf=pass …; dkim=fail …` (RFC 8601 §2.2). */
function checksIn(untrusted: string): SenderCheck[] {
  const [server = '', ...all] = untrusted.split(';');
  return all.flatMap((text) => {
    const found = /^\s{0,99}([a-z0-9-]{1,30})\s{0,9}=\s{0,9}([a-z]{1,20})/i.exec(text);
    if (found === null) return [];
    const [, method = '', result = ''] = found;
    const untrustedServer = server.trim().slice(0, NAME_CHARS);
    return [{ untrustedServer, untrustedMethod: method.toLowerCase(), untrustedResult: result.toLowerCase() }];
  });
}

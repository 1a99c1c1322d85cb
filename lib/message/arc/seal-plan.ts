/**
 * Everything of an ARC set except the signatures (RFC 8617 §5.1). The reader of the message makes it, and has no key. The holder of the key
 * reads no message. It only joins these texts and signs them.
 */
import { asBuffer } from '../../formats/byte-scan.ts';
import { rawHeader } from '../headers/raw-fields.ts';
import type { MessageReading } from '../model.ts';
import { relaxedBodyHash, relaxedField } from './canonical.ts';
import { earlierSets, MAX_SETS } from './earlier-sets.ts';
import { resultsOf } from './results.ts';

export interface SealPlan {
  /** The number of the new set. */
  readonly instance: number;
  /** The result of the earlier sets. */
  readonly cv: 'none' | 'pass' | 'fail';
  /** The findings of the operator's servers, in a closed grammar. */
  readonly results: readonly string[];
  /** The names of the signed fields, in small letters, in the order in which they are signed. */
  readonly signedNames: readonly string[];
  /** Those fields in relaxed form, each with its line break (latin1). */
  readonly signedText: string;
  /** SHA-256 of the body in relaxed form, in base64. */
  readonly bodyHash: string;
  /** The fields of earlier sets that the seal covers, in relaxed form (latin1). */
  readonly earlierText: string;
  /** The line break of this message. */
  readonly lineBreak: '\r\n' | '\n';
}

/** The reason why no set is added, in plain words. */
export interface NoSeal {
  readonly noSeal: string;
}

/** Fields that mail programs show or act on (RFC 6376 §5.4.1), and the signature of the sender. */
const SIGNED: ReadonlySet<string> = new Set([
  ...['from', 'sender', 'reply-to', 'to', 'cc', 'subject', 'date', 'message-id', 'in-reply-to', 'references'],
  ...['mime-version', 'content-type', 'content-transfer-encoding', 'content-disposition', 'content-id'],
  ...[
    'list-id',
    'list-help',
    'list-unsubscribe',
    'list-unsubscribe-post',
    'list-subscribe',
    'list-post',
    'list-archive',
  ],
  ...['resent-date', 'resent-from', 'resent-sender', 'resent-to', 'resent-cc'],
  'dkim-signature',
]);
/** The airlock's own fields about the message. */
const OURS = /^x-airlock-[a-z]+$/;

/** Makes the plan for a message. `servers` are the servers of the operator. `reading` must be of these bytes. */
export function planSeal(email: Uint8Array, reading: MessageReading, servers: readonly string[]): SealPlan | NoSeal {
  const buffer = asBuffer(email);
  const root = reading.parts[0];
  if (root === undefined) return { noSeal: 'the message has no header' };
  const { fields } = rawHeader(buffer, root.header);
  const earlier = earlierSets(fields);
  if (earlier === null) return { noSeal: 'its earlier sets of ARC are not whole' };
  if (earlier.count >= MAX_SETS) return { noSeal: `it has ${earlier.count} sets of ARC, and a chain ends there` };
  if (earlier.hasFailed) return { noSeal: 'its newest set of ARC says that the chain is broken' };
  const { results, arc } = resultsOf(fields, servers);
  const cv = earlier.count === 0 ? 'none' : arc;
  if (cv === null || (cv === 'none' && earlier.count > 0))
    return { noSeal: 'no server in authentication.servers says how its earlier sets of ARC fared' };
  // The lowest of several fields with one name is signed first (RFC 6376 §5.4.2).
  const signed = fields
    .filter(({ name, isNameStrict }) => isNameStrict && (SIGNED.has(name) || OURS.test(name)))
    .reverse();
  return {
    instance: earlier.count + 1,
    cv,
    results,
    signedNames: signed.map(({ name }) => name),
    signedText: signed.map(({ name, text }) => `${relaxedField(name, text)}\r\n`).join(''),
    bodyHash: relaxedBodyHash(buffer.subarray(root.body.start)),
    // A seal over a failed chain covers only its own set (RFC 8617 §5.1.2).
    earlierText: cv === 'pass' ? earlier.text : '',
    lineBreak: buffer.subarray(root.header.start, root.header.end).includes('\r\n') ? '\r\n' : '\n',
  };
}

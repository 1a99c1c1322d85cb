/**
 * The ledger: everything that is known about a run, as the fold of the entries of the stages (fold.ts). The state machine only carries
 * counts. Every text of a sender or of the service is in a field named `untrusted…`.
 *
 * Invariants (`checkConservation`): every leaf and every member names an artifact of the ledger. After `decide` every leaf has exactly one
 * disposition, so parts in = kept + disarmed + removed. A member has the disposition of its container, or is left out of it.
 */
import * as z from 'zod/mini';
import { SIGNATURE_KINDS, SIGNATURE_RESULTS } from '../../formats/signed/signature-check.ts';
import { READINGS, URL_PLACES, WARNING_CODES } from '../../message/model.ts';
import { DISPOSITIONS, MESSAGE_DISPOSITIONS, TYPE_GROUPS, WRITERS } from '../model.ts';
import { REASON_CODES } from '../reason-codes.ts';
import { Artifact, Failure } from './artifact.ts';
import { UrlId } from './artifact-id.ts';
import { Attempt } from './attempt.ts';
import { Early } from './early-record.ts';
import { Count, Sha256, StoredBytes, Text, Texts, Time } from './fields.ts';
import { IntakeObject } from './intake-object.ts';

/** Something that could not be read, or that looked odd. `code` comes from the closed set of lib/message. */
export const Warning = z.object({ code: z.enum(WARNING_CODES), path: z.nullable(Text), detail: Text });
export type Warning = z.infer<typeof Warning>;

/** The bytes of the email from `start` up to `end`, exclusive. */
const ByteRange = z.object({ start: Count, end: Count });

/** A file written to the clean bucket or into the rebuilt message. */
export const DeliveredFile = z.object({
  sha256: Sha256,
  size: Count,
  type: Text,
  extension: Text,
  untrustedName: z.nullable(Text),
  /** True when a banner of ours was added, or an earlier one removed. The words of the sender follow the disposition. */
  hasOurWords: z.boolean(),
  /** True when it contains the banner of this message. */
  hasBanner: z.optional(z.literal(true)),
});

/** Separates the path of a container from the path of a member in it: `1.3!2` is the second member of part 1.3. */
export const MEMBER_MARK = '!';

/**
 * One node of the MIME tree, or a member of a container in it. Leaves (body, attachment) and members have an artifact; multiparts
 * and messages have none. Only leaves are parts of the message: a member is delivered with its container or left out of it.
 */
export const Part = z.object({
  /**
   * `1` is the root. Children append `.1`, `.2` and so on. The root of a nested message is the only child of its message part. Members
   * append `!1`, `!2` and so on to the path of their container, or `!` and the inner path if it is a message.
   */
  path: Text,
  parent: z.nullable(Text),
  /** The path of the part in which a member was found; null for the parts of the message itself. */
  container: z.nullable(Text),
  depth: Count,
  role: z.enum(['multipart', 'message', 'body', 'attachment', 'member']),
  /** Every name the part claims, in the order found. */
  untrustedNames: Texts,
  declaredType: Text,
  /** Null for containers. */
  detectedType: z.nullable(Text),
  typeGroup: z.nullable(z.enum(TYPE_GROUPS)),
  /** Decoded bytes. */
  size: Count,
  /** Hash of the decoded bytes; null for containers. `fileOf` in artifacts-of.ts finds the artifact. */
  sha256: z.nullable(Sha256),
  header: ByteRange,
  body: ByteRange,
  readings: z.array(z.enum(READINGS)),
  disposition: z.nullable(z.enum(DISPOSITIONS)),
  /** The file that replaces this leaf in the clean message; null until it is rebuilt. */
  delivered: z.nullable(DeliveredFile),
});
export type Part = z.infer<typeof Part>;

/** One place where a URL was found. */
export const FoundUrl = z.object({
  path: Text,
  untrustedRaw: Text,
  normalised: Text,
  where: z.enum(URL_PLACES),
  /** The targets behind the services that rewrote the URL, outermost first. The last one is an artifact of its own. */
  unwrapped: Texts,
  /** The address that the text of the link shows, when it is on another host. */
  untrustedShown: z.nullable(Text),
  artifactId: UrlId,
});
export type FoundUrl = z.infer<typeof FoundUrl>;

/** Why a message was quarantined, for programs and for people. */
export const Reason = z.object({ code: z.enum(REASON_CODES), text: Text });
export type Reason = z.infer<typeof Reason>;

export const Terminal = z.object({
  state: z.enum(['delivered', 'quarantined', 'deleted']),
  at: Time,
  /** Keys written, in the clean or the quarantine bucket. */
  keys: Texts,
  /** The message as it was written, with the ARC set before the rebuilt message; absent when it was not sealed. */
  sealed: z.optional(StoredBytes),
});
export type Terminal = z.infer<typeof Terminal>;

/** A signature of a part of the message, and the result of its check. */
export const Signature = z.object({
  kind: z.enum(SIGNATURE_KINDS),
  /**
   * Paths of the signed multipart, of the signed part, and of the signature; null when the signature contained the signed content (opaque).
   */
  path: Text,
  contentPath: Text,
  signaturePath: z.nullable(Text),
  /** `verified` only for a valid signature of a signer that policy trusts, whose address is that of the sender. */
  result: z.enum(SIGNATURE_RESULTS),
  /** The address that the certificate or the key names. */
  untrustedSigner: z.nullable(Text),
  /** Plain words; empty when it is verified. */
  detail: Text,
  /** True when the signed content is delivered byte for byte with its signature, false when it is not; null until that is known. */
  isDelivered: z.nullable(z.boolean()),
});
export type Signature = z.infer<typeof Signature>;

export const LEDGER_SCHEMA = 'mail-airlock/ledger/3';

export const Ledger = z.object({
  schema: z.literal(LEDGER_SCHEMA),
  runId: Text,
  attempt: Attempt,
  /** When the run was created. Stored ledgers have this name, so it cannot change. */
  bornAt: Time,
  /** After this time, every submission without a report is a timeout. */
  deadlineAt: Time,
  intake: IntakeObject,
  /** Hash of the intake object's bytes; null when they were not read (oversize). */
  sha256: z.nullable(Sha256),
  /** The kind of the incoming object: an email, or a bare file. A bare file goes through the same stages as a single artifact. */
  kind: z.enum(['email', 'file']),
  message: z.nullable(
    z.object({
      untrustedSubject: Text,
      untrustedFrom: Text,
      untrustedTo: Text,
      untrustedDate: Text,
      untrustedMessageId: Text,
    }),
  ),
  parts: z.array(Part),
  urls: z.array(FoundUrl),
  /** The number of URLs over the limit, which were not judged. */
  urlsOverLimit: Count,
  /** No id is listed twice. */
  artifacts: z.array(Artifact).check(z.refine((list) => new Set(list.map(({ id }) => id)).size === list.length)),
  warnings: z.array(Warning),
  /** Signatures of mail, in document order. */
  signatures: z.array(Signature),
  /** Set when the intake object could not be read completely. Policy then decides by the class of the failure. */
  failure: z.nullable(Failure),
  disposition: z.nullable(z.enum(MESSAGE_DISPOSITIONS)),
  reasons: z.array(Reason),
  /**
   * Hash and size of the rebuilt message or file, which was checked by reading it again. `seal` is the hash of the text that `deliver`
   * signs.
   */
  rebuilt: z.nullable(z.extend(StoredBytes, { seal: z.optional(StoredBytes) })),
  /** The message that went out before the end; absent when none did. */
  early: z.optional(Early),
  terminal: z.nullable(Terminal),
  stages: z.array(z.object({ stage: z.enum(WRITERS), startedAt: Time, durationMs: z.number() })),
  /** The number of polls. The `source` of each submission shows the other uses of the service's quota. */
  polls: Count,
});
export type Ledger = z.infer<typeof Ledger>;

/** Returns true for parts of the message that have bytes of their own. */
export function isLeaf(part: Part): boolean {
  return part.role === 'body' || part.role === 'attachment';
}

/** Returns true for a part that was found inside a container. */
export function isMember(part: Part): boolean {
  return part.role === 'member';
}

/** Returns true for an artifact that was found only inside containers. No disarmed file could replace it. */
export function isOnlyInContainers(artifact: Artifact): boolean {
  return artifact.origins.every((path) => path.includes(MEMBER_MARK));
}

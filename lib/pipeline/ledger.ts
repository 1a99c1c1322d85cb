/**
 * The ledger: everything that is known about a run, as the fold of the entries of the stages (fold.ts); the state machine only carries counts.
 * Every text that a sender or the service chose is in a field named `untrusted…`.
 *
 * Invariants (`checkConservation`): every leaf and every member names an artifact of the ledger. After `decide` every leaf has exactly
 * one disposition, so parts in = kept + disarmed + removed. A member has that of its container, or is left out of it.
 */
import * as z from 'zod/mini';
import { OPENING_OUTCOMES } from '../formats/archives/unpacking.ts';
import { FILE_GROUPS } from '../formats/file-groups.ts';
import { SIGNATURE_KINDS, SIGNATURE_RESULTS } from '../formats/signed/signature-check.ts';
import { CONTAINER_NAMES, READINGS, URL_PLACES, WARNING_CODES } from '../message/model.ts';
import { FileId, UrlId } from './artifact-id.ts';
import { Attempt } from './attempt.ts';
import { Early } from './early-record.ts';
import { IntakeObject } from './intake-object.ts';
import { ListEntry } from './list-entry.ts';
import {
  DISPOSITIONS,
  FAILURE_CLASSES,
  KINDS,
  type Kind,
  MESSAGE_DISPOSITIONS,
  SUBMISSION_SOURCES,
  SUBMISSION_STATUSES,
  TYPE_GROUPS,
  VERDICTS,
  WRITERS,
} from './model.ts';
import { REASON_CODES, REMOVAL_CODES } from './reason-codes.ts';

const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const Count = z.int().check(z.nonnegative());
const Time = z.iso.datetime();
const StoredBytes = z.object({ sha256: Sha256, size: Count });

export const Failure = z.object({ class: z.enum(FAILURE_CLASSES), detail: z.string() });

/** Something that could not be looked at, or that looked odd. `code` is from the closed set of lib/message. */
export const Warning = z.object({ code: z.enum(WARNING_CODES), path: z.nullable(z.string()), detail: z.string() });
export type Warning = z.infer<typeof Warning>;

const ByteRange = z.object({ start: Count, end: Count }); // bytes [start, end) of the email

/** A file written to the clean bucket or into the rebuilt message. */
export const DeliveredFile = z.object({
  sha256: Sha256,
  size: Count,
  type: z.string(),
  extension: z.string(),
  untrustedName: z.nullable(z.string()),
  /** A banner of ours was put into it, or an earlier one taken out; the words of the sender are those of the disposition. */
  hasOurWords: z.boolean(),
  /** The banner of this message stands in it. */
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
   * `1` is the root; children append `.1`, `.2` …; the root of a nested message is the only child of its message part. Members
   * append `!1`, `!2` … to the path of their container, or `!` and the path within when it is a message.
   */
  path: z.string(),
  parent: z.nullable(z.string()),
  /** The path of the part that a member was found in; null for the parts of the message itself. */
  container: z.nullable(z.string()),
  depth: Count,
  role: z.enum(['multipart', 'message', 'body', 'attachment', 'member']),
  /** Every name the part claims, in the order found. */
  untrustedNames: z.array(z.string()),
  declaredType: z.string(),
  /** Null for containers. */
  detectedType: z.nullable(z.string()),
  typeGroup: z.nullable(z.enum(TYPE_GROUPS)),
  /** Decoded bytes. */
  size: Count,
  /** Hash of the decoded bytes; null for containers. `fileOf` in artifacts-of.ts finds the artifact. */
  sha256: z.nullable(Sha256),
  header: ByteRange,
  body: ByteRange,
  readings: z.array(z.enum(READINGS)),
  disposition: z.nullable(z.enum(DISPOSITIONS)),
  /** The file that stands for this leaf in the clean message; null until it is rebuilt. */
  delivered: z.nullable(DeliveredFile),
});
export type Part = z.infer<typeof Part>;

/** One place where a URL was found. */
export const FoundUrl = z.object({
  path: z.string(),
  untrustedRaw: z.string(),
  normalised: z.string(),
  where: z.enum(URL_PLACES),
  /** The targets behind the services that rewrote the URL, outermost first. The last one is an artifact of its own. */
  unwrapped: z.array(z.string()),
  /** The address that the text of the link shows, when it is on another host. */
  untrustedShown: z.nullable(z.string()),
  artifactId: UrlId,
});
export type FoundUrl = z.infer<typeof FoundUrl>;

/** One request for analysis of one artifact. */
export const Submission = z.object({
  kind: z.enum(KINDS),
  source: z.enum(SUBMISSION_SOURCES),
  /** The service that answers it, with the versions of its engines and rules where it tells them. Null until it was asked. */
  engines: z.nullable(z.string()),
  submissionId: z.nullable(z.string()),
  status: z.enum(SUBMISSION_STATUSES),
  verdict: z.enum(VERDICTS),
  score: z.nullable(z.number()),
  untrustedReasons: z.array(z.string()),
  untrustedRemoved: z.array(z.string()),
  untrustedSanitized: z.array(z.string()),
  failure: z.nullable(Failure),
  /** The type as which the disarm read the file; null when the service did not say. */
  readAs: z.nullable(z.enum(FILE_GROUPS)),
  isPlain: z.optional(z.literal(true)),
  disarmed: z.nullable(StoredBytes),
  /** False until `fetch` has stored the report. `completed` alone only says that the service has one. */
  fetched: z.boolean(),
  submittedAt: Time,
  finishedAt: z.nullable(Time),
});
export type Submission = z.infer<typeof Submission>;

/** How the opening of a container ended. With any outcome but `opened`, something inside was not looked at. */
export const Opening = z.object({
  as: z.enum(CONTAINER_NAMES),
  outcome: z.enum(OPENING_OUTCOMES),
  /** Plain words; empty when it was opened. */
  detail: z.string(),
  /** The password that opened it, from the message or a list of customary ones. Null when none was needed or none was right. */
  untrustedPassword: z.nullable(z.string()),
  passwordFrom: z.optional(z.string()), // the run of the other mail that tells it; absent when the message itself does
  heldExtension: z.optional(z.string()), // what the only file in a gzip, bzip2 or xz is called (held-extension.ts)
});
export type Opening = z.infer<typeof Opening>;

/** The fields of every artifact. */
const JUDGED = {
  size: Count,
  /** Paths of the parts it was found in. */
  origins: z.array(z.string()),
  submissions: z.array(Submission),
  verdict: z.enum(VERDICTS),
  disposition: z.nullable(z.enum(DISPOSITIONS)),
  reasons: z.array(z.string()), // in plain words, for the report
  /** Why it was removed, for the words that its recipient reads. Null while it is not. */
  removedFor: z.nullable(z.enum(REMOVAL_CODES)),
  listed: z.optional(ListEntry), // the entry of a list of the operator that counted, if it was on one
};

/** The bytes of a leaf or a member, each distinct content once. */
export const FileArtifact = z.object({
  type: z.literal('file'),
  id: FileId,
  typeGroup: z.enum(TYPE_GROUPS).check(z.refine((group) => group !== 'url')),
  /** The extension that fits the bytes, from a closed list. */
  extension: z.string(),
  untrustedUrl: z.null(),
  /**
   * The file that is disarmed instead of it: the page as UTF-8 that declares this charset. It is set when the bytes alone read differently
   * than under the charset of the part's header, which the service does not see. Null for everything else.
   */
  disarmAs: z.nullable(FileId),
  /** Null when the file is not a container. */
  opening: z.nullable(Opening),
  ...JUDGED,
});
export type FileArtifact = z.infer<typeof FileArtifact>;

export const UrlArtifact = z.object({
  type: z.literal('url'),
  id: UrlId,
  typeGroup: z.literal('url'),
  extension: z.literal(''),
  /** Normalised. */
  untrustedUrl: z.string(),
  disarmAs: z.null(),
  opening: z.null(),
  ...JUDGED,
});
export type UrlArtifact = z.infer<typeof UrlArtifact>;

/** Something taken from the message to be judged. */
export const Artifact = z.discriminatedUnion('type', [FileArtifact, UrlArtifact]);
export type Artifact = z.infer<typeof Artifact>;

/** Why a message was quarantined, for programs and for people. */
export const Reason = z.object({ code: z.enum(REASON_CODES), text: z.string() });
export type Reason = z.infer<typeof Reason>;

export const Terminal = z.object({
  state: z.enum(['delivered', 'quarantined', 'deleted']),
  at: Time,
  /** Keys written, in the clean or the quarantine bucket. */
  keys: z.array(z.string()),
  /** The message as it was written, with the ARC set in front of what was rebuilt; absent when it was not sealed. */
  sealed: z.optional(StoredBytes),
});
export type Terminal = z.infer<typeof Terminal>;

/** A signature of a part of the message, and what was found of it. */
export const Signature = z.object({
  kind: z.enum(SIGNATURE_KINDS),
  /** Paths of the signed multipart, of what is signed, and of the signature; null when what is signed was in the signature (opaque). */
  path: z.string(),
  contentPath: z.string(),
  signaturePath: z.nullable(z.string()),
  /** `verified` only for a valid signature of a signer that policy trusts, whose address is that of the sender. */
  result: z.enum(SIGNATURE_RESULTS),
  /** The address that the certificate or the key names. */
  untrustedSigner: z.nullable(z.string()),
  /** Plain words; empty when it is verified. */
  detail: z.string(),
  /** True when what is signed is delivered byte for byte with its signature, false when it is not; null until that is known. */
  isDelivered: z.nullable(z.boolean()),
});
export type Signature = z.infer<typeof Signature>;

export const LEDGER_SCHEMA = 'mail-airlock/ledger/3';

export const Ledger = z.object({
  schema: z.literal(LEDGER_SCHEMA),
  runId: z.string(),
  attempt: Attempt,
  /** When the run was created. Stored ledgers have this name, so it cannot change. */
  bornAt: Time,
  /** After this time, every submission without a report is a timeout. */
  deadlineAt: Time,
  intake: IntakeObject,
  /** Hash of the intake object's bytes; null when they were not read (oversize). */
  sha256: z.nullable(Sha256),
  /** The kind of the object that came in: an email, or a bare file. A bare file goes through the same stages as a single artifact. */
  kind: z.enum(['email', 'file']),
  message: z.nullable(
    z.object({
      untrustedSubject: z.string(),
      untrustedFrom: z.string(),
      untrustedTo: z.string(),
      untrustedDate: z.string(),
      untrustedMessageId: z.string(),
    }),
  ),
  parts: z.array(Part),
  urls: z.array(FoundUrl),
  /** URLs found over the cap and therefore not judged. */
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
  /** Hash and size of the rebuilt message or file, which was checked by reading it again. `seal`: what `deliver` signs of it. */
  rebuilt: z.nullable(z.extend(StoredBytes, { seal: z.optional(StoredBytes) })),
  early: z.optional(Early), // of the message that went out before the end
  terminal: z.nullable(Terminal),
  stages: z.array(z.object({ stage: z.enum(WRITERS), startedAt: Time, durationMs: z.number() })),
  /** Polls made. The `source` of each submission says what else the run used of the service's quota. */
  polls: Count,
});
export type Ledger = z.infer<typeof Ledger>;

/** True for parts of the message that have bytes of their own. */
export function isLeaf(part: Part): boolean {
  return part.role === 'body' || part.role === 'attachment';
}

/** True for a part that was found inside a container. */
export function isMember(part: Part): boolean {
  return part.role === 'member';
}

/** True for an artifact that was found only inside containers: no disarmed file could take its place. */
export function isOnlyInContainers(artifact: Artifact): boolean {
  return artifact.origins.every((path) => path.includes(MEMBER_MARK));
}

/** The id of the bytes that are submitted for an analysis of this kind. */
export function submittedIdOf<A extends Artifact>(artifact: A, kind: Kind): A['id'] {
  return kind === 'cdr' && artifact.disarmAs !== null ? artifact.disarmAs : artifact.id;
}

/** The extension under which an artifact is sent. A file that is packed by itself says what is in it: `csv.gz`. */
export function submittedExtensionOf({ extension, opening }: Artifact): string {
  return opening?.heldExtension === undefined ? extension : `${opening.heldExtension}.${extension}`;
}

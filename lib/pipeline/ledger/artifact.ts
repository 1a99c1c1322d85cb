/** A file or a link that is taken from a message to be judged, with the requested analyses and the outcome. */
import * as z from 'zod/mini';
import { OPENING_OUTCOMES } from '../../formats/archives/unpacking.ts';
import { FILE_GROUPS } from '../../formats/file-groups.ts';
import { CONTAINER_NAMES } from '../../message/model.ts';
import {
  DISPOSITIONS,
  FAILURE_CLASSES,
  KINDS,
  type Kind,
  SUBMISSION_SOURCES,
  SUBMISSION_STATUSES,
  TYPE_GROUPS,
  VERDICTS,
} from '../model.ts';
import { REMOVAL_CODES } from '../reason-codes.ts';
import { FileId, UrlId } from './artifact-id.ts';
import { Count, StoredBytes, Text, Texts, Time } from './fields.ts';
import { ListEntry } from './list-entry.ts';

export const Failure = z.object({ class: z.enum(FAILURE_CLASSES), detail: Text });

/** One request for analysis of one artifact. */
export const Submission = z.object({
  kind: z.enum(KINDS),
  source: z.enum(SUBMISSION_SOURCES),
  /** The service that answers it, with the versions of its engines and rules if it tells them. Null before the request. */
  engines: z.nullable(Text),
  submissionId: z.nullable(Text),
  status: z.enum(SUBMISSION_STATUSES),
  verdict: z.enum(VERDICTS),
  score: z.nullable(z.number()),
  untrustedReasons: Texts,
  untrustedRemoved: Texts,
  untrustedSanitized: Texts,
  failure: z.nullable(Failure),
  /** The type as which the disarm read the file; null when the service did not say. */
  readAs: z.nullable(z.enum(FILE_GROUPS)),
  /** The disarm found nothing to remove in the file: under a signature, the file may stay unchanged (signed-files.ts). */
  isPlain: z.optional(z.literal(true)),
  /** The addresses to which a visit of the link was redirected, in order. Absent when there were none, or when nobody tells them. Cut. */
  untrustedRedirects: z.optional(Texts),
  disarmed: z.nullable(StoredBytes),
  /** False until `fetch` has stored the report. `completed` alone only says that the service has one. */
  fetched: z.boolean(),
  submittedAt: Time,
  finishedAt: z.nullable(Time),
});
export type Submission = z.infer<typeof Submission>;

/** The outcome of opening a container. With any outcome but `opened`, something inside was not read. */
export const Opening = z.object({
  as: z.enum(CONTAINER_NAMES),
  outcome: z.enum(OPENING_OUTCOMES),
  /** Plain words; empty when it was opened. */
  detail: Text,
  /** The password that opened it, from the message or a list of customary ones. Null when none was needed or none was right. */
  untrustedPassword: z.nullable(Text),
  /** The run of the other mail that tells the password; absent when the message itself does. */
  passwordFrom: z.optional(Text),
  /** Present for encrypted mail that a password opens, which anybody may tell. */
  needsPassword: z.optional(z.literal(true)),
  /** The extension of the only file in a gzip, bzip2 or xz (held-extension.ts). */
  heldExtension: z.optional(Text),
});
export type Opening = z.infer<typeof Opening>;

/** The fields of every artifact. */
const JUDGED = {
  size: Count,
  /** Paths of the parts it was found in. */
  origins: Texts,
  submissions: z.array(Submission),
  verdict: z.enum(VERDICTS),
  disposition: z.nullable(z.enum(DISPOSITIONS)),
  /** Plain words for the report. */
  reasons: Texts,
  /** The reason for the removal, for the text that its recipient reads. Null while it is not removed. */
  removedFor: z.nullable(z.enum(REMOVAL_CODES)),
  /** The entry of a list of the operator that counted; absent when it was on no list. */
  listed: z.optional(ListEntry),
};

/** The bytes of a leaf or a member, each distinct content once. */
export const FileArtifact = z.object({
  type: z.literal('file'),
  id: FileId,
  typeGroup: z.enum(TYPE_GROUPS).check(z.refine((group) => group !== 'url')),
  /** The extension that fits the bytes, from a closed list. */
  extension: Text,
  untrustedUrl: z.null(),
  /**
   * The file that is disarmed instead of it: the page as UTF-8 that declares this charset. It is set when the bytes alone would be read
   * differently than with the charset of the part's header. The service does not see that header. Null for everything else.
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
  untrustedUrl: Text,
  disarmAs: z.null(),
  opening: z.null(),
  ...JUDGED,
});
export type UrlArtifact = z.infer<typeof UrlArtifact>;

/** Something taken from the message to be judged. */
export const Artifact = z.discriminatedUnion('type', [FileArtifact, UrlArtifact]);
export type Artifact = z.infer<typeof Artifact>;

/** Returns the id of the bytes that are submitted for an analysis of this kind. */
export function submittedIdOf<A extends Artifact>(artifact: A, kind: Kind): A['id'] {
  return kind === 'cdr' && artifact.disarmAs !== null ? artifact.disarmAs : artifact.id;
}

/** Returns the extension under which an artifact is sent. A packed single file also names its content: `csv.gz`. */
export function submittedExtensionOf({ extension, opening }: Artifact): string {
  return opening?.heldExtension === undefined ? extension : `${opening.heldExtension}.${extension}`;
}

/**
 * The ledger: one JSON document per run, the one truth of the pipeline. Stages read it, work, and write it; the state
 * machine only carries counts. Every text that a sender or the service chose is in a field named `untrusted…`.
 *
 * Invariants, checked by `checkConservation`: every leaf part names an artifact of the ledger; once decided, every leaf has
 * exactly one disposition, so parts in = kept + disarmed + removed.
 */
import * as z from 'zod/mini';
import {
  DISPOSITIONS,
  FAILURE_CLASSES,
  KINDS,
  MESSAGE_DISPOSITIONS,
  STAGE_NAMES,
  SUBMISSION_SOURCES,
  SUBMISSION_STATUSES,
  TYPE_GROUPS,
  VERDICTS,
} from './model.ts';

const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const Count = z.int().check(z.nonnegative());
const Time = z.iso.datetime();

/** One version of an object in the intake bucket. `untrustedKey` may be chosen by whoever uploads. */
export const IntakeObject = z.object({
  bucket: z.string(),
  untrustedKey: z.string(),
  versionId: z.string(),
  size: z.nullable(Count),
});
export type IntakeObject = z.infer<typeof IntakeObject>;

export const Failure = z.object({ class: z.enum(FAILURE_CLASSES), detail: z.string() });

/** What could not be looked at, or looked odd. `code` is from the closed set of lib/message. */
export const Warning = z.object({ code: z.string(), path: z.nullable(z.string()), detail: z.string() });
export type Warning = z.infer<typeof Warning>;

/** Bytes [start, end) of the email. */
const ByteRange = z.object({ start: Count, end: Count });

/** A file written to the clean bucket or into the rebuilt message. */
export const DeliveredFile = z.object({
  sha256: Sha256,
  size: Count,
  type: z.string(),
  extension: z.string(),
  untrustedName: z.nullable(z.string()),
});

/** One node of the MIME tree. Containers (multipart, message) carry no artifact; leaves (body, attachment) do. */
export const Part = z.object({
  /** `1` is the root; children append `.1`, `.2` …; the root of a nested message is the only child of its message part. */
  path: z.string(),
  parent: z.nullable(z.string()),
  depth: Count,
  role: z.enum(['multipart', 'message', 'body', 'attachment']),
  /** Every name the part claims, in the order found. */
  untrustedNames: z.array(z.string()),
  declaredType: z.string(),
  /** Null for containers. */
  detectedType: z.nullable(z.string()),
  typeGroup: z.nullable(z.enum(TYPE_GROUPS)),
  /** Decoded bytes. */
  size: Count,
  /** Of the decoded bytes; null for containers. It is the id of the artifact. */
  sha256: z.nullable(Sha256),
  header: ByteRange,
  body: ByteRange,
  readings: z.array(z.enum(['structure', 'stream'])),
  disposition: z.nullable(z.enum(DISPOSITIONS)),
  /** What stands in the clean message for this leaf; null until rebuilt. */
  delivered: z.nullable(DeliveredFile),
});
export type Part = z.infer<typeof Part>;

/** One place where a URL was found. */
export const FoundUrl = z.object({
  path: z.string(),
  untrustedRaw: z.string(),
  normalised: z.string(),
  where: z.enum(['attribute', 'text', 'css']),
  artifactId: Sha256,
});
export type FoundUrl = z.infer<typeof FoundUrl>;

/** One request for analysis of one artifact. */
export const Submission = z.object({
  kind: z.enum(KINDS),
  source: z.enum(SUBMISSION_SOURCES),
  submissionId: z.nullable(z.string()),
  status: z.enum(SUBMISSION_STATUSES),
  verdict: z.enum(VERDICTS),
  score: z.nullable(z.number()),
  untrustedReasons: z.array(z.string()),
  untrustedRemoved: z.array(z.string()),
  untrustedSanitized: z.array(z.string()),
  failure: z.nullable(Failure),
  disarmed: z.nullable(z.object({ sha256: Sha256, size: Count })),
  /** False until `fetch` has stored the report; `completed` alone says only that there is one. */
  fetched: z.boolean(),
  submittedAt: Time,
  finishedAt: z.nullable(Time),
});
export type Submission = z.infer<typeof Submission>;

/** Something taken from the message to be judged. Its id is the SHA-256 of the bytes or of the normalised URL. */
export const Artifact = z.object({
  type: z.enum(['file', 'url']),
  id: Sha256,
  typeGroup: z.enum(TYPE_GROUPS),
  /** Closed-list extension that the bytes call for; empty for URLs. */
  extension: z.string(),
  size: Count,
  /** The normalised URL; null for files. */
  untrustedUrl: z.nullable(z.string()),
  /** Paths of the parts it was found in. */
  origins: z.array(z.string()),
  submissions: z.array(Submission),
  verdict: z.enum(VERDICTS),
  disposition: z.nullable(z.enum(DISPOSITIONS)),
  /** Why, in plain words, for the report and the placeholder. */
  reasons: z.array(z.string()),
});
export type Artifact = z.infer<typeof Artifact>;

/** Why a message was quarantined: a stable code, and a sentence for a person. */
export const Reason = z.object({ code: z.string(), text: z.string() });
export type Reason = z.infer<typeof Reason>;

export const Terminal = z.object({
  state: z.enum(['delivered', 'quarantined']),
  at: Time,
  /** Keys written, in the clean or the quarantine bucket. */
  keys: z.array(z.string()),
});
export type Terminal = z.infer<typeof Terminal>;

export const LEDGER_SCHEMA = 'mail-airlock/ledger/1';

export const Ledger = z.object({
  schema: z.literal(LEDGER_SCHEMA),
  runId: z.string(),
  bornAt: Time,
  /** After this, whatever has no report is a timeout. */
  deadlineAt: Time,
  intake: IntakeObject,
  /** Of the intake object's bytes; null when they were not read (oversize). */
  sha256: z.nullable(Sha256),
  /** What came in: an email, or a bare file that takes the same way as one artifact. */
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
  artifacts: z.array(Artifact),
  warnings: z.array(Warning),
  /** Set when the intake object could not be read as a whole; the message then goes where policy sends this class. */
  failure: z.nullable(Failure),
  disposition: z.nullable(z.enum(MESSAGE_DISPOSITIONS)),
  reasons: z.array(Reason),
  /** Of the rebuilt message or file, checked by reading it again. */
  rebuilt: z.nullable(z.object({ sha256: Sha256, size: Count })),
  terminal: z.nullable(Terminal),
  stages: z.array(z.object({ stage: z.enum(STAGE_NAMES), startedAt: Time, durationMs: z.number() })),
  /** Polls made; what else the run cost the service's quota is in the `source` of each submission. */
  polls: Count,
});
export type Ledger = z.infer<typeof Ledger>;

/** True for parts that carry bytes of their own. */
export function isLeaf(part: Part): boolean {
  return part.role === 'body' || part.role === 'attachment';
}

/** The leaves of a ledger with their artifacts, in document order. */
export function leavesOf(ledger: Ledger): { part: Part; artifact: Artifact }[] {
  const byId = new Map(ledger.artifacts.map((artifact) => [artifact.id, artifact]));
  return ledger.parts.filter(isLeaf).flatMap((part) => {
    const artifact = byId.get(part.sha256 ?? '');
    return artifact ? [{ part, artifact }] : [];
  });
}

/** How many leaf parts came in, and what was decided for them. in = kept + disarmed + removed once decided. */
export function tally(ledger: Ledger): {
  in: number;
  kept: number;
  disarmed: number;
  removed: number;
  undecided: number;
} {
  const leaves = ledger.parts.filter(isLeaf);
  const count = (disposition: Part['disposition']) => leaves.filter((part) => part.disposition === disposition).length;
  return {
    in: leaves.length,
    kept: count('keep'),
    disarmed: count('disarm'),
    removed: count('remove'),
    undecided: count(null),
  };
}

/** What of the invariants does not hold, in words; empty when all do. `decided` also asks for a disposition everywhere. */
export function checkConservation(ledger: Ledger, decided: boolean): string[] {
  const ids = new Set(ledger.artifacts.map((artifact) => artifact.id));
  const problems: string[] = [];
  for (const part of ledger.parts.filter(isLeaf)) {
    if (part.sha256 === null || !ids.has(part.sha256)) problems.push(`part ${part.path} has no artifact`);
    if (decided && part.disposition === null) problems.push(`part ${part.path} has no disposition`);
  }
  for (const url of ledger.urls)
    if (!ids.has(url.artifactId)) problems.push(`a URL in part ${url.path} has no artifact`);
  for (const artifact of ledger.artifacts) {
    if (artifact.origins.length === 0) problems.push(`artifact ${artifact.id} has no origin`);
    if (decided && artifact.disposition === null) problems.push(`artifact ${artifact.id} has no disposition`);
  }
  return problems;
}

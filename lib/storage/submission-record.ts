/** The stored JSON form of a submission record, shared by every adapter that keeps records outside the process. */
import * as z from 'zod/mini';
import { FILE_GROUPS } from '../formats/file-groups.ts';
import { CorruptDataError } from '../pipeline/errors.ts';
import { FAILURE_CLASSES, VERDICTS } from '../pipeline/model.ts';
import type { SubmissionRecord } from '../pipeline/ports.ts';

const StoredReport = z.lazy(() =>
  z.object({
    verdict: z.enum(VERDICTS),
    score: z.nullable(z.number()),
    reasons: z.array(z.string()),
    failure: z.nullable(z.object({ class: z.enum(FAILURE_CLASSES), detail: z.string() })),
    removed: z.array(z.string()),
    sanitized: z.array(z.string()),
    /** Absent in records that were stored before this field existed. */
    readAs: z._default(z.nullable(z.enum(FILE_GROUPS)), null),
    /** Absent when unknown. */
    isPlain: z.optional(z.literal(true)),
    /** Absent when the visit was not redirected. */
    redirects: z.optional(z.array(z.string())),
    hasDisarmedFile: z.boolean(),
  }),
);

const StoredRecord = z.lazy(() =>
  z.object({
    key: z.string(),
    claimedBy: z.string(),
    submissionId: z.nullable(z.string()),
    report: z.nullable(StoredReport),
    disarmed: z.nullable(z.object({ sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)), size: z.int() })),
    expiresAtSeconds: z.int(),
  }),
);

/** Writes the record as JSON text. */
export function submissionRecordJson(record: SubmissionRecord): string {
  return JSON.stringify(record);
}

/** Reads a stored record. Throws CorruptDataError when it is damaged: a damaged verdict is never guessed. */
export function parseSubmissionRecord(json: string): SubmissionRecord {
  const parsed = StoredRecord.safeParse(jsonOrNull(json));
  if (!parsed.success) throw new CorruptDataError('a stored submission record is damaged');
  return parsed.data;
}

function jsonOrNull(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/**
 * The report of an engine as it is stored in the work bucket. An engine reads hostile bytes, so every reader of its report checks each
 * field.
 */
import * as z from 'zod/mini';
import { FILE_GROUPS } from '../formats/file-groups.ts';
import { MAX_REDIRECTS } from '../pipeline/analysis/report-of-results.ts';
import { CorruptDataError, NotFoundError } from '../pipeline/errors.ts';
import { keys } from '../pipeline/keys.ts';
import { FAILURE_CLASSES, type Kind, type Report, VERDICTS } from '../pipeline/model.ts';
import type { Blobs } from '../pipeline/ports.ts';

/** The attack is an engine whose report never ends. The bounds of `reportOfResults` allow a tenth of this. */
const MAX_REPORT_BYTES = 1024 * 1024;
const MAX_TEXTS = 50;
const MAX_TEXT_LENGTH = 300;

const text = () => z.string().check(z.maxLength(MAX_TEXT_LENGTH));
const texts = () => z.array(text()).check(z.maxLength(MAX_TEXTS));

const StoredReport = z.lazy(() =>
  z.object({
    schema: z.literal(1),
    /** The versions of the engines that made it. */
    versions: z.string(),
    report: z.object({
      verdict: z.enum(VERDICTS),
      score: z.nullable(z.number()),
      reasons: texts(),
      failure: z.nullable(z.object({ class: z.enum(FAILURE_CLASSES), detail: text() })),
      removed: texts(),
      sanitized: texts(),
      readAs: z.nullable(z.enum(FILE_GROUPS)),
      isPlain: z.optional(z.literal(true)),
      redirects: z.optional(z.array(text()).check(z.maxLength(MAX_REDIRECTS))),
    }),
    /** The disarmed file; null when there is none. */
    file: z.nullable(z.object({ sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) })),
  }),
);
type StoredReport = z.infer<typeof StoredReport>;

/** A report, and the hash of its disarmed file. */
export interface Finished {
  readonly versions: string;
  readonly report: Report;
  readonly fileSha256: string | null;
}

/** Writes the report, unless there is one already. */
export async function writeReport(blobs: Pick<Blobs, 'put'>, kind: Kind, question: string, finished: Finished) {
  const { hasDisarmedFile: _, redirects, ...report } = finished.report;
  const stored = {
    schema: 1,
    versions: finished.versions,
    report: {
      ...report,
      ...{ reasons: [...report.reasons], removed: [...report.removed], sanitized: [...report.sanitized] },
      ...(redirects && { redirects: [...redirects] }),
    },
    file: finished.fileSha256 === null ? null : { sha256: finished.fileSha256 },
  } satisfies StoredReport;
  const body = new TextEncoder().encode(JSON.stringify(stored));
  await blobs.put('work', keys.engineReport(kind, question), body, { contentType: 'application/json', ifAbsent: true });
}

/**
 * Returns the report on a question; null while there is none. Throws CorruptDataError for a report that none of our engines writes,
 * TransientError.
 */
export async function readReport(blobs: Pick<Blobs, 'get'>, kind: Kind, question: string): Promise<Finished | null> {
  const found = await blobs
    .get('work', keys.engineReport(kind, question), { maxBytes: MAX_REPORT_BYTES })
    .catch((error: unknown) => {
      if (error instanceof NotFoundError) return null;
      throw error;
    });
  if (found === null) return null;
  const stored = parsed(found);
  if (stored === null || contradicts(kind, stored)) throw new CorruptDataError(`the ${kind} report is none of ours`);
  const { versions, report, file } = stored;
  return { versions, report: { ...report, hasDisarmedFile: file !== null }, fileSha256: file?.sha256 ?? null };
}

function parsed(bytes: Uint8Array): StoredReport | null {
  try {
    return StoredReport.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return null;
  }
}

/** A failed report is never benign and has no file. Only a disarm has a file. */
function contradicts(kind: Kind, { report, file }: StoredReport): boolean {
  if (report.failure !== null && (report.verdict === 'benign' || file !== null)) return true;
  if (kind !== 'cdr') return file !== null;
  return file === null && report.failure === null;
}

/** An email that was submitted, as the eml-analysis report shows it: headers and attachments, read as the pipeline reads them. */
import type { z } from 'zod';
import { asBuffer } from '../../message/byte-scan.ts';
import { boundText, decodeHeaderText } from '../../message/encoded-words.ts';
import { fieldsNamed, type HeaderBlock, rawValue, readHeaderBlock } from '../../message/header-block.ts';
import { looksLikeEmail } from '../../message/looks-like-email.ts';
import type { MessagePart, ReadingLimits } from '../../message/model.ts';
import { readMessage } from '../../message/read.ts';
import type { EmlAnalyses } from '../contract/v3-reports.ts';
import type { BlobStore } from './blobs.ts';
import { extensionOf, shownName } from './filename.ts';
import { sampleIdOf } from './report-views.ts';
import type { StoredSubmission } from './submissions.ts';

type EmlAnalysis = z.infer<typeof EmlAnalyses>[number];

/** A larger one is not read between two requests of others. */
const MAX_EMAIL_BYTES = 16 * 1024 * 1024;
/** Bounds of one reading; the attacks behind them are those of the pipeline's own limits. */
const LIMITS: ReadingLimits = {
  headerBytes: 256 * 1024,
  headerLines: 5_000,
  parts: 1_000,
  depth: 30,
  untrustedTextLength: 1_000,
};
/** Other headers shown, and characters of each. */
const MAX_HEADERS = 200;
const MAX_ADDRESSES = 200;
const OWN_KEYS = new Set(['message-id', 'subject', 'date', 'from', 'to', 'cc', 'bcc']);

/** The email that the submission is, or nothing when it is none, or is too large to be read here. */
export async function emlAnalysesOf(blobs: BlobStore, submission: StoredSubmission): Promise<EmlAnalysis[]> {
  const { subject } = submission;
  if (subject.type !== 'file' || subject.size > MAX_EMAIL_BYTES) return [];
  const bytes = await blobs.read(subject.hashes.sha256);
  if (!bytes || !looksLikeEmail(bytes)) return [];
  const email = asBuffer(bytes);
  const { facts, parts } = await readMessage(email, LIMITS);
  const isDelimiter = () => false;
  const block = readHeaderBlock(email, 0, { isDelimiter, maxBytes: LIMITS.headerBytes, maxLines: LIMITS.headerLines });
  return [
    {
      headers: {
        message_id: facts.untrustedMessageId,
        subject: facts.untrustedSubject,
        date: facts.untrustedDate,
        from_email: addressesIn(facts.untrustedFrom)[0] ?? '',
        to_emails: addressesIn(headerText(email, block, 'to')),
        cc_emails: addressesIn(headerText(email, block, 'cc')),
        bcc_emails: addressesIn(headerText(email, block, 'bcc')),
      },
      other_headers: otherHeaders(email, block),
      attachments: parts.filter(({ role }) => role === 'attachment').map(attachmentOf),
      qr_results: [],
      artifact: sampleIdOf(submission),
    },
  ];
}

function headerText(email: Buffer, block: HeaderBlock, name: string): string {
  return fieldsNamed(block, name)
    .map((field) => decodeHeaderText(rawValue(email, field, LIMITS.headerBytes)))
    .join(', ');
}

const addressesIn = (text: string) =>
  [...text.matchAll(/[^\s<>,;:"()]{1,200}@[^\s<>,;:"()@]{1,253}/g)].map(([address]) => address).slice(0, MAX_ADDRESSES);

function otherHeaders(email: Buffer, block: HeaderBlock): Record<string, string> {
  const shown = new Map<string, string>();
  for (const field of block.fields.slice(0, MAX_HEADERS)) {
    if (OWN_KEYS.has(field.name)) continue;
    const value = boundText(decodeHeaderText(rawValue(email, field, LIMITS.headerBytes)), LIMITS.untrustedTextLength);
    const before = shown.get(field.name);
    shown.set(field.name, before === undefined ? value : `${before}\n${value}`);
  }
  return Object.fromEntries(shown);
}

function attachmentOf({ untrustedNames, size, declaredType, sha256 }: MessagePart): EmlAnalysis['attachments'][number] {
  const filename = shownName(untrustedNames[0] ?? '');
  const hash: Record<string, string> = sha256 === null ? {} : { sha256 };
  return { filename, size, extension: extensionOf(filename), mime_type: declaredType, hash };
}

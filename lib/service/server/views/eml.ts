/** The eml-analysis report of a submitted email: its headers and attachments, even when the email is broken. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { MimeLeaf, MimePart } from '../../../engines/mime/part.ts';
import { readMail } from '../../../engines/mime/read.ts';
import { asBuffer, skipBlankStart, skipMboxLine } from '../../../formats/byte-scan.ts';
import { decodeHeaderText } from '../../../formats/mail/encoded-words.ts';
import { fieldsNamed, type HeaderBlock, rawValue, readHeaderBlock } from '../../../formats/mail/header-block.ts';
import { looksLikeEmail } from '../../../formats/mail/looks-like-email.ts';
import { boundText } from '../../../formats/names/bounded-name.ts';
import type { EmlAnalyses } from '../../contract/v3-reports.ts';
import { extensionOf, shownName } from '../filename.ts';
import type { BlobStore } from '../store/blobs.ts';
import type { StoredSubmission } from '../store/submissions.ts';
import { sampleIdOf } from './report.ts';

type EmlAnalysis = z.infer<typeof EmlAnalyses>[number];

/** A larger email is not read, because that would delay the requests of others. */
const MAX_EMAIL_BYTES = 16 * 1024 * 1024;
/** The limits of a header. They stop the same attacks as the limits of the pipeline. */
const HEADER = { maxBytes: 256 * 1024, maxLines: 5_000, isDelimiter: () => false };
const TEXT_LENGTH = 1_000;
/** The bytes that are read for each kept character. Encoded words make a header longer than its text. */
const BYTES_PER_CHARACTER = 16;
/** The most other headers that are shown, and the most addresses. */
const MAX_HEADERS = 200;
const MAX_ADDRESSES = 200;
/** The most bytes of inner messages together. Each is read again, and they may be nested. */
const MAX_NESTED_BYTES = 2 * MAX_EMAIL_BYTES;
const MESSAGES = new Set(['message/rfc822', 'message/global', 'message/news']);
const TEXTS = new Set(['text/plain', 'text/html']);
const OWN_KEYS = new Set(['message-id', 'subject', 'date', 'from', 'to', 'cc', 'bcc']);

/** Returns the report of a submitted email; empty when the submission is not an email, or is too large to be read here. */
export async function emlAnalysesOf(blobs: BlobStore, submission: StoredSubmission): Promise<EmlAnalysis[]> {
  const { subject } = submission;
  if (subject.type !== 'file' || subject.size > MAX_EMAIL_BYTES) return [];
  const bytes = await blobs.read(subject.hashes.sha256);
  if (!bytes || !looksLikeEmail(bytes)) return [];
  const all = asBuffer(bytes);
  const blank = skipBlankStart(all);
  const email = all.subarray(blank + skipMboxLine(all.subarray(blank)));
  const block = readHeaderBlock(email, 0, HEADER);
  const first = (name: string) => {
    const [field] = fieldsNamed(block, name);
    return field === undefined ? '' : shownText(rawValue(email, field, TEXT_LENGTH * BYTES_PER_CHARACTER));
  };
  return [
    {
      headers: {
        message_id: first('message-id'),
        subject: first('subject'),
        date: first('date'),
        from_email: addressesIn(first('from'))[0] ?? '',
        to_emails: addressesIn(headerText(email, block, 'to')),
        cc_emails: addressesIn(headerText(email, block, 'cc')),
        bcc_emails: addressesIn(headerText(email, block, 'bcc')),
      },
      other_headers: otherHeaders(email, block),
      attachments: attachmentsOf(readAnyMail(email), { nestedBytes: MAX_NESTED_BYTES }).map(shownAttachment),
      qr_results: [],
      artifact: sampleIdOf(submission),
    },
  ];
}

const shownText = (raw: string) => boundText(decodeHeaderText(raw), TEXT_LENGTH);

function headerText(email: Buffer, block: HeaderBlock, name: string): string {
  return fieldsNamed(block, name)
    .map((field) => decodeHeaderText(rawValue(email, field, HEADER.maxBytes)))
    .join(', ');
}

const addressesIn = (text: string) =>
  [...text.matchAll(/[^\s<>,;:"()]{1,200}@[^\s<>,;:"()@]{1,253}/g)].map(([address]) => address).slice(0, MAX_ADDRESSES);

function otherHeaders(email: Buffer, block: HeaderBlock): Record<string, string> {
  const shown = new Map<string, string>();
  for (const field of block.fields.slice(0, MAX_HEADERS)) {
    if (OWN_KEYS.has(field.name)) continue;
    const value = shownText(rawValue(email, field, HEADER.maxBytes));
    const before = shown.get(field.name);
    shown.set(field.name, before === undefined ? value : `${before}\n${value}`);
  }
  return Object.fromEntries(shown);
}

/** Returns the parts of an email by the likelier reading, because a broken message must show what can be seen. */
const readAnyMail = (email: Uint8Array): MimePart => readMail(email, () => {}).body;

interface Budget {
  nestedBytes: number;
}

/** Returns all parts but the texts that a mail program shows, with those of inner messages. */
function attachmentsOf(part: MimePart, budget: Budget): MimeLeaf[] {
  if (part.kind === 'group') return part.parts.flatMap((each) => attachmentsOf(each, budget));
  if (part.kind === 'message' || isText(part)) return [];
  const { length } = part.bytes;
  if (!MESSAGES.has(part.untrustedType) || length > budget.nestedBytes) return [part];
  budget.nestedBytes -= length;
  return attachmentsOf(readAnyMail(part.bytes), budget);
}

const isText = ({ untrustedType, untrustedName, isAttachment }: MimeLeaf) =>
  TEXTS.has(untrustedType) && !isAttachment && (untrustedName ?? '') === '';

function shownAttachment({ untrustedName, untrustedType, bytes }: MimeLeaf): EmlAnalysis['attachments'][number] {
  const filename = shownName(untrustedName ?? '');
  const hash = { sha256: createHash('sha256').update(bytes).digest('hex') };
  return { filename, size: bytes.length, extension: extensionOf(filename), mime_type: untrustedType, hash };
}

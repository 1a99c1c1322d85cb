/**
 * Reads mail for a desk that must not read it: a function that faces the internet asks, and gets an inert answer. It works without a way
 * out and writes nothing but zips of originals that are too large for an answer. It finds everything by the chain of the run, never by a
 * place that the caller names.
 */
import { buffer } from 'node:stream/consumers';
import { intakeBytes, readLedger } from '../../pipeline/chain/ledger-store.ts';
import type { StoreContext } from '../../pipeline/context.ts';
import { CorruptDataError, LimitExceededError, NotFoundError } from '../../pipeline/errors.ts';
import { keys, sha256Hex } from '../../pipeline/keys.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import { readAudited } from '../../pipeline/review/audit.ts';
import { MAX_ANSWER_BYTES, type PreviewAnswer, type PreviewRequest } from '../../pipeline/review/preview-request.ts';
import { sampleZip } from '../../service/server/v3/sample-zip.ts';
import type { Drawings } from './drawings.ts';
import { headerText } from './original-header.ts';
import { storedSides } from './part-sides.ts';

export interface PreviewParts {
  readonly ctx: StoreContext;
  readonly drawings: Pick<Drawings, 'drawn'>;
}

const GONE: PreviewAnswer = { state: 'gone' };
const TOO_LARGE: PreviewAnswer = { state: 'refused', code: 'too_large' };
const NO_RECORD: PreviewAnswer = { state: 'refused', code: 'no_record' };
/** The time after its record in which an original can be taken out. Milliseconds. */
const TAKEN_WITHIN = 5 * 60_000;

/** Answers a request. Throws CorruptDataError when the chain was changed, TransientError. */
export async function preview(parts: PreviewParts, request: PreviewRequest): Promise<PreviewAnswer> {
  const { ctx } = parts;
  if (request.what === 'original' && !(await isNoted(ctx, request))) return NO_RECORD;
  const ledger = await nullIfMissing(() => readLedger(ctx, request.runId));
  if (ledger === null) return GONE;
  if (request.what === 'drawn') return drawn(parts, ledger, request);
  const original = await originalOf(ctx, ledger);
  if (original === null) return GONE;
  if (request.what === 'original') return zipped(ctx, ledger, original, request.record);
  return ledger.kind === 'email' ? { state: 'header', untrustedHeader: headerText(original) } : GONE;
}

async function drawn(
  { drawings }: PreviewParts,
  ledger: Ledger,
  { path, side: name, page, isSmall = false }: Extract<PreviewRequest, { what: 'drawn' }>,
): Promise<PreviewAnswer> {
  const side = storedSides(ledger, path)?.[name] ?? null;
  const made = side === null || side.kind === null ? null : await drawings.drawn(side.stored, side.kind, { isSmall });
  if (made === null) return GONE;
  const picture = (page === null ? undefined : made.pictures[page - 1]) ?? null;
  if (picture !== null && picture.length > MAX_ANSWER_BYTES) return TOO_LARGE;
  const { outcome, pictures, untrustedText } = made;
  const base64 = picture === null ? null : Buffer.from(picture).toString('base64');
  return { state: 'drawn', outcome, pictures: pictures.length, picture: base64, untrustedText };
}

/**
 * Returns true when the audit trail says that a person takes the original of this run out now. A captured desk cannot write such a record.
 */
async function isNoted(ctx: StoreContext, { runId, record: number }: Extract<PreviewRequest, { what: 'original' }>) {
  try {
    const { record } = await readAudited(ctx, number);
    if (record.action !== 'download' || record.runId !== runId) return false;
    return record.people.some(({ at }) => Math.abs(ctx.clock.now() - Date.parse(at)) <= TAKEN_WITHIN);
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof CorruptDataError) return false;
    throw error;
  }
}

/**
 * Returns the received object, as the run has read it: the held original, else the object of the intake bucket. Returns null when both are
 * gone.
 */
async function originalOf(ctx: StoreContext, { runId, intake, sha256 }: Ledger): Promise<Uint8Array | null> {
  const held = { maxBytes: ctx.limits.emailBytes };
  for (const read of [
    () => ctx.blobs.get('quarantine', keys.quarantinedOriginal(runId), held),
    () => intakeBytes(ctx, intake),
  ]) {
    const bytes = await nullIfMissing(read);
    // Another object can have come under the same name since.
    if (bytes !== null && sha256Hex(bytes) === sha256) return bytes;
  }
  return null;
}

/** Returns a zip with the password that analysts expect, so that nothing on the way opens it. No name in it comes from the mail. */
async function zipped(
  { blobs }: StoreContext,
  { runId, kind }: Ledger,
  original: Uint8Array,
  record: number,
): Promise<PreviewAnswer> {
  const entry = `${runId}.${kind === 'email' ? 'eml' : 'bin'}`;
  const stream = () => ReadableStream.from([original]);
  const zip = await buffer(sampleZip(entry, { size: original.length, stream }));
  if (zip.length <= MAX_ANSWER_BYTES) return { state: 'original', zip: zip.toString('base64') };
  await blobs.put('work', keys.takeOut(runId, record), zip, { contentType: 'application/octet-stream' });
  return { state: 'stored' };
}

async function nullIfMissing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    // An object that is larger than any mail was never read as one.
    if (error instanceof NotFoundError || error instanceof LimitExceededError) return null;
    throw error;
  }
}

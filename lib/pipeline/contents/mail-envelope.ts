/**
 * The envelope of a mail that an outside service received: sender and recipients, as SMTP named them. It is beside the mail in the work
 * bucket, where no sender can write. A forwarded message goes to exactly these recipients. Its header decides nothing.
 */
import * as z from 'zod/mini';
import { parseStored } from '../chain/ledger-store.ts';
import type { StoreContext } from '../context.ts';
import { keys } from '../keys.ts';
import type { IntakeObject } from '../ledger/intake-object.ts';
import { nullIfMissing } from '../null-if-missing.ts';
import { safeJson } from '../safe-text.ts';

export const MAIL_ENVELOPE_SCHEMA = 'mail-airlock/mail-envelope/1';

/** An address as written between the angle brackets; empty for the null sender. No character in it ends a line or an address. */
const Address = z.string().check(z.maxLength(512), z.regex(/^[^\p{Cc}\s<>]*$/u));
const Word = z.string().check(z.maxLength(200), z.regex(/^[^\p{Cc}]*$/u));

export const MailEnvelope = z.object({
  schema: z.literal(MAIL_ENVELOPE_SCHEMA),
  via: z.enum(['ses']),
  receivedAt: z.iso.datetime({ offset: true }),
  sender: Address,
  recipients: z.array(Address.check(z.minLength(3))).check(z.minLength(1), z.maxLength(1_000)),
  /** The service's own findings: PASS, FAIL, GRAY and the like. */
  untrustedVerdicts: z.record(z.string(), Word),
});
export type MailEnvelope = z.infer<typeof MailEnvelope>;

const MAX_BYTES = 1024 * 1024;

type Named = Pick<IntakeObject, 'bucket' | 'untrustedKey'>;

/** Notes the envelope of an object. The first note counts. Throws TransientError. */
export async function noteEnvelope(ctx: StoreContext, object: Named, envelope: MailEnvelope): Promise<void> {
  const bytes = new TextEncoder().encode(safeJson(envelope));
  const key = keys.envelope(object.bucket, object.untrustedKey);
  await ctx.blobs.put('work', key, bytes, { contentType: 'application/json', ifAbsent: true });
}

/** Returns the envelope of an object, or null when none was noted. Throws CorruptDataError, TransientError. */
export async function envelopeOf(ctx: StoreContext, object: Named): Promise<MailEnvelope | null> {
  const key = keys.envelope(object.bucket, object.untrustedKey);
  const bytes = await nullIfMissing(ctx.blobs.get('work', key, { maxBytes: MAX_BYTES }));
  return bytes && MailEnvelope.parse(parseStored(bytes, `the envelope ${key}`));
}

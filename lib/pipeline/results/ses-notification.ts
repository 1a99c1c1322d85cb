/** The notification of the S3 action of SES about a mail that it has put into a bucket. */
import * as z from 'zod/mini';
import { MAIL_ENVELOPE_SCHEMA, type MailEnvelope } from '../contents/mail-envelope.ts';

const Verdict = z.optional(z.object({ status: z.string() }));

const Notification = z.object({
  notificationType: z.literal('Received'),
  mail: z.object({ timestamp: z.string(), source: z.string(), messageId: z.string() }),
  receipt: z.object({
    recipients: z.array(z.string()),
    spamVerdict: Verdict,
    virusVerdict: Verdict,
    spfVerdict: Verdict,
    dkimVerdict: Verdict,
    dmarcVerdict: Verdict,
    dmarcPolicy: z.optional(z.string()),
    action: z.object({ type: z.literal('S3'), bucketName: z.string(), objectKey: z.string() }),
  }),
});

/** The envelope in a notification, and the object that it belongs to. */
export interface Received {
  readonly object: { readonly bucket: string; readonly untrustedKey: string };
  readonly envelope: MailEnvelope;
}

/** Reads a notification. Throws ZodError for anything else. */
export function receivedBySes(body: unknown): Received {
  const { mail, receipt } = Notification.parse(body);
  const { action, recipients } = receipt;
  const verdicts = {
    spam: receipt.spamVerdict?.status,
    virus: receipt.virusVerdict?.status,
    spf: receipt.spfVerdict?.status,
    dkim: receipt.dkimVerdict?.status,
    dmarc: receipt.dmarcVerdict?.status,
    dmarcPolicy: receipt.dmarcPolicy,
  };
  const known = Object.entries(verdicts).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return {
    object: { bucket: action.bucketName, untrustedKey: action.objectKey },
    envelope: {
      schema: MAIL_ENVELOPE_SCHEMA,
      via: 'ses',
      receivedAt: mail.timestamp,
      // SES names its daemon for a null sender.
      sender: /^<?MAILER-DAEMON@/i.test(mail.source) || mail.source === '<>' ? '' : mail.source,
      recipients,
      untrustedVerdicts: Object.fromEntries(known),
    },
  };
}

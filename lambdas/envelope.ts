/**
 * Lambda entry point of `envelope`. It takes from a queue what SES says of the mail that it has received. Its role writes envelopes, and
 * reads no mail.
 */
import { MailEnvelope, noteEnvelope } from '../lib/pipeline/contents/mail-envelope.ts';
import { receivedBySes } from '../lib/pipeline/results/ses-notification.ts';
import { fromQueue } from './shared/batches.ts';
import { noPorts } from './shared/ports.ts';
import { contextOf } from './shared/runtime.ts';

const context = contextOf(noPorts);
export const handler = fromQueue('envelope', async (body) => {
  const { object, envelope } = receivedBySes(body);
  await noteEnvelope(await context(), object, MailEnvelope.parse(envelope));
});

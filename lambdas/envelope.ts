/**
 * Lambda entry point of `envelope`. It takes from a queue what SES says of the mail that it has received. Its role writes envelopes, and
 * reads no mail.
 */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { MailEnvelope, noteEnvelope } from '../lib/pipeline/contents/mail-envelope.ts';
import { receivedBySes } from '../lib/pipeline/results/ses-notification.ts';
import { eachRecord } from './shared/events.ts';
import { noPorts } from './shared/ports.ts';
import { contextOf } from './shared/runtime.ts';

const context = contextOf(noPorts);
export function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return eachRecord('envelope', event.Records, async (body) => {
    const { object, envelope } = receivedBySes(body);
    await noteEnvelope(await context(), object, MailEnvelope.parse(envelope));
  });
}

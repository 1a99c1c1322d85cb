/** Lambda entry point of stage `parse`: S3 events from the intake queue. Only it opens containers, signatures and codes. */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { parse } from '../lib/pipeline/parse.ts';
import { eachRecord, parseInputOf } from './events.ts';
import { executionPorts } from './ports.ts';
import { readerPorts } from './readers.ts';
import { contextOf, isOurs, ofSource } from './runtime.ts';

const context = contextOf(async () => ({ ...(await executionPorts()), ...readerPorts() }));
export function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return eachRecord('parse', event.Records, async (body) => {
    const [ctx, { intake, again }] = [await context(), parseInputOf(body)];
    return (await isOurs(ctx, intake)) ? null : parse(ofSource(ctx, intake), intake, again);
  });
}

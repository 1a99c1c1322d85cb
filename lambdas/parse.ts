/** Door of stage `parse`: a batch of S3 events from the intake queue. */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { parse } from '../lib/pipeline/parse.ts';
import { createUnpacker } from '../lib/unpacking/unpacker.ts';
import { eachRecord, intakeObjectOf } from './events.ts';
import { executionPorts } from './ports.ts';
import { contextOf } from './runtime.ts';

// Made here and not beside the other ports: no other lambda may hold code that opens containers.
const context = contextOf(async () => ({ ...(await executionPorts()), unpacker: createUnpacker() }));

export function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return eachRecord('parse', event.Records, async (body) => parse(await context(), intakeObjectOf(body)));
}

/** Lambda entry point of stage `parse`: a batch of S3 events from the intake queue. */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createUnpacker } from '../lib/formats/archives/unpacker.ts';
import { parse } from '../lib/pipeline/parse.ts';
import { eachRecord, intakeObjectOf } from './events.ts';
import { executionPorts } from './ports.ts';
import { contextOf } from './runtime.ts';

// These ports are not with the others, because no other lambda may contain code that opens containers.
const context = contextOf(async () => ({ ...(await executionPorts()), unpacker: createUnpacker() }));

export function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return eachRecord('parse', event.Records, async (body) => parse(await context(), intakeObjectOf(body)));
}

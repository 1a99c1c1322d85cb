/** Door of stage `parse`: a batch of S3 events from the intake queue. */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { parse } from '../lib/pipeline/parse.ts';
import { eachRecord, intakeObjectOf } from './events.ts';
import { executionPorts } from './ports.ts';
import { contextOf } from './runtime.ts';

const context = contextOf(executionPorts);

export function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return eachRecord('parse', event.Records, async (body) => parse(await context(), intakeObjectOf(body)));
}

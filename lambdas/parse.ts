/** Lambda entry point of stage `parse`: a batch of S3 events from the intake queue. Only this lambda opens containers and signatures. */
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createUnpacker } from '../lib/formats/archives/unpacker.ts';
import { createSignatureReader } from '../lib/formats/signed/signature-reader.ts';
import { threadClock } from '../lib/formats/threads/thread-time.ts';
import { parse } from '../lib/pipeline/parse.ts';
import { eachRecord, intakeObjectOf } from './events.ts';
import { executionPorts } from './ports.ts';
import { contextOf } from './runtime.ts';

const readers = () => ({ unpacker: createUnpacker(), signatures: createSignatureReader(), work: threadClock });
const context = contextOf(async () => ({ ...(await executionPorts()), ...readers() }));
export function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  return eachRecord('parse', event.Records, async (body) => parse(await context(), intakeObjectOf(body)));
}

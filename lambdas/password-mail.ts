/**
 * Lambda entry point of `password-mail`. It takes ends of runs from a queue, finds held mail that another mail may open, and asks `parse`
 * to try. Its role reads chains and the index of runs, and no text of any mail.
 */
import { SQSClient } from '@aws-sdk/client-sqs';
import { passwordTries } from '../lib/pipeline/passwords/password-mail.ts';
import { notedEnd } from '../lib/pipeline/results/ended-run.ts';
import { createSqsPasswordTry } from '../lib/storage/sqs/password-try.ts';
import { endHandler } from './shared/ends.ts';
import { readRuns } from './shared/read-runs.ts';
import { logger, setting } from './shared/runtime.ts';
import { NO_HANGING } from './shared/secrets.ts';

const sqs = new SQSClient({ requestHandler: NO_HANGING });

export const handler = endHandler('password-mail', async (ctx, event, receipts) => {
  const ask = createSqsPasswordTry({ client: sqs, queueUrl: setting('AIRLOCK_INTAKE_QUEUE') });
  const ledger = await notedEnd(ctx, event, receipts);
  const tries = ledger === null ? [] : await passwordTries({ ...ctx, runs: readRuns(ctx) }, ledger);
  for (const one of tries) await ask(one);
  logger.info('held mail that this one may open', { runId: event.runId, count: tries.length });
});

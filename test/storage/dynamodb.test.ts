import { GetItemCommand, ProvisionedThroughputExceededException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { CorruptDataError, TransientError } from '../../lib/pipeline/errors.ts';
import type { SubmissionRecord } from '../../lib/pipeline/ports.ts';
import { createDynamoSubmissions } from '../../lib/storage/dynamodb.ts';
import { fakeDynamoDb } from './fake-dynamodb.ts';
import { describeSubmissions } from './submissions-contract.ts';

const RECORD: SubmissionRecord = {
  key: 'scope:static:hash',
  claimedBy: 'run-a',
  submissionId: null,
  report: null,
  disarmed: null,
  expiresAtSeconds: 1_900_000_000,
};

function make() {
  const dynamo = fakeDynamoDb('submissions');
  return { ...dynamo, submissions: createDynamoSubmissions({ client: dynamo.client, tableName: 'submissions' }) };
}

describeSubmissions('DynamoDB', () => make().submissions);

test('stores the expiry as the number that the TTL of the table looks at', async () => {
  const { submissions, items } = make();
  await submissions.claim(RECORD, 1_800_000_000);
  expect(items.get(RECORD.key)?.expiresAtSeconds).toEqual({ N: '1900000000' });
});

test('calls throttling a fault that passes', async () => {
  const { submissions, mock } = make();
  const throttled = new ProvisionedThroughputExceededException({
    message: 'slow down',
    $metadata: { httpStatusCode: 400 },
  });
  mock.on(PutItemCommand).rejects(throttled);
  mock.on(GetItemCommand).rejects(throttled);
  await expect(submissions.claim(RECORD, 0)).rejects.toThrow(TransientError);
  await expect(submissions.update(RECORD)).rejects.toThrow(TransientError);
  await expect(submissions.find(RECORD.key, 0)).rejects.toThrow(TransientError);
});

test.each([['not JSON'], ['{}'], [JSON.stringify({ ...RECORD, report: { verdict: 'clean' } })]])(
  'does not guess at a damaged record: %s',
  async (record) => {
    const { submissions, items } = make();
    items.set(RECORD.key, { pk: { S: RECORD.key }, expiresAtSeconds: { N: '1900000000' }, record: { S: record } });
    await expect(submissions.find(RECORD.key, 0)).rejects.toThrow(CorruptDataError);
    await expect(submissions.claim(RECORD, 0)).rejects.toThrow(CorruptDataError);
  },
);

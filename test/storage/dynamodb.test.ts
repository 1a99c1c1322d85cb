import {
  DeleteItemCommand,
  GetItemCommand,
  ProvisionedThroughputExceededException,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { CorruptDataError, TransientError } from '../../lib/pipeline/errors.ts';
import type { SubmissionRecord } from '../../lib/pipeline/ports.ts';
import { createDynamoSubmissions } from '../../lib/storage/dynamodb/dynamodb.ts';
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
  mock.on(DeleteItemCommand).rejects(throttled);
  const why = 'failed for now: ProvisionedThroughputExceededException';
  for (const [call, made] of [
    ['write', () => submissions.claim(RECORD, 0)],
    ['write', () => submissions.update(RECORD)],
    ['write', () => submissions.release(RECORD.key, 'run-a')],
    ['get', () => submissions.find(RECORD.key, 0)],
  ] as const) {
    await expect(made()).rejects.toThrow(TransientError);
    await expect(made()).rejects.toThrow(`dynamodb ${call} ${why}`);
  }
});

test('passes a refusal on as it is: it is neither a lost claim nor an absence', async () => {
  const { submissions, mock } = make();
  const refused = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
  for (const command of [PutItemCommand, GetItemCommand, DeleteItemCommand])
    mock.on(command as typeof PutItemCommand).rejects(refused);
  await expect(submissions.claim(RECORD, 0)).rejects.toBe(refused);
  await expect(submissions.update(RECORD)).rejects.toBe(refused);
  await expect(submissions.find(RECORD.key, 0)).rejects.toBe(refused);
  await expect(submissions.release(RECORD.key, 'run-a')).rejects.toBe(refused);
});

test('stores who holds the key beside the record, which is what updates are compared with', async () => {
  const { submissions, items } = make();
  await submissions.claim(RECORD, 0);
  expect(items.get(RECORD.key)).toEqual({
    pk: { S: RECORD.key },
    claimedBy: { S: 'run-a' },
    expiresAtSeconds: { N: '1900000000' },
    record: { S: JSON.stringify(RECORD) },
  });
});

test('an item without a record is damaged', async () => {
  const { submissions, items } = make();
  items.set(RECORD.key, { pk: { S: RECORD.key }, expiresAtSeconds: { N: '1900000000' } });
  await expect(submissions.find(RECORD.key, 0)).rejects.toThrow(CorruptDataError);
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

/** Which errors of AWS pass by themselves. Names and codes are those of the documents of the services, of the SDK and of Node. */
import { expect, test } from 'vitest';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { awsCall, httpStatusOf } from '../../lib/storage/aws-errors.ts';

/** As the SDK throws it. */
const fault = (name: string, fields: object = {}) => Object.assign(new Error('the service said so'), { name }, fields);
const answered = (httpStatusCode: unknown) => fault('Odd', { $metadata: { httpStatusCode } });

const thrownFor = (error: unknown) =>
  awsCall('a call', Promise.reject(error)).then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );

test.each([
  // S3
  'ConditionalRequestConflict',
  'InternalError',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  // DynamoDB
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'TransactionConflictException',
  // every service
  'RequestTimeoutException',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  // the SDK, for an answer that did not come
  'TimeoutError',
])('%s passes by itself, and the error says what failed and why', async (name) => {
  const error = fault(name);
  const thrown = await thrownFor(error);
  expect(thrown).toBeInstanceOf(TransientError);
  expect(thrown).toMatchObject({ message: `a call failed for now: ${name}`, cause: error });
});

test.each(['EAI_AGAIN', 'ECONNABORTED', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])(
  'a connection that ends with %s passes by itself',
  async (code) => {
    expect(await thrownFor(fault('Error', { code }))).toBeInstanceOf(TransientError);
  },
);

test.each([409, 429, 500, 503, 599])('an answer with status %i passes by itself', async (status) => {
  expect(await thrownFor(answered(status))).toBeInstanceOf(TransientError);
});

test.each([
  ['a refusal', answered(403)],
  ['an absence', answered(404)],
  ['the highest status of the caller', answered(499)],
  ['another name', fault('AccessDeniedException')],
  ['another code', fault('Error', { code: 'ENOTFOUND' })],
  ['metadata without a status', fault('Odd', { $metadata: {} })],
  ['no metadata', fault('Odd', { $metadata: null })],
  ['what is no error', 'SlowDown'],
  ['nothing', null],
])('%s is thrown as it came', async (_, error) => {
  expect(await thrownFor(error)).toBe(error);
});

test('an answer that came is handed on', async () => {
  expect(await awsCall('a call', Promise.resolve(7))).toBe(7);
});

test('the status of a failed call is known only when there was an answer', () => {
  expect(httpStatusOf(answered(412))).toBe(412);
  expect(httpStatusOf(answered('412'))).toBeNull();
  expect(httpStatusOf(fault('Odd', { $metadata: {} }))).toBeNull();
  expect(httpStatusOf(fault('Odd', { $metadata: null }))).toBeNull();
  expect(httpStatusOf(fault('Odd', { $metadata: 'text' }))).toBeNull();
  expect(httpStatusOf(fault('Odd'))).toBeNull();
  expect(httpStatusOf({ $metadata: { httpStatusCode: 412 } })).toBeNull();
  expect(httpStatusOf(null)).toBeNull();
});

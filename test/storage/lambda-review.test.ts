/** How the desk asks the function that carries decisions out. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createLambdaReview } from '../../lib/storage/lambda-review.ts';

const lambda = mockClient(LambdaClient);
const ask = createLambdaReview({ client: new LambdaClient({ region: 'eu-central-1' }), functionName: 'review' });
const REQUEST = { action: 'release', runId: 'ab'.repeat(16), seen: 1, why: 'x' } as const;
const payload = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)) as never;
const failed = (errorType: string) => ({
  FunctionError: 'Unhandled',
  Payload: payload({ errorType, errorMessage: 'm' }),
});

beforeEach(() => void lambda.reset());
afterAll(() => lambda.restore());

test('it hands the token and the request over, and believes nothing but an answer', async () => {
  lambda.on(InvokeCommand).resolves({ Payload: payload({ state: 'asked', message: 'kim' }) });
  expect(await ask('a token', REQUEST)).toEqual({ state: 'asked', message: 'kim' });
  const [call] = lambda.commandCalls(InvokeCommand);
  expect(JSON.parse(Buffer.from(call?.args[0].input.Payload as Uint8Array).toString())).toEqual({
    token: 'a token',
    request: REQUEST,
  });
  lambda.on(InvokeCommand).resolves({ Payload: payload({ state: 'released' }) });
  await expect(ask('a token', REQUEST)).rejects.toThrow();
});

test('a function that ended in the middle is asked once more', async () => {
  lambda
    .on(InvokeCommand)
    .resolvesOnce(failed('Runtime.ExitError'))
    .resolves({ Payload: payload({ state: 'done' }) });
  expect(await ask('a token', REQUEST)).toEqual({ state: 'done' });
  lambda.on(InvokeCommand).resolves(failed('Runtime.ExitError'));
  await expect(ask('a token', REQUEST)).rejects.toThrow('was not carried out: Runtime.ExitError');
});

test('a trail that was changed is said to be, at once', async () => {
  lambda.on(InvokeCommand).resolves(failed('CorruptDataError'));
  await expect(ask('a token', REQUEST)).rejects.toMatchObject({ name: 'CorruptDataError' });
  expect(lambda.calls()).toHaveLength(1);
});

/** How the desk asks the function that reads mail for it. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createLambdaPreview } from '../../lib/storage/lambda-preview.ts';

const lambda = mockClient(LambdaClient);
const ask = createLambdaPreview({ client: new LambdaClient({ region: 'eu-central-1' }), functionName: 'preview' });
const REQUEST = { what: 'header', runId: 'ab'.repeat(16) } as const;
const payload = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)) as never;

const DRAWN = { state: 'drawn', outcome: 'drawn', pictures: 1, picture: null, untrustedText: '' };

beforeEach(() => void lambda.reset());
afterAll(() => lambda.restore());

test('it hands the request over', async () => {
  const answer = { state: 'header', untrustedHeader: 'From: a' };
  lambda.on(InvokeCommand).resolves({ Payload: payload(answer) });
  expect(await ask(REQUEST)).toEqual(answer);
  const [call] = lambda.commandCalls(InvokeCommand);
  expect(JSON.parse(Buffer.from(call?.args[0].input.Payload as Uint8Array).toString())).toEqual(REQUEST);
});

test.each([
  ['failed', { FunctionError: 'Unhandled', Payload: payload({ errorType: 'Runtime.ExitError', errorMessage: 'm' }) }],
  ['answers with what is no JSON', { Payload: new TextEncoder().encode('<script>alert(1)</script>') }],
  ['answers with nothing', {}],
  ['answers something else', { Payload: payload({ state: 'released' }) }],
  [
    'answers with a picture of megabytes',
    { Payload: payload({ state: 'original', zip: `UEsDB${'A'.repeat(6_000_000)}` }) },
  ],
  ['answers with another file as a picture', { Payload: payload({ ...DRAWN, picture: 'PHN2Zz4=' }) }],
  ['answers with another file as a zip', { Payload: payload({ state: 'original', zip: 'TVqQAAMA' }) }],
  ['answers with a text of megabytes', { Payload: payload({ ...DRAWN, untrustedText: 'a'.repeat(2_000_000) }) }],
  [
    'answers with a header of megabytes',
    { Payload: payload({ state: 'header', untrustedHeader: 'a'.repeat(2_000_000) }) },
  ],
  ['claims ten thousand pictures', { Payload: payload({ state: 'drawn', outcome: 'drawn', pictures: 10_000 }) }],
])('a function that %s is not believed', async (_, answer) => {
  lambda.on(InvokeCommand).resolves(answer as never);
  await expect(ask(REQUEST)).rejects.toThrow(/^(?:the mail could not be read|what reads mail)/);
});

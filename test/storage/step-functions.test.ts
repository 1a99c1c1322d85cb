import { ExecutionAlreadyExists, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, test } from 'vitest';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { createStepFunctionsExecutions } from '../../lib/storage/step-functions.ts';

const stateMachineArn = 'arn:aws:states:eu-central-1:123456789012:stateMachine:airlock';
const RUN = { runId: '0123456789abcdef0123456789abcdef', attempt: 2, input: { polls: 0 } };

function make() {
  const client = new SFNClient({ region: 'eu-central-1' });
  return { mock: mockClient(client), executions: createStepFunctionsExecutions({ client, stateMachineArn }) };
}

test('names the execution after the run and its attempt', async () => {
  const { mock, executions } = make();
  mock.on(StartExecutionCommand).resolves({});
  await executions.start(RUN);
  const input = { stateMachineArn, name: `${RUN.runId}-2`, input: '{"polls":0}' };
  expect(mock.commandCalls(StartExecutionCommand).map(({ args }) => args[0].input)).toEqual([input]);
});

test('is content when the run was started before', async () => {
  const { mock, executions } = make();
  mock.on(StartExecutionCommand).rejects(new ExecutionAlreadyExists({ message: 'exists', $metadata: {} }));
  await expect(executions.start(RUN)).resolves.toBeUndefined();
});

test('tells a fault that passes from one that does not', async () => {
  const { mock, executions } = make();
  mock.on(StartExecutionCommand).rejects(Object.assign(new Error('slow'), { name: 'ThrottlingException' }));
  await expect(executions.start(RUN)).rejects.toThrow(TransientError);
  await expect(executions.start(RUN)).rejects.toThrow('states start failed for now: ThrottlingException');
  mock.on(StartExecutionCommand).rejects(Object.assign(new Error('no'), { name: 'AccessDeniedException' }));
  await expect(executions.start(RUN)).rejects.toThrow(/^no$/);
});

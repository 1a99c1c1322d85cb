import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, test } from 'vitest';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { createEventBridgeEvents } from '../../lib/storage/event-bridge.ts';
import { RUN_EVENT } from './run-event.ts';

const EVENT = { type: 'MessageDelivered', runId: 'run-a', detail: RUN_EVENT } as const;

function make(withFindings = false) {
  const client = new EventBridgeClient({ region: 'eu-central-1' });
  return { mock: mockClient(client), events: createEventBridgeEvents({ client, eventBusName: 'a-bus', withFindings }) };
}

test('puts one event with the id of the run in it', async () => {
  const { mock, events } = make();
  mock.on(PutEventsCommand).resolves({ FailedEntryCount: 0 });
  await events.emit(EVENT);
  const [entry] = mock.commandCalls(PutEventsCommand)[0]?.args[0].input.Entries ?? [];
  expect(entry).toMatchObject({ EventBusName: 'a-bus', Source: 'mail-airlock', DetailType: 'MessageDelivered' });
  expect(JSON.parse(entry?.Detail ?? '')).toEqual({ ...RUN_EVENT, runId: 'run-a' });
});

test('puts the same event as an OCSF finding beside it when asked to, in one request', async () => {
  const { mock, events } = make(true);
  mock.on(PutEventsCommand).resolves({ FailedEntryCount: 0 });
  await events.emit(EVENT);
  const calls = mock.commandCalls(PutEventsCommand);
  expect(calls).toHaveLength(1);
  const [, finding] = calls[0]?.args[0].input.Entries ?? [];
  expect(finding).toMatchObject({ EventBusName: 'a-bus', Source: 'mail-airlock', DetailType: 'Detection Finding' });
  expect(JSON.parse(finding?.Detail ?? '')).toMatchObject({ class_uid: 2004, severity_id: 3, disposition_id: 11 });
});

test('does not believe a 200 that took only one of the two', async () => {
  const { mock, events } = make(true);
  const Entries = [{ EventId: '1' }, { ErrorCode: 'InternalFailure' }];
  mock.on(PutEventsCommand).resolves({ FailedEntryCount: 1, Entries });
  await expect(events.emit(EVENT)).rejects.toThrow('event not accepted: InternalFailure');
});

test('does not believe a 200 that took nothing', async () => {
  const { mock, events } = make();
  mock.on(PutEventsCommand).resolves({ FailedEntryCount: 1, Entries: [{ ErrorCode: 'ThrottlingException' }] });
  await expect(events.emit(EVENT)).rejects.toThrow(TransientError);
  await expect(events.emit(EVENT)).rejects.toThrow('event not accepted: ThrottlingException');
  mock.on(PutEventsCommand).resolves({});
  await expect(events.emit(EVENT)).rejects.toThrow(TransientError);
  for (const Entries of [undefined, [], [{}]]) {
    mock.on(PutEventsCommand).resolves({ FailedEntryCount: 1, ...(Entries && { Entries }) });
    await expect(events.emit(EVENT)).rejects.toThrow('event not accepted: no reason given');
  }
  mock.on(PutEventsCommand).rejects(Object.assign(new Error('slow'), { name: 'ThrottlingException' }));
  await expect(events.emit(EVENT)).rejects.toThrow('events put failed for now: ThrottlingException');
});

/** The Events port over EventBridge. */
import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { TransientError } from '../pipeline/errors.ts';
import type { Events } from '../pipeline/ports.ts';
import { awsCall } from './aws-errors.ts';

/** What listeners match on: `source` of every event Mail Airlock emits. */
export const EVENT_SOURCE = 'mail-airlock';

export interface EventBridgeOptions {
  readonly client: EventBridgeClient;
  readonly eventBusName: string;
}

/** Emits events with `detail-type` MessageDelivered or MessageQuarantined. Throws TransientError when one was not taken. */
export function createEventBridgeEvents({ client, eventBusName }: EventBridgeOptions): Events {
  return {
    async emit({ type, runId, detail }) {
      const entry = {
        EventBusName: eventBusName,
        Source: EVENT_SOURCE,
        DetailType: type,
        Detail: JSON.stringify({ ...detail, runId }),
      };
      const answer = await awsCall('events put', client.send(new PutEventsCommand({ Entries: [entry] })));
      // PutEvents answers 200 also when it took nothing.
      if (answer.FailedEntryCount !== 0)
        throw new TransientError(`event not taken: ${answer.Entries?.[0]?.ErrorCode ?? 'no reason given'}`);
    },
  };
}

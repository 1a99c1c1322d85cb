/** The Events port over EventBridge. */
import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { TransientError } from '../pipeline/errors.ts';
import type { Events } from '../pipeline/ports.ts';
import { awsCall } from './aws-errors.ts';

/** The `source` of every event that Mail Airlock emits. Listeners match on it. */
export const EVENT_SOURCE = 'mail-airlock';

export interface EventBridgeOptions {
  readonly client: EventBridgeClient;
  readonly eventBusName: string;
}

/** Emits events with `detail-type` MessageDelivered or MessageQuarantined. Throws TransientError when one was not accepted. */
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
      // PutEvents answers 200 even when it accepted no event.
      if (answer.FailedEntryCount !== 0)
        throw new TransientError(`event not accepted: ${answer.Entries?.[0]?.ErrorCode ?? 'no reason given'}`);
    },
  };
}

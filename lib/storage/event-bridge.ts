/** The Events port over EventBridge. */
import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { TransientError } from '../pipeline/errors.ts';
import type { Events } from '../pipeline/ports.ts';
import type { RecallEvent } from '../pipeline/recall/event.ts';
import { ocsfFinding } from '../pipeline/results/ocsf-finding.ts';
import { EVENT_SOURCE } from '../pipeline/results/run-event.ts';
import { awsCall } from './aws-errors.ts';

/** The `detail-type` of the same event in the words of OCSF. */
export const FINDING_TYPE = 'Detection Finding';

export interface EventBridgeOptions {
  readonly client: EventBridgeClient;
  readonly eventBusName: string;
  /** Emits each event as an OCSF Detection Finding, too. @default false */
  readonly withFindings?: boolean;
}

/**
 * Emits events with `detail-type` MessageDelivered, MessageQuarantined or MessagePlaced. When asked to, it also emits a Detection Finding
 * for the end of a run. Throws TransientError when an event was not accepted.
 */
export function createEventBridgeEvents({ client, eventBusName, withFindings = false }: EventBridgeOptions): Events {
  const entryOf = (type: string, detail: object) => ({
    EventBusName: eventBusName,
    Source: EVENT_SOURCE,
    DetailType: type,
    Detail: JSON.stringify(detail),
  });
  return {
    async emit({ type, runId, detail }) {
      const own = entryOf(type, { ...detail, runId });
      const isEnd = type !== 'MessagePlaced';
      const entries = withFindings && isEnd ? [own, entryOf(FINDING_TYPE, ocsfFinding(detail))] : [own];
      await putAll(client, entries);
    },
  };
}

/** Makes a function that emits `MessageRecalled`. The function throws TransientError when the event was not accepted. */
export function createRecallEvents({ client, eventBusName }: EventBridgeOptions) {
  return (detail: RecallEvent): Promise<void> =>
    putAll(client, [
      {
        EventBusName: eventBusName,
        Source: EVENT_SOURCE,
        DetailType: 'MessageRecalled',
        Detail: JSON.stringify(detail),
      },
    ]);
}

async function putAll(client: EventBridgeClient, entries: PutEventsRequestEntry[]): Promise<void> {
  const answer = await awsCall('events put', client.send(new PutEventsCommand({ Entries: entries })));
  // PutEvents answers 200 even when it accepted no event.
  if (answer.FailedEntryCount === 0) return;
  const refused = answer.Entries?.find(({ ErrorCode }) => ErrorCode !== undefined) ?? answer.Entries?.[0];
  throw new TransientError(`event not accepted: ${refused?.ErrorCode ?? 'no reason given'}`);
}

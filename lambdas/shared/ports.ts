/** The AWS ports that only some lambdas have. Each has its own function, so that a bundle contains only the clients its lambda uses. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SFNClient } from '@aws-sdk/client-sfn';
import { createDynamoSubmissions } from '../../lib/storage/dynamodb/dynamodb.ts';
import { createEventBridgeEvents } from '../../lib/storage/event-bridge.ts';
import { createStepFunctionsExecutions } from '../../lib/storage/step-functions.ts';
import { optionalSetting, type Ports, setting } from './runtime.ts';
import { NO_HANGING } from './secrets.ts';

export async function noPorts(): Promise<Partial<Ports>> {
  return {};
}

export async function executionPorts(): Promise<Pick<Ports, 'executions'>> {
  const stateMachineArn = setting('AIRLOCK_STATE_MACHINE_ARN');
  return {
    executions: createStepFunctionsExecutions({
      client: new SFNClient({ requestHandler: NO_HANGING }),
      stateMachineArn,
    }),
  };
}

export async function eventPorts(): Promise<Pick<Ports, 'events'>> {
  const eventBusName = setting('AIRLOCK_EVENT_BUS');
  const client = new EventBridgeClient({ requestHandler: NO_HANGING });
  const withFindings = optionalSetting('AIRLOCK_OCSF_FINDINGS') !== null;
  return {
    events: createEventBridgeEvents({ client, eventBusName, withFindings }),
  };
}

/** Returns the same port, but a missing setting is reported only when there is an event. `quarantine` first holds the mail. */
export async function lateEventPorts(): Promise<Pick<Ports, 'events'>> {
  let made: Ports['events'] | null = null;
  return {
    events: {
      async emit(event) {
        made ??= (await eventPorts()).events;
        await made.emit(event);
      },
    },
  };
}

export function submissionPorts(): Pick<Ports, 'submissions'> {
  const tableName = setting('AIRLOCK_SUBMISSIONS_TABLE');
  return {
    submissions: createDynamoSubmissions({ client: new DynamoDBClient({ requestHandler: NO_HANGING }), tableName }),
  };
}

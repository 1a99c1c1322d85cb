/** The Executions port over Step Functions. */
import { ExecutionAlreadyExists, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { Executions } from '../pipeline/ports.ts';
import { awsCall } from './aws-errors.ts';

export interface StepFunctionsOptions {
  readonly client: SFNClient;
  readonly stateMachineArn: string;
}

/**
 * Makes the port. It starts Standard executions, each named after a run and its attempt. Step Functions keeps a name for 90 days, so a
 * repeated event starts nothing. Throws TransientError for throttling, 5xx and broken connections.
 */
export function createStepFunctionsExecutions({ client, stateMachineArn }: StepFunctionsOptions): Executions {
  return {
    async start({ runId, attempt, input }) {
      const name = `${runId}-${attempt}`;
      const command = new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) });
      try {
        await awsCall('states start', client.send(command));
      } catch (error) {
        if (!(error instanceof ExecutionAlreadyExists)) throw error;
      }
    },
  };
}

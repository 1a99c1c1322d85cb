/** Finds functions of a deployment, and calls AWS for a person who reads the answer. */
import {
  type FunctionConfiguration,
  type LambdaClient,
  ListFunctionsCommand,
  ListTagsCommand,
} from '@aws-sdk/client-lambda';
import { inertText } from '../../pipeline/safe-text.ts';
import { UsageError } from '../console.ts';

const STACK_TAG = 'aws:cloudformation:stack-name';

/**
 * Returns the function of a stack with this description, by the tag of CloudFormation. Throws UsageError with `otherwise` when there is
 * none.
 */
export async function deployedFunction(
  client: LambdaClient,
  stack: string,
  description: string,
  otherwise: string,
): Promise<FunctionConfiguration> {
  let Marker: string | undefined;
  do {
    const page = await asked(() => client.send(new ListFunctionsCommand(Marker === undefined ? {} : { Marker })));
    for (const found of page.Functions ?? []) {
      if (found.Description !== description) continue;
      const { Tags = {} } = await asked(() => client.send(new ListTagsCommand({ Resource: found.FunctionArn })));
      if (Tags[STACK_TAG] === stack) return found;
    }
    Marker = page.NextMarker;
  } while (Marker !== undefined);
  throw new UsageError(`--stack ${stack}: ${otherwise}`);
}

/** Calls AWS. Throws Error with the message of AWS, in which no character acts on a terminal. */
export async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new Error(`AWS refused or did not answer: ${inertText(text, 400)}`);
  }
}

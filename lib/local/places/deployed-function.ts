/** Finds functions of a deployment, and asks AWS for a person who reads the answer. */
import {
  type FunctionConfiguration,
  type LambdaClient,
  ListFunctionsCommand,
  ListTagsCommand,
} from '@aws-sdk/client-lambda';
import { inertText } from '../../pipeline/safe-text.ts';
import { UsageError } from '../console.ts';

const STACK_TAG = 'aws:cloudformation:stack-name';

/** The function of a stack with this description, by the tag that CloudFormation gives it. Throws UsageError with `otherwise` when there is none. */
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

/** Asks AWS. Throws Error with its words, without anything in them that acts on a terminal. */
export async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new Error(`AWS refused or did not answer: ${inertText(text, 400)}`);
  }
}

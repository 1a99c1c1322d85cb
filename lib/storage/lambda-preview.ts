/** Calls the function that reads mail for the desk, by AWS Lambda. */
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { TransientError } from '../pipeline/errors.ts';
import { PreviewAnswer, type PreviewRequest } from '../pipeline/review/preview-request.ts';
import { awsCall } from './aws-errors.ts';

export interface LambdaPreviewOptions {
  readonly client: LambdaClient;
  /** Name or ARN. */
  readonly functionName: string;
}

/**
 * Asks for a reading of a mail. Throws TransientError, also for an answer of the wrong shape. The function reads hostile bytes, so its
 * answer is not trusted.
 */
export type AskPreview = (request: PreviewRequest) => Promise<PreviewAnswer>;

/** Makes the port over a function. */
export function createLambdaPreview({ client, functionName: FunctionName }: LambdaPreviewOptions): AskPreview {
  return async (request) => {
    const Payload = new TextEncoder().encode(JSON.stringify(request));
    const answer = await awsCall('lambda invoke', client.send(new InvokeCommand({ FunctionName, Payload })));
    if (answer.FunctionError !== undefined) throw new TransientError('the mail could not be read for the desk');
    const read = PreviewAnswer.safeParse(jsonOf(answer.Payload));
    if (!read.success) throw new TransientError('what reads mail for the desk gave no answer');
    return read.data;
  };
}

/** Returns null for a text that is no JSON. The error of the parser would quote it, and it may be bytes of a mail. */
function jsonOf(payload: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return null;
  }
}

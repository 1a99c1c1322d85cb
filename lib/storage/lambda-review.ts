/** Passes decisions of people to the function that carries them out, by AWS Lambda. */
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { CorruptDataError, TransientError } from '../pipeline/errors.ts';
import { ReviewAnswer, type ReviewRequest } from '../pipeline/review/request.ts';
import { awsCall } from './aws-errors.ts';

export interface LambdaReviewOptions {
  readonly client: LambdaClient;
  /** Name or ARN. */
  readonly functionName: string;
}

/** Has a request carried out in the name of the owner of this token. Throws CorruptDataError, TransientError. */
export type AskReview = (token: string, request: ReviewRequest) => Promise<ReviewAnswer>;

const Failure = z.object({ errorType: z.string(), errorMessage: z.string() });

/** A function that ended in the middle is called once more. It continues its work, and decides nothing twice. */
const TRIES = 2;

/** Makes the port over a function. */
export function createLambdaReview({ client, functionName: FunctionName }: LambdaReviewOptions): AskReview {
  return async (token, request) => {
    const Payload = new TextEncoder().encode(JSON.stringify({ token, request }));
    let failure = 'no answer';
    for (let tried = 0; tried < TRIES; tried += 1) {
      const answer = await awsCall('lambda invoke', client.send(new InvokeCommand({ FunctionName, Payload })));
      const said: unknown = JSON.parse(new TextDecoder().decode(answer.Payload));
      if (answer.FunctionError === undefined) return ReviewAnswer.parse(said);
      const { errorType = 'unknown', errorMessage = '' } = Failure.safeParse(said).data ?? {};
      if (errorType === 'CorruptDataError') throw new CorruptDataError(errorMessage);
      failure = `${errorType}: ${errorMessage}`;
    }
    throw new TransientError(`the decision was not carried out: ${failure}`);
  };
}

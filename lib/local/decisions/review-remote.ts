/**
 * `airlock quarantine release|delete|rescan`, `airlock block add|remove` and `airlock audit seal` with `--stack`: a decision about a
 * deployment, which its function `review` carries out. The token identifies the person, so there is no name to write.
 */
import { LambdaClient } from '@aws-sdk/client-lambda';
import { newestAttempt } from '../../pipeline/chain/newest-chain.ts';
import type { RecordedRequest, ReviewAnswer } from '../../pipeline/review/request.ts';
import { safeJson, safeText } from '../../pipeline/safe-text.ts';
import { createLambdaReview } from '../../storage/lambda-review.ts';
import { credentialsIn } from '../aws-credentials.ts';
import { type Console, UsageError, writeLine } from '../console.ts';
import { asked, deployedFunction } from '../places/deployed-function.ts';
import { openPlace } from '../places/open.ts';
import { runNamed } from '../report/run-show.ts';
import { SEALED } from '../verify/seal-words.ts';

/** One decision takes seconds. Milliseconds. */
const TIMES = { connectionTimeout: 5_000, requestTimeout: 130_000 };
/** The description in the stack (lib/infra/desk/review.ts). */
const DESCRIPTION = 'Mail Airlock, review';
const NO_DESK =
  'this account has no stack of this name with a desk in this region. Deploy it with -c indexRuns=true -c desk=true.';
const TOKEN = 'AIRLOCK_DESK_TOKEN';
const EXIT = { done: 0, notYet: 1, refused: 2 } as const;

export interface RemoteReviewOptions {
  readonly stack: string;
  readonly out: string;
  readonly json?: boolean;
}

/** A decision about a run. The attempt is looked up. */
type Wanted = { readonly action: 'release' | 'original' | 'rescan' | 'delete'; readonly why: string };

/** Decides about a held mail of a deployment. Throws UsageError. */
export async function decideRemotely(
  console: Console,
  name: string,
  { action, why }: Wanted,
  options: RemoteReviewOptions,
): Promise<number> {
  const place = await openPlace(console, options);
  try {
    const runId = await runNamed(place, name);
    const seen = await asked(() => newestAttempt(place.ctx, runId));
    return await reviewRemotely(console, { action, runId, seen, why }, options);
  } finally {
    await place.close();
  }
}

/** Passes a request to the deployment, and prints the result. Throws UsageError. */
export async function reviewRemotely(
  console: Console,
  request: RecordedRequest,
  { stack, json }: RemoteReviewOptions,
): Promise<number> {
  const token = console.env[TOKEN] ?? '';
  if (token === '')
    throw new UsageError(`--stack: put the token of your sign-in at the desk into ${TOKEN}; it says who decides.`);
  const client = new LambdaClient({ requestHandler: TIMES, maxAttempts: 1, ...credentialsIn(console) });
  try {
    const { FunctionArn: functionName = '' } = await deployedFunction(client, stack, DESCRIPTION, NO_DESK);
    const answer = await asked(() => createLambdaReview({ client, functionName })(token, request));
    await writeLine(console.stdout, json ? safeJson({ ...request, ...answer }) : sentence(request, answer, stack));
    return answer.state === 'refused' ? EXIT.refused : answer.state === 'done' ? EXIT.done : EXIT.notYet;
  } finally {
    client.destroy();
  }
}

function sentence(request: RecordedRequest, answer: ReviewAnswer, stack: string): string {
  if (answer.state === 'asked') return safeText(answer.message, 400);
  if (answer.state === 'refused') return `Nothing was changed: ${safeText(answer.message, 400)}.`;
  if (request.action === 'seal') return answer.state === 'unchanged' ? SEALED.unchanged : SEALED.sealed;
  if (answer.state === 'unchanged') return 'Nothing was changed: the list says that already.';
  if ('kind' in request) return `${request.action === 'block' ? 'Blocked' : 'Taken off the list'}.`;
  if (request.action === 'delete')
    return 'Deleted: the held original is removed, and the record of what was found stays.';
  return `Begun. airlock runs show ${request.runId} --stack ${stack} says how it ends.`;
}

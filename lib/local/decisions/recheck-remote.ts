/** `airlock recheck --stack`: has a deployment analyse its delivered files again, round by round. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { Count } from '../../pipeline/ledger/fields.ts';
import { Worse } from '../../pipeline/recall/worse.ts';
import { inertText } from '../../pipeline/safe-text.ts';
import { credentialsIn } from '../aws-credentials.ts';
import type { Console } from '../console.ts';
import { asked, deployedFunction } from '../places/deployed-function.ts';

const Round = z.object({
  counts: z.object({ same: Count, worse: Count, unanswered: Count, unreadable: Count, recalled: Count }),
  worse: z.array(Worse),
  next: z.nullable(z.record(z.string(), z.unknown())),
});
export type RemoteRound = z.infer<typeof Round>;

/** The longest time of a round, which is the life of a function. Milliseconds. */
const TIMES = { connectionTimeout: 5_000, requestTimeout: 960_000 };
/** The description in the stack (lib/infra/scheduled.ts). */
const DESCRIPTION = 'Mail Airlock, once a day: recheck';
const NO_RECHECK =
  'this account has no stack of this name that rechecks in this region. Deploy it with -c indexRuns=true -c recheck=true.';

/** Runs the rounds until nothing is left. Throws UsageError when the stack has no such function, and Error when AWS refuses. */
export async function* recheckRemotely(
  console: Console,
  stack: string,
  wanted: { readonly days: number; readonly budget: number },
): AsyncGenerator<RemoteRound> {
  // A request is made once, because the function would also continue with the first one.
  const client = new LambdaClient({ requestHandler: TIMES, maxAttempts: 1, ...credentialsIn(console) });
  try {
    const { FunctionArn = '' } = await deployedFunction(client, stack, DESCRIPTION, NO_RECHECK);
    let event: unknown = wanted;
    while (event !== null) {
      const round = await invoked(client, FunctionArn, event);
      yield round;
      event = round.next;
    }
  } finally {
    client.destroy();
  }
}

async function invoked(client: LambdaClient, FunctionName: string, event: unknown): Promise<RemoteRound> {
  const command = new InvokeCommand({ FunctionName, Payload: new TextEncoder().encode(JSON.stringify(event)) });
  const { Payload, FunctionError } = await asked(() => client.send(command));
  const text = new TextDecoder().decode(Payload);
  if (FunctionError !== undefined) throw new Error(`${FunctionName} failed: ${inertText(text, 400)}`);
  const round = Round.safeParse(parsed(text));
  if (round.success) return round.data;
  throw new Error(`${FunctionName} is not the recheck function of a Mail Airlock: its answer is something else.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `airlock redrive --function` and `--stack`: has the deployment begin its held runs again. */
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import { inertText, safeJson } from '../../pipeline/safe-text.ts';
import { credentialsIn } from '../aws-credentials.ts';
import { type Console, writeLine } from '../console.ts';
import { timeOption } from '../options/time.ts';
import { asked, deployedFunction } from '../places/deployed-function.ts';

export interface RemoteOptions {
  /** Name or ARN of the function. */
  readonly function?: string;
  /** Name of the stack that has it. */
  readonly stack?: string;
  readonly reason?: string;
  readonly since?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const Answer = z.object({
  runs: z.array(z.object({ runId: z.string(), attempt: z.nullable(z.int()), obstacle: z.nullable(z.string()) })),
  next: z.nullable(z.string()),
});
type Answer = z.infer<typeof Answer>;

/** One request may read five hundred runs, which takes minutes. Milliseconds. */
const TIMES = { connectionTimeout: 5_000, requestTimeout: 330_000 };
/** The description in the stack (lib/infra/redrive.ts). */
const DESCRIPTION = 'Mail Airlock, redrive';
const NO_AIRLOCK = 'this account has no stack of this name with a Mail Airlock in this region.';
const EXIT = { begun: 0, notAll: 1 } as const;

/** Begins runs of a deployment again. The exit code says whether all named runs were begun. Throws UsageError. */
export async function redriveRemotely(
  console: Console,
  runs: readonly string[],
  options: RemoteOptions,
): Promise<number> {
  const client = new LambdaClient({ requestHandler: TIMES, ...credentialsIn(console) });
  try {
    const name = options.function ?? (await arnOf(client, options.stack ?? ''));
    const results = await allOf(client, name, runs, options);
    for (const result of results) await writeLine(console.stdout, options.json ? safeJson(result) : lineOf(result));
    const begun = results.filter(({ attempt }) => attempt !== null).length;
    const what = options.dryRun ? 'to be begun again' : 'begun again';
    if (!options.json) await writeLine(console.stdout, `${begun} ${begun === 1 ? 'run' : 'runs'} ${what}`);
    return begun === results.length ? EXIT.begun : EXIT.notAll;
  } finally {
    client.destroy();
  }
}

async function arnOf(client: LambdaClient, stack: string): Promise<string> {
  return (await deployedFunction(client, stack, DESCRIPTION, NO_AIRLOCK)).FunctionArn ?? '';
}

/** Asks until no run is left. */
async function allOf(client: LambdaClient, name: string, runs: readonly string[], options: RemoteOptions) {
  const dryRun = options.dryRun === true;
  if (runs.length > 0) return (await invoked(client, name, { runs, dryRun })).runs;
  const since = timeOption('--since', options.since);
  const wanted = { reason: options.reason, since: since === null ? undefined : new Date(since).toISOString(), dryRun };
  const found: Answer['runs'] = [];
  let after: string | null = null;
  do {
    const answer: Answer = await invoked(client, name, { ...wanted, after });
    found.push(...answer.runs);
    after = answer.next;
  } while (after !== null);
  return found;
}

async function invoked(client: LambdaClient, name: string, event: object): Promise<Answer> {
  const command = new InvokeCommand({ FunctionName: name, Payload: new TextEncoder().encode(JSON.stringify(event)) });
  const { Payload, FunctionError } = await asked(() => client.send(command));
  const text = new TextDecoder().decode(Payload);
  if (FunctionError !== undefined) throw new Error(`${name} failed: ${inertText(messageIn(text), 400)}`);
  const answer = Answer.safeParse(parsed(text));
  if (answer.success) return answer.data;
  throw new Error(`${name} is not the redrive function of a Mail Airlock: its answer is something else.`);
}

function messageIn(text: string): string {
  const found = z.object({ errorMessage: z.string() }).safeParse(parsed(text));
  return found.success ? found.data.errorMessage : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function lineOf({ runId, attempt, obstacle }: Answer['runs'][number]): string {
  return attempt === null ? `${runId}  not begun: ${inertText(obstacle ?? '', 200)}` : `${runId}  attempt ${attempt}`;
}

/** The function that looks, behind each end, for held mail that another mail may open, as the Lambda `password-mail` does, over the index. */
import { endOf } from '../../lambdas/shared/ends.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { passwordTries } from '../../lib/pipeline/passwords/password-mail.ts';
import { passwordTryText } from '../../lib/pipeline/passwords/password-try.ts';
import type { RunQuery } from '../../lib/pipeline/ports.ts';
import { notedEnd } from '../../lib/pipeline/results/ended-run.ts';
import type { World } from './context.ts';
import type { Invocation } from './functions.ts';
import type { Queue } from './queue.ts';

export interface PasswordsOptions {
  readonly world: World;
  readonly intake: Pick<Queue, 'send'>;
  readonly labelOf: (runId: string) => string;
}

/** Handles one end, and has `parse` try what may be tried. */
export async function tellPasswords(
  { world, intake, labelOf }: PasswordsOptions,
  { ctx, body, receipts, invocation }: { ctx: Context; body: unknown; receipts: number; invocation: Invocation },
): Promise<void> {
  const isAway = () => null;
  const list = (query: RunQuery) => invocation.call('search the index', { isAway }, () => world.index.list(query));
  const ledger = await notedEnd(ctx, endOf(body), receipts);
  const tries = ledger === null ? [] : await passwordTries({ ...ctx, runs: { list } }, ledger);
  for (const [at, one] of tries.entries()) {
    const name = `${labelOf(one.runId)} words ${at} by ${invocation.name}`;
    await invocation.call(`send ${name}`, { isAway }, () => intake.send(name, passwordTryText(one), 0));
  }
}

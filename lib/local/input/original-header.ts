/** The original header of a message, for a person. */
import { headerText } from '../../desk/mail/original-header.ts';
import { intakeBytes } from '../../pipeline/chain/ledger-store.ts';
import type { StoreContext } from '../../pipeline/context.ts';
import { PipelineError } from '../../pipeline/errors.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';

/** Returns the header without any decoding. Returns null when the message does not exist any more. */
export async function originalHeader(ctx: StoreContext, { kind, intake }: Ledger): Promise<string | null> {
  const original = kind === 'email' ? await originalBytes(ctx, intake) : null;
  return original === null ? null : headerText(original);
}

/** Returns the original message; null when it does not exist any more. */
export async function originalBytes(ctx: StoreContext, intake: Ledger['intake']): Promise<Uint8Array | null> {
  try {
    return await intakeBytes(ctx, intake);
  } catch (error) {
    // It was deleted, replaced, or is too large to be read.
    if (error instanceof PipelineError) return null;
    throw error;
  }
}

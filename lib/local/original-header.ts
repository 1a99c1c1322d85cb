/** The header of a message as it came, to be shown to a person. */
import type { StoreContext } from '../pipeline/context.ts';
import { PipelineError } from '../pipeline/errors.ts';
import type { Ledger } from '../pipeline/ledger.ts';
import { intakeBytes } from '../pipeline/ledger-store.ts';

/** So much of it is shown, in bytes. */
const HEADER_BYTES = 16_000;

/** The bytes in front of the first empty line, each as one character: nothing is decoded. Null when the message is not there any more. */
export async function originalHeader(ctx: StoreContext, { kind, intake }: Ledger): Promise<string | null> {
  const original = kind === 'email' ? await originalBytes(ctx, intake) : null;
  if (original === null) return null;
  const text = Buffer.from(original.subarray(0, HEADER_BYTES)).toString('latin1');
  return text.split(/\r?\n\r?\n/, 1)[0] ?? null;
}

/** What came in; null when it is not there any more. */
export async function originalBytes(ctx: StoreContext, intake: Ledger['intake']): Promise<Uint8Array | null> {
  try {
    return await intakeBytes(ctx, intake);
  } catch (error) {
    // It was deleted, replaced, or is too large to be read.
    if (error instanceof PipelineError) return null;
    throw error;
  }
}

/** Has new objects of the intake bucket marked that a person dropped at the desk. */
import type { Context } from '../lib/pipeline/context.ts';
import { markedByNote } from '../lib/pipeline/review/drop-note.ts';
import type { ParseInput } from './events.ts';
import { optionalSetting } from './runtime.ts';

/** The same input. An object that is read again is what it was the first time. Throws TransientError. */
export async function withDrop(ctx: Pick<Context, 'blobs' | 'signer'>, input: ParseInput): Promise<ParseInput> {
  const { intake, again } = input;
  if (again !== null || intake.bucket !== optionalSetting('AIRLOCK_INTAKE_BUCKET')) return input;
  return { ...input, intake: await markedByNote(ctx, intake) };
}

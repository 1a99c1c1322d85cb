/** Lambda entry point of stage `parse`. It reads new objects and mail to read again. Only it opens containers, signatures and codes. */
import { parse } from '../lib/pipeline/parse.ts';
import { hasTriedPasswords } from '../lib/pipeline/passwords/password-again.ts';
import { fromQueue } from './shared/batches.ts';
import { parseInputOf, withDrop } from './shared/events.ts';
import { parsePorts } from './shared/readers.ts';
import { contextOf, isOurs, ofSource } from './shared/runtime.ts';

const context = contextOf(parsePorts);
export const handler = fromQueue('parse', async (body) => {
  if (await hasTriedPasswords(await context(), body)) return null;
  const [ctx, { intake, again }] = await withDrop(context(), parseInputOf(body));
  return (await isOurs(ctx, intake)) ? null : parse(ofSource(ctx, intake), intake, again);
});

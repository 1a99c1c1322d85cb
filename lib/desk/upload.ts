/** Reads the form with which a person drops a file. */
import type { Context } from 'hono';
import { DROP_LIMITS } from './drops.ts';
import { isCheapForm } from './form-parts.ts';
import type { Guard } from './guard.ts';

export interface Upload {
  readonly untrustedName: string;
  readonly bytes: Uint8Array;
}

/** Returns the file of a form, or why there is none: the form is not one of ours, or its file is too large. */
export async function uploadOf(
  c: Context,
  isSecret: Guard['isSecret'],
  mostBytes: number,
): Promise<Upload | 'not ours' | 'no file' | 'too large'> {
  // The bytes that were read are kept, so the form is read once.
  const isCheap = isCheapForm(c.req.header('content-type') ?? '', new Uint8Array(await c.req.arrayBuffer()));
  if (!isCheap) return 'not ours';
  const { csrf, file } = await c.req.parseBody().catch((): Record<string, unknown> => ({}));
  if (!isSecret(csrf)) return 'not ours';
  if (!(file instanceof File) || file.name === '') return 'no file';
  if (file.size > mostBytes) return 'too large';
  const untrustedName = file.name.slice(-DROP_LIMITS.nameLength);
  return { untrustedName, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/**
 * Lambda entry point of `preview`. It reads mail for the desk, which may not read any, and answers with inert content. It works in a
 * network without a way out, and writes nothing. A thread without environment draws hostile pictures and PDFs.
 */
import * as z from 'zod/mini';
import { createDrawings, type Drawings } from '../lib/desk/mail/drawings.ts';
import { preview } from '../lib/desk/mail/preview.ts';
import { ConfigError } from '../lib/pipeline/errors.ts';
import { type PreviewAnswer, PreviewRequest } from '../lib/pipeline/review/preview-request.ts';
import { noPorts } from './shared/ports.ts';
import { contextOf, logged } from './shared/runtime.ts';

/** Processor time for one file, in milliseconds. Two files of a page are drawn within the half minute that a browser waits. */
const WORK_MS = 6_000;

const context = contextOf(noPorts);
let drawings: Drawings | null = null;

export function handler(event: unknown): Promise<PreviewAnswer> {
  const read = PreviewRequest.safeParse(event);
  return logged('preview', read.success ? read.data.runId : null, async () => {
    if (!read.success) throw new ConfigError('this request to preview', [z.prettifyError(read.error)]);
    const ctx = await context();
    drawings ??= createDrawings(ctx.blobs, WORK_MS);
    return preview({ ctx, drawings }, read.data);
  });
}

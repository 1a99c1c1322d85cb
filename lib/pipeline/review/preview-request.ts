/**
 * A request of the desk of a deployment to `preview`, which reads mail for it, and the answer. Everything in an answer is inert, or a text
 * that its reader makes inert: pixels that were drawn there, the words of a page, the header as it came, and a zip with a password.
 */
import * as z from 'zod/mini';
import { DRAWN_LIMITS } from '../../formats/drawn/draw-request.ts';
import { RunId } from '../ledger/run-id.ts';

/** The two sides of a part: as it came, and as it is delivered. */
export const SIDES = ['before', 'after'] as const;
export type SideName = (typeof SIDES)[number];

/** So much of a header is shown, in bytes. */
export const HEADER_BYTES = 16_000;

const Page = z.int().check(z.minimum(1), z.maximum(DRAWN_LIMITS.pages));

export const PreviewRequest = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('header'), runId: RunId }),
  z.strictObject({
    what: z.literal('drawn'),
    runId: RunId,
    /** The path of a part of this run. Its chain says which bytes that are, and how they are drawn. */
    path: z.string().check(z.regex(/^[0-9][0-9.!]{0,199}$/)),
    side: z.enum(SIDES),
    /** The picture that comes with the answer; null for none. */
    page: z.nullable(Page),
    /** True for a page that is a file. @default false */
    isSmall: z.optional(z.boolean()),
  }),
  z.strictObject({
    what: z.literal('original'),
    runId: RunId,
    /** The number of the record of the audit trail that says who takes it out, and why. */
    record: z.int().check(z.positive()),
  }),
]);
export type PreviewRequest = z.infer<typeof PreviewRequest>;

/** Bytes of a zip or a picture in one answer. A function answers at most 6 MB, of which base64 is a third. */
export const MOST_ANSWER_BYTES = 4_000_000;
/** Bytes in base64 that begin as a file of this kind does. A browser decodes a picture by how it begins. */
const base64 = (beginning: RegExp) =>
  z.string().check(z.maxLength(Math.ceil(MOST_ANSWER_BYTES / 3) * 4), z.regex(beginning));
const Png = base64(/^iVBORw0KGgo/);
const Zip = base64(/^UEsDB/);

export const PreviewAnswer = z.discriminatedUnion('state', [
  /** An original that is too large for an answer: its zip is stored under the key of its record. */
  z.object({ state: z.literal('stored') }),
  /** It is stored nowhere any more. */
  z.object({ state: z.literal('gone') }),
  z.object({ state: z.literal('header'), untrustedHeader: z.string().check(z.maxLength(HEADER_BYTES)) }),
  z.object({
    state: z.literal('drawn'),
    outcome: z.enum(['drawn', 'partly', 'undrawable']),
    pictures: z.int().check(z.minimum(0), z.maximum(DRAWN_LIMITS.pages)),
    /** PNG in base64; null when none was asked for, or there is none of this number. */
    picture: z.nullable(Png),
    untrustedText: z.string().check(z.maxLength(DRAWN_LIMITS.textChars)),
  }),
  z.object({ state: z.literal('original'), zip: Zip }),
  /** `too_large`: it does not fit into an answer. `no_record`: the trail does not say that somebody takes it out now. */
  z.object({ state: z.literal('refused'), code: z.enum(['too_large', 'no_record']) }),
]);
export type PreviewAnswer = z.infer<typeof PreviewAnswer>;

/**
 * A request of the desk of a deployment to `preview`, which reads mail for it, and the answer. Everything in an answer is inert, or a text
 * that its reader makes inert: drawn pixels, the words of a page, the original header, and a zip with a password.
 */
import * as z from 'zod/mini';
import { DRAWN_LIMITS } from '../../formats/drawn/draw-request.ts';
import { RunId } from '../ledger/run-id.ts';

/** The two sides of a part: original and delivered. */
export const SIDES = ['before', 'after'] as const;
export type SideName = (typeof SIDES)[number];

/** The shown part of a header, in bytes. */
export const HEADER_BYTES = 16_000;

const Page = z.int().check(z.minimum(1), z.maximum(DRAWN_LIMITS.pages));

export const PreviewRequest = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('header'), runId: RunId }),
  z.strictObject({
    what: z.literal('drawn'),
    runId: RunId,
    /** The path of a part of this run. Its chain tells the bytes, and how they are drawn. */
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
    /** The number of the record in the audit trail that names the person and the reason. */
    record: z.int().check(z.positive()),
  }),
]);
export type PreviewRequest = z.infer<typeof PreviewRequest>;

/** Bytes of a zip or a picture in one answer. A function answers with at most 6 MB, and base64 takes a third of it. */
export const MAX_ANSWER_BYTES = 4_000_000;
/** Accepts bytes in base64 that begin like a file of this kind. A browser chooses its picture decoder by the beginning. */
const base64 = (beginning: RegExp) =>
  z.string().check(z.maxLength(Math.ceil(MAX_ANSWER_BYTES / 3) * 4), z.regex(beginning));
const Png = base64(/^iVBORw0KGgo/);
const Zip = base64(/^UEsDB/);

export const PreviewAnswer = z.discriminatedUnion('state', [
  /** An original that is too large for an answer: its zip is stored under the key of its record. */
  z.object({ state: z.literal('stored') }),
  /** It is no longer stored. */
  z.object({ state: z.literal('gone') }),
  z.object({ state: z.literal('header'), untrustedHeader: z.string().check(z.maxLength(HEADER_BYTES)) }),
  z.object({
    state: z.literal('drawn'),
    outcome: z.enum(['drawn', 'partly', 'undrawable']),
    pictures: z.int().check(z.minimum(0), z.maximum(DRAWN_LIMITS.pages)),
    /** PNG in base64; null when none was requested, or none has this number. */
    picture: z.nullable(Png),
    untrustedText: z.string().check(z.maxLength(DRAWN_LIMITS.textChars)),
  }),
  z.object({ state: z.literal('original'), zip: Zip }),
  /** `too_large`: it does not fit into an answer. `no_record`: the trail has no current record of a person who takes it out. */
  z.object({ state: z.literal('refused'), code: z.enum(['too_large', 'no_record']) }),
]);
export type PreviewAnswer = z.infer<typeof PreviewAnswer>;

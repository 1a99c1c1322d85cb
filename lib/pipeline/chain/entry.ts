/** One entry of a chain: the findings or actions of a stage, its signer, and the entry before it. */
import * as z from 'zod/mini';
import { CorruptDataError } from '../errors.ts';
import { AttemptNumber } from '../ledger/attempt.ts';
import { Sha256 } from '../ledger/fields.ts';
import { Ledger } from '../ledger/ledger.ts';
import { WRITERS, type Writer } from '../model.ts';
import { type Change, changeSchema } from './may-change.ts';

export const ENTRY_SCHEMA = 'mail-airlock/entry/1';

const HEAD = {
  schema: z.literal(ENTRY_SCHEMA),
  runId: z.string(),
  attempt: AttemptNumber,
  /** The place in the chain, from 1. */
  sequence: z.int().check(z.positive()),
  /** The hash of the entry before it, with its signature; null for the first. */
  previous: z.nullable(Sha256),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  /** The hash of the policy that the stage used; null when it used none. */
  policy: z.nullable(Sha256),
  /** A new ledger; null unless the entry is the first. */
  start: z.nullable(Ledger),
};

export interface Entry {
  readonly schema: typeof ENTRY_SCHEMA;
  readonly runId: string;
  readonly attempt: number;
  readonly stage: Writer;
  readonly sequence: number;
  readonly previous: string | null;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly policy: string | null;
  readonly start: Ledger | null;
  readonly change: Change;
}

const SCHEMAS = new Map<Writer, z.ZodMiniType>();

/** Built when an entry of the stage is first read, because a stage reads entries of few other stages. */
function schemaOf(stage: Writer): z.ZodMiniType {
  const known = SCHEMAS.get(stage);
  if (known !== undefined) return known;
  const made = z.strictObject({ ...HEAD, stage: z.literal(stage), change: changeSchema(stage) });
  SCHEMAS.set(stage, made);
  return made;
}

/** Reads the JSON of an entry. Throws CorruptDataError when it is no entry, or when it changes a field that its stage may not change. */
export function readEntry(json: string, what: string): Entry {
  const value = parsed(json, what);
  const stage = WRITERS.find((name) => name === value.stage);
  if (stage === undefined) throw new CorruptDataError(`${what} is of no stage`);
  const read = schemaOf(stage).safeParse(value);
  if (read.success) return read.data as Entry;
  const issue = read.error.issues[0];
  throw new CorruptDataError(`${what} is no entry of ${stage}: ${issue?.path.join('.')}: ${issue?.message}`);
}

function parsed(json: string, what: string): { readonly stage?: unknown } {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // The message is set below.
  }
  throw new CorruptDataError(`${what} is not JSON`);
}

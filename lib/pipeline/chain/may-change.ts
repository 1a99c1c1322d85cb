/**
 * The fields of a ledger that each stage may change, in one table. A stage passes only these fields, its entry has room only for them, and
 * the fold refuses everything else. `parse` begins a ledger and changes none.
 */
import * as z from 'zod/mini';
import { FileArtifact } from '../ledger/artifact.ts';
import { Ledger, Part, Signature } from '../ledger/ledger.ts';
import type { Writer } from '../model.ts';

export const MAY_CHANGE = {
  parse: {},
  // Facts about a message that people have already received stay true in a later attempt.
  redrive: { ledger: ['attempt', 'deadlineAt', 'early'] },
  review: { ledger: ['attempt', 'deadlineAt', 'early', 'disposition', 'terminal'] },
  submit: { artifacts: ['submissions'] },
  poll: { ledger: ['polls'], artifacts: ['submissions'] },
  fetch: { ledger: ['polls'], artifacts: ['submissions'] },
  early: { ledger: ['early'] },
  decide: {
    ledger: ['disposition', 'reasons'],
    parts: ['disposition'],
    artifacts: ['verdict', 'disposition', 'reasons', 'removedFor', 'listed'],
    signatures: ['isDelivered'],
  },
  rebuild: {
    ledger: ['rebuilt', 'warnings'],
    parts: ['disposition', 'delivered'],
    artifacts: ['disposition', 'reasons', 'removedFor'],
    signatures: ['isDelivered'],
  },
  deliver: { ledger: ['terminal'] },
  quarantine: { ledger: ['disposition', 'reasons', 'terminal'] },
} as const satisfies Readonly<Record<Writer, Fields>>;

/** Fields of the ledger itself, and of each entry of its lists. */
interface Fields {
  readonly ledger?: readonly (keyof Ledger)[];
  readonly parts?: readonly (keyof Part)[];
  readonly artifacts?: readonly (keyof FileArtifact)[];
  readonly signatures?: readonly (keyof Signature)[];
}

/** The lists of a ledger, and the field that names an entry of each. No stage adds an entry, or removes one. */
export const LISTS = { parts: 'path', artifacts: 'id', signatures: 'path' } as const;
export type ListName = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as ListName[];

type Table = typeof MAY_CHANGE;
type OwnFields<S extends Writer> = Table[S] extends { ledger: readonly (infer F extends keyof Ledger)[] } ? F : never;

/** The change that a stage may pass: fields of the ledger that it may change, and lists in whose entries it may change fields. */
export type ChangedBy<S extends Writer> = Pick<Ledger, OwnFields<S> | Extract<keyof Table[S], ListName>>;

/** The changes of a stage: only the fields that are different. */
export interface Change {
  readonly ledger?: Partial<Ledger> | undefined;
  readonly parts?: readonly Item[] | undefined;
  readonly artifacts?: readonly Item[] | undefined;
  readonly signatures?: readonly Item[] | undefined;
}
/** The name of an entry of a list, and its fields that differ. */
export type Item = Readonly<Record<string, unknown>>;

/** Returns the fields of the ledger itself that a stage may change. */
export function ownFields(stage: Writer): readonly (keyof Ledger)[] {
  return (MAY_CHANGE[stage] as Fields).ledger ?? [];
}

/** Returns the fields that a stage may change in the entries of a list. */
export function itemFields(stage: Writer, list: ListName): readonly string[] {
  return (MAY_CHANGE[stage] as Fields)[list] ?? [];
}

type Shape = Readonly<Record<string, z.ZodMiniType>>;
const SHAPES: Readonly<Record<ListName, Shape>> = {
  parts: Part.shape,
  artifacts: FileArtifact.shape,
  signatures: Signature.shape,
};

/** Returns the schema of the changes that a stage may make. Every other field is a fault. */
export function changeSchema(stage: Writer): z.ZodMiniType<Change> {
  const own = z.strictObject(optional(Ledger.shape, ownFields(stage)));
  const lists = LIST_NAMES.filter((list) => itemFields(stage, list).length > 0).map((list) => {
    // The fold checks that the ledger has an entry of this name.
    const item = { [LISTS[list]]: z.string(), ...optional(SHAPES[list], itemFields(stage, list)) };
    return [list, z.optional(z.array(z.strictObject(item)))] as const;
  });
  return z.strictObject({ ledger: z.optional(own), ...Object.fromEntries(lists) }) as z.ZodMiniType<Change>;
}

function optional(shape: Shape, names: readonly string[]): Record<string, z.ZodMiniType> {
  return Object.fromEntries(names.map((name) => [name, z.optional(shape[name] as z.ZodMiniType)]));
}

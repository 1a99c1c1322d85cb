/** The shape of every disarm module: html.ts, text.ts, image.ts, office.ts, pdf.ts, zip.ts, eml.ts. */
import type { DetectedType } from '../../formats/detection/detected-type.ts';
import type { UnpackBudget } from '../archives/unpack-budget.ts';
import type { DisarmReport, EngineFailure, EngineLimits, FileInput, Removal } from '../engine.ts';

export type Disarmed = Pick<DisarmReport, 'outcome' | 'bytes' | 'type' | 'details' | 'isPlain'> & {
  /**
   * Disarms the result again like the module, but skips the work whose result is already known for these bytes. Absent where a second look
   * costs as much as the first.
   */
  readonly again?: Disarm;
};

/** A result that passed the gate, with what the gate measured. */
export type CheckedDisarm = Omit<Disarmed, 'again'> & Pick<DisarmReport, 'quality' | 'readAs'>;

/** The result for a member. A refusal of one member does not refuse the container. It names what to leave out, and why. */
export type NestedResult = Disarmed | { readonly outcome: 'refused'; readonly failure: EngineFailure };

/** How a container passes its files to the disarm engine. */
export interface Nested extends UnpackBudget {
  /** Disarms one member by its own type. Throws EngineError only when the budget of the whole upload is spent. */
  disarm(input: FileInput): Promise<NestedResult>;
  /** Does the same for a second look at an output: members that are already results are kept unchanged. */
  secondLook(): Nested;
}

/** Disarms one file, or throws EngineError to refuse it. Only containers use `nested`. */
export type Disarm = (input: FileInput, type: DetectedType, limits: EngineLimits, nested: Nested) => Promise<Disarmed>;

/** Returns the result of a module that wrote a file anew. The same bytes as before prove that it read each of them: `already_safe`. */
export function writtenAnew(
  input: FileInput,
  bytes: Uint8Array,
  type: DetectedType,
  details: readonly Removal[],
): Disarmed {
  const isSame = Buffer.compare(bytes, input.bytes) === 0;
  return isSame
    ? { outcome: 'already_safe', bytes: input.bytes, type, details: [] }
    : { outcome: 'disarmed', bytes, type, details };
}

/** Another way to make a file safe. It is used when the gate refused the result of the earlier way. */
export interface DisarmStrategy {
  /** The name in the report: `pages as pictures`. */
  readonly name: string;
  /** False for a way that gives up the text, so that the gate does not demand it. */
  readonly keepsText: boolean;
  readonly disarm: Disarm;
}

/** The disarm of the files of one format. formats/file-types.ts lists its types. */
export interface DisarmModule {
  readonly disarm: Disarm;
  /** Further ways. Those that keep the most come first. @default none */
  readonly strategies?: readonly DisarmStrategy[];
}

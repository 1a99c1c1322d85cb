/** The shape every disarm module has: html.ts, text.ts, image.ts, office.ts, pdf.ts, zip.ts, eml.ts. */
import type { DetectedType, DisarmReport, EngineFailure, EngineLimits, FileInput } from '../engine.ts';

export type Disarmed = Pick<DisarmReport, 'outcome' | 'bytes' | 'type' | 'details'> & {
  /**
   * Disarms the result once more: what the module itself would do, without the work whose outcome for the very same bytes it
   * knows already. Absent where a second look costs as much as the first.
   */
  readonly again?: Disarm;
};

/** A result that passed the gate, with what the gate measured. */
export type CheckedDisarm = Omit<Disarmed, 'again'> & Pick<DisarmReport, 'quality' | 'readAs'>;

/** What became of a member. A refusal of one member is no refusal of the container: it says what to leave out, and why. */
export type NestedResult = Disarmed | { readonly outcome: 'refused'; readonly failure: EngineFailure };

/** The way from a container back to the door, for the files in it. */
export interface Nested {
  /** What is left of the limits of the whole upload. */
  readonly limits: EngineLimits;
  /** Disarms one member by its own type. Throws EngineError only when the budget of the whole upload is spent. */
  disarm(input: FileInput): Promise<NestedResult>;
  /** Asks before any work whether declared entries and bytes fit the budget. Throws like `spend`. */
  afford(entries: number, bytes: number): void;
  /** Takes entries and inflated bytes off the budget. Throws EngineError `oversize` or `timeout` when it is spent. */
  spend(entries: number, bytes: number): void;
  /** The same for a second look at an output: members that are results already are taken as they are. */
  secondLook(): Nested;
}

/** Disarms one file, or throws EngineError to refuse it. Only containers have a use for `nested`. */
export type Disarm = (input: FileInput, type: DetectedType, limits: EngineLimits, nested: Nested) => Promise<Disarmed>;

/** Another way to make a file safe, taken when the gate found a fault in what the way before it had made. */
export interface DisarmStrategy {
  /** Plain words for the report: `pages as pictures`. */
  readonly name: string;
  /** False for one that gives up the text, so that the gate does not ask for it. */
  readonly keepsText: boolean;
  readonly disarm: Disarm;
}

/** One format: what it takes, and how its files are disarmed. */
export interface DisarmModule {
  readonly accepts: (type: DetectedType) => boolean;
  readonly disarm: Disarm;
  /** Further ways, the one that keeps most first. @default none */
  readonly strategies?: readonly DisarmStrategy[];
}

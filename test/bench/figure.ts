/** What a part of the bench hands back: figures with their targets, and tables that explain them. The same for people and `--json`. */

export type Unit = 'ms' | 's' | 'bytes' | 'kB' | '/s' | '$' | 'x' | 'MB' | 'count';

export interface Quantity {
  readonly value: number;
  readonly unit: Unit;
}

/** The same work done by something else, in the same run of the bench: absolute times differ per machine, ratios hardly. */
export interface Baseline {
  readonly name: string;
  readonly value: number;
}

export interface Figure {
  readonly name: string;
  readonly measured: Quantity;
  /** Null: shown for information. */
  readonly atMost: number | null;
  /** In the figure's own unit. */
  readonly baselines: readonly Baseline[];
}

export type Cell = string | Quantity;

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Measured {
  readonly figures: readonly Figure[];
  readonly tables: readonly Table[];
  /** Assumptions, and what was left out. */
  readonly notes: readonly string[];
}

/** Says what is being done; goes to stderr. */
export type Progress = (text: string) => void;

export interface Part {
  readonly name: string;
  readonly title: string;
  /** Throws when something measured did not do its work: a fast wrong answer is no figure. */
  measure(progress: Progress): Promise<Measured>;
}

export function quantity(value: number, unit: Unit): Quantity {
  return { value, unit };
}

export const ms = (value: number) => quantity(value, 'ms');
export const count = (value: number) => quantity(value, 'count');
export const dollars = (value: number) => quantity(value, '$');
export const kilobytes = (bytes: number) => quantity(bytes / 1_000, 'kB');

/** A figure without a target and without anything to compare it with. */
export const plain = (name: string, measured: Figure['measured']): Figure => ({
  name,
  measured,
  atMost: null,
  baselines: [],
});

/** True when a figure has a target and does not reach it. */
export function isMissed(figure: Figure): boolean {
  return figure.atMost !== null && figure.measured.value > figure.atMost;
}

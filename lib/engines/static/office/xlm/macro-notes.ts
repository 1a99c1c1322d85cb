/** The actions of the folded macros of a workbook: their calls, and the formulas that they write. */
import { textOf } from './functions-of-values.ts';
import type { Value } from './macro-book.ts';

/** The most calls and formulas that are noted, and the most characters of one. */
const MAX_NOTES = 500;
const MAX_CHARS = 4_000;

export interface FoldedMacros {
  /** The actions of the macros, as calls with known arguments; `?` means an unknown value. */
  readonly calls: readonly string[];
  /** Formulas that macros wrote. */
  readonly written: readonly string[];
}

export class MacroNotes {
  /** Functions of libraries by the names that the macros gave them. */
  readonly functions = new Map<string, string>();
  private readonly calls = new Set<string>();
  private readonly written = new Set<string>();

  call(name: string, values: readonly Value[]): void {
    if (this.calls.size >= MAX_NOTES) return;
    const args = values.map((value) => (typeof value === 'string' ? `"${value}"` : textOf(value)));
    this.calls.add(`${name}(${args.join(', ')})`.slice(0, MAX_CHARS));
  }

  write(formula: string): void {
    if (this.written.size < MAX_NOTES) this.written.add(formula.slice(0, MAX_CHARS));
  }

  /** Gives a function of a library a name of its own, by which the macro calls it. */
  register([library = null, called = null, , alias = null]: readonly Value[]): void {
    if (alias === null || alias === '' || this.functions.size >= MAX_NOTES) return;
    this.functions.set(textOf(alias).toUpperCase(), `${textOf(library)}!${textOf(called)}`);
  }

  all(): FoldedMacros {
    return { calls: [...this.calls], written: [...this.written] };
  }
}

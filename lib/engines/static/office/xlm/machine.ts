/**
 * Folds the macros of a workbook: calculates its formulas as far as their values are known, in the order in which the macros run, and notes
 * their actions. Nothing is done. Steps, texts and cells have limits.
 */
import { type CellRef, type Expression, parseFormula } from './expression.ts';
import { textOf, valueOfFunction, valueOfOperation } from './functions-of-values.ts';
import { type Cell, keyOf, type MacroBook, placeOf, type Value } from './macro-book.ts';
import { type FoldedMacros, MacroNotes } from './macro-notes.ts';
import { type Place, References } from './references.ts';

/** The most formulas that run, and the most expressions of all of them. Stops loops. */
const MAX_STEPS = 20_000;
const MAX_EXPRESSIONS = 600_000;
/** 64 characters cost as much as one expression. */
const TEXT_COST = 6;
/** How deep a cell may ask for another, and a macro call another. */
const MAX_DEPTH = 60;
/** Functions that reach the system, the disk or another program. */
const REACHING = new Set(
  'EXEC CALL REGISTER REGISTER.ID INITIATE EXECUTE POKE FOPEN FWRITE FWRITELN FILE.DELETE OPEN SAVE.AS'.split(' '),
);

type Flow = { readonly to: CellRef } | 'stop';

/** Folds the macros of a workbook. Never throws. Content over a limit is omitted. */
export function foldMacros(book: MacroBook): FoldedMacros {
  const machine = new Machine(book);
  machine.runAll();
  return machine.notes.all();
}

class Machine extends References {
  readonly notes = new MacroNotes();
  private readonly done = new Set<Cell>();
  private flow: Flow | null = null;
  private steps = 0;
  private expressions = 0;
  private depth = 0;

  /** Runs the macros that start when the workbook is opened, then all others that did not run: a branch may depend on unknown values. */
  runAll(): void {
    const macros = this.book.sheets.filter(({ isMacro }) => isMacro);
    const [first] = macros;
    if (first === undefined) return;
    for (const [name, target] of this.book.names) {
      const start = /^(?:_xlnm\.)?auto_(?:open|close|activate|deactivate)/.test(name)
        ? this.placeOfExpression(target, first)
        : null;
      if (start !== null) this.run(start);
    }
    // Macros that never end have used up all steps. Each formula that is left runs once.
    [this.steps, this.expressions] = [0, 0];
    for (const sheet of macros) {
      // Cells that are written while this runs come later in the same map.
      for (const [key, cell] of sheet.cells) {
        if (cell.formula === null || this.done.has(cell)) continue;
        this.flow = null;
        this.step({ sheet, ...placeOf(key) }, cell);
      }
    }
  }

  /** Runs the formulas from a cell downwards, until one stops it. */
  private run(start: Place): void {
    if (this.depth >= MAX_DEPTH) return;
    this.depth++;
    let at: Place | null = start;
    while (at !== null && this.steps < MAX_STEPS) {
      const cell: Cell | undefined = at.sheet.cells.get(keyOf(at));
      if (cell?.formula) this.step(at, cell);
      const flow: Flow | null = this.flow;
      this.flow = null;
      if (flow === 'stop') break;
      at = flow === null ? this.below(at) : this.placeOf(flow.to, at.sheet);
    }
    this.depth--;
  }

  /** Returns the next cell with something in the same column, or null. */
  private below({ sheet, row, column }: Place): Place | null {
    let next: number | null = null;
    if (sheet.cells.has(keyOf({ row: row + 1, column }))) return { sheet, row: row + 1, column };
    for (const key of sheet.cells.keys()) {
      const place = placeOf(key);
      if (place.column === column && place.row > row && (next === null || place.row < next)) next = place.row;
      if (++this.expressions > MAX_EXPRESSIONS) return null;
    }
    return next === null ? null : { sheet, row: next, column };
  }

  private step(at: Place, cell: Cell): void {
    this.steps++;
    if (cell.formula === null || this.steps > MAX_STEPS) return;
    this.done.add(cell);
    const value = this.assigned(cell.formula, at) ?? this.value(cell.formula, at, 0);
    const now: Cell = { formula: cell.formula, value: value ?? cell.value };
    this.done.add(now);
    at.sheet.cells.set(keyOf(at), now);
  }

  /** Sets a name by a formula `name=value`. Returns undefined for any other formula. */
  private assigned(formula: Expression, at: Place): Value | undefined {
    if (formula.kind !== 'operation' || formula.operator !== '=') return undefined;
    const [name, given] = formula.args;
    if (name?.kind !== 'name' || given === undefined) return undefined;
    return this.setName(name.name, given, at);
  }

  private setName(name: string, given: Expression, at: Place): Value {
    const value = this.value(given, at, 0);
    const target = this.placeOfExpression(given, at.sheet);
    if (target !== null)
      this.names.set(name.toLowerCase(), { kind: 'cell', cell: { ...target, sheet: target.sheet.name } });
    else if (value !== null) this.names.set(name.toLowerCase(), { kind: 'value', value });
    return value;
  }

  /** Returns the value of an expression in a formula of the cell `at`. */
  protected value(expression: Expression, at: Place, depth: number): Value {
    if (depth > MAX_DEPTH || ++this.expressions > MAX_EXPRESSIONS) return null;
    switch (expression.kind) {
      case 'value':
        return expression.value;
      case 'missing':
        return '';
      case 'cell':
        return this.cellValue(this.placeOf(expression.cell, at.sheet, at), depth);
      case 'range':
        return this.cellValue(this.placeOf(expression.from, at.sheet, at), depth);
      case 'name': {
        const target = this.names.get(expression.name);
        return target === undefined ? null : this.value(target, at, depth + 1);
      }
      case 'operation':
        return this.charged(
          valueOfOperation(
            expression.operator,
            expression.args.map((arg) => this.value(arg, at, depth + 1)),
          ),
        );
      case 'call':
        return this.call(expression.name, expression.args, at, depth + 1);
    }
  }

  /** Counts a long text as many expressions, so that macros that double a text end. */
  private charged(value: Value): Value {
    if (typeof value === 'string') this.expressions += value.length >> TEXT_COST;
    return value;
  }

  private cellValue(place: Place | null, depth: number): Value {
    const cell = place?.sheet.cells.get(keyOf(place));
    if (place === null) return null;
    if (cell === undefined) return '';
    if (cell.formula === null || this.done.has(cell)) return cell.value;
    // A cell that did not run yet has the value of its formula, unless such requests never end.
    this.done.add(cell);
    const flow = this.flow;
    const value = this.value(cell.formula, place, depth + 1);
    this.flow = flow;
    place.sheet.cells.set(keyOf(place), { formula: null, value: value ?? cell.value });
    return value ?? cell.value;
  }

  private call(name: string, args: readonly Expression[], at: Place, depth: number): Value {
    const value = (index: number): Value => {
      const arg = args[index];
      return arg === undefined ? null : this.value(arg, at, depth);
    };
    const place = (index: number): Place | null => {
      const arg = args[index];
      return arg === undefined
        ? null
        : (this.placeOfExpression(arg, at.sheet, at) ?? this.placeOfText(this.value(arg, at, depth), at));
    };
    switch (name) {
      case 'IF':
        return this.choose(value(0), args, at, depth);
      case 'CHOOSE': {
        const chosen = args[Number(value(0) ?? 0)];
        return chosen === undefined ? null : this.value(chosen, at, depth);
      }
      case 'GOTO':
        this.goTo(place(0));
        return null;
      case 'RUN':
        this.runAt(place(0));
        return null;
      case 'HALT':
      case 'RETURN':
        this.flow ??= 'stop';
        return args.length > 0 ? value(0) : null;
      case 'SET.NAME':
      case 'DEFINE.NAME':
        return args[1] === undefined ? null : this.setName(textOf(value(0)), args[1], at);
      case 'SET.VALUE':
        this.write(args[0], at, { formula: null, value: value(1) });
        return value(1);
      case 'FORMULA':
      case 'FORMULA.FILL':
      case 'FORMULA.ARRAY':
        this.writeFormula(value(0), args[1], at);
        return true;
      case 'EVALUATE':
        return this.evaluate(value(0), at, depth);
      case 'INDIRECT':
      case 'TEXTREF':
      case 'OFFSET':
      case 'INDEX':
        return this.cellValue(this.placeOfExpression({ kind: 'call', name, args }, at.sheet, at), depth);
      default:
        return this.otherCall(name, args, at, depth);
    }
  }

  private otherCall(name: string, args: readonly Expression[], at: Place, depth: number): Value {
    const values = args.flatMap((arg) => this.valuesOf(arg, at, depth));
    const folded = valueOfFunction(name, values);
    if (folded !== undefined) return this.charged(folded);
    const target = this.names.get(name.toLowerCase());
    const place = target === undefined ? null : this.placeOfExpression(target, at.sheet);
    const library = this.notes.functions.get(name);
    if (REACHING.has(name) || library !== undefined) this.notes.call(library ?? name, values);
    if (name === 'REGISTER') this.notes.register(values);
    if (place !== null) this.runAt(place);
    // The macro continues as if the call had worked.
    return REACHING.has(name) ? 33 : null;
  }

  /** Returns the values of all cells of a rectangle, for functions that take many. */
  private valuesOf(expression: Expression, at: Place, depth: number): Value[] {
    if (expression.kind !== 'range') return [this.value(expression, at, depth)];
    return this.placesOf(expression, at).map((place) => this.cellValue(place, depth));
  }

  /** Combines branches. With an unknown condition both count, and a branch that continues counts more than a branch that stops. */
  private choose(condition: Value, args: readonly Expression[], at: Place, depth: number): Value {
    const [, whenTrue, whenFalse] = args;
    const branch = (expression: Expression | undefined) =>
      expression === undefined ? false : this.value(expression, at, depth);
    if (condition !== null)
      return branch(condition === true || (condition !== false && Number(condition) !== 0) ? whenTrue : whenFalse);
    const one = branch(whenTrue);
    const flow = this.flow;
    this.flow = null;
    const other = branch(whenFalse);
    const last: Flow | null = this.flow;
    this.flow = flow === null || flow === 'stop' ? (last === 'stop' ? null : last) : flow;
    return one ?? other;
  }

  private goTo(place: Place | null): void {
    this.flow = place === null ? 'stop' : { to: { ...place, sheet: place.sheet.name } };
  }

  private runAt(place: Place | null): void {
    if (place === null) return;
    const flow = this.flow;
    this.flow = null;
    this.run(place);
    this.flow = flow;
  }

  private evaluate(value: Value, at: Place, depth: number): Value {
    const parsed = value === null ? null : parseFormula(textOf(value));
    return parsed === null ? null : this.value(parsed, at, depth);
  }

  private writeFormula(value: Value, target: Expression | undefined, at: Place): void {
    if (value === null) return;
    const text = textOf(value);
    const formula = text.startsWith('=') ? parseFormula(text) : null;
    if (formula !== null) this.notes.write(text);
    this.write(target, at, { formula, value: formula === null ? value : null });
  }

  private write(target: Expression | undefined, at: Place, cell: Cell): void {
    const places = target === undefined ? [] : this.placesOf(target, at);
    // A formula that is written to an unknown place is judged at its present place.
    if (places.length === 0 && cell.formula !== null) this.value(cell.formula, at, 0);
    for (const { sheet, row, column } of places) {
      const key = keyOf({ row, column });
      sheet.cells.delete(key);
      sheet.cells.set(key, { ...cell });
      if (++this.expressions > MAX_EXPRESSIONS) return;
    }
  }
}

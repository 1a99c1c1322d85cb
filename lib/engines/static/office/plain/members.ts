/** Judges the members of objects that a macro uses, the calls of functions, and their arguments. */
import type { Declared } from './declared-names.ts';
import { GIVEN_NAME, isArgument, isMember, OBJECTS } from './harmless-names.ts';
import type { Statement, Word } from './statements.ts';
import { isHarmlessUnoCall } from './uno-names.ts';

/** Members that are harmless by their arguments: by name, or none. An argument by place may be the name of a file or a kind of sheet. */
const GIVEN_BY_NAME = new Set(['add', 'close', 'printout']);
const FORMULA = /^formula(?:local|array|r1c1|r1c1local)?$/;

/** The objects of the `With` blocks around a statement, by the last name of each. */
export class WithBlocks {
  private readonly objects: string[] = [];

  observe(statement: Statement): void {
    const [first, second] = statement;
    if (first?.value === 'with') this.objects.push(statement.findLast(({ kind }) => kind === 'name')?.value ?? '');
    if (first?.value === 'endwith' || (first?.value === 'end' && second?.value === 'with')) this.objects.pop();
  }

  get innermost(): string {
    return this.objects.at(-1) ?? '';
  }
}

/** Returns whether the name at this place, of an object or by itself, is used in a way that stays in the document. */
export function isHarmlessMember(statement: Statement, at: number, blocks: WithBlocks, declared: Declared): boolean {
  const name = statement[at]?.value ?? '';
  // Commands of menus are executed, too.
  if (name === 'execute') return objectOf(statement, at, blocks) === 'find';
  if (GIVEN_BY_NAME.has(name))
    return (
      declared.lists.has(objectOf(statement, at, blocks)) ||
      isGivenByName(statement, at + 1) ||
      (name === 'add' && isGivenPlace(statement.slice(at + 1)))
    );
  if (FORMULA.test(name)) return isHarmlessFormula(statement, at);
  const made = isHarmlessUnoCall(statement, at);
  if (made !== null) return made;
  // The text is judged as a text.
  if (name === 'setformula') return isGivenOneText(statement, at);
  if (name === 'run') return isOwnRun(statement, at, declared);
  if (name === 'save') return statement.length === at + 1;
  return isMember(name) || GIVEN_NAME.test(name) || CELL.test(name) || isOwn(statement, at, declared);
}

/** A cell of a sheet, which compiled code names without its brackets: `Sheets("a").[B2]`. */
const CELL = /^[a-z]{1,3}\d{1,7}$/;

/**
 * Returns whether it is `ChartObjects.Add(100, 100, 200, 200)`: four numbers are a place on a sheet. With four numbers, no kind of sheet or file
 * is given, because that is a number behind a sheet.
 */
function isGivenPlace(words: readonly Word[]): boolean {
  const isCall = words[0]?.value === '(';
  const given = isCall ? words.slice(1, 8) : words;
  if (isCall && words[8]?.value !== ')') return false;
  return given.length === 7 && given.every(({ kind, value }, at) => (at % 2 === 0 ? kind === 'number' : value === ','));
}

function isGivenOneText(statement: Statement, at: number): boolean {
  const [open, text, close] = statement.slice(at + 1, at + 4);
  return open?.value === '(' && text?.kind === 'text' && close?.value === ')';
}

/** Returns whether it is `Application.Run "Module1.Report"`, which calls a procedure of the project. */
function isOwnRun(statement: Statement, at: number, { modules, procedures }: Declared): boolean {
  const [text, ...others] = statement.slice(at + 1);
  if (text?.kind !== 'text' || others.length > 0 || statement[at - 2]?.value !== 'application') return false;
  const [procedure = '', module, ...more] = text.value.toLowerCase().split('.').reverse();
  return procedures.has(procedure) && (module === undefined || modules.has(module)) && more.length === 0;
}

/** Returns whether a name is a procedure or variable of a module of the project: `Module1.Main`. */
function isOwn(statement: Statement, at: number, { modules, names }: Declared): boolean {
  const module = statement[at - 2]?.value ?? '';
  return (
    modules.has(module) &&
    !OBJECTS.has(module) &&
    statement[at - 3]?.value !== '.' &&
    names.has(statement[at]?.value ?? '')
  );
}

/** Returns the name in front of the dot, or the name of the block around the statement. Returns an empty text for the result of a call. */
function objectOf(statement: Statement, at: number, blocks: WithBlocks): string {
  const object = statement[at - 2];
  if (object?.kind === 'name' && !/^(?:if|elseif|while|until|not|and|or|then|else|call|set)$/.test(object.value))
    return object.value;
  return object === undefined || object.kind === 'name' ? blocks.innermost : '';
}

function isGivenByName(statement: Statement, from: number): boolean {
  const isCall = statement[from]?.value === '(';
  const first = statement[isCall ? from + 1 : from];
  const second = statement[isCall ? from + 2 : from + 1];
  if (/^(?:true|false)$/.test(first?.value ?? '')) return second === undefined || second.value === ')';
  if (first === undefined || first.value === (isCall ? ')' : '.') || /^(?:else|and|or)$/.test(first.value)) return true;
  return first.kind === 'name' && second?.value === ':=';
}

/**
 * Judges the value of a formula: one text, which is judged as a text, a number, or the formula of a cell. The value of a cell may be any
 * text.
 */
function isHarmlessFormula(statement: Statement, at: number): boolean {
  const asks = /^(?:if|elseif|while|do|loop|case)$/.test(statement[0]?.value ?? '');
  if (isCompared(statement, at)) return true;
  const isWithin = depthOf(statement.slice(0, at)) > 0 || asks;
  const isSet = statement[at + 1]?.value === '=' && (!isWithin || statement.some(({ value }) => value === 'then'));
  const given = isSet ? statement.slice(at + 2) : [];
  const last = given.at(-1);
  const isOne = given.length === 1 && last?.kind !== 'name';
  // The text of a formula is looked at, or becomes that of another cell. In a variable, a part of it could begin another one.
  if (given.length === 0) return asks || statement.slice(0, at).some(({ value }) => FORMULA.test(value));
  return isOne || FORMULA.test(last?.value ?? '');
}

/** Returns whether it is `(a.Formula = "=SUM(A1:A2)")`: between brackets, an equals sign compares. */
function isCompared(statement: Statement, at: number): boolean {
  const [sign, text, behind] = statement.slice(at + 1, at + 4);
  return (
    depthOf(statement.slice(0, at)) > 0 &&
    sign?.value === '=' &&
    text?.kind === 'text' &&
    behind?.kind === 'sign' &&
    behind.value === ')'
  );
}

/** Returns how many brackets are open behind these words. A bracket in a text is none. */
export const depthOf = (words: readonly Word[]): number =>
  words.reduce(
    (depth, { kind, value }) => depth + (kind !== 'sign' ? 0 : value === '(' ? 1 : value === ')' ? -1 : 0),
    0,
  );

/** Judges the kind of an added item, which may be a template or a sheet of old macros. */
export const isHarmlessArgument = (statement: Statement, name: string): boolean =>
  name === 'type' ? statement.every(({ value }) => value !== 'add') : isArgument(name);

/** Characters by which a text becomes a formula, an address or a command: `!(+-/:=@\|`. */
const SIGNS = new Set([33, 40, 43, 45, 47, 58, 61, 64, 92, 124]);
/** The most commas in a call. A file of help follows the last of these. */
const COMMAS: Readonly<Record<string, number>> = { msgbox: 2, inputbox: 4 };

/** Returns whether a function of the language is called in a way that only shows or calculates. */
export function isHarmlessCall(statement: Statement, at: number): boolean {
  const name = statement[at]?.value ?? '';
  const made = isHarmlessUnoCall(statement, at);
  if (made !== null) return made;
  const commas = COMMAS[name];
  if (commas !== undefined) return commasIn(statement.slice(at + 1)) <= commas;
  if (name === 'string' && statement[at + 1]?.value === '(') return isPlainRow(statement.slice(at + 2));
  return !/^chrw?$/.test(name) || isPlainCharacter(statement.slice(at + 1, at + 4));
}

/** `String(3, "a")` and `String(3, 97)`: one character, behind the comma. */
function isPlainRow(words: readonly Word[]): boolean {
  const comma = words.findIndex(({ kind, value }) => kind === 'sign' && value === ',');
  const character = words[comma + 1];
  if (comma === -1 || words[comma + 2]?.value !== ')') return false;
  return character?.kind === 'text' || (character?.kind === 'number' && isPlainNumber(character));
}

function isPlainCharacter([open, code, close]: readonly Word[]): boolean {
  return open?.value === '(' && close?.value === ')' && isPlainNumber(code);
}

function isPlainNumber(code: Word | undefined): boolean {
  const number = Number(code?.value.replace(/[%&]$/, '').replace(/^&h/, '0x'));
  return Number.isInteger(number) && !SIGNS.has(number);
}

function commasIn(words: readonly Word[]): number {
  const base = words[0]?.value === '(' ? 1 : 0;
  let [depth, count] = [0, 0];
  for (const { kind, value } of words) {
    if (kind !== 'sign') continue;
    if (value === '(') depth++;
    else if (value === ')' && --depth < base) break;
    else if (value === ',' && depth === base) count++;
  }
  return count;
}

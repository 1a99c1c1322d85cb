/**
 * Follows texts that a macro puts together or cuts out, from where that is done to the cell that gets them. Such a text may begin with any
 * character of the document, and Excel takes it for a formula when that is an equals sign. A text that begins with a letter of the source cannot
 * become one. Numbers, and values that are copied whole, are not followed: see `holdsReachingText`.
 */
import { oneOf } from '../../../../formats/patterns.ts';
import { withEndsOfLines } from './ends-of-lines.ts';
import { OBJECTS } from './harmless-names.ts';
import { depthOf } from './members.ts';
import type { Statement, Word } from './statements.ts';

/** Functions whose result begins with a character from within a text. */
const CUTTING = /^(?:mid|right|replace|split|join)$/;
/** The same among the functions of sheets, as members. */
const CUTTING_MEMBER = /^(?:substitute|concatenate|concat|textjoin|replace|rept|text|mid|right)$/;
/** These show, search or measure a text, or find a cell or sheet by it. None returns a text that begins with it. */
const TAKING = new RegExp(
  `^(?:${oneOf(`
    msgbox inputbox print assert instr instrrev strcomp len lenb asc ascw val isnumeric isdate cdate datevalue timevalue cdbl cint clng csng
    ubound lbound range cells rows columns sheets worksheets shapes item controls find findnext countif getcellrangebyname getbyname hasbyname
  `)})$`,
);
const CELL =
  /^(?:range|cells|offset|resize|item|rows|columns|activecell|selection|entirerow|entirecolumn|intersect|union)$/;
const WRITTEN_MEMBER = new RegExp(
  `^(?:${oneOf(String.raw`
    value value2 formula\w* item offset resize range cells rows columns entirerow entirecolumn currentregion usedrange areas mergearea end next
    previous caption text tag title characters numberformat numberformatlocal
  `)})$`,
);
/** A text cannot become a formula behind such a first character. */
const SAFE_START = /^\s{0,99}[\p{L}\d([{<>#*.,:;'"!?/\\_%&~$€£|]/u;
const SHOWN_FIRST = new Set(['msgbox', 'debug', 'print']);
/** Words that no variable can have as its name. */
const RESERVED = /^(?:true|false|and|or|not|as|byval|byref|optional|call|end|exit)$/;
const SET_FIRST = /^(?:let|lset|rset|const|dim|static|public|private|global)$/;

/**
 * Returns true when no such text is written into a cell, or anywhere from where a cell could get it. `declared`: the names that mean
 * something of the project, also where the language has them.
 */
export function areWrittenValuesKnown(written: readonly Statement[], declared: ReadonlySet<string>): boolean {
  const statements = written.map((statement) => withEndsOfLines(statement, declared));
  const parts = statements.flatMap(partsOf);
  const objects = new Set(parts.flatMap(objectIn));
  const open = openNames(parts, parametersOf(statements));
  return !parts.some((part) => replacesSigns(part) || (isCellWritten(part, objects) && holdsOpen(valueIn(part), open)));
}

/** The names in the brackets of each declared procedure. */
type Parameters = ReadonlyMap<string, readonly string[]>;

/** Returns the names whose texts may begin with any character. Looks at a part again only when a name in it became one of them. */
function openNames(parts: readonly Statement[], parameters: Parameters): ReadonlySet<string> {
  const [open, given] = [new Set<string>(), new Set<string>()];
  const users = indexed(parts, (part) => part.filter(isName).map(({ value }) => value));
  const procedures = indexed(parameters.keys(), (procedure) => parameters.get(procedure) ?? []);
  const waiting = new Set(parts);
  const add = (name: string, to: Set<string>) => {
    if (to.has(name)) return;
    to.add(name);
    for (const user of users.get(name) ?? []) waiting.add(user);
  };
  for (const part of waiting) {
    waiting.delete(part);
    const found = holdsOpen(part, open) ? receivers(part, parameters) : [];
    for (const name of [...givenTo(part, open, parameters), ...found]) {
      add(name, open);
      // Callers of a procedure that has such a text may get it back.
      for (const procedure of procedures.get(name) ?? []) add(procedure, given);
    }
  }
  return open;
}

/** Returns the items by each of their keys. */
function indexed<Item>(
  items: Iterable<Item>,
  keysOf: (item: Item) => readonly string[],
): ReadonlyMap<string, readonly Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of items)
    for (const key of new Set(keysOf(item))) {
      const others = found.get(key);
      if (others === undefined) found.set(key, [item]);
      else others.push(item);
    }
  return found;
}

const isName = ({ kind }: Word) => kind === 'name';

/** Splits a statement into the condition and what follows it. Conditions, and what is only shown, are left out. */
function partsOf(statement: Statement): Statement[] {
  const parts: Word[][] = [[]];
  for (const word of statement) {
    if (word.kind === 'name' && /^(?:then|else)$/.test(word.value)) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts.filter(
    ([first]) =>
      !/^(?:if|elseif|while|until|case|select|loop|do)$/.test(first?.value ?? '') &&
      !SHOWN_FIRST.has(first?.value ?? ''),
  );
}

/** Returns the place of the first sign from `start` on that fits and is outside of brackets that open there; -1 for none. */
function outermost(words: Statement, start: number, fits: (at: number) => boolean): number {
  let depth = 0;
  return words.findIndex(({ kind, value }, at) => {
    if (at < start || kind !== 'sign') return false;
    if (value === '(') depth++;
    if (value === ')') depth--;
    return depth === 0 && fits(at);
  });
}

/** Returns the place of the sign that assigns; -1 for none. */
const equalsIn = (part: Statement): number => outermost(part, 0, (at) => part[at]?.value === '=');

const valueIn = (part: Statement): Statement => part.slice(equalsIn(part) + 1);

/** Reads `Set cell = …` and `For Each cell In …`. */
function objectIn(part: Statement): string[] {
  return part.flatMap(({ value }, at) => (/^(?:set|each)$/.test(part[at - 1]?.value ?? '') ? [value] : []));
}

/** `Cells.Replace a, b`: the replacement is no text that is written out. */
function replacesSigns(part: Statement): boolean {
  const at = part.findIndex(
    ({ kind, value }, index) => kind === 'name' && value === 'replace' && part[index - 1]?.value === '.',
  );
  if (at === -1) return false;
  const named = part.findIndex(({ value }) => value === 'replacement');
  const comma = part.findIndex(({ value }, index) => index > at && value === ',');
  const given = named === -1 ? part[comma + 1] : part[named + 2];
  return comma === -1 || given?.kind !== 'text';
}

function isCellWritten(part: Statement, objects: ReadonlySet<string>): boolean {
  const equals = equalsIn(part);
  if (equals === -1) return false;
  if (part[0]?.value === 'set') return false;
  const left = part.slice(0, equals).filter(({ value }) => !SET_FIRST.test(value));
  const last = left.findLast(({ kind }, at) => kind !== 'sign' && depthOf(left.slice(0, at)) === 0);
  if (last === undefined) return false;
  if (last.kind === 'bracket') return true;
  const isMember = left[left.indexOf(last) - 1]?.value === '.';
  return isMember ? WRITTEN_MEMBER.test(last.value) : CELL.test(last.value) || objects.has(last.value);
}

/** Returns whether a text with an open beginning is in these words, and not only given to what takes it. */
function holdsOpen(words: Statement, open: ReadonlySet<string>): boolean {
  const callees: string[] = [];
  return words.some((word, at) => {
    if (word.kind === 'sign' && word.value === '(')
      callees.push(words[at - 1]?.kind === 'name' ? (words[at - 1]?.value ?? '') : '');
    if (word.kind === 'sign' && word.value === ')') callees.pop();
    if (callees.some((callee) => TAKING.test(callee)) || isCompared(words, at)) return false;
    if (word.kind === 'name') return isOpenName(words, at, open);
    return word.kind === 'sign' && isJoint(words, at) && !isClosed(words, at);
  });
}

function isOpenName(words: Statement, at: number, open: ReadonlySet<string>): boolean {
  const name = words[at]?.value ?? '';
  const isCalled = words[at + 1]?.value === '(';
  if (words[at - 1]?.value === '.') return isCalled && CUTTING_MEMBER.test(name);
  if (isCalled && (CUTTING.test(name) || (name === 'format' && !isOwnPattern(words, at)))) return true;
  return open.has(name) && !isBehindText(words, at);
}

/** `Format(a, "0.00")`: the pattern is written out, and judged where texts are. */
function isOwnPattern(words: Statement, at: number): boolean {
  const comma = words.findIndex(({ kind, value }, index) => index > at && kind === 'sign' && value === ',');
  return words[comma + 1]?.kind === 'text';
}

const isCompared = (words: Statement, at: number) =>
  /^(?:<>|[<>]=?)$/.test(words[at + 1]?.value ?? '') || /^(?:<>|[<>]=?)$/.test(words[at - 1]?.value ?? '');

/** A name behind a text with a safe beginning: `"Total " & name`. */
function isBehindText(words: Statement, at: number): boolean {
  return isJoint(words, at - 1) && isClosed(words, at - 1);
}

/** `&`, and a plus sign beside a text. */
function isJoint(words: Statement, at: number): boolean {
  const word = words[at];
  if (word?.kind !== 'sign') return false;
  return (
    word.value === '&' || (word.value === '+' && (words[at - 1]?.kind === 'text' || words[at + 1]?.kind === 'text'))
  );
}

/** Returns whether the first of the joined texts is written out, and begins like no formula. */
function isClosed(words: Statement, at: number): boolean {
  let depth = 0;
  let start = at - 1;
  for (; start >= 0; start--) {
    const { kind, value } = words[start] ?? { kind: 'sign', value: '' };
    if (kind === 'sign' && value === ')') depth++;
    if (kind === 'sign' && value === '(' && --depth < 0) break;
    if (
      depth === 0 &&
      ((kind === 'sign' && /^(?:[=,<>]|:=|<>|<=|>=)$/.test(value)) ||
        (kind === 'name' && /^(?:and|or|not|call|return)$/.test(value)))
    )
      break;
  }
  const first = words[start + 1];
  if (first?.kind === 'text') return SAFE_START.test(first.value);
  const next = words[outermost(words, start + 1, (place) => isJoint(words, place)) + 1];
  return first?.kind === 'number' || (next?.kind === 'text' && SEPARATOR.test(next.value));
}

/**
 * Between two values, these separate: no name of a function goes on behind them. So the first value must be a formula by itself, and the texts of
 * the document say whether one is.
 */
const SEPARATOR = /^[\s,;]/;

/**
 * Returns the names that get the value of a part: a variable or function, the item of a loop, the list to which something is added, and the
 * parameters of the called procedures.
 */
function receivers(part: Statement, parameters: Parameters): string[] {
  const called = part.flatMap(({ kind, value }) => (kind === 'name' ? (parameters.get(value) ?? []) : []));
  const equals = equalsIn(part);
  const left = namesIn(equals === -1 ? part : part.slice(0, equals));
  const each = part.findIndex(({ value }) => value === 'each');
  if (each !== -1) return [part[each + 1]?.value ?? '', ...called];
  // `Mid(a, 1, 1) = b` writes into a variable.
  return [...(left[0] === 'mid' ? left : left.slice(0, 1)), ...called];
}

/** Returns the names of a part that may be variables. */
const namesIn = (part: Statement): string[] =>
  part.flatMap(({ kind, value }) =>
    kind === 'name' && !SET_FIRST.test(value) && !RESERVED.test(value) && !OBJECTS.has(value) ? [value] : [],
  );

/** Returns the variables that a procedure can write into, because they are given to it. */
function givenTo(part: Statement, open: ReadonlySet<string>, parameters: Parameters): string[] {
  const isWritten = ({ kind, value }: Word) =>
    kind === 'name' && (parameters.get(value) ?? []).some((name) => open.has(name));
  const at = part.findIndex(isWritten);
  return at === -1 || part.some(({ value }) => value === 'sub' || value === 'function')
    ? []
    : namesIn(part.slice(at + 1));
}

/** `Sub a(`, `Function a(`, `Property Let a(`. */
const isHead = (statement: Statement, at: number) =>
  /^(?:sub|function)$/.test(statement[at]?.value ?? '') || statement[at - 1]?.value === 'property';

/** Returns whether a name stands for a type: `As Range`, `As MSForms.ReturnInteger`. */
function isOfType(words: Statement, at: number): boolean {
  const before = words[at - 1]?.value ?? '';
  return before === 'as' || (before === '.' && words[at - 3]?.value === 'as');
}

function parametersOf(statements: readonly Statement[]): Parameters {
  const found = new Map<string, readonly string[]>();
  for (const statement of statements) {
    const head = statement.findIndex(({ value }) => /^(?:sub|function|get|let|set)$/.test(value));
    if (head === -1 || !isHead(statement, head) || /^(?:end|exit)$/.test(statement[head - 1]?.value ?? '')) continue;
    const words = statement.slice(head + 2);
    const names = words.filter(
      ({ kind, value }, at) => kind === 'name' && !isOfType(words, at) && !RESERVED.test(value),
    );
    found.set(
      statement[head + 1]?.value ?? '',
      names.map(({ value }) => value),
    );
  }
  return found;
}

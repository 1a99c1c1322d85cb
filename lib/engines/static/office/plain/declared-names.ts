/** The names that a project of macros declares: its procedures, variables, constants, types, labels and modules. */
import type { Statement, Word } from './statements.ts';

const PROCEDURE = new Set(['sub', 'function', 'get', 'let', 'set']);
const VARIABLES = new Set(['dim', 'static', 'private', 'public', 'const', 'global', 'redim', 'friend']);
/** Words between the first word of a declaration and the name. */
const BETWEEN = new Set([...VARIABLES, 'preserve', 'shared', 'optional', 'byval', 'byref', 'paramarray']);
const JUMPS = new Set(['goto', 'gosub', 'resume']);
/** The attribute with the name of a module. Editors do not show it. */
const MODULE_NAME = /^\s*attribute\s+vb_name\s*=\s*"([^"]{1,100})"/gim;

export interface Declared {
  /** Declared names, and names that become variables by an assignment. */
  readonly names: ReadonlySet<string>;
  readonly modules: ReadonlySet<string>;
  /** Declared procedures and functions. */
  readonly procedures: ReadonlySet<string>;
  /** Variables that are lists of values. */
  readonly lists: ReadonlySet<string>;
}

export function declaredNames(sources: readonly string[], statements: readonly Statement[]): Declared {
  const modules = new Set(
    sources.flatMap((source) => [...source.matchAll(MODULE_NAME)].map(([, name = '']) => name.toLowerCase())),
  );
  const names = new Set(modules);
  const procedures = new Set(statements.flatMap(procedureIn));
  let block: 'enum' | 'type' | null = null;
  for (const statement of statements) {
    for (const name of block === null ? namesIn(statement) : []) names.add(name);
    if (block === 'enum' && statement[0]?.kind === 'name') names.add(statement[0].value);
    block = blockAfter(block, statement);
  }
  return { names, modules, procedures, lists: new Set(statements.flatMap(listsIn)) };
}

/** Reads `name As Collection`, `name As New Collection`. */
const listsIn = (statement: Statement): string[] =>
  statement.flatMap(({ value }, at) => {
    const [as, next, last] = statement.slice(at + 1, at + 4).map((word) => word.value);
    return as === 'as' && (next === 'collection' || (next === 'new' && last === 'collection')) ? [value] : [];
  });

/** Reads the members that the lines in a block declare: values, which are names like any other, or fields. */
function blockAfter(block: 'enum' | 'type' | null, statement: Statement): 'enum' | 'type' | null {
  const words = statement.filter(({ value }) => !BETWEEN.has(value)).map(({ value }) => value);
  if (words[0] === 'end') return null;
  return words[0] === 'enum' || (words[0] === 'type' && words.length === 2) ? words[0] : block;
}

function namesIn(statement: Statement): string[] {
  const first = statement.findIndex(({ value }) => !BETWEEN.has(value) && value !== 'property');
  const word = statement[first]?.value ?? '';
  const isDeclared = first > 0 || word === 'enum' || word === 'type';
  if (PROCEDURE.has(word) && statement[first + 1]?.kind === 'name' && (isHead(statement, first) || isDeclared)) {
    return [nameAt(statement, first + 1), ...listed(statement.slice(first + 3))];
  }
  if (word === 'enum' || word === 'type') return [nameAt(statement, first + 1)];
  if (word === 'event') return [];
  if (isDeclared) return listed(statement.slice(first));
  return [...assigned(statement), ...jumped(statement)];
}

/** Reads `Private Sub name(`. */
function procedureIn(statement: Statement): string[] {
  const first = statement.findIndex(({ value }) => !BETWEEN.has(value));
  const isOne = /^(?:sub|function)$/.test(statement[first]?.value ?? '') && statement[first + 1]?.kind === 'name';
  return isOne ? [nameAt(statement, first + 1)] : [];
}

/** Returns whether it is `Sub name(` and not `Set name =`. */
const isHead = (statement: Statement, at: number) =>
  /^(?:sub|function)$/.test(statement[at]?.value ?? '') || statement[at - 1]?.value === 'property';

const nameAt = (statement: Statement, at: number) => statement[at]?.value ?? '';

/** Returns the first name of each item of a list: `a As Long, b(1 To 3)`. */
function listed(words: readonly Word[]): string[] {
  const names: string[] = [];
  let depth = 0;
  let isFirst = true;
  for (const { kind, value } of words) {
    if (value === '(') depth++;
    else if (value === ')') depth--;
    if (depth < 0) break;
    if (depth === 0 && value === ',') isFirst = true;
    else if (isFirst && depth === 0 && kind === 'name' && !BETWEEN.has(value)) {
      names.push(value);
      isFirst = false;
    }
  }
  return names;
}

/** Reads `name = …`, `name(1) = …`, `Set name = …`, `For name = …`, `For Each name In …`. */
function assigned(statement: Statement): string[] {
  return statement.flatMap(({ kind, value }, at) => {
    if (kind !== 'name') return [];
    const before = statement[at - 1]?.value ?? '';
    const starts = at === 0 || /^(?:then|else|set|let|for|each)$/.test(before);
    const next = statement[at + 1]?.value ?? '';
    return starts && (next === '=' || (before === 'each' && next === 'in')) ? [value] : [];
  });
}

/** Reads a label, which is a name to which something jumps. */
const jumped = (statement: Statement): string[] =>
  statement.flatMap(({ kind, value }, at) =>
    kind === 'name' && JUMPS.has(statement[at - 1]?.value ?? '') && value !== 'next' ? [value] : [],
  );

/**
 * Distinguishes scripts of ordinary forms, which calculate, check, format and ask, from scripts that could act. Every name in them is their
 * own or on a closed list of harmless names, and only calls with a written name are allowed.
 */
import { CALLED, KEYS, MADE, MEMBERS, OBJECTS, REACHING, WORDS } from './harmless-script-names.ts';
import { type ScriptWord, scriptWords } from './script-words.ts';
import { opensAdobe, type UpdateNote, updateNote } from './update-note.ts';

/** The longest scripts that are called plain, together. */
const MAX_PLAIN = 128 * 1024;

/**
 * Returns true when no script of a document can do more than a form needs. All of them are needed, because one calls functions that another
 * declares.
 */
export function arePlainScripts(untrustedScripts: readonly string[]): boolean {
  if (untrustedScripts.reduce((sum, { length }) => sum + length, 0) > MAX_PLAIN) return false;
  const scripts = untrustedScripts.flatMap((script) => {
    const words = scriptWords(script);
    return words === null ? [] : [words];
  });
  if (scripts.length !== untrustedScripts.length) return false;
  const own = ownNames(scripts);
  if ([...own.all, ...own.members].some((name) => REACHING.test(name))) return false;
  return scripts.every((words) => isOfForm(words) && words.every((_, at) => isHarmless(words, at, own)));
}

/**
 * Returns whether a script answers to something: it reads the event (`event`), a field or the version of the viewer, prints, or is a function
 * for others. A script that only shows a dialogue does nothing for a form, at any place. Attackers use one to test whether a script runs.
 */
function isOfForm(words: readonly ScriptWord[]): boolean {
  const names = new Set(words.flatMap(({ kind, value }) => (kind === 'name' ? [value] : [])));
  return !names.has('app') || DEEDS.some((name) => names.has(name));
}

/** Names in scripts that do something for a form or for the reader of a document. */
const DEEDS = 'event getField function print resetForm calculateNow dataObjects viewerVersion viewerType'.split(' ');

/** The names that scripts declare. */
interface OwnNames {
  readonly all: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  /** Lists, whose items may be set. */
  readonly lists: ReadonlySet<string>;
  /** Members that the scripts add to an object: `ADBE.LANGUAGE = 'ENU'`. */
  readonly members: ReadonlySet<string>;
  readonly note: UpdateNote;
}

function ownNames(scripts: readonly (readonly ScriptWord[])[]): OwnNames {
  const names: Names = {
    all: new Set(),
    functions: new Set(),
    lists: new Set(),
    others: new Set(),
    members: new Set(),
  };
  for (const words of scripts) for (const { at, depth } of namesIn(words)) declare(words, at, depth, names);
  const lists = new Set([...names.lists].filter((name) => !names.others.has(name)));
  return { ...names, lists, note: updateNote(scripts) };
}

/** `others`: names that may mean something else than a list, or another function. */
type Names = Record<'all' | 'functions' | 'lists' | 'others' | 'members', Set<string>>;

function declare(words: readonly ScriptWord[], at: number, depth: number, names: Names): void {
  const { value } = words[at] ?? END;
  if (value === 'function') declareFunction(words, at, depth, names);
  else if (/^(?:var|let|const)$/.test(value)) for (const name of declared(words, at + 1)) names.all.add(name);
  else if (value === 'catch' && words[at + 1]?.value === '(') names.all.add(words[at + 2]?.value ?? '');
  else if (isSet(words, at)) {
    // A name that is set without a declaration is a member of the document.
    names.all.add(value);
    (isNewList(words, at + 2) ? names.lists : names.others).add(value);
  } else if (words[at + 1]?.value === '=' && words[at - 1]?.value === '.' && !MEMBERS.has(value))
    names.members.add(value);
}

/** Returns the places of all names, and the number of brackets around each. */
function namesIn(words: readonly ScriptWord[]): { at: number; depth: number }[] {
  let depth = 0;
  return words.flatMap(({ kind, value }, at) => {
    if (kind === 'sign') depth += DEPTH[value] ?? 0;
    return kind === 'name' ? [{ at, depth }] : [];
  });
}

const isSet = (words: readonly ScriptWord[], at: number): boolean =>
  words[at + 1]?.value === '=' && words[at - 1]?.value !== '.';

const isNewList = (words: readonly ScriptWord[], at: number): boolean =>
  words[at]?.value === '[' || (words[at]?.value === 'new' && words[at + 1]?.value === 'Array');

/** Reads `function name(a, b)`, or without a name. The name of a function in another one means something else outside of it. */
function declareFunction(words: readonly ScriptWord[], at: number, depth: number, names: Names): void {
  const name = words[at + 1]?.kind === 'name' ? words[at + 1] : undefined;
  if (name !== undefined) {
    names.all.add(name.value);
    (depth === 0 ? names.functions : names.others).add(name.value);
  }
  for (let next = at + (name === undefined ? 2 : 3); next < words.length; next++) {
    const word = words[next];
    if (word?.kind !== 'name' && word?.value !== ',') break;
    if (word.kind !== 'name') continue;
    names.all.add(word.value);
    names.others.add(word.value);
  }
}

const DEPTH: Readonly<Record<string, number>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 };

/** Returns the names of a list of variables: `a, b = f(1, 2), c`. */
function declared(words: readonly ScriptWord[], from: number): string[] {
  const names: string[] = [];
  let depth = 0;
  for (let at = from; at < words.length; at++) {
    const { kind, value } = words[at] ?? END;
    const before = words[at - 1]?.value ?? '';
    if (kind === 'sign') depth += DEPTH[value] ?? 0;
    if (depth < 0 || (depth === 0 && (value === ';' || value === 'in' || value === 'var'))) break;
    if (depth === 0 && kind === 'name' && (at === from || before === ',')) names.push(value);
    else if (depth === 0 && kind === 'name' && words[at - 1]?.kind !== 'sign' && !WORDS.has(before)) break;
  }
  return names;
}

const END: ScriptWord = { kind: 'sign', value: '' };

function isHarmless(words: readonly ScriptWord[], at: number, own: OwnNames): boolean {
  const [before, { kind, value }, next] = [words[at - 1] ?? END, words[at] ?? END, words[at + 1] ?? END];
  if (kind === 'sign') return isHarmlessSign(words, at, own);
  if (kind !== 'name') return next.value !== '(';
  if (before.value === '.') return isHarmlessMember(words, at, own);
  if (next.value === ':' && /^[{,]$/.test(before.value)) return KEYS.has(value);
  if (before.value === 'new') return MADE.has(value);
  if (next.value === '(') return CALLED.has(value) || own.functions.has(value);
  // A member of the document is also a name by itself.
  return [WORDS, OBJECTS, own.all, own.members, CALLED].some((names) => names.has(value));
}

/** Checks members that would call a function in their arguments, or be called instead of another: nobody knows the meaning of `a[b]`. */
function isHarmlessMember(words: readonly ScriptWord[], at: number, { members, note }: OwnNames): boolean {
  const [value, next] = [words[at]?.value ?? '', words[at + 1]?.value ?? ''];
  if (value === 'sort') return next === '(' && words[at + 2]?.value === ')';
  if (value === 'toString' || value === 'valueOf') return next === '(';
  if (value !== 'replace')
    return MEMBERS.has(value) || (members.has(value) && next !== '(') || opensAdobe(words, at, note);
  const end = endOf(words, at + 1);
  return next === '(' && words[end - 1]?.kind === 'text' && words[end - 2]?.value === ',';
}

/**
 * Checks brackets. A bracket behind a value takes an item out of it. The result of a bracket is never called, and only items of own lists
 * are set.
 */
function isHarmlessSign(words: readonly ScriptWord[], at: number, { all, lists }: OwnNames): boolean {
  const { value } = words[at] ?? END;
  const before = words[at - 1] ?? END;
  if (value === '(') return !/^[\])}]$/.test(before.value) || isBlock(words, at);
  if (value !== '[' || !isValue(before)) return true;
  const end = endOf(words, at);
  const inside = words.slice(at + 1, end);
  const behind = words[end + 1]?.value ?? '';
  const isItemSet = /^(?:[-+*/%]?=|\+\+|--)$/.test(behind) || /^(?:\+\+|--)$/.test(words[at - 2]?.value ?? '');
  const name = before.kind === 'name' && words[at - 2]?.value !== '.' ? before.value : '';
  const isNumber = inside.every(
    (one) => one.kind === 'number' || /^(?:[-+*%.[\]()]|\+\+|--|length)$/.test(one.value) || all.has(one.value),
  );
  return (
    isNumber && behind !== '(' && (!isItemSet || lists.has(name)) && (behind !== '.' || words[end + 3]?.value !== '=')
  );
}

/**
 * Checks a parenthesis. Behind the brace of a block it begins a new statement. Behind the brace of a function it calls the function, which
 * is its own.
 */
const isBlock = (words: readonly ScriptWord[], at: number): boolean => words[at - 1]?.value === '}';

const isValue = ({ kind, value }: ScriptWord): boolean =>
  kind === 'name' ? !/^(?:return|in|case|typeof|else)$/.test(value) : kind === 'text' || value === ')' || value === ']';

function endOf(words: readonly ScriptWord[], from: number): number {
  let depth = 0;
  for (let at = from; at < words.length; at++) {
    const { kind, value } = words[at] ?? END;
    if (kind === 'sign') depth += DEPTH[value] ?? 0;
    if (depth === 0) return at;
  }
  return words.length;
}

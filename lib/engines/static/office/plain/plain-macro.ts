/**
 * Distinguishes macros that only calculate and format from macros that could act. Macros are plain when every name in them is their own or
 * on the closed lists of harmless names. An unknown name may do anything. Texts count, too, because a cell takes a text that begins like a
 * formula for a formula. Macros that begin by themselves have a shorter list: they touch nothing but their own document.
 */
import { AUTO_RUN } from '../../scripts/code-patterns.ts';
import { type Declared, declaredNames } from './declared-names.ts';
import { CONSTANT, FUNCTIONS, GIVEN_NAME, isMember, LANGUAGE, OBJECTS } from './harmless-names.ts';
import { areHarmlessTexts } from './harmless-texts.ts';
import { isHarmlessArgument, isHarmlessCall, isHarmlessMember, WithBlocks } from './members.ts';
import { EVENT, ONLY_ON_CLICK, REACHING_CALL, REACHING_NAME } from './reaching-names.ts';
import { type Statement, statementsOf, type Word } from './statements.ts';
import { isHarmlessUnoName } from './uno-names.ts';
import { areWrittenValuesKnown } from './written-values.ts';

/** The longest source that is called plain. Macros of that size carry data, or more than a person wrote. */
const MAX_PLAIN = 256 * 1024;

/**
 * An event without any statement, as editors make it for a person who only looks. A remark that continues would hide its end, and the next
 * lines would belong to the event.
 */
const EMPTY_EVENT =
  /^[ \t]*(?:(?:private|public)[ \t]+)?sub[ \t]+\w{1,80}_\w{1,80}[ \t]*\([^()\r\n]{0,300}\)[ \t]*(?:\r\n|[\r\n])(?:[ \t]*(?:'[^\r\n]{0,400}(?<!_[ \t]{0,99}))?(?:\r\n|[\r\n])){0,99}[ \t]*end sub\b/gim;

/**
 * Returns true for a project without any name that lets code leave the document. `compiled` is the
 * code that runs where it differs from the sources. It declares no names of its own.
 */
export function arePlainMacros(untrustedSources: readonly string[], compiled: readonly string[] = []): boolean {
  const all = [...untrustedSources, ...compiled];
  if (all.reduce((sum, { length }) => sum + length, 0) > MAX_PLAIN) return false;
  const [sources, run] = [untrustedSources.map(withoutEmptyEvents), compiled.map(withoutEmptyEvents)];
  if ([...sources, ...run].some((source) => REACHING_CALL.test(source))) return false;
  const [own, others] = [read(sources), read(run)];
  if (own === null || others === null) return false;
  const declared = declaredNames(sources, own.flat());
  if ([...declared.names].some((name) => REACHING_NAME.test(name))) return false;
  if (begin([...sources, ...run]) && [...own, ...others].flat().some(isOnlyOnClick)) return false;
  return (
    [...own, ...others].every((statements) => isHarmless(statements, declared) && areHarmlessTexts(statements)) &&
    areWrittenValuesKnown(own.flat(), declared.names) &&
    areWrittenValuesKnown(others.flat(), declared.names)
  );
}

/** Returns whether a source has a procedure that Office starts by itself. */
const begin = (sources: readonly string[]) => sources.some((source) => AUTO_RUN.test(source) || EVENT.test(source));

function isOnlyOnClick(statement: Statement): boolean {
  return statement.some(
    ({ kind, value }, at) =>
      kind === 'name' && (ONLY_ON_CLICK.test(value) || (value === 'copy' && isToClipboard(statement, at))),
  );
}

/** A copy without a target goes into the clipboard, and that of a sheet into a new workbook. */
function isToClipboard(statement: Statement, at: number): boolean {
  const next = statement[at + 1];
  return next === undefined || next.kind === 'sign' || /^(?:else|before|after)$/.test(next.value);
}

const withoutEmptyEvents = (source: string): string => source.replace(EMPTY_EVENT, '');

/** Returns the statements of each source, or null when one cannot be read. */
function read(sources: readonly string[]): (readonly Statement[])[] | null {
  const all = sources.map(statementsOf);
  return all.every((one) => one !== null) ? all : null;
}

function isHarmless(statements: readonly Statement[], declared: Declared): boolean {
  const blocks = new WithBlocks();
  return statements.every((statement) => {
    blocks.observe(statement);
    return statement.every((_, at) => isHarmlessWord(statement, at, declared, blocks));
  });
}

/** Between brackets, only cells: `[A1]`. Everything else is calculated. */
const CELLS = /^\$?[a-z]{1,3}\$?\d{1,7}(?::\$?[a-z]{1,3}\$?\d{1,7})?$/i;

function isHarmlessWord(statement: Statement, at: number, declared: Declared, blocks: WithBlocks): boolean {
  const { kind, value } = statement[at] ?? NOTHING;
  const before = statement[at - 1] ?? NOTHING;
  if (kind === 'bracket') return CELLS.test(value);
  if (kind === 'sign') return !/[#{}?!]/.test(value);
  if (kind !== 'name' || isType(statement, at)) return true;
  const ofUno = isHarmlessUnoName(statement, at);
  if (ofUno !== null) return ofUno;
  if (before.kind === 'sign' && before.value === '.') return isHarmlessMember(statement, at, blocks, declared);
  if (statement[at + 1]?.value === ':=') return isHarmlessArgument(statement, value);
  if (value === 'name' && renames(statement, at)) return false;
  if (before.value === 'new') return value === 'collection' || declared.modules.has(value);
  return isHarmlessName(statement, at, declared);
}

/** Returns whether a name is that of a type: `Dim a As Excel.OLEObject`. It makes nothing, as `New` does, and its members are judged themselves. */
function isType(statement: Statement, at: number): boolean {
  const before = statement[at - 1] ?? NOTHING;
  if (before.kind === 'name') return before.value === 'as' && statement[at]?.value !== 'new';
  return before.value === '.' && statement[at - 2]?.kind === 'name' && isType(statement, at - 2);
}

const NOTHING: Word = { kind: 'sign', value: '' };

/** Judges a name that is no member of anything. */
function isHarmlessName(statement: Statement, at: number, { names }: Declared): boolean {
  const value = statement[at]?.value ?? '';
  // The name of a type, and of a function that makes any character.
  if (value === 'string' && !isHarmlessCall(statement, at)) return false;
  if (LANGUAGE.has(value) || CONSTANT.test(value) || OBJECTS.has(value) || names.has(value)) return true;
  if (FUNCTIONS.has(value)) return isHarmlessCall(statement, at);
  return (
    GIVEN_NAME.test(value) || (!REACHING_NAME.test(value) && (isOwnMember(statement, at) || isRead(statement, at)))
  );
}

/** A member without its object is one of the sheet, form or document whose module this is. A formula and an item are judged at the dot. */
const isOwnMember = (statement: Statement, at: number) =>
  isMember(statement[at]?.value ?? '') && !/^formula/.test(statement[at]?.value ?? '');

/**
 * Returns whether an unknown name is only read: `If total > limit Then`. In these places, a name without brackets and members starts nothing. It
 * is a variable without a value, or a control.
 */
function isRead(statement: Statement, at: number): boolean {
  const [before, behind] = [statement[at - 1], statement[at + 1]];
  const isAfter =
    before?.kind === 'sign' ? /^(?:[=<>&*/,(]|<>|<=|>=)$/.test(before.value) : BEFORE_VALUE.has(before?.value ?? '');
  const isBefore =
    behind === undefined || (behind.kind === 'sign' ? BEHIND.test(behind.value) : AFTER_VALUE.has(behind.value));
  return isAfter && isBefore;
}

const BEFORE_VALUE = new Set(['if', 'elseif', 'while', 'until', 'not', 'and', 'or', 'mod', 'to', 'step']);
const AFTER_VALUE = new Set(['then', 'and', 'or', 'mod', 'to', 'step']);
const BEHIND = /^(?:[=<>&*/,)+-]|<>|<=|>=)$/;

/** Finds `Name a As b`, which renames a file. */
function renames(statement: Statement, at: number): boolean {
  const before = statement[at - 1];
  const starts = before === undefined || before.kind === 'number' || /^(?:then|else)$/.test(before.value);
  return starts && statement.length > at + 1 && statement[at + 1]?.value !== '=';
}

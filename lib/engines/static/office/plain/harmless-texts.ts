/**
 * Judges the texts of a macro. Excel takes the value of a cell for a formula when it begins like one, and formulas load and start things.
 */

import { isSheetFunction } from '../../findings/sheet-functions.ts';
import { DANGEROUS_FUNCTION } from '../open-xml-text.ts';
import { areHarmlessStarts } from './formula-starts.ts';
import { REACHING_TEXT } from './reaching-names.ts';
import type { Statement } from './statements.ts';

/** A line of signs is no formula. */
const FORMULA_START = /^\s*[=+@](?!==+\s*$)/;
/** Functions that load or start something, in a text by themselves. They may replace others in a formula. */
const REACHING_FUNCTION =
  /^\s*(?:call|exec|image|rtd|register(?:\.id)?|webservice|filterxml|sql\.request|hyperlink)\s*\(?\s*$/i;
/** The signs around a text that is not joined to another. */
const BEFORE = /^(?:=|:=|,|\(|<>)$/;
const BEHIND = /^(?:,|\)|then|and|or|to)$/;
const CALL = /([\p{L}_][\p{L}\p{N}_.]*)\s*\(/gu;

/** Letters to choose from, in a pattern: `(e|es)?`. A program and the request to it have a quote or an exclamation mark behind the sign. */
const CHOICE = /\([\p{L}\d]{0,20}(?:\|[\p{L}\d]{0,20}){1,9}\)/gu;

/** A choice may be within another: `possib(le|ilit(y|ies))`. */
const withoutChoices = (text: string): string => text.replaceAll(CHOICE, '').replaceAll(CHOICE, '');

/** Returns true when no text is a formula that could do more than calculate, and neither are all texts together, in their order. */
export function areHarmlessTexts(statements: readonly Statement[]): boolean {
  const texts = statements.flatMap((statement) =>
    statement.flatMap(({ kind, value }) => (kind === 'text' ? [value] : [])),
  );
  const joined = texts.join('');
  return (
    !DANGEROUS_FUNCTION.test(joined) &&
    !REACHING_TEXT.test(texts.map(withoutChoices).join('')) &&
    statements.every(
      (statement) => areHarmlessStarts(statement) && statement.every((_, at) => isHarmlessText(statement, at)),
    )
  );
}

function isHarmlessText(statement: Statement, at: number): boolean {
  const { kind, value } = statement[at] ?? { kind: 'sign', value: '' };
  if (kind !== 'text') return true;
  if (!FORMULA_START.test(value)) return !REACHING_FUNCTION.test(value);
  const behind = statement[at + 1];
  const isWhole = BEFORE.test(statement[at - 1]?.value ?? '') && (behind === undefined || BEHIND.test(behind.value));
  return isWhole && [...value.matchAll(CALL)].every(([, name = '']) => isSheetFunction(name.toLowerCase()));
}

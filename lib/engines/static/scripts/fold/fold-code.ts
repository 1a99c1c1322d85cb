/**
 * Folds PowerShell, VBScript and VBA to the commands that they run: variables with known values, joined and formatted texts, characters by
 * number, replacements, reversed and encoded texts. Nothing runs. Unknown values are omitted.
 */
import type { Language } from '../code-language.ts';
import { Folder } from './expressions.ts';
import { basicTokens, powershellTokens } from './tokens.ts';
import { textOf, type Value } from './values.ts';

/** The longest script that is folded; the most texts that are kept, and the most characters of one. */
const MAX_CODE = 256 * 1024;
const MAX_KEPT = 200;
const MAX_CHARS = 64 * 1024;
/** The most variables with a known value. */
const MAX_VARIABLES = 2_000;
/** A shorter text means nothing. */
const SHORTEST = 4;

export interface FoldedCode {
  /** The texts that the script passes to calls that run them. */
  readonly commands: readonly string[];
  /** All texts that the script composes and does not contain, with the commands. */
  readonly texts: readonly string[];
}

/** Calls that run a text: an interpreter of text, or a method of a shell. */
const RUNS =
  /^(?:iex|invoke-expression|invoke-command|start-process|execute|executeglobal|eval|run|exec|shellexecute|shell)$/;
const ENCODED = /\s-e(?:n(?:c(?:odedcommand)?)?)?\s{1,9}["']?([A-Za-z0-9+/=]{16,})/i;

/**
 * Folds the code. Returns null for a language that is not folded, and for code that is too long. Texts that are in `original`, the code
 * before words in it were joined, are not shown again.
 */
export function foldCode(code: string, language: Language, original = code): FoldedCode | null {
  const isBasic = language === 'basic' || language === 'macro';
  if ((!isBasic && language !== 'powershell') || code.length > MAX_CODE) return null;
  const tokens = isBasic ? basicTokens(code) : powershellTokens(code);
  const commands = new Set<string>();
  const texts = new Set<string>();
  const keep: Keep = (value, isCommand) => {
    const text = textOf(value)?.slice(0, MAX_CHARS);
    if (text === undefined || text.length < SHORTEST) return;
    if (isCommand && commands.size < MAX_KEPT)
      for (const one of withDecoded(text)) if (!original.includes(one)) commands.add(one);
    if (texts.size < MAX_KEPT && !original.includes(text)) texts.add(text);
  };
  const folder = new Folder(tokens, new Map(), isBasic);
  while (folder.at < tokens.length) statement(folder, isBasic, keep);
  for (const command of commands) texts.add(command);
  return { commands: [...commands], texts: [...texts] };
}

type Keep = (value: Value | undefined, isCommand: boolean) => void;

/** Reads one statement: an assignment, a call of something that runs a text, or an expression. */
function statement(folder: Folder, isBasic: boolean, keep: Keep): void {
  const from = folder.at;
  const { kind, text } = folder.token;
  if (kind === 'end') folder.at++;
  else if (kind === 'word' && RUNS.test(text)) {
    folder.at++;
    keep(folder.expression(false), true);
  } else if (kind === 'sign' && (text === '&' || text === '.') && !isBasic) runsNamed(folder, keep);
  else if (!assigns(folder, isBasic, keep)) {
    const value = folder.expression();
    const piped = folder.token.text === '|' ? (folder.tokens[folder.at + 1]?.text ?? '') : '';
    keep(value, RUNS.test(piped) || piped === '&' || piped === '.');
    if (folder.at === from || folder.token.text === '|') folder.at++;
  }
}

/** Reads a call by a name that is composed: `& ('i' + 'ex') $code`. */
function runsNamed(folder: Folder, keep: Keep): void {
  folder.at++;
  const called = textOf(folder.expression(false))?.toLowerCase() ?? '';
  keep(RUNS.test(called) ? folder.expression(false) : called, true);
}

/** Reads an assignment, also by `+=`. Returns false for anything else, and then has read nothing. */
function assigns(folder: Folder, isBasic: boolean, keep: Keep): boolean {
  const { kind, text } = folder.token;
  const [next, behind] = [folder.tokens[folder.at + 1], folder.tokens[folder.at + 2]];
  const adds = next?.text === '+' && behind?.text === '=';
  const isVariable = kind === 'variable' || (isBasic && kind === 'word');
  if (!isVariable || next?.kind !== 'sign' || !(adds || next.text === '=')) return false;
  folder.at += adds ? 3 : 2;
  const value = folder.expression();
  const whole = adds ? joinedWith(folder.variables.get(text), value) : value;
  if (folder.variables.size < MAX_VARIABLES) folder.variables.set(text, whole);
  keep(value, false);
  return true;
}

const joinedWith = (left: Value | undefined, right: Value | undefined): Value | undefined => {
  const [one, other] = [textOf(left), textOf(right)];
  return one === undefined || other === undefined ? undefined : one + other;
};

/** Returns a command, and behind it the command that it carries encoded. */
function withDecoded(command: string): string[] {
  const encoded = ENCODED.exec(command)?.[1];
  if (encoded === undefined) return [command];
  return [command, Buffer.from(encoded, 'base64').toString('utf16le').slice(0, MAX_CHARS)];
}

/** Returns encoded commands in code of any language, behind the option of PowerShell for them. */
export function encodedCommands(code: string): string[] {
  return [...code.matchAll(new RegExp(ENCODED, 'gi'))]
    .slice(0, MAX_KEPT)
    .flatMap(([whole]) => withDecoded(whole).slice(1));
}

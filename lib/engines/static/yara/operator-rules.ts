/**
 * Reads the rules in the folder of an operator and the folders in it. A rule that does not compile is named and omitted, and the others
 * still work.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Compiler } from '@virustotal/yara-x';

/** The most files. With whole collections of rules, every worker would need minutes to start. */
const MAX_FILES = 200;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** The most rules of one damaged file that are tried one by one. */
const MAX_TRIED_RULES = 300;
const MAX_MESSAGE = 400;

export interface RuleProblem {
  /** The name of the file in the folder, with the name of the rule behind it if the problem is in one rule. */
  readonly where: string;
  /** The message of YARA-X, shortened. */
  readonly message: string;
}

export interface OperatorRules {
  /** The rules that compile, one text per file. */
  readonly sources: readonly { readonly name: string; readonly text: string }[];
  readonly problems: readonly RuleProblem[];
}

/**
 * Reads all `.yar` and `.yara` files of a folder and the folders in it; each is named by its path there. YARA-X must be initialised. Throws
 * nothing: a folder that cannot be read is a problem too.
 */
export function readOperatorRules(folder: string): OperatorRules {
  const sources: { name: string; text: string }[] = [];
  const problems: RuleProblem[] = [];
  for (const name of namesIn(folder, problems)) {
    const text = textOf(folder, name, problems);
    if (text === null) continue;
    const message = problemOf(text);
    if (message === null) sources.push({ name, text });
    else {
      const rest = withoutFailing(name, text, message, problems);
      if (rest !== null) sources.push({ name, text: rest });
    }
  }
  return { sources, problems };
}

function namesIn(folder: string, problems: RuleProblem[]): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => /\.yara?$/i.test(name))
      .sort();
    if (names.length > MAX_FILES)
      problems.push({ where: folder, message: `only the first ${MAX_FILES} files are used` });
    return names.slice(0, MAX_FILES);
  } catch (error) {
    problems.push({ where: folder, message: `the folder cannot be read: ${codeOf(error)}` });
    return [];
  }
}

function textOf(folder: string, name: string, problems: RuleProblem[]): string | null {
  try {
    const path = join(folder, name);
    if (statSync(path).size <= MAX_FILE_BYTES) return readFileSync(path, 'utf8');
    problems.push({ where: name, message: `the file is larger than ${MAX_FILE_BYTES} bytes` });
  } catch (error) {
    problems.push({ where: name, message: `the file cannot be read: ${codeOf(error)}` });
  }
  return null;
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'an error');

/** Returns why a text does not compile, or null when it compiles. */
function problemOf(text: string): string | null {
  const compiler = new Compiler();
  try {
    compiler.addSource(text);
    compiler.build().free();
    return null;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).trim().slice(0, MAX_MESSAGE);
  } finally {
    compiler.free();
  }
}

/** Tries the rules of a file one by one, each together with those that work, because a rule may name one before it. */
function withoutFailing(name: string, text: string, message: string, problems: RuleProblem[]): string | null {
  const starts = [...text.matchAll(/^(?:(?:private|global)\s{1,9}){0,2}rule\s{1,9}(\w{1,128})/gm)];
  if (starts.length < 2 || starts.length > MAX_TRIED_RULES) {
    problems.push({ where: name, message });
    return null;
  }
  let good = text.slice(0, starts[0]?.index ?? 0);
  starts.forEach((start, index) => {
    const rule = text.slice(start.index, starts[index + 1]?.index);
    const failure = problemOf(good + rule);
    if (failure === null) good += rule;
    else problems.push({ where: `${name}, rule ${start[1]}`, message: failure });
  });
  return good;
}

/** The invariants that docs/invariants.md states, and the tests that each names. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, read } from './imports.ts';

export interface NamedTest {
  readonly path: string;
  /** How the title of a test, or of a group of tests, begins; null where the file is one test. */
  readonly title: string | null;
}

export interface Invariant {
  /** The heading it stands under. */
  readonly theme: string;
  readonly sentence: string;
  readonly tests: readonly NamedTest[];
}

const NAMED_TEST = /^ {2}- Test: `([^`]+)`(?: "(.+)")?$/;

export const INVARIANTS_FILE = 'docs/invariants.md';

/** Reads the list below each heading. Throws for a line of a second level that does not name a test. */
export function invariantsOf(text: string): Invariant[] {
  const [, ...blocks] = text.split(/^## /m);
  return blocks.flatMap((block) => {
    const [theme = '', ...lines] = block.split('\n');
    const bullets = lines.join('\n').split(/^- /m).slice(1);
    return bullets.map((bullet): Invariant => {
      const all = bullet.trimEnd().split('\n');
      const tests = all.filter((line) => /^ +- /.test(line)).map(namedTest);
      const words = all.filter((line) => !/^ +- /.test(line)).map((line) => line.trim());
      return { theme, sentence: words.join(' '), tests };
    });
  });
}

function namedTest(line: string): NamedTest {
  const [, path, title = null] = NAMED_TEST.exec(line) ?? [];
  if (path === undefined) throw new Error(`no test is named in: ${line}`);
  return { path, title };
}

/** Why a named test cannot be the test of an invariant; null when it is there. */
export function problemWith({ path, title }: NamedTest): string | null {
  if (!existsSync(join(ROOT, path))) return `${path} does not exist`;
  const text = read(path);
  if (title !== null) return isTitleIn(title, text) ? null : `${path} has no test that begins with "${title}"`;
  const tests = text.match(/^\s*test(?:\.each\b|\()/gm) ?? [];
  return tests.length > 1 ? `${path} has ${tests.length} tests: say which one` : null;
}

/** Every title is the beginning of a text in the file: a test.each has its cases in front of it. */
function isTitleIn(title: string, text: string): boolean {
  return ["'", '`', '"'].some((quote) => text.includes(quote + title));
}

/** A test that does not run says so, and none hangs on files that a plain clone does not have. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const FOLDER = import.meta.dirname;
const SELF = 'no-silent-skip.test.ts';
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && path !== SELF)
  .map((path) => ({ path, text: readFileSync(join(FOLDER, path), 'utf8') }));

/** Ways for a test not to run, each with an example that must be found. Where `only` may do it, it may. */
const WAYS: readonly {
  readonly name: string;
  readonly pattern: RegExp;
  readonly example: string;
  readonly only?: RegExp;
}[] = [
  {
    name: 'files beside the repository',
    pattern: /['"`]\.\.\/shared|AIRLOCK_CASES/,
    example: "join('../shared/data', 'x')",
  },
  {
    name: 'a condition of its own',
    pattern: /\b(?:skipIf|runIf)\(/,
    example: 'test.runIf(isHere)(',
    only: /^programs\.ts$/,
  },
  { name: 'a skip from within', pattern: /\b(?:ctx|context|task)\.skip\(|\{ skip \}/, example: 'ctx.skip()' },
  { name: 'a skip', pattern: /\b(?:test|it|describe)(?:\.\w+)*\.(?:skip|todo)\b/, example: 'test.concurrent.skip(' },
  {
    name: 'a return where a file is missing',
    pattern: /if \(!?\(?(?:await )?(?:existsSync|has[A-Z]\w*|is(?:Here|Present)\b)[^\n]*\) return;/,
    example: 'if (!existsSync(path)) return;',
  },
  {
    name: 'cases from a folder that need not be there',
    pattern: /existsSync\([^\n]*\) \? [^\n]*(?:readdirSync|readFileSync)[^\n]* : \[\]/,
    example: 'existsSync(FINDS) ? readdirSync(FINDS) : []',
  },
];

/** The bench and the programs for people may say that something is not here; nobody takes them for tests. */
const isTest = (path: string) => !/^(?:bench|checkers)\//.test(path);

describe.each(WAYS)('no test leaves itself out by $name', ({ pattern, example, only }) => {
  test('in any file', () => {
    const found = files.filter(({ path, text }) => isTest(path) && !(only?.test(path) ?? false) && pattern.test(text));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  test('and the search finds an example of it', () => {
    expect(pattern.test(example)).toBe(true);
  });
});

test('nothing that is run here reads files beside the repository', () => {
  expect(files.filter(({ text }) => /\.\.\/shared/.test(text)).map(({ path }) => path)).toEqual([]);
  expect(files.length).toBeGreaterThan(300);
});

test('a test that mocks a client of the AWS SDK for all sets it back, because test files share a process', () => {
  const left = files.filter(({ text }) => /\bmockClient\([A-Z]\w*Client\)/.test(text) && !text.includes('.restore()'));
  expect(left.map(({ path }) => path)).toEqual([]);
});

/**
 * No test fails because the machine is busy: none has a limit of its own by the clock (test/runner/net.ts has the one there is), and none
 * waits for a time in which something else has to happen.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const FOLDER = import.meta.dirname;
const SELF = 'no-own-limit.test.ts';
/** Checks of programs of others, and benches, are no tests. */
const NO_TESTS = /^(?:checkers|bench)\//;
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && path !== SELF && !NO_TESTS.test(path))
  .map((path) => ({ path, text: readFileSync(join(FOLDER, path), 'utf8') }));

const WAYS = [
  { name: 'milliseconds behind a test', pattern: /^\s*\}, [\d_]{4,}\);$/m, example: '  }, 60_000);' },
  {
    name: 'a name for them behind a test',
    pattern: /^\s*\}?,? ?[A-Z_]*TIMEOUT[A-Z_]*,?(?:\);)?$/m,
    example: '      GROUP_TIMEOUT_MS,',
  },
  {
    name: 'a measurement',
    pattern: /\bexpect\(.*(?:cpuUsage|performance\.now)\(/,
    example: 'expect(performance.now() - start)',
  },
  {
    name: 'the use of a processor',
    pattern: /= process\.cpuUsage\(\w+\);\n.*expect/,
    example: 'const used = process.cpuUsage(start);\n  expect(used)',
  },
  { name: 'an option', pattern: /\btimeout: [\d_]{4,}/, example: "test('a', { timeout: 60_000 }, async" },
  {
    name: 'a wait by the clock, which something else may overtake',
    pattern: /\bsetTimeout\(\(?(?:resolve|done)\b/,
    example: 'await new Promise((resolve) => setTimeout(resolve, 80))',
  },
  { name: 'a signal of the clock', pattern: /\bAbortSignal\.timeout\(/, example: 'AbortSignal.timeout(1_000)' },
  { name: 'the silence of a socket', pattern: /\.setTimeout\([\d_]+,/, example: 'socket.setTimeout(20_000, () =>' },
] as const;

describe.each(WAYS)('$name', ({ pattern, example }) => {
  test('is found in an example', () => expect(example).toMatch(pattern));

  test('stands in no test', () => {
    expect(files.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

test('nothing waits for one second only, which is what vi.waitFor does by itself', () => {
  const waiting = files.filter(({ text }) => /\bvi\.wait(?:For|Until)\(/.test(text));
  expect(waiting.length).toBeGreaterThan(5);
  expect(waiting.filter(({ text }) => !text.includes('timeout: NET_MS')).map(({ path }) => path)).toEqual([]);
});

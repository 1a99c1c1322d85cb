/** Words that may stand only in some places, or nowhere. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow, isIn, ROOT, read, sources } from './imports.ts';

const filesWith = (word: RegExp, ...folders: readonly string[]) =>
  sources.filter((path) => isIn(path, ...folders) && word.test(read(path)));

describe('who says what', () => {
  test('pipeline and message ask nobody for the time, for randomness, for the environment or for the network', () => {
    const impure =
      /\bDate\.now\(\)|new Date\(\)|Math\.random\(|randomUUID|randomBytes|process\.(env|argv)|setTimeout\(|globalThis\.fetch|(?<!function )\bfetch\(|new WebSocket/;
    expect(filesWith(impure, 'lib/pipeline', 'lib/message')).toEqual([]);
  });

  test('the words of the wire stay in the service', () => {
    const wire = /\b(uuid|metafields)\b/;
    expect(filesWith(wire, 'lib/pipeline', 'lib/message', 'lib/storage', 'lib/infra')).toEqual([]);
  });

  test('only bin and the lambdas read the environment and the arguments', () => {
    const found = filesWith(/(?<!')process\.(env|argv)\b/, 'bin', 'lambdas', 'lib');
    expect(found.filter((path) => !isIn(path, 'bin') && path !== 'lambdas/shared/runtime.ts')).toEqual([]);
  });

  test('a limit is named MAX_…, and by no other word', () => {
    const all = [...sources, ...filesBelow('test').filter((path) => /\.tsx?$/.test(path))];
    const others = /\b(?:MOST|LONGEST|LARGEST|BIGGEST|DEEPEST|HIGHEST|MAXIMUM)_[A-Z]/;
    expect(all.filter((path) => others.test(read(path)))).toEqual([]);
  });

  test('no default exports and no test that is skipped or alone', () => {
    expect(filesWith(/^export default/m, 'bin', 'lambdas', 'lib')).toEqual([]);
    const tests = filesBelow('test').filter((path) => path.endsWith('.test.ts'));
    expect(tests.filter((path) => /\b(test|it|describe)\.(skip|only|todo)\(/.test(read(path)))).toEqual([]);
  });

  test('no tracked text names a machine of ours or a package registry', () => {
    const texts = [
      ...sources,
      ...filesBelow('test'),
      'README.md',
      'SECURITY.md',
      'ARCHITECTURE.md',
      'package.json',
      'package-lock.json',
    ];
    const forbidden = new RegExp(['registry\\.np', 'mjs|deb\\.deb', 'ian\\.org|/wo', 'rk/(main|shared)'].join(''));
    const found = texts.filter((path) => existsSync(join(ROOT, path)) && forbidden.test(read(path)));
    expect(found.map((path) => relative('.', path))).toEqual([]);
  });
});

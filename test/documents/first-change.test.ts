/** The diffs of docs/first-change.md fit the code of today, so that a newcomer can apply them one after the other. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './docstrings.ts';

interface Hunk {
  readonly path: string;
  /** The lines that are there, and those that take their place. */
  readonly before: string;
  readonly after: string;
}

/** What makes the page follow the code: the hunks of all its diffs, in their order. */
function hunksOf(page: string): Hunk[] {
  const diffs = [...page.matchAll(/^```diff\n(.*?)^```/gms)].flatMap(([, diff = '']) => diff.split(/^(?=--- )/m));
  return diffs.flatMap((diff) => {
    const path = /^\+\+\+ b\/(\S+)$/m.exec(diff)?.[1] ?? '';
    const hunks = diff.split(/^@@ .*\n/m).slice(1);
    const lines = (hunk: string, signs: string) =>
      hunk.split('\n').filter((line) => line !== '' && signs.includes(line.charAt(0)));
    const texts = (hunk: string, signs: string) =>
      lines(hunk, signs)
        .map((line) => line.slice(1))
        .join('\n');
    return hunks.map((hunk) => ({ path, before: texts(hunk, ' -'), after: texts(hunk, ' +') }));
  });
}

test('each diff applies to what the diffs before it left', () => {
  const files = new Map<string, string>();
  const read = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '');
  const hunks = hunksOf(read('docs/first-change.md'));
  const misfits: string[] = [];
  for (const { path, before, after } of hunks) {
    const text = files.get(path) ?? read(path);
    const isNew = before === '';
    if (isNew ? text !== '' : !text.includes(before)) misfits.push(`${path}: ${before || 'is there already'}`);
    files.set(path, isNew ? after : text.replace(before, () => after));
  }
  expect(misfits).toEqual([]);
  expect(hunks.length).toBeGreaterThan(30);
});

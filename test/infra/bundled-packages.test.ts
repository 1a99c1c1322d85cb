/** A package that code asks Node for while it runs is in the bundle of each worker that reaches the code. */
import { expect, test } from 'vitest';
import packages from '../../lib/infra/bundling/bundled-packages.json' with { type: 'json' };
import { packageOf, reach, read, sources } from '../architecture/imports.ts';

/** A call that esbuild leaves to Node. */
const ASKED = /(?:\brequire|\bcreateRequire\(import\.meta\.url\))(?:\.resolve)?\(\s*'([^']+)'/g;

const askedBelow = (door: string): string[] => {
  const files = [...reach([door]).keys()].filter((path) => sources.includes(path));
  const targets = files.flatMap((path) => [...read(path).matchAll(ASKED)].map(([, target = '']) => target));
  return [...new Set(targets.map(packageOf).filter((name) => name !== null))].sort();
};

test.each([
  ['the engines', 'lib/engines/threads/worker.ts', [...packages.codes, ...packages.disarm, ...packages.engines]],
  ['the second look at what a service returned', 'lib/engines/returned/worker.ts', packages.disarm],
  ['codes in pictures', 'lib/formats/codes/worker.ts', packages.codes],
  ['pictures for the desk', 'lib/formats/drawn/worker.ts', packages.drawn],
])('%s', (_, door, bundled) => {
  const asked = askedBelow(door);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.filter((name) => !bundled.includes(name))).toEqual([]);
});

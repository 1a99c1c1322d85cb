/** Which Node the dependencies ask for. */
import { readFileSync } from 'node:fs';
import { minVersion, satisfies } from 'semver';
import { expect, test } from 'vitest';

interface Described {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));

test('no dependency asks for a newer Node than the oldest one that is promised', () => {
  const floor = minVersion((readJson('package.json') as Described).engines?.node ?? '');
  const { packages } = readJson('package-lock.json') as { readonly packages: Readonly<Record<string, Described>> };
  const described = Object.entries(packages).filter(([, { engines }]) => engines?.node !== undefined);
  expect(described.length).toBeGreaterThan(200);
  expect(
    described
      .filter(([, { engines }]) => !satisfies(floor ?? '', engines?.node ?? ''))
      .map(([path, { version, engines }]) => `${path} ${version} asks for Node ${engines?.node}`),
  ).toEqual([]);
});

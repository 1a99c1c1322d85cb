/** What a package says that it brings: the SBOM and the licences, made from the lock file. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, describe, expect, test } from 'vitest';
import { contentsOf } from '../../packages/contents.ts';
import { accepted } from '../../packages/licences.ts';
import { PACKAGES } from '../../packages/package-table.ts';
import { LICENCES_FILE, SBOM_FILE, writeContents } from '../../packages/sbom.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-contents-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Sbom {
  readonly components: readonly { readonly purl: string; readonly licenses: readonly unknown[] }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const isLibrary = (place: string) => place.includes('node_modules/');

describe.each(PACKAGES.map((row) => [row.name, row] as const))('%s', (name, row) => {
  writeContents(row, '1.2.3', folder);
  const text = readFileSync(join(folder, SBOM_FILE), 'utf8');
  const licences = readFileSync(join(folder, LICENCES_FILE), 'utf8');
  const sbom = JSON.parse(text) as Sbom;
  const contents = contentsOf(row);

  test('has an SBOM that the strict schema of CycloneDX 1.6 accepts', async () => {
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
  });

  test('names every package with its licence, in the SBOM and for people', () => {
    const purls = sbom.components.map(({ purl }) => purl);
    const wanted = contents.map((each) => `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`);
    expect(purls.sort()).toEqual([...new Set(wanted)].sort());
    expect(sbom.components.filter(({ licenses }) => licenses.length !== 1)).toEqual([]);
    for (const { name: of, version, licence } of contents)
      expect(licences).toContain(`| ${of} | ${version} | ${licence} |`);
  });

  test('says what needs what: the package reaches everything that it asks for', () => {
    const own = sbom.dependencies.find(({ ref }) => ref === `${name}@1.2.3`);
    expect(own?.dependsOn?.length).toBe(
      new Set([...row.dependencies, ...row.optionalDependencies, ...row.peerDependencies, ...row.inside]).size,
    );
  });

  test('carries the licence of what is inside of its own files', () => {
    const inside = contents.filter(({ isInside }) => isInside).map((each) => each.name);
    expect(inside.length > 0).toBe(row.inside.length > 0 || row.hasBundles);
    for (const each of row.inside) expect(licences).toMatch(new RegExp(`^## .*${each}`, 'm'));
  });
});

test('the construct names what is in its bundles', () => {
  const cdk = PACKAGES.find(({ hasBundles }) => hasBundles);
  const names = cdk ? contentsOf(cdk).flatMap(({ name, isInside }) => (isInside ? [name] : [])) : [];
  expect(names).toEqual(expect.arrayContaining(['mailparser', 'sharp', '@img/sharp-wasm32', 'openpgp', 'zod']));
  expect(names.filter((name) => name.startsWith('@img/sharp-libvips'))).toEqual([]);
});

test('a clone without the tools of developers holds only licences that are permissive, or that NOTICE names', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Readonly<Record<string, Locked>> };
  const used = Object.entries(lock.packages).filter(([place, { dev, link }]) => isLibrary(place) && !dev && !link);
  const refused = used.filter(([place, { license }]) => {
    try {
      return accepted(place.split('node_modules/').at(-1) ?? '', license) === '';
    } catch {
      return true;
    }
  });
  expect(used.length).toBeGreaterThan(150);
  expect(refused).toEqual([]);
});

describe('a licence', () => {
  test.each([
    ['a', 'MIT', 'MIT'],
    ['pako', '(MIT AND Zlib)', 'MIT AND Zlib'],
    ['case', '(MIT OR GPL-3.0-or-later)', 'MIT OR GPL-3.0-or-later'],
    ['openpgp', 'LGPL-3.0+', 'LGPL-3.0+'],
    ['@img/sharp-win32-x64', 'Apache-2.0 AND LGPL-3.0-or-later', 'Apache-2.0 AND LGPL-3.0-or-later'],
  ])('of %s may be %s', (name, declared, licence) => {
    expect(accepted(name, declared)).toBe(licence);
  });

  test.each([
    ['a', 'GPL-3.0-only'],
    ['a', 'LGPL-3.0-or-later'],
    ['a', 'MIT AND GPL-2.0-only'],
    ['a', '(MIT OR Apache-2.0) AND GPL-2.0-only'],
    ['a', 'SEE LICENSE IN License.txt'],
    ['openpgp', 'AGPL-3.0-only'],
    ['a', undefined],
  ])('of %s may not be %s', (name, declared) => {
    expect(() => accepted(name, declared)).toThrow(/do not accept that/);
  });
});

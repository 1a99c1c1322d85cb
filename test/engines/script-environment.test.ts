/** The modules of the emulated environment have the form that joining them needs, and none is left out. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ENVIRONMENT_MODULES, environmentFor } from '../../lib/engines/script/environment-text.ts';

const FOLDER = new URL('../../lib/engines/script/environment/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));

test('every module of the folder is joined once', () => {
  const listed = Object.values(ENVIRONMENT_MODULES).flat();
  expect(listed.map((name) => `${name}.js`).sort()).toEqual(FILES.sort());
});

describe.each(FILES)('%s', (file) => {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');

  test('renames nothing in its imports and exports', () => {
    expect(text).not.toMatch(/^(?:import|export) (?:\* |\{[^}]* as |default )/m);
  });

  test('imports only modules of the folder', () => {
    const imported = [...text.matchAll(/^import [^;]*? from '([^']*)';/gm)].map(([, path]) => path);
    expect(imported.filter((path) => !FILES.includes(path?.replace('./', '') ?? ''))).toEqual([]);
  });

  test('has no string literal that spans lines', () => {
    expect(text.split('\n').filter((line) => (line.match(/`/g) ?? []).length % 2 === 1)).toEqual([]);
  });
});

test.each(['host', 'application', 'page', 'acrobat'] as const)(
  'the environment of a %s is one valid script',
  (objects) => {
    const text = environmentFor({ objects, isOld: false });
    expect(text.match(/^(?:import|export)\b.*/gm)).toBeNull();
    // A name that two modules declare would be an error in the joined text.
    expect(() => new Function(`return ${text};`)).not.toThrow();
  },
);

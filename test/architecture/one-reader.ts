/** A format has one reader, and one more for the second look. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './imports.ts';
import { isSecondLook, modulesWith, READERS, unlistedReaders } from './readers.ts';

describe('the readers of a format', () => {
  test.each(READERS.map((row) => [row.format, row] as const))(
    '%s: no module reads it that its row does not list',
    (_, row) => {
      expect(unlistedReaders(row)).toEqual([]);
      expect(modulesWith(row.sign)).not.toEqual([]);
    },
  );

  test('the readers that are named exist', () => {
    const named = READERS.flatMap(({ reader, secondLook }) => [reader, ...(secondLook === null ? [] : [secondLook])]);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('the second look has readers of its own', () => {
    const second = READERS.flatMap(({ secondLook }) => secondLook ?? []);
    expect(second.filter((path) => !isSecondLook(path))).toEqual([]);
    expect(READERS.filter(({ reader }) => isSecondLook(reader))).toEqual([]);
  });
});

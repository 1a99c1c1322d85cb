/** The rooms in which faults are planted are those of the sources: a file that is renamed is not lost without a word. */
import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EQUIVALENT } from './equivalent.ts';
import { filesOf, ROOMS } from './rooms.ts';

test('every source file is in a room, and every name of a room is a file or folder', () => {
  const named = ROOMS.flatMap(({ sources, except = [] }) => [...sources, ...except]);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  const all = ['lib', 'lambdas'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => /\.tsx?$/.test(path)),
  );
  const inRooms = ROOMS.flatMap(filesOf);
  expect(all.filter((path) => !inRooms.includes(path))).toEqual([]);
  expect(inRooms.length - new Set(inRooms).size, 'files of two rooms').toBe(0);
});

test('what is called equivalent is of a file that is there, with a reason', () => {
  expect(EQUIVALENT.filter(({ file, why }) => !existsSync(file) || why.length < 20)).toEqual([]);
});

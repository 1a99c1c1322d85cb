/**
 * Every function that a user of the library calls has an `@example`. All of them are compiled in one program, and those that say
 * what comes out (`expression; // => value`) are run.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STAGE_NAMES } from '../../lib/pipeline/model.ts';
import { PACKAGES } from '../../packages/package-table.ts';
import {
  type Exported,
  exportsOf,
  filesBelow,
  hasClaim,
  moduleOf,
  namesOf,
  ROOT,
  referenceFiles,
} from './docstrings.ts';

/** Below the root, so that imports find the packages, and in a folder that nobody tracks. */
const FOLDER = join(ROOT, 'dist', `examples-${process.pid}`);
/** Every function of these rooms, and of all others what the reference describes. */
const ROOMS = ['lib/service/client', 'lib/infra'];
/** Files inside, which contributors call and the reference leaves out: the stages, and where each engine begins. */
const STAGES = ['lib/pipeline/stages.ts', ...STAGE_NAMES.map((name) => `lib/pipeline/${name}.ts`)];
const ENGINES = ['threads/pool', 'static/analyse-file', 'url/analyse-url', 'script/detonate-file', 'disarm/disarm'];
const INSIDE = [...STAGES, ...ENGINES.map((name) => `lib/engines/${name}.ts`)];
const files = [...new Set([...ROOMS.flatMap(filesBelow), ...referenceFiles(), ...INSIDE])];
/** An abstract class is nobody's to make, and an error is somebody else's to throw. */
const exported = files.flatMap(exportsOf).filter(({ kind }) => kind === 'function' || kind === 'class');
const withExample = exported.filter(({ example }) => example !== null);
const fileOf = ({ path, name }: Exported) => `${path.replace(/^lib\//, '').replace(/[/.]/g, '-')}-${name}.ts`;

beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true });
  for (const each of withExample) writeFileSync(join(FOLDER, fileOf(each)), moduleOf(each, namesOf(each.path)));
  const compilerOptions = {
    noUnusedLocals: false,
    noUnusedParameters: false,
    incremental: false,
    tsBuildInfoFile: null,
  };
  const config = { extends: '../../tsconfig.types.json', compilerOptions, include: ['*.ts'] };
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(config));
});
afterAll(() => rmSync(FOLDER, { recursive: true }));

test('every exported function and class has a docstring and an example', () => {
  expect(exported.length).toBeGreaterThan(60);
  const name = (each: Exported) => `${each.path}: ${each.name}`;
  expect(exported.filter(({ docstring }) => docstring === '').map(name)).toEqual([]);
  expect(exported.filter(({ example }) => example === null).map(name)).toEqual([]);
});

test('every example compiles', async () => {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const ran = await promisify(execFile)(process.execPath, [compiler, '-p', FOLDER]).catch((error) => error);
  expect(String(ran.stdout)).toBe('');
});

const claiming = withExample.filter(hasClaim);

test('most examples say what comes out', () => {
  expect(claiming.length).toBeGreaterThan(25);
});

test.each(claiming.map((each) => [each.name, each] as const))('the example of %s is true', async (_, each) => {
  await import(join(FOLDER, fileOf(each)));
});

test('the reference has every entry of every package', () => {
  const entries = PACKAGES.flatMap((row) => Object.values(row.exports));
  expect(entries.length).toBeGreaterThan(4);
  expect(entries.filter((entry) => !referenceFiles().includes(entry))).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OTHER_LAMBDAS } from '../../lib/infra/other-lambdas.ts';
import { STAGE_NAMES } from '../../lib/pipeline/model.ts';

const LAMBDAS = new URL('../../lambdas/', import.meta.url);
const MAX_LINES = 15;

const source = (name: string) => readFileSync(new URL(`${name}.ts`, LAMBDAS), 'utf8');

test('there is one entry point per stage, those of the engines, redrive, the desk, recipients, the doors, the ways out and what a clock starts', () => {
  const entries = readdirSync(LAMBDAS).filter((file) => file !== 'shared');
  expect(entries.sort()).toEqual([...STAGE_NAMES, ...OTHER_LAMBDAS].map((name) => `${name}.ts`).sort());
});

test.each(STAGE_NAMES)('%s is an entry point of at most 15 lines around the stage of that name', (stage) => {
  expect(source(stage).trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  expect(source(stage)).toContain(`from '../lib/pipeline/${stage}.ts'`);
  expect(source(stage)).toMatch(/export (const|function) handler\b/);
});

test('the environment is read in one file', () => {
  const files = readdirSync(LAMBDAS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const readers = files.filter((file) => readFileSync(new URL(file, LAMBDAS), 'utf8').includes('process.env'));
  expect(readers).toEqual(['shared/runtime.ts']);
});

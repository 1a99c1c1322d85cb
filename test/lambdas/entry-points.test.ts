import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OTHER_LAMBDAS } from '../../lib/infra/other-lambdas.ts';
import { STAGE_NAMES } from '../../lib/pipeline/model.ts';

const LAMBDAS = new URL('../../lambdas/', import.meta.url);
const MOST_LINES = 15;
/** What the entry points share. */
const SHARED = [
  'analysis',
  'blocks',
  'desk-issuer',
  'digest-request',
  'embedded-metrics',
  'ends',
  'engine-analyzer',
  'engine-queue',
  'engine-runtime',
  'events',
  'go-on',
  'ledger-of',
  'links',
  'lists',
  'placing',
  'ports',
  'read-runs',
  'readers',
  'recheck-request',
  'redrive-request',
  'runtime',
  'saved-views',
  'scheduled-event',
  'secrets',
  'service-analyzer',
];

const source = (name: string) => readFileSync(new URL(`${name}.ts`, LAMBDAS), 'utf8');

test('there is one entry point per stage, those of the engines, redrive, the desk, recipients, the doors, the ways out and what a clock starts', () => {
  const files = readdirSync(LAMBDAS).map((file) => file.replace(/\.ts$/, ''));
  expect(files.sort()).toEqual([...STAGE_NAMES, ...OTHER_LAMBDAS, ...SHARED].sort());
});

test.each(STAGE_NAMES)('%s is an entry point of at most 15 lines around the stage of that name', (stage) => {
  expect(source(stage).trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
  expect(source(stage)).toContain(`from '../lib/pipeline/${stage}.ts'`);
  expect(source(stage)).toMatch(/export (const|function) handler\b/);
});

test('the environment is read in one file', () => {
  const readers = [...STAGE_NAMES, ...OTHER_LAMBDAS, ...SHARED].filter((name) => source(name).includes('process.env'));
  expect(readers).toEqual(['runtime']);
});

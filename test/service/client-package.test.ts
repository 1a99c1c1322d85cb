/** `@mail-airlock/client` as another project has it: built, installed, run by plain Node and seen by its compiler. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningService, startService } from '../../lib/service/server/listen.ts';
import { stage } from '../../packages/pack.ts';
import { PACKAGES } from '../../packages/package-table.ts';
import { API_KEY, CDR_TOKEN, scriptedRunner } from './scripted-service.ts';

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'node_modules/.bin');
/** The dependencies of the built package, and the types of Node that every project has. */
const DEPENDENCIES = ['undici', '@types/node', 'undici-types'];

const run = promisify(execFile);
let project: string;
let service: RunningService;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'airlock-package-'));
  const client = PACKAGES.find(({ folder }) => folder === 'client');
  if (client === undefined) throw new Error('there is no package of the client');
  stage(client, join(project, 'node_modules/@mail-airlock/client'));
  await mkdir(join(project, 'node_modules/@types'));
  for (const name of DEPENDENCIES) await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  service = await startService({ port: 0, apiKey: API_KEY, cdrToken: CDR_TOKEN, pool: scriptedRunner });
});
afterAll(async () => {
  await service?.close();
  await rm(project, { recursive: true });
});

const PROGRAM = `
import { AnalysisClient, AnalysisClientV1, ApiError, CdrClient } from '@mail-airlock/client';

const [, , url = '', cdrUrl = '', key = '', token = ''] = process.argv;
const client = new AnalysisClient({ baseUrl: url, apiKey: key });
const { uuid } = await client.createStaticSubmission({ bytes: Buffer.from('malicious'), filename: 'a.doc' });
const { level } = await client.waitForCompletion(uuid, { schedule: { firstMs: 5 } });
const earlier = new AnalysisClientV1({ baseUrl: url, apiKey: key });
const cdr = new CdrClient({ baseUrl: cdrUrl, token });
const { resultId } = await cdr.start({ bytes: Buffer.from('benign'), filename: 'b.doc' });
const refused = await client.getSubmission('00000000-0000-4000-8000-000000000000').catch((error) => error);
console.log(JSON.stringify({
  level,
  earlier: (await earlier.getSubmission(uuid)).level,
  hasResult: resultId.length > 0,
  refusal: refused instanceof ApiError && refused.code,
}));
`;

test('runs in plain Node, without a loader', async () => {
  const program = join(project, 'program.mjs');
  await writeFile(program, PROGRAM);
  const { stdout } = await run(process.execPath, [program, service.url, service.cdrUrl, API_KEY, CDR_TOKEN], {
    cwd: project,
    env: { PATH: process.env.PATH },
  });
  expect(JSON.parse(stdout)).toEqual({
    level: 'malicious',
    earlier: 3,
    hasResult: true,
    refusal: 'SUBMISSION_NOT_FOUND',
  });
});

const TYPED = `
import { AnalysisClient, type Submission } from '@mail-airlock/client';

const client = new AnalysisClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key' });
export const found: Promise<Submission> = client.getSubmission('uuid');
export const level: Promise<'unknown' | 'benign' | 'suspicious' | 'malicious'> = found.then((one) => one.level);
// @ts-expect-error The types are there: a filter that no service has is refused.
void client.listSubmissions({ colour: 'red' });
// @ts-expect-error A level is one of four words.
export const wrong: Promise<'clean'> = found.then((one) => one.level);
`;

test('has types that a strict compiler resolves', async () => {
  await writeFile(join(project, 'typed.ts'), TYPED);
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext'];
  const others = ['--types', 'node', '--preserveSymlinks'];
  const { stdout } = await run(join(BIN, 'tsc'), ['typed.ts', ...options, ...others], { cwd: project }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});

/** The service as one bundle in plain Node. Its threads and the process for large files start from the built files. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { DEFAULT_SERVICE_LIMITS } from '../../lib/service/server/limits.ts';

const ROOT = join(import.meta.dirname, '../..');
const ENGINES = join(ROOT, 'lib/engines');
const KEY = 'key-of-the-bundle';
/** The entry points: the service, a thread, and the process for one large file. */
const ENTRIES = {
  service: join(ROOT, 'lib/local/session/local-service.ts'),
  worker: join(ENGINES, 'threads/worker.ts'),
  'stored-file-run': join(ENGINES, 'threads/stored-file-run.ts'),
};
const ENTRY = `
import { startLocalService } from './service.js';
const service = await startLocalService(0, { apiKey: '${KEY}', dataDirectory: process.argv[2] });
console.log(service.url);
process.once('SIGTERM', () => service.close());
`;

let folder: string;
let service: ChildProcess;
let client: AnalysisClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-service-bundle-'));
  buildSync({
    entryPoints: ENTRIES,
    outdir: folder,
    bundle: true,
    // The engines need wasm and binaries, so their packages are not bundled.
    packages: 'external',
    platform: 'node',
    // The oldest Node that is promised; before 20.10, tables of names could not be imported.
    target: 'node20.19',
    format: 'esm',
    minify: true,
    logLevel: 'warning',
  });
  for (const entry of ['worker-entry.mjs', 'stored-file-entry.mjs'])
    await copyFile(join(ENGINES, 'threads', entry), join(folder, entry));
  await cp(join(ENGINES, 'static/yara/rules'), join(folder, 'rules'), { recursive: true });
  await cp(join(ENGINES, 'script/environment'), join(folder, 'environment'), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'entry.mjs'), ENTRY);
  service = spawn(process.execPath, [join(folder, 'entry.mjs'), join(folder, 'data')], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!service.stdout) throw new Error('the service has no output');
  const [baseUrl] = (await once(createInterface(service.stdout), 'line')) as [string];
  client = new AnalysisClient({ baseUrl, apiKey: KEY });
});
afterAll(async () => {
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true });
});

const FILE_BYTES = 9 * 1024 * 1024;
const SCRIPT_PAGE = '<p>text</p><script>document.write(unescape("%61"))</script>';
const page = (size: number) => Buffer.from(SCRIPT_PAGE.padEnd(size, ' '));

test.each([
  ['a small file in a thread', 1_000],
  ['a file of 9 MiB in a process of its own', FILE_BYTES],
])('analyses and disarms %s', async (_, size) => {
  expect(size >= DEFAULT_SERVICE_LIMITS.largeFileBytes).toBe(size > 1_000);
  const file = { bytes: page(size), filename: 'page.html' };
  const judged = await client.createStaticSubmission(file);
  const { level, reports } = await client.waitForCompletion(judged.uuid, { schedule: { firstMs: 20 } });
  expect([level, reports.map(({ status, error }) => [status, error])]).toEqual(['suspicious', [['completed', null]]]);
  const disarmed = await client.createCdrSubmission(file);
  expect((await client.waitForCompletion(disarmed.uuid, { schedule: { firstMs: 20 } })).reports).toMatchObject([
    { status: 'completed', removed: ['script'] },
  ]);
  const safe = Buffer.from(await (await client.downloadCdrSanitized(disarmed.uuid)).buffer(2 * FILE_BYTES));
  expect([safe.includes('<p>text</p>'), safe.includes('script')]).toEqual([true, false]);
  // The service has taken the file that the process left for it.
  expect(await readdir(join(folder, 'data/analysis/blobs/incoming'))).toEqual([]);
});

test('runs a script in the emulation', async () => {
  const bytes = Buffer.from("new ActiveXObject('WScript.Shell').Run('cmd.exe /c echo');");
  const { uuid } = await client.createSandboxSubmission({ bytes, filename: 'run.js' });
  const { reports } = await client.waitForCompletion(uuid, { schedule: { firstMs: 20 } });
  expect(reports.find(({ type }) => type === 'dynamic')).toMatchObject({ status: 'completed', level: 'malicious' });
});

/** Every example runs against the real service with scripted engines: what a file says is what its reports become. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main as submitAFile } from '../../examples/client/01-submit-a-file.ts';
import { main as uploadAStream } from '../../examples/client/02-upload-a-stream.ts';
import { main as analyseAUrl } from '../../examples/client/03-analyse-a-url.ts';
import { main as disarmAFile } from '../../examples/client/04-disarm-a-file.ts';
import { main as readTheReports } from '../../examples/client/05-read-the-reports.ts';
import { main as findSubmissions } from '../../examples/client/06-find-submissions.ts';
import { main as useTheEarlierInterface } from '../../examples/client/07-use-the-earlier-interface.ts';
import { main as waitWithProgress } from '../../examples/client/08-wait-with-progress.ts';
import { main as handleErrors } from '../../examples/client/09-handle-errors.ts';
import { main as saveArtifacts } from '../../examples/client/10-save-artifacts.ts';
import { main as configureASandbox } from '../../examples/client/11-configure-a-sandbox.ts';
import { main as useTheCdrService } from '../../examples/client/12-use-the-cdr-service.ts';
import { AnalysisClient, AnalysisClientV1, CdrClient } from '../../lib/service/client/client.ts';
import { type RunningService, startService } from '../../lib/service/server/listen.ts';
import { API_KEY, CDR_TOKEN, scriptedRunner } from '../service/scripted-service.ts';

const ROOT = join(import.meta.dirname, '../..');

let service: RunningService;
let client: AnalysisClient;
let folder: string;
let path: string;
/** A submission of this test's file that is finished. */
let uuid: string;

const CONTENT = 'suspicious invoice';
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-examples-'));
  path = join(folder, 'invoice.docm');
  await writeFile(path, CONTENT);
  service = await startService({ port: 0, apiKey: API_KEY, cdrToken: CDR_TOKEN, pool: scriptedRunner });
  client = new AnalysisClient({ baseUrl: `${service.url}/public-api`, apiKey: API_KEY });
  ({ uuid } = await submitAFile(client, path));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

describe('the example', () => {
  test('submit-a-file says what was found, and unknown for what could not be looked at', async () => {
    expect(await submitAFile(client, path)).toMatchObject({ level: 'suspicious', failed: [] });
    const encrypted = join(folder, 'encrypted');
    await writeFile(encrypted, 'encrypted');
    expect(await submitAFile(client, encrypted)).toMatchObject({ level: 'unknown', failed: ['scripted encrypted'] });
  });

  test('upload-a-stream sends what comes out of it', async () => {
    expect(await uploadAStream(client, Readable.from([Buffer.from(CONTENT)]), 'streamed.doc')).toBe(SHA256);
  });

  test('analyse-a-url reads the report of a URL', async () => {
    expect(await analyseAUrl(client, 'https://a.test/malicious')).toEqual({ level: 'malicious', domain: 'a.test' });
  });

  test('disarm-a-file saves the disarmed file', async () => {
    const { removed, sanitized, saved } = await disarmAFile(client, path, folder);
    expect({ removed, sanitized }).toEqual({ removed: ['macro'], sanitized: ['external template'] });
    expect(await readFile(saved, 'utf8')).toBe(`disarmed ${CONTENT}`);
  });

  test('read-the-reports lists every indicator', async () => {
    const { total, indicators } = await readTheReports(client, uuid);
    expect({ total, indicators }).toEqual({ total: 1, indicators: ['suspicious: Office macro'] });
  });

  test('find-submissions finds by filter and by hash', async () => {
    const { dangerous, known } = await findSubmissions(client, SHA256);
    expect(dangerous).toContain(uuid);
    expect(known).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('use-the-earlier-interface speaks in numbers', async () => {
    const earlier = new AnalysisClientV1({ baseUrl: service.url, apiKey: API_KEY });
    expect(await useTheEarlierInterface(earlier, path)).toEqual({ level: 2, foundByMd5: true });
  });

  test('wait-with-progress tells what it waits for', async () => {
    const told: string[] = [];
    const signal = new AbortController().signal;
    expect(await waitWithProgress(client, uuid, signal, (text) => told.push(text))).toBe('suspicious');
    expect(told).toEqual(['1: waiting for nothing']);
  });

  test('handle-errors knows what will not come', async () => {
    expect(await handleErrors(client, uuid)).toEqual({ isComing: false, availableReports: ['static'] });
    expect(await handleErrors(client, '5b7e1f0e-5a3c-4a0e-9c8b-3f1f4f3f2a11')).toEqual({ isComing: false });
  });

  test('save-artifacts names files by their hash', async () => {
    const saved = await saveArtifacts(client, uuid, folder);
    expect([...saved.keys()]).toContain(SHA256);
    expect(await readFile(join(folder, `${SHA256}.bin`), 'utf8')).toBe(CONTENT);
  });

  test('configure-a-sandbox submits with what the service offers', async () => {
    const { uuid: created } = await configureASandbox(client, path);
    const { reports, skippedReports } = await client.waitForCompletion(created, { schedule: { firstMs: 5 } });
    const types = [...reports, ...skippedReports].map(({ type }) => type);
    expect(types).toContain('dynamic');
  });

  test('use-the-cdr-service saves the sanitized file', async () => {
    const cdr = new CdrClient({ baseUrl: service.cdrUrl, token: CDR_TOKEN });
    const { removed, saved } = await useTheCdrService(cdr, path, folder);
    expect(removed).toEqual(['macro']);
    expect(await readFile(saved[0] ?? '', 'utf8')).toBe(`disarmed ${CONTENT}`);
  });
});

test('there are twelve, and each is run here', async () => {
  const files = readdirSync(join(ROOT, 'examples/client')).filter((name) => /^\d\d-/.test(name));
  expect(files).toHaveLength(12);
  const source = await readFile(import.meta.filename, 'utf8');
  expect(files.filter((name) => !source.includes(`/client/${name}'`))).toEqual([]);
});

describe('examples/README.md', () => {
  const page = readFileSync(join(ROOT, 'examples/README.md'), 'utf8');
  const lines = [...page.matchAll(/^\| `npm run example -- (\S+)([^`]*)` \|/gm)].map(([, file = '', args = '']) => [
    file,
    args,
  ]);

  test('has a line for every program, and names no other', () => {
    const parts = new Set(['run-example.ts', 'handle-upload.mjs', 'notify.mjs']);
    const programs = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|mjs)$/.test(name) && !parts.has(basename(name)))
      .map((name) => `examples/${name.replaceAll('\\', '/')}`);
    expect(lines.map(([file]) => file).sort()).toEqual(programs.sort());
  });

  test.each([
    ['examples/webhook/try.mjs', /^Mail 8P-SSZT is quarantined \(malicious\)/m],
    ['examples/yara-rules/analyse.mjs', /^suspicious Word of a secret project$/m],
    ['examples/disarm-upload/server.mjs', /^200 removed: script$/m],
    ['examples/client/submit.mjs', /^suspicious static completed$/m],
    ['examples/client/01-submit-a-file.ts', /level: 'suspicious'/],
  ])('has a line that runs in a clone: %s', async (file, prints) => {
    const args = (lines.find(([each]) => each === file)?.[1] ?? '')
      .trim()
      .split(' ')
      .filter((each) => each !== '');
    const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: { example: string };
    };
    const [, ...options] = scripts.example.split(' ');
    const filled = args.map((each) => (each === 'FILE' ? path : each));
    const env = { PATH: process.env.PATH, AIRLOCK_API_URL: service.url, AIRLOCK_API_KEY: API_KEY };
    const ran = await promisify(execFile)(process.execPath, [tsx, ...options, file, ...filled], { cwd: ROOT, env });
    expect(ran.stdout).toMatch(prints);
  });
});

/** `airlock scan` with an analysis service of others. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { expect, test, vi } from 'vitest';
import { createFakeService } from '../../lib/service/fake/fake-service.ts';
import { NET_MS } from '../runner/net.ts';
import { airlock } from './console.ts';

const PATIENT = { interval: 20, timeout: NET_MS };
const FILES = 20;

test('a service that takes long gets the files of many inputs, and each is told as interrupted when the scan is stopped', async () => {
  const fake = createFakeService({ scenarios: { '*': 'times-out' } });
  const server = serve({ fetch: fake.fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'airlock-service-'));
  await mkdir(join(folder, 'in'));
  const files = Array.from({ length: FILES }, (_, index) => join(folder, 'in', `${index}.txt`));
  for (const file of files) await writeFile(file, `Nobody knows the file ${file}.`);
  const stop = new AbortController();
  const { port } = server.address() as AddressInfo;
  const args = ['scan', '--json', '--out', join(folder, 'out'), '--service', `http://127.0.0.1:${port}`, ...files];
  const scanned = airlock(args, { env: { AIRLOCK_API_KEY: fake.apiKey }, signal: stop.signal });
  const submitted = () => fake.requests.filter(({ method, path }) => method === 'POST' && /static/.test(path)).length;
  await vi.waitFor(() => expect(submitted()).toBe(FILES), PATIENT);
  stop.abort();
  const { code, stdout } = await scanned;
  expect(code).toBe(3);
  const states = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { state: string }).state);
  expect(states).toEqual(files.map(() => 'interrupted'));
  server.close();
  await rm(folder, { recursive: true, force: true });
});

import { afterAll, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { createEnginePool } from '../../lib/engines/threads/pool.ts';
import { fileForm, finished, testService } from './scripted-service.ts';

const workerFile = new URL('../engines/workers/mortal-worker.mjs', import.meta.url);
const pool = createEnginePool({ threads: 2, workerFile, limits: { ...DEFAULT_ENGINE_LIMITS, workerHeapMb: 192 } });
afterAll(() => pool.close());

test('files that end their worker fail their own reports, and all others are analysed', async () => {
  const service = testService({ runner: pool });
  const submit = async (filename: string) => {
    const body = fileForm(`var ${filename.replace('.', '_')} = 1;`, {}, filename);
    const response = await service.call('/submissions/sandbox', { method: 'POST', body });
    return ((await response.json()) as { uuid: string }).uuid;
  };
  const names = ['one.js', 'crash.js', 'two.js', 'memory.js', 'three.js', 'crash.js', 'four.js'];
  const uuids = await Promise.all(names.map(submit));
  const ends = await Promise.all(
    uuids.map(async (uuid, at) => {
      const { reports } = await finished(service, uuid);
      const codes = reports.map(({ status, error }) => error?.code ?? status);
      return [names[at], ...codes];
    }),
  );
  const worked = ['completed', 'completed'];
  const crashed = ['engine_failed', 'engine_failed'];
  expect(ends).toEqual(names.map((name) => [name, ...(/crash|memory/.test(name) ? crashed : worked)]));
  expect((await service.api.request('/healthz')).status).toBe(200);
  expect(service.faults).toEqual([]);
});

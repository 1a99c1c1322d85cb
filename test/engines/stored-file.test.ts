import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS, type EngineLimits } from '../../lib/engines/engine.ts';
import { createEnginePool } from '../../lib/engines/threads/pool.ts';

const folder = await mkdtemp(join(tmpdir(), 'airlock-stored-'));
const pools: { close(): Promise<void> }[] = [];
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await rm(folder, { recursive: true, force: true });
});

let files = 0;
async function run(
  engine: 'static' | 'disarm',
  untrustedName: string,
  text: string,
  limits: Partial<EngineLimits> = {},
) {
  files += 1;
  const [path, outputPath] = [join(folder, `${files}.in`), join(folder, `${files}.out`)];
  await writeFile(path, text);
  const pool = createEnginePool({ threads: 1, limits: { ...DEFAULT_ENGINE_LIMITS, ...limits } });
  pools.push(pool);
  const task = { engine, path, size: Buffer.byteLength(text), untrustedName, password: null, outputPath } as const;
  return { pool, outputPath, report: await pool.runStored(task) };
}

describe('a file in a separate process', () => {
  test('is judged as in a thread', async () => {
    const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
    const { report } = await run('static', 'a.txt', eicar);
    expect(report).toMatchObject({ outcome: 'completed', level: 'malicious' });
  });

  test('is disarmed into the file that was named', async () => {
    const { report, outputPath } = await run('disarm', 'a.html', '<p>text</p><script>alert(1)</script>');
    expect(report).toMatchObject({ outcome: 'disarmed', details: [{ action: 'removed' }] });
    const output = await readFile(outputPath, 'utf8');
    expect(output).toContain('<p>text</p>');
    expect(output).not.toContain('script');
  });

  test('that cannot be disarmed leaves no file', async () => {
    const { report, outputPath } = await run('disarm', 'a.bin', '\0\u0001\u0002\u0003 no format that anybody knows');
    expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'unsupported' } });
    expect(existsSync(outputPath)).toBe(false);
  });

  test('over the limit is refused without a process', async () => {
    const { report } = await run('static', 'a.txt', 'text', { inputBytes: 3 });
    expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'oversize' } });
  });

  test('that is gone, or whose pool was closed, ends as a failure', async () => {
    const { pool } = await run('static', 'a.txt', 'text', { inputBytes: 3 });
    const task = {
      engine: 'static',
      path: join(folder, 'gone'),
      size: 1,
      untrustedName: '',
      password: null,
      outputPath: '',
    } as const;
    expect(await pool.runStored(task)).toMatchObject({ outcome: 'failed', failure: { code: 'engine_failed' } });
    await pool.close();
    expect(await pool.runStored(task)).toMatchObject({ outcome: 'failed', failure: { code: 'engine_failed' } });
  });
});

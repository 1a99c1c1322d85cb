import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';

describe('a script that ends its thread', () => {
  let pool: EnginePool;
  beforeAll(() => {
    pool = createEnginePool({
      threads: 1,
      limits: { ...DEFAULT_ENGINE_LIMITS, timeoutMs: 3_000 },
      workerFile: new URL('./workers/doomed-worker.mjs', import.meta.url),
    });
  });
  afterAll(() => pool.close());

  const detonate = (untrustedName: string, content: string) =>
    pool.run({ engine: 'sandbox', input: { bytes: Buffer.from(content), untrustedName, password: null } });

  test.each(['loop.js', 'crash.js'])('%s: what it did before is in the report, with the limit', async (name) => {
    const report = await detonate(
      name,
      `var f = new ActiveXObject('Scripting.FileSystemObject').CreateTextFile('C:\\\\u.txt'); f.Write('kept'); f.Close();
       new ActiveXObject('WScript.Shell').Run('cmd.exe /c echo inert');`,
    );
    if (report.outcome === 'failed' || !('events' in report)) throw new Error(JSON.stringify(report));
    expect(report.level).toBe('malicious');
    expect(report.processes.map(({ commandLine }) => commandLine)).toEqual([
      expect.stringContaining('wscript.exe'),
      'cmd.exe /c echo inert',
    ]);
    expect(report.files.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['kept']);
    expect(report.findings.find(({ id }) => id === 'behaviour-limit-reached')?.where).toContain('its thread');
  });

  test('one that did nothing before is not benign', async () => {
    const report = await detonate('crash.html', '<script>var a = 1;</script>');
    expect(report).toMatchObject({ outcome: 'completed', level: 'suspicious' });
  });
});

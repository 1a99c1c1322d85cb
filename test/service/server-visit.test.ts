import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createEnginePool } from '../../lib/engines/threads/pool.ts';
import { withVisits } from '../../lib/engines/url/visit/visiting-runner.ts';
import { ErrorEnvelope } from '../../lib/service/contract/errors.ts';
import { MediaList, Submission } from '../../lib/service/contract/v3-submission.ts';
import { UrlAnalysis } from '../../lib/service/contract/v3-url-report.ts';
import type { EngineRunner } from '../../lib/service/server/jobs/jobs.ts';
import { openSqliteStore } from '../../lib/service/server/store/sqlite-store.ts';
import { LOOPBACK, sendHtml, sendTo, site, visitor } from '../engines/visit-fixture.ts';
import type { HandlerServer } from './handler-server.ts';
import { type TestService, testService } from './scripted-service.ts';

let server: HandlerServer & { readonly port: number };
beforeAll(async () => {
  server = await site({
    '/': sendTo('/page', 301),
    '/page': sendHtml('<title>The page</title><p>text'),
    '/file': (response) => response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('plain words'),
  });
});
afterAll(() => server.close());

/** Bytes that begin like a PNG. */
const pictureOf = (url: string) => Buffer.from(`\x89PNG\r\n\x1a\na picture of ${url}`, 'latin1');

/** Visits on the fixture's port; Chromium is left out, and a text stands for what it draws. */
function visiting(hasPicture = false): EngineRunner {
  const runner = visitor([server.port]);
  return {
    run: async (task) => {
      const report = await runner.run(task);
      const screenshot = hasPicture && task.engine === 'url' ? pictureOf(task.url) : null;
      return 'visit' in report && report.visit ? { ...report, visit: { ...report.visit, screenshot } } : report;
    },
  };
}

async function submit(service: TestService, path: string, kind = 'url'): Promise<string> {
  const body = JSON.stringify({ url: `http://site.example:${server.port}${path}` });
  const headers = { 'content-type': 'application/json' };
  const response = await service.call(`/submissions/${kind}`, { method: 'POST', body, headers });
  const { uuid } = (await response.json()) as { uuid: string };
  await service.queue.idle();
  return `/submissions/${uuid}`;
}
const reportOf = async (service: TestService, at: string) =>
  UrlAnalysis.parse(await (await service.call(`${at}/url-analysis`)).json());

describe('a URL that was visited', () => {
  test('shows where it led, what answered and what the page is', async () => {
    const service = testService({ runner: visiting() });
    const report = await reportOf(service, await submit(service, '/'));
    const url = (path: string) => `http://site.example:${server.port}${path}`;
    expect(report).toMatchObject({
      generalInfo: { url: url('/'), domain: 'site.example', websiteTitle: 'The page' },
      ipInfo: { ip: LOOPBACK, asn: null, threatStatus: { verdict: 'unknown' } },
      dnsRecords: [{ type: 'A', records: [LOOPBACK] }],
      responseHeaders: { 'content-type': 'text/html; charset=utf-8' },
      sslCertificate: null,
      extractedFile: null,
      screenshot: { available: false },
      pages: [url('/'), url('/page')],
    });
    expect(report.threatAnalysis?.overview.map(({ title }) => title)).not.toContain('Page not visited');
    expect(report.threatAnalysis?.threatDetails[0]?.details).toMatchObject({ outcome: 'visited', end: null });
  });

  test('offers the file it leads to as an artifact', async () => {
    const service = testService({ runner: visiting() });
    const at = await submit(service, '/file');
    const { extractedFile } = await reportOf(service, at);
    const download = await service.call(`${at}/download/artifact/${extractedFile?.uuid}`);
    expect(await download.text()).toBe('plain words');
    const { items } = (await (await service.call(`${at}/artifacts`)).json()) as { items: object[] };
    expect(items).toMatchObject([{ id: extractedFile?.uuid, type: 'downloaded_file', source: 'url_analysis' }]);
  });

  test('has its picture as screenshot and among the media', async () => {
    const service = testService({ runner: visiting(true) });
    const at = await submit(service, '/page');
    expect((await reportOf(service, at)).screenshot).toEqual({ available: true });
    const PICTURE = pictureOf(`http://site.example:${server.port}/page`);
    const picture = await service.call(`${at}/screenshot`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(PICTURE);
    const media = MediaList.parse(await (await service.call(`${at}/media`)).json());
    expect(media).toMatchObject([
      { name: 'screenshot.png', contentType: 'image/png', size: PICTURE.length, kind: 'screenshot' },
    ]);
    const file = await service.call(`${at}/media/${media[0]?.id}`);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PICTURE);
    expect(await (await service.call(`${at}/media?source=dynamic`)).json()).toEqual([]);
    const page = await (await service.call(`${at}/download/html-report`)).text();
    expect(page).toContain(`src="data:image/png;base64,${PICTURE.toString('base64')}"`);
    expect((await service.call(`${at}/media/000000000000000000000000`)).status).toBe(404);
    expect((await service.callAsOther(`${at}/screenshot`)).status).toBe(200);
  });

  test('without a picture answers that there is none', async () => {
    const service = testService({ runner: visiting() });
    const at = await submit(service, '/page');
    const answer = await service.call(`${at}/screenshot`);
    expect(answer.status).toBe(404);
    expect(ErrorEnvelope.parse(await answer.json()).code).toBe('MEDIA_NOT_FOUND');
    expect(await (await service.call(`${at}/media`)).json()).toEqual([]);
  });

  test('is deleted with everything that was kept of it', async () => {
    const service = testService({ runner: visiting(true), limits: { storedSubmissions: 1 } });
    await submit(service, '/page');
    const [stored] = (await service.store.list({}, { offset: 0, limit: 1 })).items;
    const kept = [stored?.visit?.sha256, stored?.visit?.screenshot?.sha256].map((sha256) => sha256 ?? '');
    for (const sha256 of kept) expect(await service.blobs.read(sha256)).not.toBeNull();
    await submit(service, '/file');
    for (const sha256 of kept) expect(await service.blobs.read(sha256)).toBeNull();
  });
});

test('a URL that was not visited says so, and shows nothing that a visit shows', async () => {
  const pool = createEnginePool({ threads: 1 });
  const before = server.heard.length;
  const service = testService({ runner: pool });
  const at = await submit(service, '/page');
  const report = await reportOf(service, at);
  expect(report).toMatchObject({
    ipInfo: null,
    dnsRecords: [],
    responseHeaders: null,
    pages: [],
    screenshot: { available: false },
  });
  expect(report.threatAnalysis?.overview.at(-1)).toMatchObject({ title: 'Page not visited', verdict: 'unknown' });
  expect(server.heard).toHaveLength(before);
  await pool.close();
});

test('a visit is read in worker threads', async () => {
  const pool = createEnginePool({ threads: 1 });
  const settings = {
    chromium: null,
    allowAddresses: [LOOPBACK],
    allowPorts: [server.port],
    resolve: async () => [LOOPBACK],
  };
  const service = testService({ runner: withVisits(pool, settings) });
  expect((await reportOf(service, await submit(service, '/page'))).generalInfo.websiteTitle).toBe('The page');
  expect((await reportOf(service, await submit(service, '/file'))).extractedFile).not.toBeNull();
  await pool.close();
});

describe('in a directory', () => {
  let folder = '';
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('a visit still exists after a restart', async () => {
    folder = await mkdtemp(join(tmpdir(), 'airlock-test-'));
    const path = join(folder, 'submissions.db');
    const first = testService({ runner: visiting(true), store: openSqliteStore(path) });
    const at = await submit(first, '/page');
    await first.store.close();
    const next = testService({ store: openSqliteStore(path), blobs: first.blobs });
    expect((await reportOf(next, at)).generalInfo.websiteTitle).toBe('The page');
    const [visit] = (await next.store.list({}, { offset: 0, limit: 1 })).items;
    expect(await next.store.needs(visit?.visit?.screenshot?.sha256 ?? '')).toBe(true);
    expect(Submission.parse(await (await next.call(at)).json()).reports[0]?.status).toBe('completed');
    await next.store.close();
  });
});

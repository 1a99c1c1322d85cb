import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type HandlerServer, type Heard, handlerServer, sendJson } from '../service/handler-server.ts';
import { airlock } from './console.ts';

const UUID = '5b7e1f0e-5a3c-4a0e-9c8b-3f1f4f3f2a11';
const SHA256 = 'a'.repeat(64);
/** Characters that a terminal obeys instead of showing them. */
const ACTING = /[^\P{Cc}\n]|\p{Cf}/u;
const HOSTILE_NAME = '\u001b[2J\u202efdp.exe';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-api-'));
  await writeFile(join(folder, 'a.doc'), 'hello');
});
afterAll(() => rm(folder, { recursive: true }));

const servers: HandlerServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Answers = Readonly<Record<string, unknown>>;
/** A service that knows these answers by `METHOD path`, and a command line that asks it. */
async function against(answers: Answers) {
  const server = await handlerServer(({ method, url }, response) => {
    const answer = answers[`${method} ${url.split('?')[0]}`];
    if (typeof answer === 'function') answer(response);
    else if (answer === undefined)
      sendJson(response, { message: 'Submission not found', code: 'SUBMISSION_NOT_FOUND' }, 404);
    else sendJson(response, answer);
  });
  servers.push(server);
  const env = { AIRLOCK_API_URL: server.url, AIRLOCK_API_KEY: 'k' };
  return { server, api: (...args: string[]) => airlock(['api', ...args], { env }) };
}

const submission = (level: string, status = 'completed', type = 'static') => ({
  uuid: UUID,
  type: 'file',
  filename: HOSTILE_NAME,
  hashes: { md5: 'm', sha1: 's', sha256: SHA256 },
  level,
  private: true,
  createdAt: '2026-01-05T10:00:00Z',
  reports: [{ type, status, level: status === 'completed' ? level : null, error: { code: 'x', message: 'because x' } }],
});
const created = { uuid: UUID, message: 'Submission created', sha256: SHA256 };
const SHOWN = { [`GET /submissions/${UUID}`]: submission('benign') };

describe('get', () => {
  test('shows a submission, and nothing in it acts on the terminal', async () => {
    const { api } = await against(SHOWN);
    const { code, stdout } = await api('get', UUID);
    expect(code).toBe(0);
    expect(stdout).toMatch(/level +benign[\s\S]*report +status/);
    expect(stdout).not.toMatch(ACTING);
  });

  test('prints JSON with the same value, in which nothing acts on the terminal', async () => {
    const { api } = await against(SHOWN);
    const { stdout } = await api('get', UUID, '--json');
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).not.toMatch(ACTING);
    expect(JSON.parse(stdout)).toMatchObject({ uuid: UUID, filename: HOSTILE_NAME });
  });

  test('of an unknown submission exits 1', async () => {
    const { api } = await against({});
    expect(await api('get', UUID)).toMatchObject({ code: 1, stderr: expect.stringContaining('SUBMISSION_NOT_FOUND') });
  });
});

describe('submit', () => {
  test.each<[string, string[], string, RegExp]>([
    ['a file', [], 'POST /submissions/static', /name="private"\r\n\r\ntrue/],
    ['a file to share', ['--public'], 'POST /submissions/static', /name="private"\r\n\r\nfalse/],
    ['a file to disarm', ['--kind', 'cdr', '--password', 'p'], 'POST /submissions/cdr', /name="password"\r\n\r\np/],
    [
      'a file to run',
      ['--kind', 'sandbox', '--environment', 'w10_x64', '--metafield', 'timeout=60', '--name', 'b.exe'],
      'POST /submissions/sandbox',
      /w10_x64[\s\S]*"timeout"[\s\S]*filename="b.exe"/,
    ],
  ])('%s, private unless told otherwise', async (_, options, route, body) => {
    const { api, server } = await against({ [route]: created });
    const { code, stdout } = await api('submit', ...options, join(folder, 'a.doc'));
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(new RegExp(`^${UUID}  .*a\\.doc\n$`)) });
    expect((server.heard[0] as Heard).body.toString()).toMatch(body);
  });

  test('a URL goes to the URL analysis, or to a browser', async () => {
    const { api, server } = await against({
      'POST /submissions/url': created,
      'POST /submissions/open_in_browser': created,
    });
    await api('submit', 'https://a.test/');
    await api('submit', '--kind', 'open_in_browser', 'https://a.test/');
    expect(server.heard.map(({ body }) => JSON.parse(body.toString()))).toEqual([
      { url: 'https://a.test/', private: true },
      { url: 'https://a.test/', private: true },
    ]);
  });

  test('of several tries every one, and exits with the worst', async () => {
    const { api } = await against({ 'POST /submissions/static': created });
    const { code, stdout, stderr } = await api('submit', '--json', 'https://a.test/', join(folder, 'a.doc'));
    expect(code).toBe(1);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).input),
    ).toEqual(['https://a.test/', join(folder, 'a.doc')]);
    expect(stderr).toContain('https://a.test/');
  });
});

describe('wait exits 0 only for what completed and is benign', () => {
  test.each<[string, string, string, number]>([
    ['benign', 'completed', 'static', 0],
    ['suspicious', 'completed', 'static', 1],
    ['malicious', 'completed', 'static', 1],
    ['unknown', 'completed', 'static', 1],
    ['benign', 'error', 'static', 1],
    ['unknown', 'completed', 'cdr', 0],
    ['unknown', 'error', 'cdr', 1],
  ])('%s, %s, %s: %d', async (level, status, type, expected) => {
    const { api } = await against({ [`GET /submissions/${UUID}`]: submission(level, status, type) });
    expect((await api('wait', UUID)).code).toBe(expected);
  });

  test('and 1 when it took too long, with a command to continue', async () => {
    const { api } = await against({ [`GET /submissions/${UUID}`]: submission('unknown', 'in_progress') });
    const { code, stderr } = await api('wait', UUID, '--timeout', '1');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/waiting for static[\s\S]*airlock api wait/),
    });
  });
});

describe('list, search, report and configuration', () => {
  const item = { ...submission('malicious'), sha256: SHA256 };
  const page = { items: [item], total: 30, page: 1, limit: 1, totalPages: 30 };

  test('list asks with its filters and shows a table', async () => {
    const { api, server } = await against({ 'GET /submissions': page });
    const { stdout } = await api(
      'list',
      '--level',
      'malicious,unknown',
      '--tag',
      'a',
      '--tag',
      'b',
      '--private',
      '--since',
      '2026-01-01',
    );
    expect(server.heard[0]?.url).toBe(
      '/submissions?level=malicious%2Cunknown&startDate=2026-01-01&private=true&tags=a%2Cb&page=1&limit=20',
    );
    expect(stdout).toMatch(/uuid[\s\S]*malicious[\s\S]*static completed[\s\S]*page 1 of 30, 30 in all/);
    expect(stdout).not.toMatch(ACTING);
  });

  test('list --all --json prints a line for each', async () => {
    const { api } = await against({ 'GET /submissions': { items: [item, item], total: 2, page: 1 } });
    expect((await api('list', '--all', '--json')).stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  test.each<[object[], number, RegExp]>([
    [[submission('benign')], 0, /benign/],
    [[], 1, /does not know this file/],
  ])('search exits 0 when there is one and 1 when there is none', async (found, expected, text) => {
    const { api } = await against({ [`GET /submissions/search/sha256/${SHA256}`]: found });
    expect(await api('search', SHA256)).toMatchObject({ code: expected, stdout: expect.stringMatching(text) });
  });

  test('report shows lists as tables, up to a limit, and says that there is more', async () => {
    const iocs = { items: Array.from({ length: 3 }, (_, at) => ({ type: 'ip', value: `192.0.2.${at}` })), total: 3 };
    const { api } = await against({ [`GET /submissions/${UUID}/iocs`]: iocs });
    const { stdout, stderr } = await api('report', UUID, 'iocs', '--limit', '2');
    expect(stdout).toMatch(/^type +value\nip +192\.0\.2\.0\nip +192\.0\.2\.1\n$/);
    expect(stderr).toContain('more than 2');
  });

  test('report that does not exist exits 1 and says which do', async () => {
    const details = { submissionUuid: UUID, requiredReport: 'cdr', currentStatus: null, availableReports: ['static'] };
    const refuse = (response: ServerResponse) =>
      sendJson(response, { code: 'CDR_REPORT_UNAVAILABLE', message: 'm', details }, 409);
    const { api } = await against({ [`GET /submissions/${UUID}/cdr`]: refuse });
    const { code, stderr } = await api('report', UUID, 'cdr');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/never requested[\s\S]*Available reports: static/),
    });
  });

  test('environments and metafields are tables', async () => {
    const option = { key: 'timeout', label: 'Timeout', description: 'Seconds', type: 'number', default: 60 };
    const { api } = await against({
      'GET /config/environments': [{ key: 'w10_x64', name: 'Windows 10', platform: 'windows', default: true }],
      'GET /config/metafields/sandbox': [option],
    });
    expect((await api('environments')).stdout).toMatch(/^key +name +platform/);
    expect((await api('metafields', 'sandbox')).stdout).toMatch(/timeout +Timeout/);
  });
});

describe('download', () => {
  const file = (name: string) => (response: ServerResponse) =>
    response.writeHead(200, { 'content-disposition': `attachment; filename="${name}"` }).end('bytes');
  const route = `GET /submissions/${UUID}/download/cdr-sanitized`;

  test('puts the file into the folder under a safe name', async () => {
    const place = await mkdtemp(join(folder, 'out-'));
    const { api } = await against({ [route]: file('../../evil.docx') });
    const { code, stdout } = await api('download', UUID, 'cdr-sanitized', '--out', place);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${join(place, 'evil.docx')}\n` });
    expect(await readdir(place)).toEqual(['evil.docx']);
  });

  test('replaces nothing unless forced', async () => {
    const path = join(await mkdtemp(join(folder, 'out-')), 'x.docx');
    await writeFile(path, 'mine');
    const { api } = await against({ [route]: file('a.docx') });
    expect(await api('download', UUID, 'cdr-sanitized', '--out', path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--force'),
    });
    expect(await readFile(path, 'utf8')).toBe('mine');
    expect((await api('download', UUID, 'cdr-sanitized', '--out', path, '--force')).code).toBe(0);
    expect(await readFile(path, 'utf8')).toBe('bytes');
  });

  test('can go to stdout, and nothing else does', async () => {
    const { api } = await against({ [route]: file('a.docx') });
    expect(await api('download', UUID, 'cdr-sanitized', '--out', '-')).toMatchObject({ code: 0, stdout: 'bytes' });
  });

  test('of all reports as a page is a switch of `report`, which then takes no name', async () => {
    const { api } = await against({ [`GET /submissions/${UUID}/download/html-report`]: file('a.html') });
    const path = join(await mkdtemp(join(folder, 'out-')), 'report.html');
    expect(await api('report', UUID, '--html', path)).toMatchObject({ code: 0, stdout: `${path}\n` });
    expect(await readFile(path, 'utf8')).toBe('bytes');
    expect(await api('report', UUID, '--html', path)).toMatchObject({ code: 2 });
    expect((await api('report', UUID, 'iocs', '--html', path, '--force')).stderr).toContain('do not name a report');
  });

  test('of a sample warns', async () => {
    const { api } = await against({ [`GET /submissions/${UUID}/download/artifact/a1`]: file('a') });
    const path = join(folder, 'artifact');
    expect((await api('download', UUID, 'artifact:a1', '--out', path)).stderr).toContain('do not open it');
  });
});

import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { fileIdOf, urlIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import type { Kind } from '../../lib/pipeline/model.ts';
import type { Analyzer } from '../../lib/pipeline/ports.ts';
import { createAnalyzer } from '../../lib/service/analyzer.ts';
import { createCdrAnalyzer } from '../../lib/service/analyzer-cdr.ts';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { CdrClient } from '../../lib/service/client/cdr-client.ts';
import { NET_MS } from '../runner/net.ts';
import { type ScriptedServer, type Step, scriptedServer } from './scripted-server.ts';

const NOW = '2026-01-05T10:00:00Z';
const ID = '5b7e1f0e-5a3c-4a0e-9c8b-3f1f4f3f2a11';
const FILE = {
  id: fileIdOf(createHash('sha256').update('hello').digest('hex')),
  bytes: async () => Buffer.from('hello'),
  filename: 'a.doc',
  password: null,
  group: 'run',
};
const LINK = { kind: 'url_analysis', id: urlIdOf('https://a.test/'), url: 'https://a.test/', group: 'run' } as const;

const PERIOD = { startTime: NOW, endTime: 'Unlimited' };
const MODULE = { moduleId: 'static', moduleName: 'Static analysis', ...PERIOD };
const ME = {
  userInfo: {
    email: 'a@a.example',
    fullName: 'A',
    workspace: { name: 'a', alias: 'a', private: true, type: 'organization' },
    limitsCount: { apiRequestCount: 0, dailySubmissionCount: 0, concurrentSubmissionCount: 0 },
  },
  plan: {
    planName: 'Local',
    ...PERIOD,
    subsTime: 'Unlimited',
    fileLimits: { extensions: [], fileSize: '100 MiB' },
    submissionLimits: { apiLimit: 0, dailyLimit: 0, concurrentLimit: 0 },
  },
};

const servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function against(...steps: readonly Step[]): Promise<{
  analyzer: Analyzer;
  withCdr: Analyzer;
  analyzerAt: (now: () => number) => Analyzer;
  server: ScriptedServer;
}> {
  const server = await scriptedServer(...steps);
  servers.push(server);
  const client = new AnalysisClient({ baseUrl: server.url, apiKey: 'k', retries: 0, timeoutMs: NET_MS });
  const cdrClient = new CdrClient({ baseUrl: `${server.url}/cdr`, token: 't', retries: 0 });
  const analyzerAt = (now: () => number) => createAnalyzer({ client, now });
  const analyzer = createAnalyzer({ client });
  return { analyzer, withCdr: createCdrAnalyzer({ client: cdrClient, beside: analyzer }), analyzerAt, server };
}

type ReportJson = Readonly<Record<string, unknown>>;
const submission = (reports: readonly ReportJson[], change: object = {}) => ({
  body: { uuid: ID, type: 'file', level: 'unknown', createdAt: NOW, reports, ...change },
});
const completed = (type: string, level: string | null, more: object = {}) => ({
  type,
  status: 'completed',
  level,
  ...more,
});
const failed = (type: string, code: string) => ({ type, status: 'error', error: { code, message: `because ${code}` } });

describe('progress', () => {
  test.each<[Kind, readonly ReportJson[], string]>([
    ['static', [], 'pending'],
    ['static', [completed('cdr', null)], 'pending'],
    ['static', [{ type: 'static', status: 'not_started' }], 'pending'],
    ['static', [{ type: 'static', status: 'clean_up' }], 'pending'],
    ['static', [completed('static', 'benign')], 'finished'],
    ['static', [completed('static', 'benign'), { type: 'dynamic', status: 'in_progress' }], 'finished'],
    ['static', [failed('static', 'timeout')], 'finished'],
    ['sandbox', [completed('static', 'benign')], 'pending'],
    ['sandbox', [completed('dynamic', 'benign')], 'finished'],
    ['sandbox', [completed('dynamic', 'benign'), { type: 'static', status: 'accepted' }], 'pending'],
    ['sandbox', [failed('dynamic', 'no_environment'), completed('static', 'benign')], 'finished'],
    ['cdr', [completed('static', 'benign')], 'pending'],
    ['url_analysis', [completed('url_analysis', 'benign')], 'finished'],
  ])('of %s with %j is %s', async (kind, reports, state) => {
    const { analyzer } = await against(submission(reports));
    expect((await analyzer.progress(kind, ID)).state).toBe(state);
  });

  test('asked too often is pending until the time the service names', async () => {
    const { analyzer } = await against({ status: 429, headers: { 'retry-after': '90' } });
    expect(await analyzer.progress('static', ID)).toEqual({ state: 'pending', retryAfterSeconds: 90 });
  });

  test.each([
    ['1', 'pending'],
    [2, 'finished'],
  ])('of the CDR service with status %j is %s', async (status, state) => {
    const { withCdr, server } = await against({ body: { status } });
    expect((await withCdr.progress('cdr', ID)).state).toBe(state);
    expect(server.requests).toEqual([`GET /cdr/listen/${ID}`]);
  });
});

describe('the verdict', () => {
  test.each<[Kind, readonly ReportJson[], string, string | null]>([
    ['static', [completed('static', 'benign')], 'benign', null],
    ['static', [completed('static', null)], 'unknown', null],
    ['static', [{ type: 'static', status: 'completed' }], 'unknown', null],
    ['static', [completed('static', 'suspicious'), completed('dynamic', 'malicious')], 'suspicious', null],
    ['sandbox', [completed('dynamic', 'benign'), completed('static', 'suspicious')], 'suspicious', null],
    ['sandbox', [completed('dynamic', 'benign'), completed('static', 'unknown')], 'unknown', null],
    ['sandbox', [failed('dynamic', 'no_environment'), completed('static', 'malicious')], 'malicious', 'unsupported'],
    ['sandbox', [failed('dynamic', 'no_environment'), completed('static', 'benign')], 'unknown', 'unsupported'],
    ['sandbox', [failed('dynamic', 'no_environment'), failed('static', 'encrypted')], 'unknown', 'encrypted'],
    ['static', [failed('static', 'encrypted')], 'unknown', 'encrypted'],
    ['static', [failed('static', 'unsupported')], 'unknown', 'unsupported'],
    ['static', [failed('static', 'oversize')], 'unknown', 'oversize'],
    ['static', [failed('static', 'timeout')], 'unknown', 'timeout'],
    ['static', [failed('static', 'unreadable')], 'unknown', 'unreadable'],
    ['static', [failed('static', 'engine_failed')], 'unknown', 'service_error'],
    ['static', [failed('static', 'constructor')], 'unknown', 'service_error'],
    ['static', [{ type: 'static', status: 'error' }], 'unknown', 'service_error'],
    ['url_analysis', [completed('url_analysis', 'malicious')], 'malicious', null],
  ])('of %s with %j is %s, failure %s', async (kind, reports, verdict, failure) => {
    const { analyzer } = await against(submission(reports));
    const report = await analyzer.report(kind, ID);
    expect([report.verdict, report.failure?.class ?? null]).toEqual([verdict, failure]);
  });

  test.each<[string, string]>([
    ['benign', 'unknown'],
    ['malicious', 'malicious'],
  ])('of a file that no environment runs and static analysis calls %s is %s', async (level, verdict) => {
    const skippedReports = [{ type: 'dynamic', reason: { code: 'no_environment', message: 'nothing runs this' } }];
    const answer = submission([completed('static', level)], { skippedReports });
    const { analyzer } = await against(answer, answer);
    expect((await analyzer.progress('sandbox', ID)).state).toBe('finished');
    const report = await analyzer.report('sandbox', ID);
    expect([report.verdict, report.failure?.class]).toEqual([verdict, 'unsupported']);
  });

  test('is explained by the findings, or by a sentence when there are none', async () => {
    const finding = {
      id: 'm',
      name: 'Office macro',
      description: 'It runs on opening',
      level: 'suspicious',
      score: 60,
    };
    const { analyzer } = await against(
      submission([completed('static', 'suspicious', { findings: [finding], score: 60 })]),
      submission([completed('static', 'suspicious', { score: 40 })]),
      submission([completed('static', 'benign', { score: 0 })]),
    );
    expect(await analyzer.report('static', ID)).toMatchObject({
      score: 60,
      reasons: ['Office macro: It runs on opening'],
    });
    expect((await analyzer.report('static', ID)).reasons).toEqual(['static analysis: level suspicious with score 40']);
    expect((await analyzer.report('static', ID)).reasons).toEqual([]);
  });

  test('has a limited number of reasons', async () => {
    const finding = { id: 'm', name: 'n'.repeat(9_000), description: 'd', level: 'suspicious', score: 1 };
    const { analyzer } = await against(
      submission([completed('static', 'suspicious', { findings: Array(999).fill(finding) })]),
    );
    const { reasons } = await analyzer.report('static', ID);
    expect([reasons.length, reasons[0]?.length]).toEqual([50, 300]);
  });

  test('is refused and not guessed before the report has come', async () => {
    const { analyzer } = await against(submission([]), submission([{ type: 'static', status: 'accepted' }]));
    for (let n = 0; n < 2; n += 1) {
      await expect(analyzer.report('static', ID)).rejects.toMatchObject({ failureClass: 'service_error' });
    }
  });
});

describe('a disarm', () => {
  const log = { description: '', removed: ['macro'], sanitized: ['link'], 'processing time': '1 seconds' };
  const done = {
    status: 2,
    files: [
      { name: 'x', id: 'other' },
      { name: 'f', id: 'file-1' },
    ],
    result: { filename: 'f', log },
  };

  test('through the analysis service says what was done and fetches the file', async () => {
    const report = completed('cdr', null, { removed: ['macro'], sanitized: ['link'] });
    const { analyzer, server } = await against(submission([report]), { body: 'safe' });
    const expected = { failure: null, removed: ['macro'], sanitized: ['link'], hasDisarmedFile: true, reasons: [] };
    expect(await analyzer.report('cdr', ID)).toMatchObject(expected);
    expect(Buffer.from(await analyzer.disarmedFile(ID, 10)).toString()).toBe('safe');
    expect(server.requests[1]).toBe(`GET /submissions/${ID}/download/cdr-sanitized`);
  });

  test('through the CDR service says the same and fetches the file the result names', async () => {
    const { withCdr, server } = await against({ body: done }, { body: done }, { body: 'safe' });
    const expected = { failure: null, removed: ['macro'], sanitized: ['link'], hasDisarmedFile: true, reasons: [] };
    expect(await withCdr.report('cdr', ID)).toMatchObject(expected);
    expect(Buffer.from(await withCdr.disarmedFile(ID, 10)).toString()).toBe('safe');
    expect(server.requests.at(-1)).toBe('GET /cdr/download/file-1');
  });

  test.each<[string, object, string]>([
    ['names its error', { status: 2, error: { code: 'encrypted', message: 'a password is needed' } }, 'encrypted'],
    ['has no files', { status: 2, files: [], message: 'failed' }, 'service_error'],
    ['names an error beside a file', { ...done, error: { code: 'oversize', message: 'm' } }, 'oversize'],
  ])('by the CDR service that %s has no file to offer', async (_, body, failureClass) => {
    const { withCdr } = await against({ body }, { body });
    expect(await withCdr.report('cdr', ID)).toMatchObject({ failure: { class: failureClass }, hasDisarmedFile: false });
    await expect(withCdr.disarmedFile(ID, 10)).rejects.toMatchObject({ code: 'ANALYZER_REFUSAL' });
  });

  test('larger than allowed is refused as oversize', async () => {
    const { analyzer } = await against({ body: 'larger than that' });
    await expect(analyzer.disarmedFile(ID, 5)).rejects.toMatchObject({ failureClass: 'oversize' });
  });

  test('that failed has no file', async () => {
    const { analyzer } = await against(submission([failed('cdr', 'encrypted')]));
    expect(await analyzer.report('cdr', ID)).toMatchObject({ hasDisarmedFile: false, failure: { class: 'encrypted' } });
  });
});

describe('submitting', () => {
  test.each<[Kind, string]>([
    ['static', 'POST /submissions/static'],
    ['sandbox', 'POST /submissions/sandbox'],
    ['cdr', 'POST /submissions/cdr'],
    ['url_analysis', 'POST /submissions/url'],
  ])('%s goes to %s', async (kind, expected) => {
    const { analyzer, server } = await against({ body: { uuid: ID } });
    const request = kind === 'url_analysis' ? LINK : { kind, ...FILE };
    expect(await analyzer.submit(request)).toBe(ID);
    expect(server.requests).toEqual([expected]);
  });

  test.each<[Step, string, string | undefined]>([
    [{ status: 413 }, 'AnalyzerRefusal', 'oversize'],
    [{ status: 415 }, 'AnalyzerRefusal', 'unsupported'],
    [{ status: 422 }, 'AnalyzerRefusal', 'unsupported'],
    [{ status: 401 }, 'ConfigError', undefined],
    [{ status: 402 }, 'ConfigError', undefined],
    [{ status: 403 }, 'ConfigError', undefined],
    [{ status: 404 }, 'ConfigError', undefined],
    [{ body: { message: 'no uuid' } }, 'ConfigError', undefined],
    [{ status: 429 }, 'TransientError', undefined],
    [{ status: 500 }, 'TransientError', undefined],
    [{ status: 503 }, 'TransientError', undefined],
    ['reset', 'TransientError', undefined],
  ])('answered with %j is %s %s', async (step, name, failureClass) => {
    const { analyzer } = await against(step, step);
    const submitting = analyzer.submit(LINK);
    await expect(submitting).rejects.toMatchObject({ name, ...(failureClass && { failureClass }) });
  });

  test('with a refused key says what to check', async () => {
    const { analyzer } = await against({ status: 401 });
    await expect(analyzer.submit({ kind: 'static', ...FILE })).rejects.toThrow(/check the API key/);
  });
});

describe('finding an earlier submission', () => {
  const entry = (uuid: string, createdAt: string, ...reports: ReportJson[]) => ({
    ...submission(reports, { uuid, createdAt, filename: FILE.filename }).body,
  });

  test('takes the newest under its name that did not fail and has the report of the kind', async () => {
    const body = [
      entry('old', '2026-01-01T00:00:00Z', completed('static', 'benign')),
      entry('newest-failed', '2026-01-04T00:00:00Z', failed('static', 'timeout')),
      { ...entry('newest-name', '2026-01-06T00:00:00Z', completed('static', 'benign')), filename: 'a.xls' },
      entry('newest-other', '2026-01-05T00:00:00Z', completed('cdr', null)),
      entry('new', '2026-01-03T00:00:00Z', { type: 'static', status: 'accepted' }),
    ];
    const { analyzer } = await against({ body }, { body: [] });
    expect(await analyzer.find({ kind: 'static', ...FILE })).toBe('new');
    expect(await analyzer.find({ kind: 'static', ...FILE })).toBeNull();
  });

  test('sends no request where nothing can be searched', async () => {
    const { analyzer, withCdr, server } = await against();
    expect(await analyzer.find(LINK)).toBeNull();
    expect(await withCdr.find({ kind: 'cdr', ...FILE })).toBeNull();
    expect(server.requests).toEqual([]);
  });
});

describe('the scope', () => {
  const MINUTE = 60_000;
  const telling = (version: string, moduleId = 'static') => ({
    body: { ...ME, modules: [{ ...MODULE, moduleId, version }] },
  });

  test('names every service that answers, and the version behind a kind', async () => {
    const { analyzer, server } = await against(telling('static-1'));
    expect(await analyzer.scope('static')).toBe(`${server.url} static-1`);
    expect(await analyzer.scope('cdr')).toBe(server.url);
  });

  test('of a CDR service has the version of the disarm, which the service beside it tells', async () => {
    const { withCdr, server } = await against(telling('disarm-1', 'cdr'));
    expect(await withCdr.scope('cdr')).toBe(`${server.url}/cdr ${server.url} disarm-1`);
  });

  test('is requested only once in some minutes, for all artifacts together', async () => {
    const at = { ms: 0 };
    const { analyzerAt, server } = await against(telling('static-1'), telling('static-2'));
    const analyzer = analyzerAt(() => at.ms);
    const together = await Promise.all([analyzer.scope('static'), analyzer.scope('static')]);
    at.ms = 4 * MINUTE;
    const later = await analyzer.scope('static');
    expect([...together, later]).toEqual(Array(3).fill(`${server.url} static-1`));
    expect(server.requests).toEqual(['GET /me']);
    at.ms = 5 * MINUTE;
    expect(await analyzer.scope('static')).toBe(`${server.url} static-2`);
  });

  test.each<[string, Step]>([
    ['has no such route', { status: 404 }],
    ['answers something else', { body: { modules: 'many' } }],
    ['names no versions', { body: { ...ME, modules: [MODULE] } }],
  ])('of a service that %s has no version', async (_, step) => {
    const { analyzer, server } = await against(step);
    expect([await analyzer.scope('static'), await analyzer.scope('cdr')]).toEqual([server.url, server.url]);
    expect(server.requests).toHaveLength(1);
  });

  test('of an unreachable service is unknown, unless the service gave it before', async () => {
    const at = { ms: 0 };
    const { analyzerAt, server } = await against({ status: 503 }, telling('static-1'), 'reset', telling('static-2'));
    const analyzer = analyzerAt(() => at.ms);
    await expect(analyzer.scope('static')).rejects.toBeInstanceOf(TransientError);
    expect(await analyzer.scope('static')).toBe(`${server.url} static-1`);
    at.ms = 6 * MINUTE;
    expect(await analyzer.scope('static')).toBe(`${server.url} static-1`);
    expect(await analyzer.scope('static')).toBe(`${server.url} static-2`);
  });
});

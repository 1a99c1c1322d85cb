import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileIdOf, urlIdOf } from '../../lib/pipeline/artifact-id.ts';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import type { Kind, Report } from '../../lib/pipeline/model.ts';
import type { AnalysisRequest, Analyzer } from '../../lib/pipeline/ports.ts';
import { createAnalyzer } from '../../lib/service/analyzer.ts';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { CdrClient } from '../../lib/service/client/cdr-client.ts';
import { type RunningService, startService } from '../../lib/service/server/listen.ts';
import { API_KEY, CDR_TOKEN, scriptedRunner } from './scripted-service.ts';

let service: RunningService;
let client: AnalysisClient;
let analyzers: { v3: Analyzer; withCdr: Analyzer };

beforeAll(async () => {
  service = await startService({ port: 0, apiKey: API_KEY, cdrToken: CDR_TOKEN, pool: scriptedRunner });
  client = new AnalysisClient({ baseUrl: `${service.url}/public-api`, apiKey: API_KEY });
  const cdrClient = new CdrClient({ baseUrl: service.cdrUrl, token: CDR_TOKEN });
  analyzers = { v3: createAnalyzer({ client }), withCdr: createAnalyzer({ client, cdrClient }) };
});
afterAll(() => service.close());

function fileRequest(kind: Exclude<Kind, 'url_analysis'>, text: string): AnalysisRequest {
  return {
    kind,
    id: fileIdOf(sha256Hex(text)),
    bytes: Buffer.from(text),
    filename: 'a.doc',
    password: null,
    group: 'run',
  };
}

async function analysed(analyzer: Analyzer, kind: Kind, text: string): Promise<{ id: string; report: Report }> {
  const url = `https://a.test/${text}`;
  const request = kind === 'url_analysis' ? { kind, id: urlIdOf(url), url, group: 'run' } : fileRequest(kind, text);
  const id = await analyzer.submit(request);
  await expect.poll(async () => (await analyzer.progress(kind, id)).state, { interval: 1 }).toBe('finished');
  return { id, report: await analyzer.report(kind, id) };
}

describe('against our own service over a socket', () => {
  test.each<[Kind, string, string, string | null]>([
    ['static', 'benign', 'benign', null],
    ['static', 'malicious', 'malicious', null],
    ['static', 'encrypted', 'unknown', 'encrypted'],
    ['sandbox', 'suspicious', 'suspicious', 'unsupported'],
    ['sandbox', 'benign', 'unknown', 'unsupported'],
    ['url_analysis', 'malicious', 'malicious', null],
    ['url_analysis', 'crash', 'unknown', 'service_error'],
  ])('%s of "%s" is %s, failure %s', async (kind, text, verdict, failure) => {
    const { report } = await analysed(analyzers.v3, kind, text);
    expect([report.verdict, report.failure?.class ?? null]).toEqual([verdict, failure]);
  });

  test.each(['v3', 'withCdr'] as const)('a disarm (%s) brings the file and what was done', async (name) => {
    const { id, report } = await analysed(analyzers[name], 'cdr', 'benign');
    expect(report).toMatchObject({
      removed: ['macro'],
      sanitized: ['external template'],
      hasDisarmedFile: true,
      failure: null,
    });
    expect(Buffer.from(await analyzers[name].disarmedFile(id, 1_000)).toString()).toBe('disarmed benign');
  });

  test.each(['v3', 'withCdr'] as const)('a disarm (%s) that fails says why and has no file', async (name) => {
    const { id, report } = await analysed(analyzers[name], 'cdr', 'unsupported');
    expect(report).toMatchObject({ failure: { class: 'unsupported' }, hasDisarmedFile: false });
    await expect(analyzers[name].disarmedFile(id, 1_000)).rejects.toMatchObject({ code: 'ANALYZER_REFUSAL' });
  });

  test('every submission is private and found again by its hash', async () => {
    const text = 'benign and searched for';
    const { id } = await analysed(analyzers.v3, 'static', text);
    expect((await client.getSubmission(id)).private).toBe(true);
    expect(await analyzers.v3.find(fileRequest('static', text))).toBe(id);
    expect(await analyzers.v3.find(fileRequest('cdr', text))).toBeNull();
  });
});

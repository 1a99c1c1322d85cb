import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AnalysisClientV1 } from '../../lib/service/client/analysis-client-v1.ts';
import { ERRORS, type ErrorCode, ErrorEnvelope } from '../../lib/service/contract/errors.ts';
import { V1_REMOVED_ROUTES, V1_ROUTES, type V1RouteName } from '../../lib/service/contract/v1.ts';
import { sampleIdOf } from '../../lib/service/server/views/report.ts';
import { fileForm, submitted, type TestService, testService } from './scripted-service.ts';
import { storedSubmission } from './stored-submission.ts';

/** For every route a request, and the code that this service answers with where it cannot succeed. */
interface Check {
  readonly kind?: 'static' | 'cdr' | 'sandbox' | 'url';
  readonly body?: () => FormData | string;
  readonly code?: ErrorCode;
}

const post = (fields: Readonly<Record<string, string>> = {}): Check => ({ body: () => fileForm('benign', fields) });
const noDynamic: Check = { kind: 'sandbox', code: 'DYNAMIC_REPORT_UNAVAILABLE' };
const ofFile: Check = { kind: 'static' };

const CHECKS: Record<V1RouteName, Check> = {
  scanUrl: { body: () => '{"url":"https://example.test/"}' },
  scanSandbox: post({ analyzeConfig: '[]' }),
  scanStatic: post(),
  scanCdr: post(),
  getSubmission: ofFile,
  getIndicators: ofFile,
  getIocs: ofFile,
  getMatchedYaraRules: ofFile,
  getAnalysisArtifacts: ofFile,
  getConfigExtractorResults: ofFile,
  getHybridAnalyzerResults: ofFile,
  getDns: noDynamic,
  getHttp: noDynamic,
  getTcp: noDynamic,
  getUdp: noDynamic,
  getThreats: ofFile,
  listMySubmissions: ofFile,
  listPublicSubmissions: ofFile,
  searchByHash: ofFile,
  getMetafields: {},
  getLevels: {},
  getStatuses: {},
  getSampleMetafield: {},
  me: {},
  downloadSample: ofFile,
  downloadHtmlReport: ofFile,
  downloadPcap: noDynamic,
  downloadYaraRule: ofFile,
  downloadArtifact: ofFile,
  // A URL is judged without opening it, so there is no picture.
  downloadScreenshot: { kind: 'url', code: 'MEDIA_NOT_FOUND' },
  downloadMedia: { kind: 'url', code: 'MEDIA_NOT_FOUND' },
  downloadCdr: { kind: 'cdr' },
};

async function madeFor(service: TestService, { kind }: Check): Promise<string> {
  if (kind === undefined) return '';
  if (kind !== 'url') return await submitted(service, kind, 'suspicious');
  const body = '{"url":"https://example.test/suspicious"}';
  const created = await service.call('/submissions/url', { method: 'POST', body });
  return ((await created.json()) as { uuid: string }).uuid;
}

const filled = (path: string, uuid: string) =>
  path
    .replace(':uuid', uuid)
    .replace(':artifactId', sampleIdOf(storedSubmission({ uuid })))
    .replace(':fileId', 'none')
    .replace(':page', '0')
    .replace(':jump', '10')
    .replace(':hash', createHash('md5').update('suspicious').digest('hex'));

describe('every route of v1', () => {
  const cases = V1_ROUTES.flatMap((route) => route.paths.map((path) => [route.name, path, route] as const));
  test.each(cases)('%s answers at %s, as the contract says', async (name, path, route) => {
    const service = testService();
    const check = CHECKS[name];
    const uuid = await madeFor(service, check);
    await service.queue.idle();
    const init = check.body ? { method: 'POST', body: check.body() } : {};
    const response = await service.call(filled(path, uuid), init);
    expect(service.faults).toEqual([]);
    if (check.code) {
      expect(route.errors).toContain(check.code);
      expect([response.status, ErrorEnvelope.parse(await response.json()).code]).toEqual([
        ERRORS[check.code].status,
        check.code,
      ]);
      return;
    }
    const body = route.responses[200];
    const contentType = body.kind === 'json' ? 'application/json' : body.contentType;
    expect([response.status, response.headers.get('content-type')]).toEqual([200, contentType]);
    if (body.kind === 'file') return;
    const value = await response.json();
    // What the server sends is exactly what the contract names: nothing is dropped or filled in by parsing it.
    expect(body.schema.parse(value)).toEqual(value);
  });

  test('has a client method, an own name and path, and a summary', () => {
    const names = V1_ROUTES.map(({ name }) => name);
    expect(Object.keys(CHECKS).sort()).toEqual([...names].sort());
    for (const name of names) expect([name, typeof AnalysisClientV1.prototype[name]]).toEqual([name, 'function']);
    const paths = V1_ROUTES.flatMap((route) => route.paths.map((path) => `${route.method} ${path}`));
    expect(new Set(paths).size).toBe(paths.length);
    for (const { summary } of V1_ROUTES) expect(summary.length).toBeGreaterThan(10);
  });

  test.each(V1_REMOVED_ROUTES.map((route) => [route.path, route] as const))(
    '%s says that it is gone',
    async (path, route) => {
      const response = await testService().call(path.replace('*', 'a/b').replace(/:\w+/g, 'x'));
      const body = ErrorEnvelope.parse(await response.json());
      expect([response.status, body.code, body.message]).toEqual([ERRORS[route.code].status, route.code, route.note]);
    },
  );
});

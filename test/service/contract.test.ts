import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { CdrClient } from '../../lib/service/client/cdr-client.ts';
import { CDR_ROUTES, CdrRecord, type CdrRouteName } from '../../lib/service/contract/cdr.ts';
import type { RouteDefinition } from '../../lib/service/contract/common.ts';
import { ERRORS, type ErrorCode, ErrorEnvelope, REASON_PHRASES } from '../../lib/service/contract/errors.ts';
import { V3_PREFIXES, V3_ROUTES, type V3RouteName } from '../../lib/service/contract/v3.ts';
import { Submission } from '../../lib/service/contract/v3-submission.ts';
import { sampleIdOf } from '../../lib/service/server/views/report.ts';
import { fileForm, submitted, type TestService, testService } from './scripted-service.ts';
import { storedSubmission } from './stored-submission.ts';

/** For every route a request and its result: success, or the code that this service answers with where it cannot succeed. */
interface Checked {
  readonly path: string;
  readonly init?: RequestInit;
  readonly code?: ErrorCode;
}
type Check = (service: TestService, path: string) => Promise<Checked>;

const post: Check = async (_, path) => ({ path, init: { method: 'POST', body: fileForm('benign') } });
const postUrl: Check = async (_, path) => ({ path, init: { method: 'POST', body: '{"url":"https://example.test/"}' } });
const plain: Check = async (_, path) => ({ path });
/** Below a submission of this kind that has ended. */
const below =
  (route: string, facts: { readonly code?: ErrorCode; readonly text?: string } = {}): Check =>
  async (service, path) => {
    const uuid =
      route === 'url' ? await submittedUrl(service) : await submitted(service, route, facts.text ?? 'suspicious');
    await service.queue.idle();
    const artifact = sampleIdOf(storedSubmission({ uuid }));
    const filled = path.replace(':uuid', uuid).replace(':artifactId', artifact).replace(':fileId', 'none');
    return { path: filled, ...(facts.code && { code: facts.code }) };
  };
const isStatic = below('static');
/** There is no dynamic report, because no file is run here. */
const noDynamic = below('sandbox', { code: 'DYNAMIC_REPORT_UNAVAILABLE' });

async function submittedUrl(service: TestService): Promise<string> {
  const body = '{"url":"https://example.test/suspicious"}';
  const created = await service.call('/submissions/url', { method: 'POST', body });
  return ((await created.json()) as { uuid: string }).uuid;
}

const V3_CHECKS: Record<V3RouteName, Check> = {
  createSandboxSubmission: post,
  createStaticSubmission: post,
  createCdrSubmission: post,
  createUrlSubmission: postUrl,
  createOpenInBrowserSubmission: postUrl,
  listSubmissions: async (service, path) => ({ path: (await isStatic(service, path)).path }),
  searchBySha256: async (_, path) => ({ path: path.replace(':sha256', 'a'.repeat(64)) }),
  getSubmission: below('cdr'),
  // A URL is judged without opening it, so there is no picture.
  getScreenshot: below('url', { code: 'MEDIA_NOT_FOUND' }),
  listMedia: below('url'),
  getMediaFile: below('url', { code: 'MEDIA_NOT_FOUND' }),
  getSummary: isStatic,
  listIndicators: isStatic,
  listIocs: isStatic,
  listYaraRules: isStatic,
  listExtractedConfigs: isStatic,
  listArtifacts: isStatic,
  getEmlAnalysis: below('static', {
    text: 'From: a@example.test\r\nMessage-ID: <1@example.test>\r\nTo: b@example.test\r\n\r\nhi',
  }),
  getMitre: isStatic,
  getStaticScan: isStatic,
  getStaticScanStrings: isStatic,
  getCdrReport: below('cdr'),
  listSignatureChecks: isStatic,
  getUrlAnalysis: below('url'),
  listProcesses: noDynamic,
  getProcessTree: noDynamic,
  listBehaviours: noDynamic,
  listSyscalls: noDynamic,
  getNetworkSummary: noDynamic,
  listDnsQueries: noDynamic,
  listHttpRequests: noDynamic,
  listTcpConnections: noDynamic,
  listUdpConnections: noDynamic,
  listNetworkThreats: noDynamic,
  downloadSample: isStatic,
  downloadHtmlReport: isStatic,
  downloadPcap: noDynamic,
  downloadYaraRule: isStatic,
  downloadArtifact: isStatic,
  downloadCdrSanitized: below('cdr'),
  getMetafields: plain,
  getSandboxMetafields: plain,
  getStaticMetafields: plain,
  getCdrMetafields: plain,
  getUrlMetafields: plain,
  getOpenInBrowserMetafields: plain,
  getMetafieldsOf: async (_, path) => ({ path: path.replace(':scan_type', 'cdr') }),
  getEnvironments: plain,
  listNetworkConfigs: plain,
  me: plain,
};

const cdrRecord = async (service: TestService) => {
  const response = await service.callCdr('/start/upload-file', { method: 'POST', body: fileForm('benign') });
  const { resultId } = (await response.json()) as { resultId: string };
  await service.queue.idle();
  return (await (await service.callCdr(`/listen/${resultId}`)).json()) as CdrRecord;
};

const CDR_CHECKS: Record<CdrRouteName, Check> = {
  start: post,
  listen: async (service, path) => ({ path: path.replace(':resultId', (await cdrRecord(service)).resultId) }),
  download: async (service, path) => ({ path: path.replace(':fileId', (await cdrRecord(service)).files[0]?.id ?? '') }),
};

async function expectContract(route: RouteDefinition, response: Response, code?: ErrorCode): Promise<void> {
  if (code) {
    expect(route.errors).toContain(code);
    expect([route.name, response.status]).toEqual([route.name, ERRORS[code].status]);
    expect(ErrorEnvelope.parse(await response.json()).code).toBe(code);
    return;
  }
  expect([route.name, response.status]).toEqual([route.name, 200]);
  const body = route.responses[200];
  expect(response.headers.get('content-type')).toBe(body.kind === 'json' ? 'application/json' : body.contentType);
  if (body.kind === 'file') return;
  const value = await response.json();
  // What the server sends is exactly what the contract names: nothing is dropped or filled in by parsing it.
  expect(body.schema.parse(value)).toEqual(value);
}

describe('every route of the contract', () => {
  test.each(V3_ROUTES.flatMap((route) => route.paths.map((path) => [route.name, path, route] as const)))(
    '%s answers at %s under every prefix, as the contract says',
    async (name, path, route) => {
      for (const prefix of V3_PREFIXES) {
        const service = testService();
        const request = await V3_CHECKS[name](service, path);
        await expectContract(route, await service.call(prefix + request.path, request.init), request.code);
      }
    },
  );

  test.each(CDR_ROUTES.map((route) => [route.name, route] as const))(
    '%s answers, as the contract says',
    async (name, route) => {
      const service = testService();
      const request = await CDR_CHECKS[name](service, route.paths[0]);
      await expectContract(route, await service.callCdr(request.path, request.init));
    },
  );

  test('has a check here, a client method, a summary, and an own name and path', () => {
    const names = [...V3_ROUTES, ...CDR_ROUTES].map(({ name }) => name);
    expect(Object.keys({ ...V3_CHECKS, ...CDR_CHECKS }).sort()).toEqual([...names].sort());
    for (const { name, summary } of V3_ROUTES) {
      expect(summary.length).toBeGreaterThan(10);
      expect([name, typeof AnalysisClient.prototype[name]]).toEqual([name, 'function']);
    }
    for (const { name } of CDR_ROUTES) expect([name, typeof CdrClient.prototype[name]]).toEqual([name, 'function']);
    for (const routes of [V3_ROUTES, CDR_ROUTES]) {
      const paths = routes.flatMap(({ method, paths }) => paths.map((path) => `${method} ${path}`));
      expect(new Set(paths).size).toBe(paths.length);
    }
  });
});

test('every code has a status with a reason phrase', () => {
  for (const { status, message } of Object.values(ERRORS)) {
    expect(REASON_PHRASES[status]).toBeTruthy();
    expect(message).toBeTruthy();
  }
});

test('the schemas can be written as JSON Schema, for documentation pages', () => {
  for (const schema of [Submission, CdrRecord]) {
    expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ type: 'object' });
  }
});

describe('reading a submission', () => {
  const minimal = { uuid: 'u', type: 'file', level: 'benign', reports: [], createdAt: '2026-01-05T10:00:00Z' };

  test('takes null and absent alike and ignores unknown keys', () => {
    const withNulls = { ...minimal, score: null, file: null, tags: null, overview: null, future: { a: 1 } };
    expect(Submission.parse(withNulls)).toEqual(Submission.parse(minimal));
    expect(Submission.parse(minimal)).toMatchObject({ score: null, file: null, tags: [], private: false });
  });

  test('accepts an unknown report type, and no unknown status or level', () => {
    const report = { type: 'memory', status: 'completed', level: 'benign' };
    expect(Submission.parse({ ...minimal, reports: [report] }).reports[0]?.type).toBe('memory');
    for (const change of [{ status: 'done' }, { level: 'clean' }]) {
      expect(Submission.safeParse({ ...minimal, reports: [{ ...report, ...change }] }).success).toBe(false);
    }
    expect(Submission.safeParse({ ...minimal, level: 'Malicious' }).success).toBe(false);
  });
});

describe('reading a CDR record', () => {
  test.each([
    [1, 1],
    [2, 2],
    ['1', 1],
    ['2', 2],
  ])('status %j is %d', (status, expected) => {
    expect(CdrRecord.parse({ status }).status).toBe(expected);
  });

  test.each([0, 3, '3', 'finished', null, undefined])('status %j is refused', (status) => {
    expect(CdrRecord.safeParse({ status }).success).toBe(false);
  });
});

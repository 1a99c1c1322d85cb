/** A route answers with every code that the contract lists for it. `listed-answers.ts` checks the opposite. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RouteDefinition } from '../../lib/service/contract/common.ts';
import { ERRORS, type ErrorCode, ErrorEnvelope } from '../../lib/service/contract/errors.ts';
import { ServiceError } from '../../lib/service/server/service-error.ts';
import { createMemoryStore } from '../../lib/service/server/store/memory-store.ts';
import { scheduledReport } from '../../lib/service/server/store/submissions.ts';
import { ROUTES } from './listed-answers.ts';
import { fileForm, submitted, type TestService, testService } from './scripted-service.ts';
import { storedSubmission } from './stored-submission.ts';

const FILE_BYTES = 6;
const isCdr = ({ auth }: RouteDefinition) => auth === 'api-token';

/** A path with its parameters filled in. Those that are not given are valid and name nothing. */
function pathOf({ paths }: RouteDefinition, given: Readonly<Record<string, string>>): string {
  const values: Record<string, string> = {
    uuid: randomUUID(),
    resultId: randomUUID(),
    fileId: randomUUID(),
    artifactId: 'none',
    page: '0',
    jump: '10',
    hash: 'a'.repeat(32),
    sha256: 'a'.repeat(64),
    scan_type: 'cdr',
    ...given,
  };
  return paths[0].replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'x');
}

function ask(service: TestService, route: RouteDefinition, path: string, body?: FormData | string): Promise<Response> {
  const init = route.method === 'POST' ? { method: 'POST', body: body ?? goodBody(route) } : {};
  return isCdr(route) ? service.callCdr(path, init) : service.call(path, init);
}

const goodBody = (route: RouteDefinition) =>
  route.request.json ? '{"url":"https://a.test/"}' : fileForm('benign', { analyzeConfig: '[]' });

async function submittedUrl(service: TestService): Promise<string> {
  const created = await service.call('/submissions/url', { method: 'POST', body: '{"url":"https://a.test/"}' });
  return ((await created.json()) as { uuid: string }).uuid;
}

/** A value that the parameter cannot have, in the path or in the query. */
const WRONG: Readonly<Record<string, string>> = {
  limit: '-1',
  page: 'x',
  jump: 'x',
  source: 'x',
  auto: 'x',
  extension: '!',
  sha256: 'x',
  scan_type: 'x',
  hash: 'x',
  uuid: 'x',
  resultId: 'x',
  fileId: 'x',
};

async function wrongParameter(route: RouteDefinition): Promise<Response> {
  const service = testService();
  const given = { uuid: randomUUID() };
  // A route looks for the report that it requires before it reads the query.
  const reports = [{ ...scheduledReport(route.requires ?? 'static'), status: 'completed' } as const];
  await service.store.add({ ...storedSubmission(given), reports }, null);
  const inQuery = Object.keys(route.request.query?.shape ?? {}).find((name) => name in WRONG);
  if (inQuery) return await ask(service, route, `${pathOf(route, given)}?${inQuery}=${WRONG[inQuery]}`);
  const inPath = Object.keys(route.request.params?.shape ?? {}).find((name) => name in WRONG) ?? '';
  return await ask(service, route, pathOf(route, { [inPath]: WRONG[inPath] ?? '' }));
}

/** Asks below a submission whose required report is completed, and made no file. */
async function withoutFiles(route: RouteDefinition): Promise<Response> {
  const service = testService();
  const given = { uuid: randomUUID() };
  const reports = [{ ...scheduledReport(route.requires ?? 'static'), status: 'completed' } as const];
  await service.store.add({ ...storedSubmission(given), reports }, null);
  return await ask(service, route, pathOf(route, given));
}

/** Asks below a submission of one kind that has ended. */
const below =
  (kind: 'static' | 'url') =>
  async (route: RouteDefinition): Promise<Response> => {
    const service = testService();
    const uuid = kind === 'url' ? await submittedUrl(service) : await submitted(service, 'static', 'benign');
    await service.queue.idle();
    return await ask(service, route, pathOf(route, { uuid, fileId: 'none' }));
  };

const PROVOKE: Readonly<Partial<Record<ErrorCode, (route: RouteDefinition) => Promise<Response>>>> = {
  INVALID_UUID: (route) => ask(testService(), route, pathOf(route, { uuid: 'x', resultId: 'x', fileId: 'x' })),
  INVALID_QUERY_PARAM: wrongParameter,
  SUBMISSION_NOT_FOUND: (route) => ask(testService(), route, pathOf(route, {})),
  FILE_NOT_FOUND: (route) => ask(testService(), route, pathOf(route, {})),
  SUBMISSION_PRIVATE: async (route) => {
    const service = testService();
    const uuid = await submitted(service, 'static', 'benign', { private: 'true' });
    return await service.callAsOther(pathOf(route, { uuid }));
  },
  DYNAMIC_REPORT_UNAVAILABLE: below('static'),
  STATIC_REPORT_UNAVAILABLE: below('url'),
  CDR_REPORT_UNAVAILABLE: below('static'),
  URL_ANALYSIS_REPORT_UNAVAILABLE: below('static'),
  SAMPLE_NOT_AVAILABLE: below('url'),
  ARTIFACT_NOT_FOUND: (route) => (route.requires ? withoutFiles(route) : below('static')(route)),
  MEDIA_NOT_FOUND: below('url'),
  INVALID_BODY: (route) => ask(testService(), route, pathOf(route, {}), route.request.json ? '{}' : new FormData()),
  INVALID_URL_BODY: (route) => ask(testService(), route, pathOf(route, {}), '{"url":"x"}'),
  PAYLOAD_TOO_LARGE: (route) => {
    const service = testService({ limits: { uploadBytes: FILE_BYTES - 1, jsonBytes: FILE_BYTES } });
    return ask(service, route, pathOf(route, {}));
  },
  UNSUPPORTED_ENCODING: (route) => {
    const init = { method: 'POST', body: goodBody(route), headers: { 'content-encoding': 'gzip' } };
    const service = testService();
    return isCdr(route) ? service.callCdr(pathOf(route, {}), init) : service.call(pathOf(route, {}), init);
  },
  SUBMISSION_LIMIT_EXCEEDED: (route) => {
    const service = testService({ limits: { queuedJobs: 1 } });
    service.queue.reserve();
    return ask(service, route, pathOf(route, {}));
  },
  STORAGE_UNAVAILABLE: (route) => {
    const store = { ...createMemoryStore(), get: () => Promise.reject(new ServiceError('STORAGE_UNAVAILABLE')) };
    return ask(testService({ store }), route, pathOf(route, {}));
  },
};

const labelled = (route: RouteDefinition, code: ErrorCode) =>
  [`${route.method} ${route.paths[0]}`, code, route] as const;
const listed = ROUTES.flatMap((route) => route.errors.map((code) => labelled(route, code)));
const ofSubmission = ROUTES.filter(({ paths }) => paths[0].includes('/:uuid'));

test.each([...listed, ...ofSubmission.map((route) => labelled(route, 'STORAGE_UNAVAILABLE'))])(
  '%s answers %s',
  async (_, code, route) => {
    const response = await PROVOKE[code]?.(route);
    expect([response?.status, ErrorEnvelope.parse(await response?.json()).code]).toEqual([ERRORS[code].status, code]);
  },
);

test('a route lists the code of the report it requires, of its id and of its body', () => {
  for (const { name, requires, paths, errors, method, request } of ROUTES) {
    const codes: readonly ErrorCode[] = errors;
    const expected: string[] = [
      ...(requires ? [`${requires.toUpperCase()}_REPORT_UNAVAILABLE`] : []),
      ...(paths[0].includes('/:uuid') ? ['INVALID_UUID', 'SUBMISSION_NOT_FOUND', 'SUBMISSION_PRIVATE'] : []),
      ...(method === 'POST' ? ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_ENCODING', 'SUBMISSION_LIMIT_EXCEEDED'] : []),
      ...(request.query ? ['INVALID_QUERY_PARAM'] : []),
    ];
    expect([name, expected.filter((code) => !codes.includes(code as ErrorCode))]).toEqual([name, []]);
  }
});

/** Refusals, by what public clients read of them: status, code, details, and the order of the checks. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContractService, contractService } from './rig.ts';
import { ENVELOPE } from './sdk-models.ts';
import { complaints } from './shape.ts';
import { fileLast, sdkHeaders, send, type WireAnswer } from './wire.ts';

let service: ContractService;
beforeAll(async () => {
  service = await contractService();
});
afterAll(() => service.close());

const AGENT = 'threatzone-python-sdk/1.1.1';
const get = (path: string, key = service.key) => send(service.url + path, { headers: sdkHeaders(key, AGENT) });

async function uploaded(kind: string, bytes: string, isPrivate = false): Promise<string> {
  const { contentType, body } = fileLast([['private', String(isPrivate)]], { filename: 'x.doc', bytes });
  const headers = { ...sdkHeaders(service.key, AGENT), 'content-type': contentType };
  const answer = await send(`${service.url}/submissions/${kind}`, { method: 'POST', headers, body });
  return answer.json<{ uuid: string }>().uuid;
}

function expectRefusal(answer: WireAnswer, status: number, code: string): Record<string, unknown> {
  const body = answer.json();
  expect([answer.status, body.code, body.statusCode, complaints(body, ENVELOPE)]).toEqual([status, code, status, []]);
  return (body.details ?? {}) as Record<string, unknown>;
}

describe('the order of the checks', () => {
  test('the key comes before everything', async () => {
    for (const path of ['/me', '/submissions/bad', '/public-api/submissions/bad/indicators?page=0', '/nothing']) {
      expectRefusal(await get(path, 'wrong'), 401, 'UNAUTHORIZED');
    }
  });

  test('existence comes before privacy, privacy before the report, the report before the query', async () => {
    const mine = await uploaded('static', 'benign private', true);
    await service.idle();
    const unknown = randomUUID();
    expectRefusal(await get(`/submissions/${unknown}/behaviours?page=0`), 404, 'SUBMISSION_NOT_FOUND');
    const details = expectRefusal(
      await get(`/submissions/${mine}/behaviours?page=0`, service.otherKey),
      403,
      'SUBMISSION_PRIVATE',
    );
    expect(details).toEqual({ submissionUuid: mine });
    expectRefusal(await get(`/submissions/${mine}/behaviours?page=0`), 409, 'DYNAMIC_REPORT_UNAVAILABLE');
    expectRefusal(await get(`/submissions/${mine}/indicators?page=0`), 400, 'INVALID_QUERY_PARAM');
  });
});

describe('a report that does not exist', () => {
  test('names the report, its status and the reports that exist', async () => {
    const uuid = await uploaded('static', 'benign gate');
    await service.idle();
    const details = expectRefusal(await get(`/submissions/${uuid}/processes`), 409, 'DYNAMIC_REPORT_UNAVAILABLE');
    expect(details).toEqual({
      submissionUuid: uuid,
      requiredReport: 'dynamic',
      currentStatus: null,
      availableReports: ['static'],
    });
  });

  test('says error for a report that failed', async () => {
    const uuid = await uploaded('cdr', 'encrypted gate');
    await service.idle();
    const details = expectRefusal(await get(`/submissions/${uuid}/download/cdr`), 409, 'CDR_REPORT_UNAVAILABLE');
    expect(details).toEqual({
      submissionUuid: uuid,
      requiredReport: 'cdr',
      currentStatus: 'error',
      availableReports: [],
    });
  });

  test('the screenshot of a file is 409', async () => {
    const uuid = await uploaded('static', 'benign screenshot');
    expectRefusal(await get(`/submissions/${uuid}/screenshot`), 409, 'URL_ANALYSIS_REPORT_UNAVAILABLE');
  });
});

describe('a part that does not exist', () => {
  test('names the submission and the part', async () => {
    const uuid = await uploaded('static', 'benign parts');
    await service.idle();
    const id = '0'.repeat(24);
    const artifact = await get(`/submissions/${uuid}/download/artifact/${id}`);
    expect(expectRefusal(artifact, 404, 'ARTIFACT_NOT_FOUND')).toEqual({ submissionUuid: uuid, artifactId: id });
    const media = await get(`/submissions/${uuid}/media/${id}`);
    expect(expectRefusal(media, 404, 'MEDIA_NOT_FOUND')).toEqual({ submissionUuid: uuid, mediaId: id });
  });
});

describe('a private submission', () => {
  test('is absent from the lists and searches of another workspace', async () => {
    const uuid = await uploaded('static', 'benign hidden', true);
    await service.idle();
    const { hashes } = (await get(`/submissions/${uuid}`)).json<{ hashes: { sha256: string; md5: string } }>();
    const search = `/submissions/search/sha256/${hashes.sha256}`;
    expect((await get(search)).json<unknown[]>()).toHaveLength(1);
    expect((await get(search, service.otherKey)).json<unknown>()).toEqual([]);
    const list = await get(`/submissions?sha256=${hashes.sha256}`, service.otherKey);
    expect(list.json()).toMatchObject({ items: [], total: 0, totalPages: 0 });
    const v1 = await get(`/public-api/get/${hashes.md5}/0/10`, service.otherKey);
    expect(v1.json()).toMatchObject({ submissions: [], total: 0 });
    expectRefusal(await get(`/public-api/get/submission/${uuid}`, service.otherKey), 403, 'SUBMISSION_PRIVATE');
  });
});

test('a full quota answers 429 with Retry-After in whole seconds', async () => {
  const limited = await contractService({ quotas: { requestsPerMinute: 3 } });
  try {
    const headers = sdkHeaders(limited.key, AGENT);
    const answers: WireAnswer[] = [];
    for (let call = 0; call < 6; call += 1) answers.push(await send(`${limited.url}/me`, { headers }));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expectRefusal(answer, 429, 'RATE_LIMIT_EXCEEDED');
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
  } finally {
    await limited.close();
  }
});

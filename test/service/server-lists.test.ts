import { describe, expect, test } from 'vitest';
import { ErrorEnvelope } from '../../lib/service/contract/errors.ts';
import { SubmissionPage } from '../../lib/service/contract/v3-submission.ts';
import { submitted, type TestService, testService } from './scripted-service.ts';

async function page(service: TestService, query: string): Promise<SubmissionPage> {
  const response = await service.call(`/submissions${query}`);
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  expect(SubmissionPage.parse(body)).toEqual(body);
  return SubmissionPage.parse(body);
}

const levels = ({ items }: SubmissionPage) => items.map(({ level }) => level);

/** One submission of each level and one URL, all ended. */
async function world(): Promise<TestService> {
  const service = testService();
  for (const text of ['benign', 'suspicious', 'malicious', 'unknown']) {
    await submitted(service, 'static', text, text === 'malicious' ? { private: 'true' } : {});
  }
  await service.call('/submissions/url', { method: 'POST', body: '{"url":"https://example.test/malicious"}' });
  await service.queue.idle();
  return service;
}

describe('the list', () => {
  test('pages from 1, newest first, and says how many there are', async () => {
    const service = await world();
    const all = await page(service, '');
    expect(all).toMatchObject({ total: 5, page: 1, limit: 20, totalPages: 1 });
    expect(levels(all)).toEqual(['malicious', 'unknown', 'malicious', 'suspicious', 'benign']);
    const second = await page(service, '?page=2&limit=2');
    expect([levels(second), second.totalPages]).toEqual([['malicious', 'suspicious'], 3]);
    expect(await page(service, '?page=9')).toMatchObject({ items: [], total: 5, page: 9 });
    expect(levels(await page(service, '?order=asc&sort=createdAt'))[0]).toBe('benign');
  });

  test('of nothing has no pages', async () => {
    expect(await page(testService(), '')).toEqual({ items: [], total: 0, page: 1, limit: 20, totalPages: 0 });
  });

  test.each([
    ['?level=malicious,suspicious', 3],
    ['?level=malicious&level=suspicious', 3],
    ['?level=malicious,benign&level=suspicious', 4],
    ['?level=', 5],
    ['?type=url', 1],
    ['?type=file', 4],
    ['?private=true', 1],
    ['?private=FALSE', 4],
    ['?filename=INVOI', 4],
    ['?filename=nothing', 0],
    ['?tags=docx', 4],
    ['?tags=docx,office-macro', 5],
    ['?tags=nothing&tags=office-macro', 3],
    ['?tags=two+words', 0],
    ['?startDate=2026-01-05', 5],
    ['?startDate=2026-01-05T00:00:00', 5],
    ['?startDate=2026-01-05T00:00:00Z&endDate=2026-01-06T00:00:00.123456%2B00:00', 5],
    ['?startDate=2026-01-05T01:00:00+01:00', 5],
    ['?endDate=2026-01-04T23:59:59Z', 0],
    ['?endDate=2026-01-05T00:00:00', 0],
    ['?level=malicious&type=file&private=true&filename=invoice&tags=docx&startDate=2026-01-01', 1],
    ['?future=parameter', 5],
  ])('%s has %d', async (query, total) => {
    expect((await page(await world(), query)).total).toBe(total);
  });

  test('finds a file by its SHA-256, whole or its first digits, in any case', async () => {
    const service = await world();
    const { sha256 = '' } = (await page(service, '?level=benign')).items[0] ?? {};
    for (const query of [sha256, sha256?.toUpperCase(), sha256?.slice(0, 8)]) {
      expect((await page(service, `?sha256=${query}`)).items.map((item) => item.sha256)).toEqual([sha256]);
    }
  });

  test.each([
    ['?page=0', 'page'],
    ['?page=-1', 'page'],
    ['?page=1.5', 'page'],
    ['?page=1&page=2', 'page'],
    ['?page=99999999999999999999', 'page'],
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=ten', 'limit'],
    ['?level=evil', 'level'],
    ['?level=malicious,evil', 'level'],
    ['?type=mail', 'type'],
    ['?sha256=xyz', 'sha256'],
    [`?sha256=${'a'.repeat(65)}`, 'sha256'],
    ['?filename=', 'filename'],
    ['?startDate=yesterday', 'startDate'],
    ['?startDate=2026-02-31', 'startDate'],
    ['?startDate=2026-02-01T25:00:00', 'startDate'],
    ['?endDate=1767571200', 'endDate'],
    ['?private=maybe', 'private'],
    ['?sort=name', 'sort'],
    ['?order=up', 'order'],
    [`?tags=${'a,'.repeat(101)}`, 'tags'],
  ])('%s is refused by the name of its parameter', async (query, param) => {
    const response = await testService().call(`/submissions${query}`);
    const { code, details } = ErrorEnvelope.parse(await response.json());
    expect([response.status, code, details]).toEqual([400, 'INVALID_QUERY_PARAM', { param }]);
  });
});

describe('private submissions', () => {
  test('are only seen by their workspace: others get 403 by id, and do not find them in lists and searches', async () => {
    const service = testService();
    const hidden = await submitted(service, 'static', 'benign', { private: 'true' });
    const shown = await submitted(service, 'static', 'benign');
    await service.queue.idle();
    const listedToOther = async (query: string) =>
      SubmissionPage.parse(await (await service.callAsOther(`/submissions${query}`)).json()).items;
    expect(await listedToOther('')).toEqual([]);
    expect((await listedToOther('?private=false')).map(({ uuid }) => uuid)).toEqual([shown]);
    expect(await listedToOther('?private=true')).toEqual([]);
    const own = SubmissionPage.parse(await (await service.call('/submissions')).json());
    expect(own.items.map(({ uuid }) => uuid)).toEqual([shown, hidden]);
    const search = `/submissions/search/sha256/${own.items[0]?.sha256}`;
    expect(await (await service.callAsOther(search)).json()).toHaveLength(1);
    expect(await (await service.call(search)).json()).toHaveLength(2);
    for (const path of [
      '',
      '/summary',
      '/download/sample',
      '/download/pcap',
      '/behaviours?limit=x',
      '/media?source=x',
    ]) {
      const refused = await service.callAsOther(`/submissions/${hidden}${path}`);
      const { code, details } = ErrorEnvelope.parse(await refused.json());
      expect([path, refused.status, code, details]).toEqual([
        path,
        403,
        'SUBMISSION_PRIVATE',
        { submissionUuid: hidden },
      ]);
    }
    expect((await service.callAsOther(`/submissions/${shown}`)).status).toBe(200);
  });
});

test('errors are reported in this order: key, route, id, existence, privacy, report, query', async () => {
  const service = testService();
  const uuid = await submitted(service, 'static', 'benign', { private: 'true' });
  await service.queue.idle();
  const unknown = '00000000-0000-4000-8000-000000000000';
  const status = async (response: Response | Promise<Response>) => (await response).status;
  expect(await status(service.api.request('/submissions/x/behaviours?limit=x'))).toBe(401);
  expect(await status(service.call('/submissions/x/nothing?limit=x'))).toBe(404);
  expect(await status(service.call('/submissions/x/behaviours?limit=x'))).toBe(400);
  expect(await status(service.call(`/submissions/${unknown}/behaviours?limit=x`))).toBe(404);
  expect(await status(service.callAsOther(`/submissions/${uuid}/behaviours?limit=x`))).toBe(403);
  expect(await status(service.call(`/submissions/${uuid}/behaviours?limit=x`))).toBe(409);
  expect(await status(service.call(`/submissions/${uuid}/indicators?limit=x`))).toBe(400);
});

import { afterEach, describe, expect, test } from 'vitest';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { AnalysisClientV1 } from '../../lib/service/client/analysis-client-v1.ts';
import type { AnalysisClientOptions } from '../../lib/service/client/options.ts';
import { queryString } from '../../lib/service/client/route-caller.ts';
import { type HandlerServer, handlerServer, sendJson } from './handler-server.ts';

const UUID = '5b7e1f0e-5a3c-4a0e-9c8b-3f1f4f3f2a11';

const servers: HandlerServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A service that answers each request with what a function makes of its path and query. */
async function against(answer: (url: URL) => unknown, options: Partial<AnalysisClientOptions> = {}) {
  const server = await handlerServer(({ url }, response) => sendJson(response, answer(new URL(url, 'http://a.test'))));
  servers.push(server);
  return { server, client: new AnalysisClient({ baseUrl: server.url, apiKey: 'k', ...options }) };
}

async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const iocs = Array.from({ length: 250 }, (_, at) => ({ type: 'ip', value: `192.0.2.${at}`, artifacts: [] }));
const pageOf = <T>(all: readonly T[], url: URL) => {
  const [page, limit] = ['page', 'limit'].map((name) => Number(url.searchParams.get(name))) as [number, number];
  const items = all.slice((page - 1) * limit, page * limit);
  return { items, total: all.length, page, limit, totalPages: Math.ceil(all.length / limit) };
};

describe('a list in pages', () => {
  test('comes as one stream of items, with the largest pages', async () => {
    const { client, server } = await against((url) => pageOf(iocs, url));
    expect((await gathered(client.eachIoc(UUID))).map(({ value }) => value)).toEqual(iocs.map(({ value }) => value));
    expect(server.heard.map(({ url }) => url.split('?')[1])).toEqual([
      'limit=100&page=1',
      'limit=100&page=2',
      'limit=100&page=3',
    ]);
  });

  test('is read only as far as its reader goes', async () => {
    const { client, server } = await against((url) => pageOf(iocs, url));
    for await (const { value } of client.eachIoc(UUID)) if (value === '192.0.2.100') break;
    expect(server.heard).toHaveLength(2);
  });

  test.each([
    ['nothing', []],
    ['exactly one page', iocs.slice(0, 100)],
  ])('of %s takes one request', async (_, all) => {
    const { client, server } = await against((url) => pageOf(all, url));
    expect(await gathered(client.eachIoc(UUID))).toHaveLength(all.length);
    expect(server.heard).toHaveLength(1);
  });

  test('that shrinks while it is read ends', async () => {
    const { client } = await against((url) => ({ ...pageOf(iocs.slice(0, 100), url), total: 250 }));
    expect(await gathered(client.eachIoc(UUID))).toHaveLength(100);
  });

  test('whose service repeats a page is a ContractError, and no endless loop', async () => {
    const { client } = await against((url) => ({ ...pageOf(iocs, url), page: 1 }));
    await expect(gathered(client.eachIoc(UUID))).rejects.toThrow(/page: asked for 2, got 1/);
  });
});

describe('a network list', () => {
  const dns = Array.from({ length: 2_500 }, (_, at) => ({
    id: String(at),
    host: 'a.test',
    type: 'A',
    status: 'NOERROR',
    records: [],
    timeshift: 0,
  }));

  test('is paged by limit and skip until a page is short', async () => {
    const { client, server } = await against(({ searchParams }) => {
      const [limit, skip] = [Number(searchParams.get('limit')), Number(searchParams.get('skip'))];
      return dns.slice(skip, skip + limit);
    });
    expect((await gathered(client.eachDnsQuery(UUID))).map(({ id }) => id)).toEqual(dns.map(({ id }) => id));
    expect(server.heard.map(({ url }) => url.split('?')[1])).toEqual([
      'limit=1000&skip=0',
      'limit=1000&skip=1000',
      'limit=1000&skip=2000',
    ]);
  });

  test('of a service that sends everything at once is not asked for twice', async () => {
    const { client, server } = await against(() => dns);
    expect(await gathered(client.eachDnsQuery(UUID))).toHaveLength(2_500);
    expect(server.heard).toHaveLength(1);
  });
});

test('v1 pages count from 0', async () => {
  const item = { uuid: UUID, level: 1, private: true, reports: {} };
  const { server } = await against(({ pathname }) => {
    const [page, jump] = pathname.split('/').slice(-2).map(Number) as [number, number];
    return { submissions: page === 0 ? Array(jump).fill(item) : [item], total: jump + 1, page, jump, totalPages: 2 };
  });
  const client = new AnalysisClientV1({ baseUrl: server.url, apiKey: 'k' });
  expect(await gathered(client.eachMySubmission())).toHaveLength(101);
  expect(server.heard.map(({ url }) => url)).toEqual([
    '/public-api/get/my-submissions/0/100',
    '/public-api/get/my-submissions/1/100',
  ]);
});

describe('a query', () => {
  const filter = {
    level: ['malicious', 'suspicious'],
    tags: ['a b', 'ü'],
    private: false,
    startDate: new Date(0),
    page: 2,
    filename: undefined,
    sha256: null,
    none: [],
  };

  test('writes lists with commas as documented, or as repeated keys', () => {
    expect(queryString(filter, 'comma')).toBe(
      '?level=malicious%2Csuspicious&tags=a+b%2C%C3%BC&private=false&startDate=1970-01-01T00%3A00%3A00.000Z&page=2',
    );
    expect(queryString({ level: filter.level }, 'repeated')).toBe('?level=malicious&level=suspicious');
    expect(queryString({}, 'comma')).toBe('');
  });

  test('is written as the client is configured', async () => {
    const { client, server } = await against((url) => pageOf([], url), { listForm: 'repeated' });
    await client.listSubmissions({ level: ['benign', 'unknown'], startDate: '2026-01-01', private: true });
    expect(server.heard[0]?.url).toBe('/submissions?level=benign&level=unknown&startDate=2026-01-01&private=true');
  });
});

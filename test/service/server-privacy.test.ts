/** Every way to submit hides a private submission and shows a public one: the file, the page, and the findings. */
import { describe, expect, test } from 'vitest';
import { fileForm, type TestService, testService } from './scripted-service.ts';

const URL_TEXT = 'https://secret.example/benign';
const json = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const form = (fields: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  body: fileForm('benign secret', fields),
});
const config = (isPrivate: boolean) => JSON.stringify([{ metafieldId: 'private', value: isPrivate }]);

/** What other workspaces see: by id, in the list of v3, in the public list of v1. */
async function seenByOthers(service: TestService, path: string, init: RequestInit) {
  const created = await service.call(path, init);
  expect(created.status, path).toBe(200);
  const { uuid } = (await created.json()) as { uuid: string };
  await service.queue.idle();
  const listed = (await (await service.callAsOther('/submissions?private=false')).json()) as {
    items: { uuid: string }[];
  };
  const byId = await service.callAsOther(`/submissions/${uuid}`);
  const older = await service.callAsOther(`/public-api/get/submission/${uuid}`);
  expect((await service.call(`/submissions/${uuid}`)).status).toBe(200);
  return { byId: byId.status, older: older.status, isListed: listed.items.some((item) => item.uuid === uuid) };
}

const HIDDEN = { byId: 403, older: 403, isListed: false };
const SHOWN = { byId: 200, older: 200, isListed: true };

describe('v3', () => {
  const cases: (readonly [string, boolean, RequestInit])[] = [
    ...['url_analysis', 'open_in_browser'].flatMap((route) => [
      [route, true, json({ url: URL_TEXT, private: true })] as const,
      [route, false, json({ url: URL_TEXT, private: false })] as const,
      [route, false, json({ url: URL_TEXT })] as const,
    ]),
    ...['sandbox', 'static', 'cdr'].flatMap((route) => [
      [route, true, form({ private: 'true' })] as const,
      [route, false, form({ private: 'false' })] as const,
      [route, false, form()] as const,
    ]),
  ];

  test.each(cases)('%s, private: %s', async (route, isPrivate, init) => {
    const seen = await seenByOthers(testService(), `/submissions/${route}`, init);
    expect(seen).toEqual(isPrivate ? HIDDEN : SHOWN);
  });
});

describe('v1', () => {
  test.each<readonly [string, boolean, RequestInit]>([
    ['url', true, json({ url: URL_TEXT, private: true })],
    ['url', false, json({ url: URL_TEXT, private: false })],
    ['url', false, json({ url: URL_TEXT })],
    ['url', true, json({ url: URL_TEXT, isPublic: false })],
    ['url', false, json({ url: URL_TEXT, isPublic: true })],
    ['url', true, json({ url: URL_TEXT, isPublic: true, private: true })],
    ['static', true, form()],
    ['static', true, form({ isPublic: 'false' })],
    ['static', false, form({ isPublic: 'true' })],
    ['cdr', true, form()],
    ['cdr', true, form({ isPublic: 'false' })],
    ['cdr', false, form({ isPublic: 'true' })],
    ['sandbox', true, form({ analyzeConfig: config(true) })],
    ['sandbox', true, form({ analyzeConfig: '[]' })],
    ['sandbox', false, form({ analyzeConfig: config(false) })],
    ['sandbox', true, form({ analyzeConfig: `[${config(false).slice(1, -1)},${config(true).slice(1, -1)}]` })],
  ])('%s, private: %s', async (route, isPrivate, init) => {
    const seen = await seenByOthers(testService(), `/public-api/scan/${route}`, init);
    expect(seen).toEqual(isPrivate ? HIDDEN : SHOWN);
  });
});

const raw = (body: string): RequestInit => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } });

describe('a caller who writes the wish to hide in another way publishes nothing', () => {
  const names = ['Private', 'PRIVATE', 'private ', 'isPrivate', 'is_private', 'isPublic', 'is-public', 'visibility'];
  const v3 = ['sandbox', 'static', 'cdr'].flatMap((route) =>
    names.map((name): [string, RequestInit] => [
      `/submissions/${route}`,
      form({ [name]: name.includes('ublic') ? 'false' : 'true' }),
    ]),
  );
  const urls = ['/submissions/url', '/submissions/url_analysis', '/submissions/open_in_browser'].flatMap((path) =>
    names.map((name): [string, RequestInit] => [path, json({ url: URL_TEXT, [name]: true })]),
  );
  test.each<[string, RequestInit]>([
    ...v3,
    ...urls,
    ['/submissions/static?private=true', form()],
    ['/submissions/url?Private=true', json({ url: URL_TEXT })],
    ['/submissions/url', raw(`{"url":"${URL_TEXT}","private":true,"private":false}`)],
    ['/submissions/url', raw(`{"url":"${URL_TEXT}","private":true,"priv\\u0061te":false}`)],
    ['/public-api/scan/url-analysis', json({ url: URL_TEXT, Private: true })],
    ['/public-api/scan/url', json({ url: URL_TEXT, ispublic: false })],
    ['/submissions/sandbox', form({ Password: 'secret' })],
    ['/submissions/static', form({ EntryPoint: 'a.exe' })],
  ])('%s refuses it, and says which field was meant', async (path, init) => {
    const service = testService();
    const answer = await service.call(path, init);
    const told = (await answer.json()) as { code: string; message: string };
    expect(answer.status).toBe(path.startsWith('/public-api') ? 400 : 422);
    expect(told.message).toMatch(/private|isPublic|password|entrypoint|stands twice/);
    const listed = (await (await service.call('/submissions')).json()) as { total: number };
    expect(listed.total).toBe(0);
  });

  test.each([
    ['private', true],
    ['private', 'true'],
    ['Private', true],
    ['isPublic', false],
  ])('among the metafields, %s: %j hides', async (key, value) => {
    const metafields = { timeout: 60, [key]: value };
    const list = Object.entries(metafields).map(([name, one]) => ({ key: name, value: one }));
    const service = testService();
    for (const [path, init] of [
      ['/submissions/sandbox', form({ metafields: JSON.stringify(metafields) })],
      ['/submissions/sandbox', form({ metafields: JSON.stringify(list) })],
      ['/submissions/url', json({ url: URL_TEXT, metafields })],
      ['/submissions/open_in_browser', json({ url: URL_TEXT, metafields: list })],
    ] as const)
      expect([path, await seenByOthers(service, path, init)]).toEqual([path, HIDDEN]);
  });
});

test.each<[string, RequestInit, object]>([
  ['/submissions/static', form({ client_version: '9', Source: 'x' }), SHOWN],
  ['/submissions/url', json({ url: URL_TEXT, safeBrowsing: false, tags: ['x'] }), SHOWN],
  ['/public-api/scan/static', form({ private: 'true', extensionCheck: 'true' }), HIDDEN],
  ['/public-api/scan/sandbox', form({ analyzeConfig: config(false), isPublic: 'true', private: 'false' }), SHOWN],
])('fields that public clients send to %s, and unknown ones, are no fault', async (path, init, seen) => {
  expect(await seenByOthers(testService(), path, init)).toEqual(seen);
});

test('the CDR service hides every file from others', async () => {
  const service = testService();
  const created = await service.callCdr('/start/upload-file', form());
  const { resultId } = (await created.json()) as { resultId: string };
  await service.queue.idle();
  expect((await service.call(`/submissions/${resultId}`)).status).toBe(200);
  expect((await service.callAsOther(`/submissions/${resultId}`)).status).toBe(403);
  expect((await service.callAsOther(`/public-api/get/submission/${resultId}`)).status).toBe(403);
});

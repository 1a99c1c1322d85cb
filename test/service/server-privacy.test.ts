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
  ])('%s, private: %s', async (route, isPrivate, init) => {
    const seen = await seenByOthers(testService(), `/public-api/scan/${route}`, init);
    expect(seen).toEqual(isPrivate ? HIDDEN : SHOWN);
  });
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

/** Saved views: who may save what under which name, and what a hostile or damaged one can do. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VIEW_LIMITS } from '../../lib/desk/saved-view.ts';
import { openDesk } from './desk-rig.ts';
import { strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

const ALSO = { elements: [], attributes: ['aria-current'] };
const pageOf = async ({ get }: Awaited<ReturnType<typeof openDesk>>, path = '/mails') => (await get(path)).text();

test('a view that was saved is a link to the same list, for every desk of the folder', async () => {
  const desk = await openDesk('analyst');
  const answer = await desk.post('/views/save', {
    name: 'Viruses of ana',
    state: 'quarantined',
    reason: 'malicious',
    sender: 'ana@sender.example',
  });
  const address = answer.headers.get('location') ?? '';
  expect([answer.status, address]).toEqual([
    303,
    '/mails?state=quarantined&reason=malicious&sender=ana%40sender.example',
  ]);
  expect(await pageOf(desk)).toContain(`<a href="${address.replaceAll('&', '&amp;')}">Viruses of ana</a>`);
  expect(await pageOf(desk, address)).toContain('aria-current="page">Viruses of ana</a>');
  expect(JSON.parse(readFileSync(join(desk.folder, 'desk/views.json'), 'utf8'))).toHaveLength(1);
});

test('the same name replaces, and remove removes', async () => {
  const desk = await openDesk('analyst');
  await desk.post('/views/save', { name: 'a', state: '', words: 'one' });
  await desk.post('/views/save', { name: 'a', state: '', words: 'two' });
  expect(await pageOf(desk)).toContain('words=two');
  expect(await pageOf(desk)).not.toContain('words=one');
  expect((await desk.post('/views/remove', { name: 'a' })).headers.get('location')).toBe('/mails');
  expect(await pageOf(desk)).not.toContain('words=two');
});

test('two that are saved at once are both saved', async () => {
  const desk = await openDesk('analyst');
  await Promise.all(['a', 'b', 'c'].map((name) => desk.post('/views/save', { name, state: '' })));
  expect((JSON.parse(readFileSync(join(desk.folder, 'desk/views.json'), 'utf8')) as unknown[]).length).toBe(3);
});

test.each(PAYLOADS)('a view called, and with the words %j is text', async (payload) => {
  const desk = await openDesk('analyst');
  const status = (await desk.post('/views/save', { name: payload, state: '', words: payload })).status;
  expect(status).toBe(/[\u202e\0]/.test(payload) ? 422 : 303);
  expect(strangeIn(await pageOf(desk), ALSO)).toEqual([]);
});

describe('nothing is saved', () => {
  test.each([[''], ['   '], ['x'.repeat(VIEW_LIMITS.nameChars + 1)], ['two\nlines']])(
    'under the name %j',
    async (name) => {
      const desk = await openDesk('analyst');
      expect((await desk.post('/views/save', { name, state: '' })).status).toBe(422);
      expect(await pageOf(desk)).not.toContain('/views/remove');
    },
  );

  test.each([{ words: '*' }, { state: 'nothing' }, { reason: '<b>' }, { hash: 'x' }, { since: '2026-02-30x' }])(
    'with a filter that cannot be searched for (%j), and its list has no form to save it',
    async (filter) => {
      const desk = await openDesk('analyst');
      const answer = await desk.post('/views/save', { name: 'a', state: 'quarantined', ...filter });
      expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Nothing was saved.')]);
      expect(await pageOf(desk)).not.toContain('/views/remove');
      expect(await pageOf(desk, `/mails?${new URLSearchParams(filter)}`)).not.toContain('/views/save');
    },
  );

  test('by a reader, who has no form for it', async () => {
    const desk = await openDesk('reader');
    expect((await desk.post('/views/save', { name: 'a', state: '' })).status).toBe(403);
    expect(await pageOf(desk)).not.toContain('/views/save');
  });

  test('by a form of another page', async () => {
    const desk = await openDesk('analyst');
    expect((await desk.post('/views/save', { name: 'a', csrf: 'x' })).status).toBe(403);
    expect((await desk.get('/views/save?name=a')).status).toBe(404);
  });

  test('over the most that there may be', async () => {
    const desk = await openDesk('analyst');
    for (let number = 0; number < VIEW_LIMITS.views; number += 1)
      expect((await desk.post('/views/save', { name: `view ${number}`, state: '' })).status).toBe(303);
    expect((await desk.post('/views/save', { name: 'one more', state: '' })).status).toBe(409);
    expect((await desk.post('/views/save', { name: 'view 7', state: 'delivered' })).status).toBe(303);
  });
});

test.each(['no JSON', '[{"name":1}]', '{}'])(
  'a damaged file (%s) is told on the list, which is shown, and is not replaced',
  async (text) => {
    const desk = await openDesk('analyst');
    mkdirSync(join(desk.folder, 'desk'));
    writeFileSync(join(desk.folder, 'desk/views.json'), text);
    const answer = await desk.get('/mails');
    expect([answer.status, (await answer.text()).includes('cannot be read')]).toEqual([200, true]);
    expect((await desk.post('/views/save', { name: 'a', state: '' })).status).toBe(409);
    expect(readFileSync(join(desk.folder, 'desk/views.json'), 'utf8')).toBe(text);
  },
);

test('what somebody wrote into the file is read as a view, or not at all', async () => {
  const desk = await openDesk('analyst');
  mkdirSync(join(desk.folder, 'desk'));
  const views = [
    { name: '<script>', values: { state: '', words: 'ok' } },
    { name: 'b', values: { state: '"><b>', words: 'odd' } },
    { name: 'a\u202eb', values: {} },
  ];
  writeFileSync(join(desk.folder, 'desk/views.json'), JSON.stringify(views));
  const page = await pageOf(desk);
  expect(strangeIn(page, ALSO)).toEqual([]);
  expect(page).toContain('words=ok');
  expect(page).not.toContain('words=odd');
  expect(page).not.toContain('a\u202eb');
});

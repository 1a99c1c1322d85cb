/** Saved views at the desk of a deployment: `review` keeps them, with the token of whoever saves. */
import { expect, test } from 'vitest';
import { changeViews } from '../../lib/desk/cloud/views.ts';
import { keptViews } from '../../lib/desk/routes/kept-views.ts';
import { VIEW_LIMITS } from '../../lib/desk/saved-view.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { ReviewRequest } from '../../lib/pipeline/review/request.ts';
import type { SharedText } from '../../lib/pipeline/shared-text-port.ts';
import { openCloudDesk } from './cloud-desk-rig.ts';
import { strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

const ALSO = { elements: [], attributes: ['aria-current'] };
const VIEW = { name: 'Of ana', state: 'quarantined', sender: 'ana@sender.example' };
const READER = { groups: ['reader'] };

test('a view that one person saves is a link for everybody, and gone for everybody when another removes it', async () => {
  const desk = await openCloudDesk();
  const saved = await desk.post('/views/save', VIEW);
  expect([saved.status, saved.headers.location]).toEqual([303, '/mails?state=quarantined&sender=ana%40sender.example']);
  const link = '<a href="/mails?state=quarantined&amp;sender=ana%40sender.example">Of ana</a>';
  const ofReader = await desk.send('/mails', { headers: desk.cookie(await desk.issuer.token(READER)) });
  expect([ofReader.text.includes(link), ofReader.text.includes('/views/')]).toEqual([true, false]);
  expect((await desk.get('/mails')).text).toContain('action="/views/remove"');
  const removed = await desk.post('/views/remove', { name: 'Of ana' }, {}, { sub: 'kim', email: 'kim@example.org' });
  expect([removed.status, removed.headers.location]).toEqual([303, '/mails']);
  expect((await desk.get('/mails')).text).not.toContain('Of ana');
  expect(desk.asked.map(({ action }) => action)).toEqual(['save_view', 'remove_view']);
});

test('neither a reader nor somebody without a role saves one, and review refuses it once more', async () => {
  const desk = await openCloudDesk();
  for (const groups of [['reader'], []])
    expect((await desk.post('/views/save', VIEW, {}, { groups })).status).toBe(403);
  expect([desk.asked, await desk.kept.read()]).toEqual([[], null]);
  const request = { action: 'save_view', name: 'a', values: { state: '' } } as const;
  for (const role of ['reader', null] as const)
    expect(await changeViews(keptViews(desk.kept), { role }, request)).toMatchObject({ code: 'no_role' });
  expect(await desk.kept.read()).toBeNull();
});

test('a form of another site, or without the secret, saves nothing', async () => {
  const desk = await openCloudDesk();
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect((await desk.post('/views/save', VIEW, headers)).status).toBe(403);
  expect((await desk.post('/views/save', { ...VIEW, csrf: 'x' })).status).toBe(403);
  expect((await desk.get('/views/save?name=a')).status).toBe(404);
  expect(await desk.kept.read()).toBeNull();
});

test.each(PAYLOADS)('a view called, and with the words %j is text', async (payload) => {
  const desk = await openCloudDesk();
  const { status } = await desk.post('/views/save', { name: payload, state: '', words: payload });
  expect(status).toBe(/[\u202e\0]/.test(payload) ? 422 : 303);
  expect(strangeIn((await desk.get('/mails')).text, ALSO)).toEqual([]);
});

test('as many are saved as there may be, also when they are saved at once', async () => {
  const desk = await openCloudDesk();
  const save = (name: string) => desk.post('/views/save', { name, state: '' });
  expect((await Promise.all(['a', 'b', 'c'].map(save))).map(({ status }) => status)).toEqual([303, 303, 303]);
  for (let number = 3; number < VIEW_LIMITS.views; number += 1) await save(`view ${number}`);
  const over = await save('one more');
  expect([over.status, over.text.includes('Remove one first')]).toEqual([409, true]);
  expect((await save('b')).status).toBe(303);
  expect(JSON.parse((await desk.kept.read())?.text ?? '')).toHaveLength(VIEW_LIMITS.views);
});

test.each(['no JSON', '{}', '[{"name":1}]'])('what is no list of views (%s) is told, and stays', async (text) => {
  const desk = await openCloudDesk();
  await desk.kept.replace(text, null);
  const page = await desk.get('/mails');
  expect([page.status, page.text.includes('cannot be read')]).toEqual([200, true]);
  expect((await desk.post('/views/save', VIEW)).status).toBe(409);
  expect((await desk.kept.read())?.text).toBe(text);
});

test('the list is there while the saved views are not, and whoever saves is told that he failed', async () => {
  const away: SharedText = {
    read: () => Promise.reject(new TransientError('away')),
    replace: () => Promise.reject(new TransientError('away')),
  };
  const views = keptViews(away);
  expect(await views.list()).toBeNull();
  const view = { name: 'a', values: {} as never };
  await expect(views.change({ action: 'save', view })).rejects.toThrow('away');
});

test('review takes nothing but what a view can be', async () => {
  const desk = await openCloudDesk();
  const views = keptViews(desk.kept);
  const save = (state: string, name = 'a') => {
    const values = { state, words: 'w', path: '../../audit/000000001.json' };
    const request = ReviewRequest.parse({ action: 'save_view', name: 'a', values });
    if (!('values' in request)) throw new Error('this is no change of a view');
    return changeViews(views, { role: 'analyst' }, { ...request, name });
  };
  expect(await save('nothing')).toMatchObject({ state: 'refused', code: 'not_decided' });
  expect(await desk.kept.read()).toBeNull();
  expect(await save('')).toEqual({ state: 'done' });
  expect(JSON.parse((await desk.kept.read())?.text ?? '')).toEqual([
    {
      name: 'a',
      values: {
        state: '',
        reason: '',
        sender: '',
        recipient: '',
        words: 'w',
        hash: '',
        host: '',
        since: '',
        until: '',
      },
    },
  ]);
  expect(await save('', 'a\u202eb')).toMatchObject({ code: 'not_decided' });
  for (const wrong of [{ key: 'x' }, { name: 'x'.repeat(9_000) }, { values: { words: 1 } }, { why: 'x' }])
    expect(ReviewRequest.safeParse({ action: 'save_view', name: 'a', values: { state: '' }, ...wrong }).success).toBe(
      false,
    );
});

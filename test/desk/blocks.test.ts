/** Blocking at the desk: what can be blocked, who may, and what a hostile mail makes of it. */
import { describe, expect, test } from 'vitest';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import { auditTrail } from '../../lib/pipeline/review/audit.ts';
import { changeBlock, createBlockList } from '../../lib/pipeline/review/block-list.ts';
import { emailWith, PDF } from '../pipeline/rig.ts';
import { type Desk, HELD, openDesk } from './desk-rig.ts';
import { strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

const HASH = sha256Hex(PDF);
const block = (desk: Desk, fields: Record<string, string>, action = 'block') =>
  desk.post(`/blocks/${action}`, { why: 'phishing', ...fields });

async function records(desk: Desk) {
  const found: unknown[] = [];
  for await (const { record } of auditTrail(desk.rig.ctx)) found.push(record);
  return found;
}

test('what is blocked is on the page with who and why, in the trail, and goes again', async () => {
  const desk = await openDesk('analyst');
  expect((await block(desk, { kind: 'file', value: HASH })).status).toBe(303);
  const page = await (await desk.get('/blocks')).text();
  for (const words of [HASH, 'pat: phishing']) expect(page).toContain(words);
  expect((await block(desk, { kind: 'file', value: HASH })).status).toBe(409);
  expect((await block(desk, { record: '1' }, 'unblock')).status).toBe(303);
  expect((await block(desk, { record: '1' }, 'unblock')).status).toBe(409);
  expect(await (await desk.get('/blocks')).text()).toContain('Nothing is blocked.');
  expect(await records(desk)).toMatchObject([{ action: 'block' }, { action: 'unblock' }]);
});

test('the page says that the end of the trail is missing and what to do, in the language of the reader', async () => {
  const desk = await openDesk('analyst');
  for (const value of ['a.example', 'b.example']) await block(desk, { kind: 'host', value });
  // The head is damaged: what this desk has read of the trail so far does not hide that.
  await desk.rig.blobs.put('work', keys.auditHead(), Buffer.from('{}'));
  for (const [language, said] of [
    ['en', 'accept the loss with airlock audit seal'],
    ['de', 'nimm den Verlust mit airlock audit seal hin'],
  ] as const) {
    const page = await desk.get('/blocks', { 'accept-language': language });
    expect([page.status, await page.text()]).toEqual([500, expect.stringContaining(said)]);
  }
});

test('values of any length come on pages of a size that a Lambda may answer, the newest first, and each can be taken off', async () => {
  const desk = await openDesk('analyst');
  const list = createBlockList(desk.rig.ctx);
  // The longest values, and reasons in which every second character acts.
  const long = (at: number) => `https://shop.example/${at}/`.padEnd(8_192, "'");
  for (let at = 1; at <= 51; at += 1) {
    const what = { block: { kind: 'url', value: long(at) } as const, who: { name: 'pat', why: '\u202ea'.repeat(250) } };
    expect(await changeBlock(desk.rig.ctx, list, 'block', what)).toBe(true);
  }
  const first = await (await desk.get('/blocks')).text();
  expect(JSON.stringify(first).length).toBeLessThan(4_000_000);
  expect([first.includes('value="51"'), first.includes('value="1"')]).toEqual([true, false]);
  expect(first).toContain('href="/blocks?before=2"');
  const second = await (await desk.get('/blocks?before=2')).text();
  expect([second.includes('value="2"'), second.includes('value="1"'), second.includes('before=')]).toEqual([
    ...[false, true, false],
  ]);
  expect((await block(desk, { record: '1' }, 'unblock')).status).toBe(303);
  expect((await list.current()).some((each) => each.block.value === long(1))).toBe(false);
});

test('the page of a mail offers its files, its links and its sender', async () => {
  const desk = await openDesk('analyst');
  const runId = await desk.scan(
    emailWith({ text: 'see https://www.shop.example/a', files: [{ name: 'a.pdf', bytes: PDF }] }),
  );
  const page = await (await desk.get(`/mails/${runId}`)).text();
  for (const value of [HASH, 'https://www.shop.example/a', 'ana@sender.example'])
    expect(page).toContain(`<option value="${value}">`);
});

test('a false alarm is in the trail, and the mail stays held', async () => {
  const desk = await openDesk('analyst');
  const runId = await desk.scan(HELD);
  expect((await desk.post(`/mails/${runId}/false-alarm`, { why: 'our own invoice' })).status).toBe(200);
  expect(await records(desk)).toMatchObject([{ action: 'false_alarm', runId, heldFor: ['malicious'] }]);
  expect((await desk.rig.ledger(runId)).terminal?.state).toBe('quarantined');
});

describe('nothing is blocked', () => {
  test.each([
    [{ kind: 'file', value: 'x' }, 422],
    [{ kind: 'nothing', value: HASH }, 422],
    [{ kind: 'host', value: '../../etc' }, 422],
    [{ kind: 'file', value: HASH, why: '' }, 422],
    [{ kind: 'file', value: HASH, why: 'two\nlines' }, 422],
    [{ kind: 'file', value: HASH, csrf: 'x' }, 403],
  ])('by the form %j', async (fields, status) => {
    const desk = await openDesk();
    expect((await block(desk, fields as Record<string, string>)).status).toBe(status);
    expect(await records(desk)).toEqual([]);
  });

  test('by a reader, by a GET, by a form of another page', async () => {
    const desk = await openDesk('reader');
    const runId = await desk.scan(HELD);
    expect((await block(desk, { kind: 'file', value: HASH })).status).toBe(403);
    expect((await desk.post(`/mails/${runId}/false-alarm`, { why: 'x' })).status).toBe(403);
    const analyst = await openDesk('analyst');
    expect((await analyst.get(`/blocks/block?csrf=${analyst.csrf}&kind=file&value=${HASH}&why=x`)).status).toBe(404);
    const form = { csrf: analyst.csrf, kind: 'file', value: HASH, why: 'x' };
    expect((await analyst.post('/blocks/block', form, { origin: 'https://evil.example' })).status).toBe(403);
    expect([await records(desk), await records(analyst)]).toEqual([[], []]);
  });
});

test.each(PAYLOADS)('%j is text in the forms and on the list', async (payload) => {
  const desk = await openDesk();
  const name = payload.replace(/["\\]/g, '');
  const url = `https://www.shop.example/?${encodeURIComponent(payload)}`;
  const mail = emailWith({ subject: payload, text: `see ${url}`, files: [{ name: `${name}.pdf`, bytes: PDF }] });
  const runId = await desk.scan(mail.replace('Ana <ana@sender.example>', `"${name}" <ana@sender.example>`));
  await block(desk, { kind: 'url', value: url, why: payload.replaceAll('\0', '') });
  await block(desk, { kind: 'sender', value: payload });
  for (const path of ['/blocks', `/mails/${runId}`]) expect(strangeIn(await (await desk.get(path)).text())).toEqual([]);
});

/** Another policy tried at the desk of a deployment, by whoever may read there. Nothing is asked of `review` or `preview`. */
import { expect, test } from 'vitest';
import { emailWith } from '../pipeline/rig.ts';
import { openCloudDesk } from './cloud-desk-rig.ts';
import { HELD } from './desk-rig.ts';
import { strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

const LAX = { policy: '{"message":{"quarantineVerdicts":[]}}', days: '30' };

test('a reader sees which mail would end otherwise, and nothing of it changes', async () => {
  const desk = await openCloudDesk();
  const held = await desk.scan(HELD);
  await desk.scan(emailWith({ subject: 'A good one' }));
  expect((await desk.get('/mails')).text).toContain('href="/policy"');
  const { status, text } = await desk.post('/policy', LAX, {}, { groups: ['reader'] });
  expect([status, strangeIn(text)]).toEqual([200, []]);
  expect(text).toMatch(/Mails tried<\/th><td>2</);
  expect(text).toMatch(/would be delivered, and were held<\/th><td>1</);
  expect(text).toContain(`href="/mails/${held}"`);
  expect([desk.asked, desk.looked, (await desk.rig.ledger(held)).terminal?.state]).toEqual([[], [], 'quarantined']);
});

test('nobody without a role tries one, and no form of another site', async () => {
  const { post } = await openCloudDesk();
  expect((await post('/policy', LAX, {}, { groups: [] })).status).toBe(403);
  expect((await post('/policy', LAX, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await post('/policy', { ...LAX, csrf: 'x' })).status).toBe(403);
  expect((await post('/policy', { ...LAX, policy: ' '.repeat(500_000) })).status).toBe(403);
});

test.each(PAYLOADS)('%j is text on it, typed or in a mail', async (payload) => {
  const { post, scan } = await openCloudDesk();
  await scan(HELD.replace('Invoice', payload.replace(/[\0\r\n]/g, '')));
  for (const fields of [
    LAX,
    { ...LAX, policy: payload },
    { ...LAX, days: payload },
    { ...LAX, place: payload, go: 'on' },
  ])
    expect(strangeIn((await post('/policy', fields)).text)).toEqual([]);
});

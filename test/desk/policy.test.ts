/** The page on which a policy is tried: what it says, what can be typed there, and that nothing changes by it. */
import { describe, expect, test } from 'vitest';
import { emailWith, PDF } from '../pipeline/rig.ts';
import { HELD, openDesk } from './desk-rig.ts';
import { strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

const LAX = '{"message":{"quarantineVerdicts":[]}}';

test('says which mail would end otherwise, with its parts and a link to it', async () => {
  const { post, scan, rig } = await openDesk('reader');
  const held = await scan(HELD);
  await scan(emailWith({ subject: 'A good one' }));
  const answer = await post('/policy', { policy: LAX, days: '30' });
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(page).toMatch(/would be delivered, and were held<\/th><td>1</);
  expect(page).toMatch(/would end the same way<\/th><td>1</);
  expect(page).toContain(`href="/mails/${held}"`);
  expect(page).not.toContain('A good one');
  expect((await rig.ledger(held)).terminal?.state).toBe('quarantined');
});

test('says which part would be another', async () => {
  const { post, scan } = await openDesk();
  await scan(emailWith({ subject: 'With a text', files: [{ name: 'notes.txt', bytes: 'notes' }] }));
  const rule = '{"types":{"text":{"verdicts":{"benign":"remove"}}}}';
  expect(await (await post('/policy', { policy: rule, days: '30' })).text()).toContain('notes.txt: kept → removed');
});

test('mail that came in earlier is left out', async () => {
  const desk = await openDesk();
  await desk.scan(HELD);
  desk.rig.advance(3 * 86_400_000);
  const tried = async (days: string) => (await desk.post('/policy', { policy: LAX, days })).text();
  expect(await tried('2')).toMatch(/Mails tried<\/th><td>0</);
  expect(await tried('4')).toMatch(/Mails tried<\/th><td>1</);
});

describe('what cannot be tried is told, and shown again as it was typed', () => {
  test.each([
    ['{', '30', 'it is not JSON'],
    ['{"typos":{}}', '30', 'Unrecognized key'],
    ['{"types":{"pdf":{"verdicts":{"malicious":"keep"}}}}', '30', 'types.pdf.verdicts.malicious'],
    ['{"told":{"templates":{"de":{"html":{"file":"/etc/passwd"}}}}}', '30', 'told.templates'],
    ['{}', '0', 'from 1 to 3650'],
    ['{}', '99999', 'from 1 to 3650'],
    ['{}', "1' OR 1", 'from 1 to 3650'],
  ])('%s for %s days', async (policy, days, why) => {
    const { post, scan } = await openDesk();
    await scan(HELD);
    const answer = await post('/policy', { policy, days });
    const page = await answer.text();
    expect([answer.status, page]).toEqual([422, expect.stringContaining(why)]);
    expect(page).not.toContain('root:');
    expect(page).toContain(policy.replaceAll('"', '&quot;'));
  });

  test('a policy of 50 kB fits, one of a megabyte does not', async () => {
    const { post } = await openDesk();
    const padded = (length: number) => `{${' '.repeat(length)}}`;
    expect((await post('/policy', { policy: padded(50_000), days: '1' })).status).toBe(200);
    expect((await post('/policy', { policy: padded(150_000), days: '1' })).status).toBe(422);
    expect((await post('/policy', { policy: padded(1_000_000), days: '1' })).status).toBe(403);
  });
});

test.each(PAYLOADS)('%j is text on it, typed or in a mail', async (payload) => {
  const { post, scan } = await openDesk();
  const name = payload.replace(/["\\]/g, '');
  await scan(emailWith({ subject: payload, files: [{ name: `${name}.pdf`, bytes: PDF }] }));
  const rule = '{"message":{"quarantineVerdicts":[]},"types":{"text":{"verdicts":{"benign":"remove"}}}}';
  for (const [policy, days] of [
    [rule, '30'],
    [payload, '30'],
    ['{}', payload],
  ] as const)
    expect(strangeIn(await (await post('/policy', { policy, days })).text())).toEqual([]);
});

test('a form of another page is refused', async () => {
  const { post, csrf } = await openDesk();
  expect((await post('/policy', { csrf: 'x', policy: '{}', days: '1' })).status).toBe(403);
  expect((await post('/policy', { csrf, policy: '{}', days: '1' }, { origin: 'https://evil.example' })).status).toBe(
    403,
  );
});

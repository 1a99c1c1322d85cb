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

/** The field that says where the next page goes on; null when no older mail is left. */
const placeIn = (page: string) => /name="place" value="([^"]*)"/.exec(page)?.[1] ?? null;

describe('when there is more mail than a browser waits for', () => {
  /** Fifty mails, of which the oldest is held. Trying one takes a second here. */
  async function slow() {
    const desk = await openDesk();
    const first = await desk.scan(HELD);
    for (let number = 1; number < 50; number += 1) {
      desk.rig.advance(60_000);
      await desk.scan(emailWith({ subject: `A good one ${number}` }));
    }
    desk.eachTried = () => desk.rig.advance(1_000);
    return { ...desk, first };
  }

  test('a page says how many were tried of how many, and the next one goes on until all were, each once', async () => {
    const { post, first } = await slow();
    const tried: string[] = [];
    let [page, pages] = ['', 0];
    for (let place: string | null = ''; place !== null && pages < 10; place = placeIn(page), pages += 1) {
      const more = place === '' ? {} : { place, go: 'on' };
      page = await (await post('/policy', { policy: LAX, days: '30', ...more })).text();
      tried.push(/Mails tried<\/th><td>([^<]*)</.exec(page)?.[1] ?? '');
      if (placeIn(page) !== null) expect(page).not.toContain(first);
    }
    expect(tried).toEqual(['16 of 50', '32 of 50', '48 of 50', '50']);
    expect(page).toMatch(/would be delivered, and were held<\/th><td>1</);
    expect(page).toContain(`href="/mails/${first}"`);
  });

  test('whoever changes the policy or the days, or types Enter, begins with the newest', async () => {
    const { post } = await slow();
    const asked = { policy: LAX, days: '30' };
    const place = placeIn(await (await post('/policy', asked)).text()) ?? '';
    for (const other of [{ policy: '{}', go: 'on' }, { days: '29', go: 'on' }, {}]) {
      const page = await (await post('/policy', { ...asked, place, ...other })).text();
      expect(page).toContain('<td>16 of 50<');
    }
  });

  test.each([
    ['', ''],
    ['^\\d+', '99999999999999999'],
    ['\\.\\d+-', '.x-'],
    ['\\.\\d+-', ".1' OR 1=1-"],
    ['.$', ''],
    ['^', '<script>'],
  ])('a place with %s replaced by %j is none', async (from, to) => {
    const { post } = await slow();
    const asked = { policy: LAX, days: '30' };
    const place = placeIn(await (await post('/policy', asked)).text()) ?? '';
    const changed = from === '' ? '' : place.replace(new RegExp(from), to);
    const answer = await post('/policy', { ...asked, place: changed, go: 'on' });
    expect([answer.status, (await answer.text()).includes('<td>16 of 50<')]).toEqual([200, true]);
  });
});

describe('what cannot be tried is told, and shown again as it was typed', () => {
  test.each([
    ['{', '30', 'it is not JSON'],
    ['{"typos":{}}', '30', 'there is no such field'],
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

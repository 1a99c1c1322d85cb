/** What becomes of a file that a person drops at the desk, and what a hostile one, a hostile page or another person can do there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDrops, DROP_LIMITS, type TakenIn } from '../../lib/desk/drops.ts';
import { airlock } from '../local/console.ts';
import { emailWith } from '../pipeline/rig.ts';
import { WAY, wayWithout } from '../pipeline/way.ts';
import { HOST, openDesk } from './desk-rig.ts';
import { type DropDesk, openDropDesk, viewsIn } from './drop-rig.ts';
import { strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

let desk: DropDesk;
beforeAll(async () => {
  desk = await openDropDesk();
});
afterAll(() => desk.close());

const MAIL = emailWith({ subject: 'Minutes', html: '<p>Hello <script>alert(1)</script></p>' });

describe('a mail that is dropped', () => {
  test('is in the audit trail with who dropped it, and the trail is whole', async () => {
    const path = (await desk.drop('who.eml', MAIL)).headers.get('location') ?? '';
    await desk.watch(path);
    const listed = await airlock(['audit', 'list', '--json', '--out', desk.out]);
    const records = listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [, runId] = /^\/drops\/(\w+)$/.exec(path) ?? [];
    expect(records.at(-1)).toMatchObject({ action: 'drop', runId, became: 'delivered', people: [{ name: 'pat' }] });
    const text = (await airlock(['audit', 'list', '--out', desk.out])).stdout;
    expect(text).toMatch(/ drop {2}\S+ {2}delivered; by pat \(dropped at the desk\)/);
    expect((await airlock(['audit', 'verify', '--out', desk.out])).code).toBe(0);
  });

  test('goes through the stages, each told as it happens, and stands in the lists afterwards', async () => {
    const answer = await desk.drop('minutes.eml', MAIL);
    const path = answer.headers.get('location') ?? '';
    expect([answer.status, path]).toEqual([303, expect.stringMatching(/^\/drops\/[0-9a-f]{32}$/)]);
    const views = await desk.watch(path);
    const last = views.at(-1);
    expect(last?.rows.map(({ stage, state }) => `${stage} ${state}`)).toEqual([
      ...['parse', ...WAY, 'deliver'].map((stage) => `${stage === 'poll' ? 'wait' : stage} done`),
      'quarantine skipped',
    ]);
    expect([last?.isEnded, last?.title]).toEqual([true, 'minutes.eml: It was delivered.']);
    for (const stage of ['parse', ...wayWithout('poll')])
      expect([stage, last?.rows.find((row) => row.stage === stage)?.found.length]).not.toEqual([stage, 0]);
    const page = await (await desk.get(path)).text();
    expect(page).toContain('It was delivered.');
    expect(await (await desk.get('/mails?state=delivered')).text()).toContain('Minutes');
    expect(await (await desk.get(path, { 'accept-language': 'de' })).text()).toContain('Sie wurde zugestellt.');
  });

  test('twice is the same run, as it is for airlock scan', async () => {
    const first = (await desk.drop('twice.eml', MAIL)).headers.get('location') ?? '';
    await desk.watch(first);
    const again = (await desk.drop('twice.eml', MAIL)).headers.get('location') ?? '';
    await desk.watch(again);
    expect(again).toBe(first);
  });
});

test('a file that is no mail is analysed as a single file', async () => {
  const path = (await desk.drop('table.csv', 'a,b\r\n1,2\r\n')).headers.get('location') ?? '';
  const last = (await desk.watch(path)).at(-1);
  expect(last?.rows[0]?.found[0]).toMatch(/^A single file: 1 parts/);
  expect(last?.isEnded).toBe(true);
});

test.each([
  '../../../etc/passwd',
  '..',
  '.',
  '/etc/passwd',
  '..\\..\\x.eml',
  'a\0b.eml',
  'C:\\x',
  `${'ä'.repeat(200)}.eml`,
  `${'x'.repeat(200_000)}.eml`,
])('a file called %j stays in its folder, and its name is text', async (name) => {
  const answer = await desk.drop(name, MAIL);
  expect(answer.status).toBe(303);
  const path = answer.headers.get('location') ?? '';
  const last = (await desk.watch(path)).at(-1);
  expect(last?.title).toContain('It was delivered.');
});

test.each(PAYLOADS)('a file called, and with the subject %j is text on its page and in its stream', async (payload) => {
  const name = payload.replace(/[\r\n"]/g, '');
  const path = (await desk.drop(name, emailWith({ subject: payload, text: payload }))).headers.get('location') ?? '';
  const views = await desk.watch(path);
  // What a browser would obey in a text is gone from the stream; that the page writes it as text is what check:desk sees.
  expect(JSON.stringify(views)).not.toMatch(/\u202e|\\u0000|https?:\/\/evil/);
  expect(strangeIn(await (await desk.get(path)).text(), LIVE)).toEqual([]);
  expect(strangeIn(await (await desk.get('/drop')).text(), LIVE)).toEqual([]);
});
const LIVE = {
  elements: ['ol', 'script', 'noscript'],
  attributes: ['enctype', 'hidden', 'role', 'src', 'data-events', 'data-stage', 'data-lost'],
};

describe('nothing is taken in', () => {
  test('of a form with another secret', async () => {
    expect((await desk.drop('a.eml', MAIL, 'x'.repeat(43))).status).toBe(403);
  });

  test('of an mbox, whose other mails nobody would look at', async () => {
    const answer = await desk.drop(
      'all.mbox',
      `From ana Mon Nov 23 10:00:00 2026\n${MAIL}\nFrom ana Mon Nov 23 10:00:00 2026\n${MAIL}`,
    );
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('mbox')]);
    const after = await desk.drop('after.eml', MAIL);
    expect((await desk.watch(after.headers.get('location') ?? '')).at(-1)?.isEnded).toBe(true);
  });

  test('without a file, and of what is no whole form', async () => {
    expect((await desk.drop('', '')).status).toBe(422);
    const type = { 'content-type': 'multipart/form-data; boundary=x', origin: desk.origin };
    const send = (body: string) =>
      fetch(`${desk.origin}/drop`, { method: 'POST', body, headers: { ...desk.headers, ...type } });
    expect((await send('--x\r\nnothing')).status).toBe(403);
    const many = `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(50_000)}--x--\r\n`;
    expect((await send(many)).status).toBe(403);
    expect((await desk.get('/drop')).status).toBe(200);
  });

  test('of a page of another place', async () => {
    const headers = { ...desk.headers, origin: 'https://evil.example' };
    const body = new FormData();
    body.set('file', new Blob([MAIL]), 'a.eml');
    expect((await fetch(`${desk.origin}/drop`, { method: 'POST', body, headers })).status).toBe(403);
  });

  test.each([
    ['longer than a file may be', { 'content-length': String(DROP_LIMITS.formBytes + 1) }, 413],
    ['that does not say how long it is', { 'content-length': 'x' }, 413],
    ['of another type', { 'content-type': 'application/x-www-form-urlencoded' }, 403],
  ])('of a form %s', async (_, more, status) => {
    const { send, browser } = await openDesk('analyst');
    const type = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '10' };
    const headers = { ...browser, origin: `http://${HOST}`, ...type, ...more };
    expect((await send('/drop', { method: 'POST', body: 'x', headers })).status).toBe(status);
  });

  test('from a reader, who gets no form either', async () => {
    const { get, send, browser, csrf } = await openDesk('reader');
    expect(await (await get('/drop')).text()).not.toContain('type="file"');
    const body = formText(csrf, 'a.eml', MAIL);
    const headers = { ...browser, origin: `http://${HOST}`, ...MULTIPART, 'content-length': String(body.length) };
    expect((await send('/drop', { method: 'POST', body, headers })).status).toBe(403);
  });
});

const MULTIPART = { 'content-type': 'multipart/form-data; boundary=bb' };
const formText = (csrf: string, name: string, bytes: string) =>
  `--bb\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n--bb\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: message/rfc822\r\n\r\n${bytes}\r\n--bb--\r\n`;

describe('while a file is analysed', () => {
  const RUN_ID = 'b'.repeat(32);
  const underWay = async () => {
    const opened = await openDesk('analyst');
    let end: (failed: string | null) => void = () => {};
    const run = () =>
      new Promise<string | null>((resolve) => {
        end = resolve;
      });
    const dropped = opened.drops.enter()?.begin('<b>.eml', 1, { runId: RUN_ID, run });
    opened.drops.begun('parse');
    return { ...opened, dropped, end: (failed: string | null) => end(failed) };
  };

  test('a second one is refused, and taken when the first has ended', async () => {
    const { send, browser, csrf, end, dropped } = await underWay();
    const body = formText(csrf, 'a.eml', MAIL);
    const headers = { ...browser, origin: `http://${HOST}`, ...MULTIPART, 'content-length': String(body.length) };
    const post = async () => (await send('/drop', { method: 'POST', body, headers })).status;
    expect(await post()).toBe(409);
    end(null);
    await dropped?.changed;
    expect(await post()).toBe(303);
  });

  test('its page alone has a script, which may make no markup of a text; without it the page loads itself again', async () => {
    const { get, end, dropped } = await underWay();
    const page = await get(`/drops/${RUN_ID}`);
    const policy = page.headers.get('content-security-policy') ?? '';
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "trusted-types 'none'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(directive);
    expect(policy).not.toContain('unsafe');
    expect(await page.text()).toContain('<noscript><meta http-equiv="refresh" content="2"/></noscript>');
    end('the disk is <b>full</b>');
    await dropped?.changed;
    const ended = await get(`/drops/${RUN_ID}`);
    expect(ended.headers.get('content-security-policy')).not.toContain('script-src');
    const text = await ended.text();
    expect(text).toContain('The analysis failed, and nothing was delivered: the disk is &lt;b&gt;full');
    expect(text).not.toContain('<script');
    expect(text).toMatch(/class="failed" data-stage="parse"/);
  });

  test('so many pages watch it, and one more is told to load itself again', async () => {
    const { get, end } = await underWay();
    const events = () => get(`/drops/${RUN_ID}/events`);
    const streams = await Promise.all(Array.from({ length: DROP_LIMITS.watchers }, events));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await events()).status).toBe(503);
    await streams[0]?.body?.cancel();
    await expect.poll(async () => (await events()).status).toBe(200);
    end(null);
    expect(viewsIn((await streams[1]?.text()) ?? '').at(-1)?.isEnded).toBe(true);
  });

  test('nobody without the cookie sees its stages', async () => {
    const { send } = await underWay();
    for (const path of [`/drops/${RUN_ID}`, `/drops/${RUN_ID}/events`, '/drop', '/live.js', '/preact.js'])
      expect([path, (await send(path)).status]).toEqual([path, 403]);
  });
});

test('what an earlier desk analysed leads to its mail, and nothing is streamed of it', async () => {
  const { get } = await openDesk();
  const answer = await get(`/drops/${'c'.repeat(32)}`);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/mails/${'c'.repeat(32)}`]);
  expect((await get(`/drops/${'c'.repeat(32)}/events`)).status).toBe(404);
});

describe('the memory of a desk', () => {
  const RUN_ID = 'a'.repeat(32);
  const taken = (run: TakenIn['run'], runId = RUN_ID): TakenIn => ({ runId, run });

  test('takes no second file while one is analysed, and the next when that has ended', async () => {
    const drops = createDrops(() => 0);
    let end: (failed: string | null) => void = () => {};
    const dropped = drops.enter()?.begin(
      'a',
      1,
      taken(
        () =>
          new Promise((resolve) => {
            end = resolve;
          }),
      ),
    );
    expect(drops.enter()).toBeNull();
    end(null);
    await dropped?.changed;
    expect(drops.enter()).not.toBeNull();
  });

  test('takes the next when the first came to nothing', () => {
    const drops = createDrops(() => 0);
    drops.enter()?.leave();
    expect(drops.enter()).not.toBeNull();
  });

  test('says that a run broke', async () => {
    const drops = createDrops(() => 0);
    const broken = drops.enter()?.begin(
      'a',
      1,
      taken(() => Promise.reject(new Error('disk full'))),
    );
    await broken?.changed;
    expect(drops.of(RUN_ID)?.end).toEqual({ failed: 'disk full' });
  });

  test('forgets the oldest', async () => {
    const drops = createDrops(() => 0);
    for (let number = 0; number <= DROP_LIMITS.remembered; number += 1) {
      const runId = number.toString(16).padStart(32, '0');
      await drops.enter()?.begin(
        'a',
        1,
        taken(async () => null, runId),
      ).changed;
    }
    expect([drops.of('0'.repeat(32)), drops.list().length]).toEqual([null, DROP_LIMITS.remembered]);
  });
});

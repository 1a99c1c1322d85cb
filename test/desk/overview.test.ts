/** The page with figures of the mail that came in. */
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { deskWords } from '../../lib/desk/desk-words.ts';
import { addOverview, overviewPage } from '../../lib/desk/pages/overview.tsx';
import { overviewOf } from '../../lib/pipeline/runs/overview.ts';
import type { IndexedRun, RunRow } from '../../lib/pipeline/runs/row.ts';
import { emailWith } from '../pipeline/rig.ts';
import { HELD, openDesk } from './desk-rig.ts';
import { strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

const HOUR_MS = 3_600_000;

function madeUp(number: number, changes: Partial<RunRow>): IndexedRun {
  const row: RunRow = {
    runId: number.toString(16).padStart(32, '0'),
    reference: '00-0000',
    attempt: 1,
    state: 'delivered',
    reasons: [],
    bornAt: 0,
    endedAt: 1,
    from: '',
    to: '',
    subject: `mail ${number}`,
    messageId: '',
    size: 1,
    parts: { keep: 1, disarm: 0, remove: 0 },
    ...changes,
  };
  const reasons = row.reasons.map((value) => ({ kind: 'reason', value }) as const);
  return { row, facts: [{ kind: 'state', value: row.state }, ...reasons] };
}

/** The cells of a row of a table that begins with this. */
const cellsOf = (page: string, first: string) =>
  (
    (
      page
        .split('<tr>')
        .slice(1)
        .find((row) => row.includes(`>${first}<`)) ?? ''
    ).split('</tr>')[0] ?? ''
  )
    .replace(/<[^>]+>/g, ' ')
    .trim()
    .split(/\s+/);

test('counts real mail, what it was held for, and how long its stages took', async () => {
  const { get, scan } = await openDesk('reader');
  await scan(HELD);
  await scan(emailWith({ subject: 'A good one' }));
  const page = await (await get('/overview')).text();
  expect(strangeIn(page)).toEqual([]);
  expect([cellsOf(page, 'Mails'), cellsOf(page, 'held'), cellsOf(page, 'delivered')]).toEqual([
    ['Mails', '2'],
    ['held', '1'],
    ['delivered', '1'],
  ]);
  expect(cellsOf(page, 'Malicious content')).toEqual(['Malicious', 'content', '1']);
  expect(page).toContain('newest 2 of them');
  for (const stage of ['parse', 'poll', 'decide', 'deliver', 'quarantine'])
    expect(page).toContain(`<small>${stage}</small>`);
});

test('says what was spent on analyses and money, and that nobody tells a limit', async () => {
  const { get, runs, rig } = await openDesk();
  const bornAt = rig.ctx.clock.now();
  const spent = { sent: 3, shared: 2, notAsked: 1, usd: 0.00025 };
  for (let number = 1; number <= 4; number += 1) await runs.put(madeUp(number, { bornAt, stages: {}, spent }));
  const page = await (await get('/overview')).text();
  const rows = [
    'Analyses that were sent',
    'Known, or shared with other mail',
    'Not asked for want of budget',
    'Cost on AWS',
  ];
  expect(rows.map((row) => cellsOf(page, row).at(-1))).toEqual(['12', '8', '4', '$0.0010']);
  expect(page).toContain('nobody tells a limit');
});

test('says what is left of the quota of the service, and does without when the service is away', async () => {
  const context = { language: 'en', words: deskWords('en'), desk: null } as const;
  const { runs } = await openDesk();
  const overview = await overviewOf(runs, 1, 0);
  expect(cellsOf(overviewPage(context, overview, { limit: 100, left: 7 }), 'Left of the quota of today')).toContain(
    '7',
  );
  const app = new Hono();
  const away = {
    runs,
    now: () => 0,
    quota: async () => Promise.reject(new Error('away')),
    guard: { csrf: '' },
    person: null,
  };
  addOverview(app, { ...away, pages: 'all' } as unknown as Parameters<typeof addOverview>[1]);
  expect(await (await app.request('/overview')).text()).toContain('nobody tells a limit');
  const cloud = new Hono();
  addOverview(cloud, { ...away, quota: undefined, pages: 'cloud' } as unknown as Parameters<typeof addOverview>[1]);
  expect(await (await cloud.request('/overview')).text()).toContain('no service has told a limit today');
  const noted = new Hono();
  const quota = async () => ({ limit: 100, left: 7, at: '2026-11-20T12:00:00.000Z' });
  addOverview(noted, { ...away, quota, pages: 'cloud' } as unknown as Parameters<typeof addOverview>[1]);
  const told = await (await noted.request('/overview')).text();
  expect(told).toContain('7 / 100 (2026-11-20 12:00 UTC)');
});

test('measures the middle and the slow end of each stage', async () => {
  const { get, runs, rig } = await openDesk();
  const bornAt = rig.ctx.clock.now();
  for (let number = 1; number <= 100; number += 1)
    await runs.put(madeUp(number, { bornAt, stages: { parse: number * 10 } }));
  await runs.put(madeUp(200, { bornAt }));
  const page = await (await get('/overview')).text();
  expect(cellsOf(page, 'parse')).toEqual(['Read', 'it', 'parse', '500', '950']);
  expect(page).toContain('newest 100 of them');
});

describe('counts what came in during the span that was asked for', () => {
  test.each([
    ['', '1'],
    ['?days=1', '1'],
    ['?days=7', '2'],
    ['?days=30', '3'],
    ['?days=31', '1'],
    ["?days=7' OR 1=1", '1'],
    ['?days[]=7', '1'],
    ['?days=%3Cscript%3E', '1'],
  ])('%s', async (query, mails) => {
    const { get, runs, rig } = await openDesk();
    const now = rig.ctx.clock.now();
    for (const [number, hours] of [1, 100, 600, 800].entries())
      await runs.put(madeUp(number, { bornAt: now - hours * HOUR_MS }));
    const answer = await get(`/overview${query}`);
    const page = await answer.text();
    expect([answer.status, cellsOf(page, 'Mails'), strangeIn(page)]).toEqual([200, ['Mails', mails], []]);
  });
});

test('says how often mail was held in an hour, a day, a week and 30 days, also when it is held no more', async () => {
  const { get, runs, rig } = await openDesk();
  expect(await (await get('/overview')).text()).toContain('No mail was held in the last 30 days.');
  const now = rig.ctx.clock.now();
  const hold = (hours: number, ...reasons: string[]) => ({ at: now - hours * HOUR_MS, reasons });
  await runs.put(madeUp(1, { bornAt: now, holds: [hold(0.5, 'malicious', 'timeout')] }));
  await runs.put(madeUp(2, { bornAt: now, state: 'deleted', holds: [hold(20, 'malicious'), hold(700, 'timeout')] }));
  await runs.put(madeUp(3, { bornAt: now, state: 'quarantined', holds: [hold(100, 'malicious')] }));
  await runs.put(madeUp(4, { bornAt: now, holds: [hold(721, 'malicious')] }));
  const page = (await (await get('/overview')).text()).split('<h2>How often mail was held</h2>')[1] ?? '';
  expect([
    cellsOf(page, 'All together').slice(-4),
    cellsOf(page, 'Malicious content').slice(-4),
    cellsOf(page, 'An analysis took too long').slice(-4),
  ]).toEqual([
    ['1', '2', '3', '4'],
    ['1', '2', '3', '3'],
    ['1', '1', '1', '2'],
  ]);
});

test('names the mail that has not ended for the longest time, and failures apart from other reasons', async () => {
  const { get, runs, rig } = await openDesk();
  const now = rig.ctx.clock.now();
  for (const [number, hours] of [900, 2].entries())
    await runs.put(madeUp(number, { bornAt: now - hours * HOUR_MS, state: 'running', endedAt: null }));
  await runs.put(madeUp(9, { bornAt: now, state: 'quarantined', reasons: ['timeout', 'malicious'] }));
  const page = await (await get('/overview')).text();
  const [, failures = '', open = ''] = /<h2>Held because an analysis([\s\S]*)<h2>Not ended([\s\S]*)/.exec(page) ?? [];
  expect([failures.includes('An analysis took too long'), failures.includes('Malicious content')]).toEqual([
    true,
    false,
  ]);
  expect([open.includes('mail 0'), open.includes('mail 1')]).toEqual([true, false]);
});

test.each(PAYLOADS)('the subject %j is text on it', async (subject) => {
  const { get, runs } = await openDesk();
  await runs.put(madeUp(1, { state: 'running', endedAt: null, subject }));
  expect(strangeIn(await (await get('/overview')).text())).toEqual([]);
});

test('nobody sees it without the cookie, and nothing is sent to it', async () => {
  const { send, post } = await openDesk();
  expect((await send('/overview')).status).toBe(403);
  expect((await post('/overview', {})).status).toBe(404);
});

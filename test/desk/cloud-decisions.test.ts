/** What people decide at the desk of a deployment: it reaches `review` with their token, and nothing else does. */
import { describe, expect, test } from 'vitest';
import { ROLES } from '../../lib/pipeline/model.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { auditTrail } from '../../lib/pipeline/review/audit.ts';
import { emailWith, PDF } from '../pipeline/rig.ts';
import { type CloudDesk, openCloudDesk } from './cloud-desk-rig.ts';
import { HELD } from './desk-rig.ts';
import { strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

const WHY = 'the sender called';
const FORM = { why: WHY, attempt: '1' };
const HASH = 'ab'.repeat(32);
const PAT = { sub: 'pat', email: 'pat@example.org', groups: ['admin'] };
const KIM = { sub: 'kim', email: 'kim@example.org', groups: ['admin'] };

const stateOf = async ({ rig }: CloudDesk, runId: string) => (await rig.ledger(runId)).terminal?.state ?? 'running';

describe('an analyst', () => {
  test('releases as rebuilt: the mail is under way at once, and the record names the sign-in', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(HELD);
    const answer = await desk.post(`/mails/${runId}/release`, FORM);
    expect([answer.status, answer.headers.location]).toEqual([303, `/mails/${runId}`]);
    const page = await desk.get(`/mails/${runId}`);
    expect([page.status, page.text.includes('has not gone on'), strangeIn(page.text)]).toEqual([200, true, []]);
    await desk.settle();
    expect(await stateOf(desk, runId)).toBe('delivered');
    for await (const { record } of auditTrail(desk.rig.ctx))
      expect(record).toMatchObject({
        action: 'release',
        people: [{ name: 'pat@example.org', id: 'somebody', why: WHY }],
      });
    expect((await desk.get('/mails?state=delivered')).text).toContain(runId);
  });

  test.each([
    ['rescan', 'quarantined'],
    ['delete', 'deleted'],
  ])('can have it %s', async (decision, end) => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(HELD);
    expect((await desk.post(`/mails/${runId}/${decision}`, FORM)).status).toBe(303);
    await desk.settle();
    expect([await stateOf(desk, runId), (await desk.rig.ledger(runId)).attempt.number]).toEqual([end, 2]);
  });

  test('decides about several at once, each by itself', async () => {
    const desk = await openCloudDesk();
    const runIds = [await desk.scan(HELD), await desk.scan(HELD.replace('Invoice', 'Another'))];
    const pairs = [['decision', 'release'], ['why', WHY], ...runIds.map((id) => ['run', `${id}-1`])] as [
      string,
      string,
    ][];
    const answer = await desk.post('/selected', pairs);
    expect([answer.status, answer.text.includes('2 of 2'), strangeIn(answer.text)]).toEqual([200, true, []]);
    await desk.settle();
    for (const runId of runIds) expect(await stateOf(desk, runId)).toBe('delivered');
  });

  test('does not release the original', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(HELD);
    expect((await desk.get(`/mails/${runId}`)).text).not.toContain('/original"');
    expect([(await desk.post(`/mails/${runId}/original`, FORM)).status, desk.asked]).toEqual([403, []]);
  });

  test('blocks and unblocks, and sees who did', async () => {
    const desk = await openCloudDesk();
    const fields = { kind: 'file', value: HASH, why: WHY };
    expect((await desk.post('/blocks/block', fields)).status).toBe(303);
    expect((await desk.post('/blocks/block', fields)).status).toBe(409);
    const page = await desk.get('/blocks');
    expect([page.text.includes(HASH), page.text.includes('pat@example.org') || page.text.includes('pat[@]')]).toEqual([
      true,
      true,
    ]);
    expect(strangeIn(page.text)).toEqual([]);
    expect((await desk.post('/blocks/unblock', { record: '1', why: WHY })).status).toBe(303);
    expect((await desk.get('/blocks')).text).toContain('Nothing is blocked');
    expect((await desk.post('/blocks/block', { ...fields, value: 'x' })).status).toBe(422);
  });

  test('reports a false alarm', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(HELD);
    expect((await desk.post(`/mails/${runId}/false-alarm`, { why: WHY })).status).toBe(200);
    expect(desk.asked).toEqual([{ action: 'false_alarm', runId, why: WHY }]);
  });
});

describe('the original', () => {
  const policy = parsePolicy('{"message":{"quarantineVerdicts":["malicious"]},"release":{"malicious":"original"}}');

  test('is released by two people who have signed in as two', async () => {
    const desk = await openCloudDesk(policy);
    const runId = await desk.scan(HELD);
    const path = `/mails/${runId}/original`;
    const first = await desk.post(path, FORM, {}, PAT);
    expect([first.status, first.text.includes('asks for a second person')]).toEqual([409, true]);
    for (const same of [PAT, { ...PAT, email: 'other@example.org' }, { ...KIM, email: 'PAT@example.org' }])
      expect((await desk.post(path, FORM, {}, same)).status).toBe(409);
    expect(desk.started).toEqual([]);
    expect((await desk.post(path, FORM, {}, KIM)).status).toBe(303);
    await desk.settle();
    expect(await stateOf(desk, runId)).toBe('delivered');
  });

  test('is not released by somebody who calls himself like another and whose address nobody checked', async () => {
    const desk = await openCloudDesk(policy);
    const runId = await desk.scan(HELD);
    await desk.post(`/mails/${runId}/original`, FORM, {}, PAT);
    await desk.post(`/mails/${runId}/original`, FORM, {}, { ...KIM, email: PAT.email, email_verified: false });
    await desk.settle();
    expect((await desk.rig.ledger(runId)).attempt.people?.map(({ name }) => name)).toEqual(['pat@example.org', 'kim']);
  });
});

describe('two analysts', () => {
  test('who release the same mail at once: one release', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(HELD);
    const people = Array.from({ length: 8 }, (_, at) => ({ sub: `s${at}`, email: `p${at}@example.org` }));
    const answers = await Promise.all(people.map((who) => desk.post(`/mails/${runId}/release`, FORM, {}, who)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(7).fill(409)]);
    await desk.settle();
    expect([desk.started, await stateOf(desk, runId)]).toEqual([[`${runId}-2`], 'delivered']);
    expect(desk.rig.blobs.list('clean').filter((key) => key.endsWith('.eml'))).toHaveLength(1);
  });

  test('of whom one looked before the other decided: he is told', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(HELD);
    await desk.post(`/mails/${runId}/rescan`, FORM, {}, PAT);
    await desk.settle();
    const late = await desk.post(`/mails/${runId}/release`, FORM, {}, KIM);
    expect([late.status, late.text.includes('Something was decided')]).toEqual([409, true]);
    expect(await stateOf(desk, runId)).toBe('quarantined');
  });
});

/** Every form that decides something. */
const FORMS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['/mails/RUN/release', FORM],
  ['/mails/RUN/original', FORM],
  ['/mails/RUN/rescan', FORM],
  ['/mails/RUN/delete', FORM],
  ['/mails/RUN/false-alarm', { why: WHY }],
  ['/selected', { decision: 'release', why: WHY, run: 'RUN-1' }],
  ['/blocks/block', { kind: 'file', value: HASH, why: WHY }],
  ['/blocks/unblock', { record: '1', why: WHY }],
];
const filled = (fields: Readonly<Record<string, string>>, runId: string) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.replace('RUN', runId)]));

describe.each(FORMS)('the form %s', (path, fields) => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['without the secret of the forms', { csrf: '' }, {}],
    ['with the secret of another session', { csrf: 'A'.repeat(43) }, {}],
    ['of another page', {}, { origin: 'https://evil.example' }],
    ['of a page without an origin', {}, { origin: 'null' }],
    ['of another site, as the browser says', {}, { 'sec-fetch-site': 'cross-site' }],
    ['as JSON', {}, { 'content-type': 'application/json' }],
    ['without a cookie', {}, { cookie: 'x=y' }],
    ['with a bearer token in the place of a cookie', {}, { cookie: 'x=y', authorization: 'Bearer x' }],
  ])('%s decides nothing', async (_, wrong, headers) => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(HELD);
    const answer = await desk.post(path.replace('RUN', runId), { ...filled(fields, runId), ...wrong }, headers);
    expect([answer.status, desk.asked, desk.started]).toEqual([403, [], []]);
  });

  test('decides nothing for a reader, nor for somebody without a role', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(HELD);
    for (const groups of [['reader'], [], ['ADMIN']]) {
      const answer = await desk.post(path.replace('RUN', runId), filled(fields, runId), {}, { groups });
      expect([groups, answer.status]).toEqual([groups, 403]);
    }
    expect([desk.asked, desk.started]).toEqual([[], []]);
  });

  test('decides nothing by a GET', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(HELD);
    const query = new URLSearchParams(filled(fields, runId)).toString();
    expect((await desk.get(`${path.replace('RUN', runId)}?${query}`)).status).toBe(404);
    expect(desk.asked).toEqual([]);
  });

  test('says so when it was not carried out, and the mail stays held', async () => {
    const desk = await openCloudDesk();
    const runId = await desk.scan(HELD);
    // So that there is something to take off the list.
    await desk.post('/blocks/block', { kind: 'file', value: HASH, why: WHY });
    desk.broken.add('review');
    const claims = { groups: ['admin'] };
    const answer = await desk.post(path.replace('RUN', runId), filled(fields, runId), {}, claims);
    expect([answer.status, strangeIn(answer.text)]).toEqual([path === '/selected' ? 409 : 500, []]);
    expect(await stateOf(desk, runId)).toBe('quarantined');
  });
});

test.each(ROLES)('%s sees only forms that he may send', async (role) => {
  const desk = await openCloudDesk();
  const runId = await desk.scan(HELD);
  const headers = desk.cookie(await desk.issuer.token({ groups: [role] }));
  const found = new Set<string>();
  for (const path of ['/mails', `/mails/${runId}`, '/blocks', '/overview'])
    for (const [, action = ''] of (await desk.send(path, { headers })).text.matchAll(/method="post" action="([^"]*)"/g))
      found.add(action.replace(runId, 'RUN'));
  const forms = { reader: [], analyst: ['release', 'rescan', 'delete'], admin: ['release', 'rescan', 'delete'] };
  const wanted =
    role === 'reader'
      ? []
      : ['/blocks/block', '/mails/RUN/false-alarm', '/mails/RUN/original.zip', '/selected', '/views/save'];
  // The policy as shipped releases no original of what is malicious, so its form is only a sentence.
  expect([...found].sort()).toEqual(
    [...wanted, ...forms[role].map((name) => `/mails/RUN/${name}`), '/sign-out'].sort(),
  );
});

test('a person whose time ended in between is told, and nothing is done', async () => {
  const desk = await openCloudDesk();
  const runId = await desk.scan(HELD);
  const now = Math.floor(Date.now() / 1000);
  // The desk still lets him in; whoever carries it out looks a moment later, at an issuer that has another key by then.
  const token = await desk.issuer.token({ exp: now + 600 });
  expect((await desk.send('/mails', { headers: desk.cookie(token) })).status).toBe(200);
  await desk.issuer.rotate();
  const answer = await desk.post(`/mails/${runId}/release`, FORM, desk.cookie(token));
  expect([answer.status, desk.started]).toEqual([403, []]);
});

describe.each(PAYLOADS)('a mail full of %j', (payload) => {
  test('is text on the page that decides about it, and in the reasons of people', async () => {
    const desk = await openCloudDesk();
    const name = payload.replace(/["\\]/g, '');
    const runId = await desk.scan(
      emailWith({ subject: payload, text: payload, files: [{ name: `${name}.pdf`, bytes: PDF }] }),
    );
    for (const path of ['/mails', `/mails/${runId}`]) expect(strangeIn((await desk.get(path)).text)).toEqual([]);
    const why = payload.replace(/\p{Cc}/gu, '');
    const block = await desk.post('/blocks/block', { kind: 'sender', value: 'evil.example', why });
    expect(block.status).toBe(303);
    expect(strangeIn((await desk.get('/blocks')).text)).toEqual([]);
  });
});

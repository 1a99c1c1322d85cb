/** A file that is dropped at the desk of a deployment: who may, what a hostile form can do, and the page that follows its stages. */
import { expect, test } from 'vitest';
import { secretOf } from '../../lib/desk/cloud/sign-in.tsx';
import { tellable } from '../../lib/pipeline/ledger/dropped.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { auditTrail } from '../../lib/pipeline/review/audit.ts';
import { MAX_DROP_BYTES } from '../../lib/pipeline/review/request.ts';
import { emailWith } from '../pipeline/rig.ts';
import { type CloudDesk, openCloudDesk, URL_OF_DESK } from './cloud-desk-rig.ts';
import { HELD } from './desk-rig.ts';
import { strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

const MAIL = emailWith({ subject: 'Minutes', html: '<p>Hello <script>alert(1)</script></p>' });
/** The list of stages has these, and no other page. */
const ALSO = { elements: ['ol'], attributes: ['data-stage', 'data-state', 'data-took', 'enctype'] };
const BOUNDARY = 'a-boundary';
const quoted = (name: string) => name.replace(/[\r\n"]/g, (char) => encodeURIComponent(char));

/** Sends the form as a browser does, as bytes. */
async function drop(
  desk: CloudDesk,
  name: string,
  file: string,
  { headers = {}, claims = {}, csrf }: { headers?: object; claims?: Record<string, unknown>; csrf?: string } = {},
) {
  const token = await desk.issuer.token(claims);
  const part = (about: string, text: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${about}\r\n\r\n${text}\r\n`;
  const body = `${part('name="csrf"', csrf ?? secretOf(token))}${part(`name="file"; filename="${quoted(name)}"`, file)}--${BOUNDARY}--\r\n`;
  return desk.send('/drop', {
    method: 'POST',
    headers: {
      ...desk.cookie(token),
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(Buffer.byteLength(body)),
      ...{ origin: URL_OF_DESK, 'sec-fetch-site': 'same-origin' },
      ...headers,
    },
    body,
  });
}

/** The object that lies where mail comes in; fails unless there is one. */
function stored({ rig }: CloudDesk): string {
  const [key, ...more] = rig.blobs.list('intake').filter((name) => name.startsWith('dropped/'));
  if (key === undefined || more.length > 0) throw new Error('there is not one object');
  return key;
}

async function runOf(desk: CloudDesk): Promise<string> {
  const key = stored(desk);
  const bytes = await desk.rig.blobs.get('intake', key, { maxBytes: MAX_DROP_BYTES });
  return (await desk.rig.scan(bytes, key, { dropped: true })).runId;
}

test('an analyst drops a mail, follows its stages, and it stands in the trail and is a copy', async () => {
  const desk = await openCloudDesk();
  const form = await desk.get('/drop');
  expect([form.status, form.text.includes('enctype="multipart/form-data"'), strangeIn(form.text, ALSO)]).toEqual([
    200,
    true,
    [],
  ]);
  const answer = await drop(desk, 'minutes.eml', MAIL);
  const place = answer.headers.location ?? '';
  const [, runId = ''] = /^\/drops\/([0-9a-f]{32})\?since=\d+$/.exec(place) ?? [];
  expect([answer.status, runId]).toEqual([303, expect.stringMatching(/./)]);
  const waiting = await desk.get(place);
  expect([waiting.status, waiting.headers.refresh, waiting.text.includes('<script')]).toEqual([200, '3', false]);
  expect(waiting.headers['content-security-policy']).not.toContain('sandbox');
  expect(waiting.headers['content-security-policy']).not.toContain('script-src');
  expect(await runOf(desk)).toBe(runId);
  const ended = await desk.get(`/drops/${runId}`);
  expect([ended.headers.refresh, ended.text.includes('minutes.eml: It was delivered.')]).toEqual([undefined, true]);
  expect(ended.headers['content-security-policy']).toContain('sandbox');
  const states = [...ended.text.matchAll(/<li class="(\w+)" data-stage="(\w+)"/g)].map(
    ([, state, stage]) => `${stage} ${state}`,
  );
  expect(states).toEqual([
    ...['parse done', 'submit done', 'wait done', 'fetch done', 'decide done', 'rebuild done', 'deliver done'],
    'quarantine skipped',
  ]);
  expect(strangeIn(ended.text, ALSO)).toEqual([]);
  expect(tellable(await desk.rig.ledger(runId))).toBeNull();
  for await (const { record } of auditTrail(desk.rig.ctx))
    expect(record).toMatchObject({ action: 'drop', runId, people: [{ id: 'somebody', why: 'dropped at the desk' }] });
});

test('a mail that is held ends in quarantine, and no stage behind it is said to have worked', async () => {
  const desk = await openCloudDesk();
  await drop(desk, 'held.eml', HELD);
  const { text } = await desk.get(`/drops/${await runOf(desk)}`);
  for (const stage of ['rebuild', 'deliver']) expect(text).toContain(`<li class="skipped" data-stage="${stage}"`);
  expect(text).toContain('<li class="done" data-stage="quarantine"');
});

test('a run that nobody knows has no page, but one that was dropped just now waits', async () => {
  const desk = await openCloudDesk();
  const run = `/drops/${'ab'.repeat(16)}`;
  const now = desk.rig.ctx.clock.now();
  const statuses = [
    run,
    `${run}?since=${now}`,
    `${run}?since=${now - 3_600_000}`,
    `${run}?since=x`,
    `${run}?since=1e999`,
  ];
  const found: number[] = [];
  for (const path of statuses) found.push((await desk.get(path)).status);
  expect(found).toEqual([404, 200, 404, 404, 404]);
  // Nobody knows its name before it was read.
  expect((await desk.get(`${run}?since=${now}`)).text).toContain('<h1>Under way</h1>');
  for (const path of ['/drops/x', `${run}/events`, '/live.js']) expect((await desk.get(path)).status).toBe(404);
});

test('a reader, somebody without a role, and everybody where nothing is taken, drop nothing', async () => {
  const desk = await openCloudDesk();
  for (const groups of [['reader'], []])
    expect((await drop(desk, 'a.eml', MAIL, { claims: { groups } })).status).toBe(403);
  const ofReader = await desk.send('/drop', { headers: desk.cookie(await desk.issuer.token({ groups: ['reader'] })) });
  expect(ofReader.text).not.toContain('type="file"');
  const off = await openCloudDesk(parsePolicy('{}'), { takesDrops: false });
  expect((await drop(off, 'a.eml', MAIL)).status).toBe(404);
  const page = await off.get('/drop');
  expect([page.text.includes('type="file"'), page.text.includes('deskDrop')]).toEqual([false, true]);
  expect([desk.asked, off.asked, desk.rig.blobs.list('intake')]).toEqual([[], [], []]);
});

test.each([
  ['of another site', { headers: { origin: 'https://evil.example' } }],
  ['that a browser says is of another site', { headers: { 'sec-fetch-site': 'cross-site' } }],
  ['without the secret', { csrf: '' }],
  ['with the secret of another session', { csrf: secretOf('another') }],
  ['of another kind', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ['with two boundaries', { headers: { 'content-type': `multipart/form-data; boundary=a; boundary=${BOUNDARY}` } }],
] as const)('a form %s drops nothing', async (_, how) => {
  const desk = await openCloudDesk();
  const answer = await drop(desk, 'a.eml', MAIL, how);
  expect([answer.status, desk.asked]).toEqual([403, []]);
});

test.each([
  ['no file', '', '', 422],
  ['several mails', 'box', `From a\r\n${MAIL}`, 422],
  ['a file that is too large', 'a.bin', 'x'.repeat(MAX_DROP_BYTES + 1), 413],
])('%s is told on the page, which has the form again', async (_, name, file, status) => {
  const desk = await openCloudDesk();
  const answer = await drop(desk, name, file);
  expect([answer.status, answer.text.includes('type="file"'), desk.rig.blobs.list('intake')]).toEqual([
    status,
    true,
    [],
  ]);
});

test('a form that is longer than a function may be called with is refused before it is read', async () => {
  const desk = await openCloudDesk();
  const answer = await drop(desk, 'a.bin', 'x'.repeat(MAX_DROP_BYTES + 100_000));
  expect([answer.status, answer.text.includes('3.8 MB'), desk.asked]).toEqual([413, true, []]);
});

test('the largest file that is taken goes through', async () => {
  const desk = await openCloudDesk();
  expect((await drop(desk, 'a.bin', 'x'.repeat(MAX_DROP_BYTES))).status).toBe(303);
  expect((await desk.rig.blobs.get('intake', stored(desk), { maxBytes: MAX_DROP_BYTES })).length).toBe(MAX_DROP_BYTES);
});

test.each(PAYLOADS)('a file called, and with the subject %j is text', async (payload) => {
  const desk = await openCloudDesk();
  const subject = payload.replace(/[\0\r\n]/g, '');
  expect((await drop(desk, `${payload}.eml`, emailWith({ subject }))).status).toBe(303);
  expect(strangeIn((await desk.get(`/drops/${await runOf(desk)}`)).text, ALSO)).toEqual([]);
});

test('somebody who could not be asked is told so, and nothing is dropped', async () => {
  const desk = await openCloudDesk();
  desk.broken.add('review');
  const answer = await drop(desk, 'a.eml', MAIL);
  expect([answer.status, answer.text.includes('failed'), desk.rig.blobs.list('intake')]).toEqual([500, true, []]);
});

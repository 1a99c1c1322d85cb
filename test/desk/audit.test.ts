/** The page of the audit trail: what it shows, whether it says that the trail holds, and what a hostile record makes of it. */
import { describe, expect, test } from 'vitest';
import { keys } from '../../lib/pipeline/keys.ts';
import { appendAudit } from '../../lib/pipeline/review/audit.ts';
import { referenceOf } from '../../lib/words/reference.ts';
import { openCloudDesk } from './cloud-desk-rig.ts';
import { type Desk, HELD, openDesk } from './desk-rig.ts';
import { strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

const AT = '2026-11-20T12:00:00.000Z';
const ROOM = { maxBytes: 100_000 };
const RUN = 'ab'.repeat(16);

const pageOf = async (desk: Desk, query = '', language = 'en') => {
  const answer = await desk.get(`/audit${query}`, { 'accept-language': language });
  expect(answer.status).toBe(200);
  return answer.text();
};
/** The cells of each row as text, without what a browser does not show. */
const rowsOf = (page: string): string[][] =>
  [...page.matchAll(/<tr>(.*?)<\/tr>/gs)]
    .map(([, row = '']) =>
      [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, '')),
    )
    .filter((cells) => cells.length > 0);
const numbersOf = (page: string) => rowsOf(page).map(([number]) => Number(number));

const note = (desk: Desk, { name = 'pat', why = 'x', runId = RUN, id = '' } = {}) =>
  appendAudit(desk.rig.ctx, {
    ...{ action: 'false_alarm', runId, attempt: 1, form: null, heldFor: [] },
    people: [{ name, why, at: AT, ...(id !== '' && { id }) }],
  });

/** A desk with what people do in a day. */
async function busyDesk() {
  const desk = await openDesk('admin');
  const [released, deleted] = [await desk.scan(HELD), await desk.scan(HELD.replace('Invoice', 'Reminder'))];
  await desk.post(`/mails/${deleted}/false-alarm`, { why: 'ours' });
  await desk.post(`/mails/${released}/release`, { why: 'they called', attempt: '1' });
  await desk.post(`/mails/${deleted}/delete`, { why: 'spam', attempt: '1' });
  await desk.post('/blocks/block', { kind: 'host', value: 'evil.example', why: 'phishing' });
  return { desk, released, deleted };
}

test('each thing that people did is a row, the newest first, with who, what, why and its mail', async () => {
  const { desk, released, deleted } = await busyDesk();
  const page = await pageOf(desk);
  expect(rowsOf(page).map(([number, , ...cells]) => [number, ...cells])).toEqual([
    ['4', 'pat', expect.stringMatching(/^Blocked: host of links.* evil\[\.\]example$/), 'phishing', ''],
    ['3', 'pat', 'Deleted it', 'spam', `Reminder ${referenceOf(deleted)}`],
    ['2', 'pat', 'Released it: as rebuilt', 'they called', `Invoice ${referenceOf(released)}`],
    ['1', 'pat', 'Reported it as a false alarm', 'ours', `Reminder ${referenceOf(deleted)}`],
  ]);
  expect(page).toContain('The trail holds (all 4 checked): each record is as it was signed');
  for (const run of [released, deleted]) expect(page).toContain(`href="/mails/${run}"`);
  expect(await pageOf(desk, '', 'de')).toContain('Das Protokoll ist in Ordnung (alle 4 geprüft)');
});

test('an empty trail has no row, and nothing is said to hold', async () => {
  const page = await pageOf(await openDesk('reader'));
  expect([page.includes('There is no record yet.'), page.includes('holds')]).toEqual([true, false]);
});

test('who, what and the mail filter, together and each in any spelling', async () => {
  const { desk, deleted } = await busyDesk();
  await note(desk, { name: 'Kim@corp.example', runId: deleted });
  const found = async (asked: Record<string, string>) =>
    numbersOf(await pageOf(desk, `?${new URLSearchParams(asked)}`));
  expect(await found({ who: 'kim[@]corp[.]example' })).toEqual([5]);
  expect(await found({ who: 'PAT' })).toEqual([4, 3, 2, 1]);
  expect(await found({ what: 'delete' })).toEqual([3]);
  expect(await found({ mail: referenceOf(deleted).toLowerCase() })).toEqual([5, 3, 1]);
  expect(await found({ mail: deleted.replace(/^(.{4})(.{4})(.{4}).*/, '$1-$2-$3') })).toEqual([5, 3, 1]);
  expect(await found({ mail: deleted, what: 'false_alarm', who: 'pat' })).toEqual([1]);
  for (const none of [{ who: 'eve' }, { what: 'x' }, { mail: 'x' }] as Record<string, string>[]) {
    expect(await found(none)).toEqual([]);
    expect(await pageOf(desk, `?${new URLSearchParams(none)}`)).toContain('No record fits.');
  }
  const link = /<a href="(\/audit\?who=Kim[^"]*)">/.exec(await pageOf(desk))?.[1] ?? '';
  expect(numbersOf(await pageOf(desk, link.replace('/audit', '')))).toEqual([5]);
});

test('a person of a sign-in is found by the whole of its identity, in any spelling', async () => {
  const desk = await openDesk();
  await note(desk, { name: 'kim', id: 'User-42' });
  const found = async (who: string) => numbersOf(await pageOf(desk, `?${new URLSearchParams({ who })}`));
  expect([await found('USER-42'), await found('user-4'), await found('ser-42')]).toEqual([[1], [], []]);
});

test('a record that cannot be read is shown, and fits nothing that is searched for', async () => {
  const { desk, deleted } = await busyDesk();
  const { blobs } = desk.rig;
  await blobs.put('work', keys.audit(2), Buffer.from('{}'));
  const found = async (asked: Record<string, string>) =>
    numbersOf(await pageOf(desk, `?${new URLSearchParams(asked)}`));
  expect(await found({})).toEqual([4, 3, 2, 1]);
  expect(await found({ who: 'pat' })).toEqual([4, 3, 1]);
  expect(await found({ what: 'delete' })).toEqual([3]);
  expect(await found({ mail: deleted })).toEqual([3, 1]);
});

test('a page that holds the whole trail leads to no older one', async () => {
  const desk = await openDesk();
  for (let count = 0; count < 50; count += 1) await note(desk);
  expect(await pageOf(desk)).not.toContain('Older');
  await note(desk);
  expect(await pageOf(desk)).toContain('href="/audit?before=2">Older');
});

describe('the page says that the trail does not hold', () => {
  const work = 'work';
  const tampered = 'not as they were signed: 2. Run airlock audit verify';
  const cut = 'accept the loss with airlock audit seal';
  test.each<[string, (desk: Desk) => Promise<unknown> | undefined, string, string]>([
    [
      'when a byte of a record was changed',
      async ({ rig: { blobs } }) => {
        const text = Buffer.from(await blobs.get(work, keys.audit(2), ROOM)).toString();
        await blobs.put(work, keys.audit(2), Buffer.from(text.replace('they called', 'they talked')));
      },
      ...([tampered, 'unterschrieben wurden: 2.'] as const),
    ],
    [
      'when a record was taken out',
      async ({ rig }) => rig.blobs.remove(work, keys.audit(2)),
      tampered,
      'unterschrieben wurden: 2.',
    ],
    [
      'when a signed record of another place stands there',
      async ({ rig: { blobs } }) => blobs.put(work, keys.audit(2), await blobs.get(work, keys.audit(3), ROOM)),
      ...([tampered, 'unterschrieben wurden: 2.'] as const),
    ],
    [
      'when the newest record is gone',
      async ({ rig }) => rig.blobs.remove(work, keys.audit(4)),
      cut,
      'nimm den Verlust',
    ],
    ['when the head is gone', async ({ rig }) => rig.blobs.remove(work, keys.auditHead()), cut, 'nimm den Verlust'],
    [
      'when the head is damaged',
      ({ rig }) => rig.blobs.put(work, keys.auditHead(), Buffer.from('{}')),
      ...([cut, 'nimm den Verlust'] as const),
    ],
  ])('%s, and shows the others', async (_, damage, english, german) => {
    const { desk } = await busyDesk();
    await damage(desk);
    const page = await pageOf(desk);
    expect([page.includes(english), page.includes('The trail holds')]).toEqual([true, false]);
    expect(await pageOf(desk, '', 'de')).toContain(german);
    expect([numbersOf(page), page.includes('Blocked: ')]).toEqual([
      [4, 3, 2, 1],
      english !== cut || page.includes('phishing'),
    ]);
    expect(strangeIn(page)).toEqual([]);
  });

  test('when a record that was signed elsewhere does not stand on the one before it', async () => {
    const [desk, other] = [await openDesk(), await openDesk()];
    const record = { action: 'block', block: { kind: 'host', value: 'a.example' } } as const;
    await note(desk, { why: 'first' });
    const { ctx } = desk.rig;
    // The same key signs a second trail, of which one record is put in the place of ours.
    await appendAudit(
      { blobs: other.rig.blobs, signer: ctx.signer },
      { ...record, people: [{ name: 'eve', why: 'x', at: AT }] },
    );
    for (const why of ['y', 'z'])
      await appendAudit(
        { blobs: other.rig.blobs, signer: ctx.signer },
        { ...record, people: [{ name: 'eve', why, at: AT }] },
      );
    for (const why of ['second', 'third']) await note(desk, { why });
    await desk.rig.blobs.put('work', keys.audit(2), await other.rig.blobs.get('work', keys.audit(2), ROOM));
    const page = await pageOf(desk);
    expect([page.includes('signed: 2, 3. Run'), page.includes('eve')]).toEqual([true, false]);
  });
});

test('a head that a killed process left behind is in order', async () => {
  const desk = await openDesk();
  await note(desk);
  const head = await desk.rig.blobs.get('work', keys.auditHead(), ROOM);
  for (const why of ['b', 'c', 'd', 'e', 'f']) await note(desk, { why });
  await desk.rig.blobs.put('work', keys.auditHead(), head);
  expect(await pageOf(desk)).toContain('The trail holds (all 6 checked)');
});

test('a long trail is on pages that have each record once, and each page says what of it was checked', async () => {
  const desk = await openDesk();
  const count = 530;
  for (let at = 1; at <= count; at += 1) await note(desk, { name: at === 3 ? 'kim' : 'pat', why: `reason ${at}` });
  const seen: number[] = [];
  const checked = new Set<string>();
  let address: string | undefined = '';
  while (address !== undefined) {
    const page: string = await pageOf(desk, address);
    seen.push(...numbersOf(page));
    checked.add(/records \d+ to \d+ of \d+/.exec(page)?.[0] ?? '');
    address = /href="\/audit(\?before=\d+)">Older/.exec(page)?.[1];
  }
  expect(seen).toEqual(Array.from({ length: count }, (_, at) => count - at));
  expect([checked.has('records 31 to 530 of 530'), checked.has('records 1 to 500 of 530')]).toEqual([true, true]);
  const first = await pageOf(desk, '?who=kim');
  expect(first).toContain('None of the records 31 to 530 fits. Older records were not looked at yet.');
  expect(first).toContain('href="/audit?who=kim&amp;before=31"');
  expect(numbersOf(await pageOf(desk, '?who=kim&before=31'))).toEqual([3]);
  // A record that only the pages of older records read.
  await desk.rig.blobs.remove('work', keys.audit(7));
  expect(await pageOf(desk)).toContain('records 31 to 530 of 530');
  expect(await pageOf(desk, '?before=31')).toContain('signed: 7. Run');
});

test('a page of the longest texts, in which every character acts, is one that a Lambda may answer', async () => {
  const desk = await openDesk();
  const acting = (length: number) => '\u202ea'.repeat(length / 2);
  const person = { name: acting(100), why: acting(500), at: AT, id: acting(254) };
  const block = { kind: 'url' as const, value: `https://shop.example/${"'".repeat(8_000)}` };
  for (let at = 0; at < 51; at += 1)
    await appendAudit(desk.rig.ctx, { action: 'block', block, people: [person, person] });
  expect(JSON.stringify(await pageOf(desk)).length).toBeLessThan(4_000_000);
});

test('on AWS it names the sign-in beside the person, and a reader reads it', async () => {
  const desk = await openCloudDesk();
  const runId = await desk.scan(HELD);
  await desk.post(`/mails/${runId}/false-alarm`, { why: 'ours' });
  const headers = desk.cookie(await desk.issuer.token({ groups: ['reader'] }));
  const { status, text } = await desk.send('/audit', { headers });
  expect([status, text.includes('The trail holds (all 1 checked)'), text.includes('ours')]).toEqual([200, true, true]);
  expect([text.includes(`href="/mails/${runId}"`), strangeIn(text)]).toEqual([true, []]);
});

test('nobody changes the trail there', async () => {
  const { desk } = await busyDesk();
  expect((await desk.post('/audit', { why: 'x' })).status).toBe(404);
  expect((await desk.send('/audit')).status).toBe(403);
  expect(await pageOf(desk)).toContain('all 4 checked');
});

test.each([...PAYLOADS, '..', '.'])('%j is text as a person, a reason and a filter', async (payload) => {
  const desk = await openDesk();
  const text = payload.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  await note(desk, { name: text.slice(0, 90).trim(), why: text.slice(0, 500).trim() });
  const query = new URLSearchParams({ who: payload, what: payload, mail: payload });
  for (const page of [await pageOf(desk), await pageOf(desk, `?${query}`)]) expect(strangeIn(page)).toEqual([]);
});

/** Deciding about several held mails at once. */
import { describe, expect, test } from 'vitest';
import { auditTrail } from '../../lib/pipeline/review/audit.ts';
import { referenceOf } from '../../lib/words/reference.ts';
import { emailWith, PDF } from '../pipeline/rig.ts';
import { type Desk, HELD, openDesk } from './desk-rig.ts';
import { strangeIn } from './inert-page.ts';
import { PAYLOADS } from './payloads.ts';

const WHY = 'the sender called';

/** Sends the form of the list with these rows selected. */
const select = (desk: Desk, decision: string, runs: readonly string[], fields: Record<string, string> = {}) =>
  desk.postPairs('/selected', [
    ...Object.entries({ decision, why: WHY, ...fields }),
    ...runs.map((run): [string, string] => ['run', run]),
  ]);

const numbered = (number: number) => HELD.replace('Invoice', `Invoice ${number}`);

test('the list has a box for each held mail, and none for others', async () => {
  const { get, scan } = await openDesk('analyst');
  const runId = await scan(HELD);
  await scan(emailWith({ subject: 'A good one' }));
  const page = await (await get('/mails?state=')).text();
  expect(page.match(/type="checkbox"/g)).toHaveLength(1);
  expect(page).toContain(`name="run" value="${runId}-1"`);
  expect(strangeIn(page)).toEqual([]);
  // Enter in a field presses the first button.
  expect(/<button name="decision" value="(\w+)"/.exec(page)?.[1]).toBe('rescan');
});

test('a reader gets no box', async () => {
  const { get, scan } = await openDesk('reader');
  await scan(HELD);
  expect(await (await get('/mails')).text()).not.toContain('checkbox');
});

describe('a decision about three mails', () => {
  test.each([
    ['release', 'delivered', 2],
    ['delete', 'deleted', 1],
    ['rescan', 'quarantined', 2],
  ] as const)('to %s is carried out for each, with a record for each', async (decision, state, attempt) => {
    const desk = await openDesk('analyst');
    const runIds = [await desk.scan(numbered(1)), await desk.scan(numbered(2)), await desk.scan(numbered(3))];
    const answer = await select(
      desk,
      decision,
      runIds.map((runId) => `${runId}-1`),
    );
    const page = await answer.text();
    expect([answer.status, strangeIn(page), page.includes('3 of 3')]).toEqual([200, [], true]);
    for (const runId of runIds) {
      const ledger = await desk.rig.ledger(runId);
      expect([ledger.terminal?.state, ledger.attempt.people?.[0]?.why]).toEqual([state, WHY]);
      expect(ledger.attempt.number).toBeGreaterThanOrEqual(attempt);
    }
    const recorded: string[] = [];
    for await (const { record } of auditTrail(desk.rig.ctx)) if ('runId' in record) recorded.push(record.runId);
    expect(recorded.sort()).toEqual([...runIds].sort());
  });

  test('reports the one that was decided since, and does the others', async () => {
    const desk = await openDesk('analyst');
    const [first, second] = [await desk.scan(numbered(1)), await desk.scan(numbered(2))];
    await desk.post(`/mails/${first}/rescan`, { why: 'new rules', attempt: '1' });
    const answer = await select(desk, 'delete', [`${first}-1`, `${second}-1`]);
    const page = await answer.text();
    expect([answer.status, page.includes('1 of 2'), page.includes('since you opened the page')]).toEqual([
      409,
      true,
      true,
    ]);
    expect((await desk.rig.ledger(first)).terminal?.state).toBe('quarantined');
    expect((await desk.rig.ledger(second)).terminal?.state).toBe('deleted');
  });

  test('reports the one whose chain was changed, and does the others', async () => {
    const desk = await openDesk('analyst');
    const [first, second] = [await desk.scan(numbered(1)), await desk.scan(numbered(2))];
    const key = `runs/${first}/1/quarantine.json`;
    const text = Buffer.from(await desk.rig.blobs.get('work', key, { maxBytes: 1_000_000 })).toString();
    await desk.rig.blobs.put('work', key, Buffer.from(text.replaceAll('Invoice', 'Inv0ice')));
    const answer = await select(desk, 'delete', [`${first}-1`, `${second}-1`]);
    const page = await answer.text();
    const [line = ''] = page.match(/<tr>(?:(?!<tr>)[\s\S])*cannot be read[\s\S]*?<\/tr>/) ?? [];
    expect([answer.status, strangeIn(page)]).toEqual([409, []]);
    for (const told of [
      'Invoice 1',
      referenceOf(first),
      `entry quarantine of run ${first}`,
      'Put the record back from a copy',
    ])
      expect(line).toContain(told);
    expect((await desk.rig.ledger(second)).terminal?.state).toBe('deleted');
  });

  test('reports the one whose chain is gone, and does the others', async () => {
    const desk = await openDesk('analyst');
    const [first, second] = [await desk.scan(numbered(1)), await desk.scan(numbered(2))];
    for (const key of desk.rig.blobs.list('work')) if (key.includes(first)) desk.rig.blobs.remove('work', key);
    const answer = await select(desk, 'delete', [`${first}-1`, `${second}-1`]);
    const page = await answer.text();
    expect([
      answer.status,
      page.includes('cannot be read: no object in the work bucket'),
      page.includes('Invoice 1'),
    ]).toEqual([...[409, true, true]]);
    expect((await desk.rig.ledger(second)).terminal?.state).toBe('deleted');
  });
});

describe('nothing is decided', () => {
  const id = (number: number) => number.toString(16).padStart(32, '0');

  test.each<[string, string, readonly string[] | null, Record<string, string>, number]>([
    ['without a selection', 'delete', [], {}, 422],
    ['about what is no run', 'delete', ['../../etc/passwd-1'], {}, 422],
    ['when one of the selected is no run', 'delete', null, { run: '<script>-1' }, 422],
    ['about more than a page lists', 'delete', Array.from({ length: 51 }, (_, number) => `${id(number)}-1`), {}, 422],
    ['by a decision that there is not', 'original', null, {}, 422],
    ['without a reason', 'delete', null, { why: '' }, 422],
    ['for a reason of two lines', 'delete', null, { why: 'two\nlines' }, 422],
    ['without the secret of the forms', 'delete', null, { csrf: '' }, 403],
  ])('%s', async (_, decision, runs, fields, status) => {
    const desk = await openDesk('admin');
    const runId = await desk.scan(HELD);
    const answer = await select(desk, decision, runs ?? [`${runId}-1`], fields);
    expect([answer.status, strangeIn(await answer.text())]).toEqual([status, []]);
    expect((await desk.rig.ledger(runId)).attempt.number).toBe(1);
    expect((await desk.rig.ledger(runId)).terminal?.state).toBe('quarantined');
  });

  test('by a reader', async () => {
    const desk = await openDesk('reader');
    const runId = await desk.scan(HELD);
    expect((await select(desk, 'delete', [`${runId}-1`])).status).toBe(403);
    expect((await desk.rig.ledger(runId)).terminal?.state).toBe('quarantined');
  });

  test('by a GET', async () => {
    const desk = await openDesk('admin');
    const runId = await desk.scan(HELD);
    expect((await desk.get(`/selected?decision=delete&why=x&run=${runId}-1&csrf=${desk.csrf}`)).status).toBe(404);
    expect((await desk.rig.ledger(runId)).terminal?.state).toBe('quarantined');
  });
});

test.each(PAYLOADS)('the subject %j is text in the report', async (subject) => {
  const desk = await openDesk('admin');
  const runId = await desk.scan(emailWith({ subject, files: [{ name: 'a.pdf', bytes: PDF }] }));
  const page = await (await select(desk, 'rescan', [`${runId}-1`])).text();
  expect(strangeIn(page)).toEqual([]);
});

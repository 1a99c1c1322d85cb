/** Copies that people drop at a desk: who may, what stands in the trail, and that nobody is ever sent one or told of one. */
import { describe, expect, test } from 'vitest';
import { fileNameOf } from '../../lib/pipeline/contents/leaves.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys, runIdOf } from '../../lib/pipeline/keys.ts';
import { droppedObject, tellable } from '../../lib/pipeline/ledger/dropped.ts';
import { passwordTries } from '../../lib/pipeline/passwords/password-mail.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { noticeFor, ownRecipients, type withheldNote } from '../../lib/pipeline/rebuilding/notice.ts';
import type { recallEvent } from '../../lib/pipeline/recall/event.ts';
import { recalls } from '../../lib/pipeline/recall/recall.ts';
import { runEvent } from '../../lib/pipeline/results/run-event.ts';
import { type Audited, auditTrail } from '../../lib/pipeline/review/audit.ts';
import { type DropContext, dropIn } from '../../lib/pipeline/review/drop-in.ts';
import { markedByNote } from '../../lib/pipeline/review/drop-note.ts';
import { MAX_DROP_BYTES, type Reviewer, ReviewRequest } from '../../lib/pipeline/review/request.ts';
import { indexedRun } from '../../lib/pipeline/runs/row.ts';
import { createRig, emailWith, PDF, type Rig } from './rig.ts';

const PAT: Reviewer = { name: 'pat@example.org', id: 'id-of-pat', role: 'analyst' };
const DROP = 'ab'.repeat(16);
const MAIL = emailWith({ subject: 'A copy', files: [{ name: 'a.pdf', bytes: PDF }] });
const NOTICES = '{"notices":{"notify":"recipient","from":"airlock@recipient.example","domains":["recipient.example"]}}';

async function trailOf({ ctx }: Rig): Promise<Audited['record'][]> {
  const found: Audited['record'][] = [];
  for await (const { record } of auditTrail(ctx)) found.push(record);
  return found;
}

const requestOf = (text: string, untrustedName = 'mail.eml', drop = DROP) => {
  const request = { action: 'drop' as const, drop, untrustedName, bytes: Buffer.from(text).toString('base64') };
  ReviewRequest.parse(request);
  return request;
};
const dropsInto = (rig: Rig, blobs: DropContext['blobs'] = rig.ctx.blobs) => ({
  ...rig.ctx,
  blobs,
  dropsInto: 'intake',
});

describe('taking in', () => {
  test('the trail has who it was and of which run, and the object lies where that run reads it', async () => {
    const rig = createRig();
    const answer = await dropIn(dropsInto(rig), PAT, requestOf(MAIL));
    const intake = droppedObject('intake', DROP, 'mail.eml', MAIL.length);
    expect(answer).toEqual({ state: 'dropped', runId: runIdOf(intake) });
    expect(await trailOf(rig)).toMatchObject([
      { action: 'drop', runId: runIdOf(intake), people: [{ name: 'pat@example.org', id: 'id-of-pat' }] },
    ]);
    expect(rig.blobs.list('intake')).toEqual([`dropped/${DROP}/mail.eml`]);
    expect(runIdOf({ ...intake, versionId: 'v7' })).toBe(runIdOf(intake));
    expect(runIdOf({ ...intake, dropped: undefined })).not.toBe(runIdOf(intake));
  });

  test('nothing is stored before it stands in the trail', async () => {
    const rig = createRig();
    const away = { ...rig.blobs, put: () => Promise.reject(new TransientError('the trail is away')) };
    await expect(dropIn(dropsInto(rig, away), PAT, requestOf(MAIL))).rejects.toThrow('away');
    const noted: string[] = [];
    const put: typeof rig.blobs.put = (bucket, key, ...rest) => {
      noted.push(`${bucket}/${key.split('/')[0]}`);
      return rig.blobs.put(bucket, key, ...rest);
    };
    await dropIn(dropsInto(rig, { ...rig.blobs, put }), PAT, requestOf(MAIL));
    expect(noted.slice(-3)).toEqual(['work/audit', 'work/runs', 'intake/dropped']);
  });

  test('asked again with the same id, it is the same run, and the first bytes stay', async () => {
    const rig = createRig();
    const first = await dropIn(dropsInto(rig), PAT, requestOf(MAIL));
    expect(await dropIn(dropsInto(rig), PAT, requestOf('something else'))).toEqual(first);
    const key = `dropped/${DROP}/mail.eml`;
    const stored = await rig.blobs.get('intake', key, { maxBytes: 1_000_000 });
    expect(Buffer.from(stored).equals(Buffer.from(MAIL))).toBe(true);
  });

  test('what lies under the key of a drop is a copy only with a note that `review` has signed about it', async () => {
    const rig = createRig();
    const { dropped: _, ...came } = { ...droppedObject('intake', DROP, 'mail.eml', 9), versionId: 'v7' };
    const runId = runIdOf({ ...came, dropped: true });
    expect(await markedByNote(rig.ctx, came)).toEqual(came);
    await dropIn(dropsInto(rig), PAT, requestOf(MAIL));
    expect(await markedByNote(rig.ctx, came)).toEqual({ ...came, dropped: true });
    const another = { ...came, untrustedKey: `dropped/${'cd'.repeat(16)}/mail.eml` };
    const outside = { ...came, untrustedKey: `inbox/${DROP}/mail.eml` };
    for (const other of [another, outside]) expect(await markedByNote(rig.ctx, other)).toEqual(other);
    // The note of another run says nothing about this one, and neither does a text that nobody signed, or a stage.
    const note = await rig.blobs.get('work', keys.dropNote(runId), { maxBytes: 10_000 });
    const ofAnother = runIdOf({ ...another, dropped: true });
    const forged = Buffer.from(Buffer.from(note).toString().replace(runId, ofAnother));
    for (const bytes of [note, forged, Buffer.from('{}'), new Uint8Array(20_000)]) {
      await rig.blobs.put('work', keys.dropNote(ofAnother), bytes);
      expect(await markedByNote(rig.ctx, another)).toEqual(another);
    }
    const away = { ...rig.blobs, get: () => Promise.reject(new TransientError('the notes are away')) };
    await expect(markedByNote({ ...rig.ctx, blobs: away }, came)).rejects.toThrow('away');
  });

  test.each([
    ['a reader', { ...PAT, role: 'reader' }, 'no_role'],
    ['somebody without a role', { ...PAT, role: null }, 'no_role'],
    ['somebody with a name of two lines', { ...PAT, name: 'a\nb' }, 'not_decided'],
  ] as const)('%s drops nothing', async (_, who, code) => {
    const rig = createRig();
    expect(await dropIn(dropsInto(rig), who, requestOf(MAIL))).toMatchObject({ state: 'refused', code });
    expect([await trailOf(rig), rig.blobs.list('intake')]).toEqual([[], []]);
  });

  test.each([
    ['an mbox', requestOf(`From a\n${MAIL}`, 'box'), 'several_mails'],
    [
      'a file that is too large',
      { ...requestOf(''), bytes: 'A'.repeat(((MAX_DROP_BYTES + 3) / 3) * 4) },
      'not_decided',
    ],
  ])('%s is refused', async (_, request, code) => {
    const rig = createRig();
    expect(await dropIn(dropsInto(rig), PAT, request)).toMatchObject({ state: 'refused', code });
    expect(await trailOf(rig)).toEqual([]);
    const off = { ...rig.ctx, dropsInto: null };
    expect(await dropIn(off, PAT, requestOf(MAIL))).toMatchObject({ state: 'refused', code: 'no_drops' });
  });

  test.each([
    { drop: '../../audit/000000001' },
    { drop: `${DROP}/x` },
    { drop: DROP.toUpperCase() },
    { key: 'x' },
    { bytes: 'A'.repeat(6_000_000) },
    { untrustedName: 'x'.repeat(1_001) },
  ])('a request with %j is none', (wrong) => {
    expect(ReviewRequest.safeParse({ ...requestOf(MAIL), ...wrong }).success).toBe(false);
  });

  test.each([
    ['../../audit/1.json', '.._.._audit_1.json'],
    ['..', 'file'],
    ['', 'file'],
    ['  ', 'file'],
    ['a\0b\r\n.eml', 'a_b__.eml'],
    ['\ud800.eml', '_.eml'],
    ['\u202efdp.exe', '\u202efdp.exe'],
    [`${'ä'.repeat(200)}.eml`, `${'ä'.repeat(28)}.eml`],
    [`${'x'.repeat(100_000)}.eml`, `${'x'.repeat(56)}.eml`],
  ])('a file called %j is called %j', (given, kept) => {
    const intake = droppedObject('intake', DROP, given, 1);
    expect([intake.untrustedKey, fileNameOf(intake)]).toEqual([`dropped/${DROP}/${kept}`, kept]);
  });
});

describe('nobody is sent a copy, or told of one', () => {
  const scanned = async ({
    dropped,
    verdict = 'malicious',
  }: {
    dropped: boolean;
    verdict?: 'benign' | 'malicious';
  }) => {
    const answer = (request: object) =>
      'filename' in request && String(request.filename).endsWith('.pdf') ? { verdict } : {};
    const rig = createRig({ policy: parsePolicy(NOTICES), script: { polls: 0, answer } });
    const key = `dropped/${DROP}/mail.eml`;
    const { runId } = await rig.scan(MAIL, key, dropped ? { dropped: true } : {});
    return { rig, runId, ledger: await rig.ledger(runId) };
  };

  test('whatever tells people takes no ledger that was not asked', async () => {
    const { rig, ledger } = await scanned({ dropped: false });
    const told = tellable(ledger);
    // @ts-expect-error: a ledger that nobody asked
    const tells: Parameters<typeof ownRecipients>[1] = ledger;
    // @ts-expect-error: a ledger that nobody asked
    const recalls: Parameters<typeof recallEvent>[0] = ledger;
    // @ts-expect-error: a ledger that nobody asked
    const withholds: Parameters<typeof withheldNote>[1] = ledger;
    expect([tells, recalls, withholds]).toEqual([ledger, ledger, ledger]);
    expect(told && ownRecipients(rig.ctx.policy, told)).toEqual(['bob@recipient.example']);
  });

  test('no notice, no digest and no mail of a recall has a recipient', async () => {
    const [copy, other] = [await scanned({ dropped: true }), await scanned({ dropped: false })];
    expect([tellable(copy.ledger), tellable(other.ledger)]).toEqual([null, other.ledger]);
    for (const { rig, ledger } of [copy, other]) {
      const isOther = ledger === other.ledger;
      expect((await noticeFor(rig.ctx, ledger)) !== null).toBe(isOther);
      expect(rig.blobs.list('quarantine').some((name) => name.endsWith('notice.eml'))).toBe(isOther);
    }
    const toAdmin = parsePolicy(NOTICES.replace('"recipient"', '"admin","admin":"admin@recipient.example"'));
    expect(await noticeFor({ ...copy.rig.ctx, policy: toAdmin }, copy.ledger)).toBeNull();
  });

  test('its event says so', async () => {
    const [copy, other] = [await scanned({ dropped: true }), await scanned({ dropped: false })];
    const end = { bucket: 'quarantine', keys: [] } as const;
    expect(runEvent(copy.rig.ctx, copy.ledger, end).intake.dropped).toBe(true);
    expect('dropped' in runEvent(other.rig.ctx, other.ledger, end).intake).toBe(false);
  });

  test('it is no delivered mail that is to be recalled', async () => {
    for (const dropped of [true, false]) {
      const { rig, ledger } = await scanned({ dropped, verdict: 'benign' });
      expect(ledger.terminal?.state).toBe('delivered');
      const list = async () => ({ rows: [indexedRun(ledger).row], next: null });
      const value = 'ana@sender.example';
      const policy = parsePolicy(JSON.stringify({ blocked: { senders: [value] } }));
      const found: string[] = [];
      for await (const { row } of recalls(rig.ctx, { list }, policy, { since: 0, most: 9 })) found.push(row.runId);
      expect(found).toHaveLength(dropped ? 0 : 1);
    }
  });

  test('its words open no mail of others', async () => {
    const { rig, ledger } = await scanned({ dropped: true, verdict: 'benign' });
    const list = () => Promise.reject(new Error('nobody is looked for'));
    expect(await passwordTries({ policy: rig.ctx.policy, limits: rig.ctx.limits, runs: { list } }, ledger)).toEqual([]);
  });
});

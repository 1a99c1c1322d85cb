/** What somebody who has signed in asks to be decided where executions are only started: who may, what becomes of it, and what no death breaks. */
import { describe, expect, test } from 'vitest';
import { keys } from '../../lib/pipeline/keys.ts';
import { ROLES } from '../../lib/pipeline/model.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { type Audited, auditTrail } from '../../lib/pipeline/review/audit.ts';
import { createBlockList } from '../../lib/pipeline/review/block-list.ts';
import {
  type CarryOutContext,
  carryOut,
  RecordedRequest,
  type Reviewer,
  ReviewRequest,
} from '../../lib/pipeline/review/request.ts';
import { carryOutRig } from './carry-out-rig.ts';
import { dyingAt } from './dying-blobs.ts';
import { createRig, emailWith, PDF, type Rig } from './rig.ts';

const MAIL = emailWith({ text: 'Hello', files: [{ name: 'a.pdf', bytes: PDF }] });
const PAT: Reviewer = { name: 'pat@example.org', id: 'id-of-pat', role: 'analyst' };
const KIM: Reviewer = { name: 'kim@example.org', id: 'id-of-kim', role: 'admin' };
const ADMIN: Reviewer = { ...PAT, role: 'admin' };
const WHY = 'the sender called';

async function held(policy = parsePolicy('{}'), verdict: 'malicious' | 'suspicious' = 'malicious') {
  const answer = (request: object) =>
    'filename' in request && String(request.filename).endsWith('.pdf') ? { verdict } : {};
  const rig = createRig({ policy, script: { polls: 0, answer } });
  const { runId, ledger } = await rig.scan(MAIL);
  expect(ledger.terminal?.state).toBe('quarantined');
  return { rig, runId, on: carryOutRig(rig) };
}

type Request = Partial<RecordedRequest> & { readonly action: string };
const ask = (ctx: CarryOutContext, who: Reviewer, request: Request) =>
  carryOut(ctx, createBlockList(ctx), who, RecordedRequest.parse({ why: WHY, ...request }));
const release = (runId: string, seen = 1) => ({ action: 'release', runId, seen }) as const;

async function trailOf({ ctx }: Rig): Promise<Audited[]> {
  const found: Audited[] = [];
  for await (const audited of auditTrail(ctx)) found.push(audited);
  return found;
}

describe('who may', () => {
  const each = [
    'release',
    'original',
    'rescan',
    'delete',
    'false_alarm',
    'download',
    'block',
    'unblock',
    'seal',
  ] as const;
  const may: Readonly<Record<string, readonly string[]>> = {
    none: [],
    reader: [],
    analyst: each.filter((action) => action !== 'original' && action !== 'seal'),
    admin: each,
  };
  const cases = [null, ...ROLES].flatMap((role) => each.map((action) => [role, action] as const));

  test.each(cases)('a person with the role %s: %s', async (role, action) => {
    const { rig, runId, on } = await held();
    const about = action.endsWith('block') ? { kind: 'file', value: 'ab'.repeat(32) } : { runId, seen: 1 };
    const { seen: _, ...withoutSeen } = { seen: null, ...about };
    const isOfTheRun = action === 'false_alarm' || action === 'download';
    const fields = isOfTheRun ? withoutSeen : about;
    const request = { action, ...(action === 'seal' ? {} : fields) } as Request;
    const answer = await ask(on.review, { ...PAT, role }, request);
    const isAllowed = may[role ?? 'none']?.includes(action) === true;
    expect(answer.state === 'refused' && answer.code === 'no_role').toBe(!isAllowed);
    if (isAllowed) return;
    expect([await trailOf(rig), on.started, (await rig.ledger(runId)).attempt.number]).toEqual([[], [], 1]);
  });
});

describe('a release', () => {
  test('is an attempt that names who by the sign-in, is started once, and ends as the stages say', async () => {
    const { rig, runId, on } = await held();
    expect(await ask(on.review, PAT, release(runId))).toEqual({ state: 'done' });
    expect(on.started).toEqual([`${runId}-2`]);
    expect((await rig.ledger(runId)).terminal).toBeNull();
    await on.toItsEnd();
    const { attempt, terminal } = await rig.ledger(runId);
    expect([terminal?.state, attempt.people]).toEqual([
      'delivered',
      [{ name: PAT.name, id: PAT.id, why: WHY, at: expect.any(String) }],
    ]);
    const [only, ...more] = await trailOf(rig);
    expect([only?.hash, more]).toEqual([attempt.audit, []]);
  });

  test('of the same mail by ten people at once is one', async () => {
    const { rig, runId, on } = await held();
    const people = Array.from(
      { length: 10 },
      (_, at): Reviewer => ({ name: `p${at}`, id: `id-${at}`, role: 'analyst' }),
    );
    const answers = await Promise.all(people.map((person) => ask(on.review, person, release(runId))));
    expect(answers.filter(({ state }) => state === 'done')).toHaveLength(1);
    expect(on.started).toEqual([`${runId}-2`]);
    await on.toItsEnd();
    expect((await rig.ledger(runId)).terminal?.state).toBe('delivered');
    expect(rig.blobs.list('clean').filter((key) => key.endsWith('.eml'))).toHaveLength(1);
  });

  test('is about the attempt that was seen, and not about a later one', async () => {
    const { runId, on } = await held();
    await ask(on.review, PAT, { action: 'rescan', runId, seen: 1 });
    await on.toItsEnd();
    expect(await ask(on.review, KIM, release(runId))).toMatchObject({ state: 'refused', code: 'not_seen' });
    expect(await ask(on.review, PAT, release(runId))).toMatchObject({ state: 'refused', code: 'not_seen' });
    expect(await ask(on.review, PAT, release(runId, 2))).toEqual({ state: 'done' });
  });

  test('that is asked for again by the same person is done once', async () => {
    const { rig, runId, on } = await held();
    await ask(on.review, PAT, release(runId));
    expect(await ask(on.review, PAT, release(runId))).toEqual({ state: 'done' });
    await on.toItsEnd();
    expect(await ask(on.review, PAT, release(runId))).toEqual({ state: 'done' });
    expect([on.started, (await trailOf(rig)).length]).toEqual([[`${runId}-2`], 1]);
  });

  test('that another person asked for is not counted as hers, who has seen the attempt before it', async () => {
    const { runId, on } = await held();
    expect(await ask(on.review, PAT, release(runId))).toEqual({ state: 'done' });
    await on.toItsEnd();
    expect(await ask(on.review, KIM, release(runId))).toMatchObject({ state: 'refused', code: 'not_seen' });
  });

  test('that has begun is not taken for another decision', async () => {
    const { runId, on } = await held();
    expect(await ask(on.review, PAT, { action: 'rescan', runId, seen: 1 })).toEqual({ state: 'done' });
    expect(await ask(on.review, KIM, release(runId, 2))).toMatchObject({ state: 'refused', code: 'not_decided' });
  });

  test('that began and was never started is started by whoever decides the same', async () => {
    const { rig, runId, on } = await held();
    const dying = { ...on.review, executions: { start: () => Promise.reject(new Error('killed')) } };
    await expect(ask(dying, PAT, release(runId))).rejects.toThrow('killed');
    expect(on.started).toEqual([]);
    expect(await ask(on.review, KIM, release(runId, 2))).toEqual({ state: 'done' });
    await on.toItsEnd();
    const { attempt, terminal } = await rig.ledger(runId);
    expect([terminal?.state, attempt.people?.map(({ id }) => id)]).toEqual(['delivered', [PAT.id]]);
    expect(await trailOf(rig)).toHaveLength(1);
  });
});

describe('the original', () => {
  const policy = parsePolicy('{"message":{"quarantineVerdicts":["suspicious","malicious"]}}');
  const original = (runId: string) => ({ action: 'original', runId, seen: 1 }) as const;

  test('takes two people who have signed in as two, and is the mail byte for byte', async () => {
    const { rig, runId, on } = await held(policy, 'suspicious');
    expect(await ask(on.review, ADMIN, original(runId))).toMatchObject({ state: 'asked' });
    expect(await ask(on.review, KIM, original(runId))).toEqual({ state: 'done' });
    await on.toItsEnd();
    const { attempt, terminal } = await rig.ledger(runId);
    expect([terminal?.state, attempt.people?.map(({ id }) => id)]).toEqual(['delivered', [PAT.id, KIM.id]]);
    const clean = await rig.blobs.get('clean', keys.cleanMessage(runId), { maxBytes: 1_000_000 });
    expect(Buffer.from(clean).toString()).toContain(Buffer.from(PDF).toString('base64').slice(0, 40));
  });

  test('of a first person who asked too long ago is asked for again', async () => {
    const { rig, runId, on } = await held(policy, 'suspicious');
    await ask(on.review, ADMIN, original(runId));
    rig.advance(73 * 3_600_000);
    const answer = await ask(on.review, KIM, original(runId));
    expect(answer).toMatchObject({ state: 'asked', message: expect.stringContaining('kim@example.org has released') });
    expect(on.started).toEqual([]);
    expect(await ask(on.review, ADMIN, original(runId))).toEqual({ state: 'done' });
  });

  test.each([
    ['the same sign-in under another name', { ...ADMIN, name: 'somebody@else.example' }],
    ['another sign-in under the same name', { ...ADMIN, id: 'another-id' }],
    ['another sign-in under another spelling of the name', { ...ADMIN, id: 'another-id', name: 'PAT@example.org' }],
  ])('%s is no second person', async (_, second) => {
    const { rig, runId, on } = await held(policy, 'suspicious');
    await ask(on.review, ADMIN, original(runId));
    expect(await ask(on.review, second, original(runId))).toMatchObject({ state: 'asked' });
    expect([on.started, (await rig.ledger(runId)).attempt.number]).toEqual([[], 1]);
  });

  test('of mail with something malicious is refused under the policy as shipped', async () => {
    const { runId, on } = await held();
    const answer = await ask(on.review, ADMIN, original(runId));
    expect(answer).toMatchObject({
      state: 'refused',
      code: 'not_decided',
      message: expect.stringContaining('malicious'),
    });
  });
});

describe('a delete', () => {
  const gone = (runId: string) => ({ action: 'delete', runId, seen: 1 }) as const;

  test('removes what is held, and has the index look', async () => {
    const { rig, runId, on } = await held();
    expect(await ask(on.review, PAT, gone(runId))).toEqual({ state: 'done' });
    expect([rig.blobs.list('quarantine'), on.noted, on.started]).toEqual([[], [`${runId}-2`], []]);
    expect((await rig.ledger(runId)).terminal?.state).toBe('deleted');
  });

  test('that ended before it had removed everything goes on when it is asked for again', async () => {
    const { rig, runId, on } = await held();
    const dying = { ...on.review, removeHeld: () => Promise.reject(new Error('killed')) };
    await expect(ask(dying, PAT, gone(runId))).rejects.toThrow('killed');
    expect(rig.blobs.list('quarantine')).not.toEqual([]);
    expect(await ask(on.review, PAT, gone(runId))).toEqual({ state: 'done' });
    expect([rig.blobs.list('quarantine'), on.noted, (await trailOf(rig)).length]).toEqual([[], [`${runId}-2`], 1]);
  });
});

describe('what is blocked', () => {
  const value = 'ab'.repeat(32);

  test('stands in the trail with the sign-in of the person, and is not blocked twice', async () => {
    const { rig, on } = await held();
    const block = { action: 'block', kind: 'file', value: ` ${value.toUpperCase()}` } as const;
    expect(await ask(on.review, PAT, block)).toEqual({ state: 'done' });
    expect(await ask(on.review, KIM, block)).toEqual({ state: 'unchanged' });
    expect((await trailOf(rig)).map(({ record }) => record)).toMatchObject([
      { action: 'block', block: { kind: 'file', value }, people: [{ id: PAT.id }] },
    ]);
    expect(await ask(on.review, KIM, { ...block, action: 'unblock' })).toEqual({ state: 'done' });
    expect(await createBlockList(rig.ctx).current()).toEqual([]);
  });

  test.each([
    ['file', 'not a hash'],
    ['url', 'no address'],
    ['sender', 'a b@c'],
    ['host', 'a/b'],
  ])('%s %j is refused', async (kind, wrong) => {
    const { rig, on } = await held();
    expect(await ask(on.review, PAT, { action: 'block', kind, value: wrong } as Request)).toMatchObject({
      state: 'refused',
    });
    expect(await trailOf(rig)).toEqual([]);
  });
});

describe('a rescan', () => {
  const rescan = (runId: string, seen: number) => ({ action: 'rescan', runId, seen }) as const;

  test('of what was rescanned before is a new one for whoever has seen that', async () => {
    const { rig, runId, on } = await held();
    for (const seen of [1, 2]) {
      expect(await ask(on.review, PAT, rescan(runId, seen))).toEqual({ state: 'done' });
      await on.toItsEnd();
    }
    expect((await rig.ledger(runId)).attempt.number).toBe(3);
  });

  test('beyond the limit attempts is refused with that reason', async () => {
    const { runId, on } = await held();
    const review = { ...on.review, limits: { ...on.review.limits, attempts: 1 } };
    expect(await ask(review, PAT, rescan(runId, 1))).toMatchObject({
      ...{ state: 'refused', code: 'not_decided', message: expect.stringContaining('attempts') },
    });
    expect(on.started).toEqual([]);
  });

  test('that reads the mail again is started by `parse` alone, with its own beginning', async () => {
    const { rig, runId, on } = await held();
    for (const key of rig.blobs.list('work')) if (key.startsWith('artifacts/')) rig.blobs.remove('work', key);
    const begun: unknown[] = [];
    const executions = { start: async (...args: unknown[]) => void begun.push(args) };
    expect(await ask({ ...on.review, executions }, PAT, rescan(runId, 1))).toEqual({ state: 'done' });
    expect(begun).toEqual([]);
    await on.toItsEnd();
    expect((await rig.ledger(runId)).attempt).toMatchObject({ number: 2, reason: 'rescan' });
  });
});

test('a false alarm is noted, and changes nothing else', async () => {
  const { rig, runId, on } = await held();
  expect(await ask(on.review, PAT, { action: 'false_alarm', runId })).toEqual({ state: 'done' });
  expect((await trailOf(rig)).map(({ record }) => record)).toMatchObject([
    { action: 'false_alarm', runId, attempt: 1 },
  ]);
  expect((await rig.ledger(runId)).attempt.number).toBe(1);
  expect(await ask(on.review, PAT, { action: 'false_alarm', runId: 'cd'.repeat(16) })).toMatchObject({
    state: 'refused',
  });
});

test('whoever wants the original is noted, and the answer names the record', async () => {
  const { rig, runId, on } = await held();
  expect(await ask(on.review, PAT, { action: 'download', runId })).toEqual({ state: 'noted', record: 1 });
  expect(await ask(on.review, KIM, { action: 'download', runId })).toEqual({ state: 'noted', record: 2 });
  expect((await trailOf(rig)).map(({ record }) => record)).toMatchObject([
    { action: 'download', runId, people: [{ id: PAT.id, why: WHY }] },
    { action: 'download', runId, people: [{ id: KIM.id, why: WHY }] },
  ]);
  expect([on.started, (await rig.ledger(runId)).attempt.number]).toEqual([[], 1]);
  expect(await ask(on.review, PAT, { action: 'download', runId: 'cd'.repeat(16) })).toMatchObject({
    state: 'refused',
    code: 'not_decided',
  });
});

describe('what is refused', () => {
  test.each([
    ['a reason of two lines', { why: 'a\nb' }],
    ['no reason', { why: '' }],
    ['a run that nobody knows', { runId: 'cd'.repeat(16) }],
  ])('%s', async (_, wrong) => {
    const { rig, runId, on } = await held();
    expect(await ask(on.review, PAT, { ...release(runId), ...wrong })).toMatchObject({ state: 'refused' });
    expect([await trailOf(rig), on.started]).toEqual([[], []]);
  });

  test.each([
    { action: 'release', runId: '../x', seen: 1 },
    { action: 'release', runId: 'ab'.repeat(16), seen: 0 },
    { action: 'release', runId: 'ab'.repeat(16) },
    { action: 'release', runId: 'ab'.repeat(16), seen: 1, role: 'admin' },
    { action: 'release', runId: 'ab'.repeat(16), seen: 1, who: { name: 'x' } },
    { action: 'deliver', runId: 'ab'.repeat(16), seen: 1 },
    { action: 'block', kind: 'everything', value: 'x' },
    { action: 'block', kind: 'file', value: 'x'.repeat(8_193) },
    { action: 'false_alarm' },
  ])('%j is no request', (wrong) => {
    expect(ReviewRequest.safeParse({ why: WHY, ...wrong }).success).toBe(false);
  });

  test('somebody whose name could act', async () => {
    const { rig, runId, on } = await held();
    for (const odd of [{ name: 'a\nb' }, { id: 'a\u2028b' }, { name: '' }])
      expect(await ask(on.review, { ...PAT, ...odd }, release(runId))).toMatchObject({ state: 'refused' });
    expect(await trailOf(rig)).toEqual([]);
  });
});

describe('the first entry of an attempt that is there already', () => {
  type Put = CarryOutContext['blobs']['put'];

  /** Puts the first entry of an attempt like this. */
  const putting = ({ blobs, ...review }: CarryOutContext, put: (real: Put) => Put): CarryOutContext => {
    const others: Put = (...given) => (given[1].endsWith('/begun.json') ? put(blobs.put) : blobs.put)(...given);
    return { ...review, blobs: { ...blobs, put: others } };
  };

  test.each(['release', 'delete', 'rescan'] as const)('is the one of a %s whose answer was lost', async (action) => {
    const { rig, runId, on } = await held();
    // The client of the store heard no answer and sent it again: the second time it is told that the name is taken.
    const twice = putting(on.review, (put) => async (...given) => {
      await put(...given);
      return put(...given);
    });
    expect(await ask(twice, PAT, { action, runId, seen: 1 })).toEqual({ state: 'done' });
    await on.toItsEnd();
    const end = { release: 'delivered', delete: 'deleted', rescan: 'quarantined' }[action];
    expect((await rig.ledger(runId)).terminal?.state).toBe(end);
    if (action === 'delete') expect([rig.blobs.list('quarantine'), on.noted]).toEqual([[], [`${runId}-2`]]);
  });

  test.each([
    ['the same person as the same', PAT, 'release', 'done'],
    ['the same person as another decision', PAT, 'rescan', 'refused'],
    ['another person', KIM, 'release', 'refused'],
  ] as const)('was written by %s', async (_, who, action, state) => {
    const { rig, runId, on } = await held();
    const late = putting(on.review, (put) => async (...given) => {
      await ask(on.review, who, { action, runId, seen: 1 });
      return put(...given);
    });
    expect((await ask(late, PAT, release(runId))).state).toBe(state);
    await on.toItsEnd();
    const { attempt } = await rig.ledger(runId);
    expect([attempt.reason, attempt.people?.map(({ id }) => id), on.started]).toEqual([
      action,
      [who.id],
      [`${runId}-2`],
    ]);
  });
});

describe('a process that dies at any write, and a person who asks again', () => {
  test.each(['release', 'delete', 'rescan'] as const)('%s is done once, and the trail says so', async (action) => {
    const request = (runId: string) => ({ action, runId, seen: 1 }) as const;
    const counted = await held();
    const counting = dyingAt(counted.rig.blobs, Number.POSITIVE_INFINITY);
    await ask({ ...counted.on.review, blobs: counting.blobs }, PAT, request(counted.runId));
    expect(counting.writes()).toBeGreaterThan(1);
    for (let write = 1; write <= counting.writes() + 1; write += 1) {
      const { rig, runId, on } = await held();
      const { blobs } = dyingAt(rig.blobs, write);
      await ask({ ...on.review, blobs }, PAT, request(runId)).catch(() => {});
      expect([write, await ask(on.review, PAT, request(runId))]).toEqual([write, { state: 'done' }]);
      await on.toItsEnd();
      const { attempt, terminal } = await rig.ledger(runId);
      const end = { release: 'delivered', delete: 'deleted', rescan: 'quarantined' }[action];
      expect([write, attempt.number, terminal?.state]).toEqual([write, 2, end]);
      // The record that the attempt names is there, and at most one more, of what died before it began.
      const hashes = (await trailOf(rig)).map(({ hash }) => hash);
      expect([write, hashes.includes(attempt.audit ?? ''), hashes.length <= 2]).toEqual([write, true, true]);
    }
  });
});

/** Rounds of rechecks: what is asked, once a day and within the budget, and who is told that delivered mail is worse now. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import type { Verdict } from '../../lib/pipeline/model.ts';
import { type Policy, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import type { RunQuery } from '../../lib/pipeline/ports.ts';
import type { RecallEvent } from '../../lib/pipeline/recall/event.ts';
import { type RoundRequest, recheckRound } from '../../lib/pipeline/recall/recheck-round.ts';
import { hashesIn } from '../../lib/pipeline/recall/worse.ts';
import type { RelayReply } from '../../lib/pipeline/results/relay-port.ts';
import { changeBlock, createBlockList } from '../../lib/pipeline/review/block-list.ts';
import { carryOut, type Reviewer, type ReviewRequest } from '../../lib/pipeline/review/request.ts';
import { indexedRun } from '../../lib/pipeline/runs/row.ts';
import { openSqliteRuns } from '../../lib/storage/sqlite/runs.ts';
import { carryOutRig } from './carry-out-rig.ts';
import { createRig, emailWith } from './rig.ts';

const DAY = '2026-11-20';
const POLICY = {
  notices: { from: 'airlock@recipient.example', domains: ['recipient.example'] },
  told: { languageByDomain: { 'recipient.example': 'de' }, contact: 'Kim' },
};
const mailOf = (subject: string, text = `notes of ${subject}`) =>
  emailWith({ subject, text: '', files: [{ name: 'notes.txt', bytes: text }] });

async function opened(mails: readonly string[], policy?: Policy) {
  const worse = new Map<string, Verdict>();
  const rig = createRig({
    ...(policy && { policy }),
    script: {
      polls: 0,
      answer: (request) => {
        if (request.kind === 'cdr' || !('bytes' in request)) return {};
        const verdict = worse.get(Buffer.from(request.bytes).toString());
        return verdict === undefined ? {} : { verdict, reasons: ['seen today'] };
      },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'airlock-recheck-'));
  const index = openSqliteRuns(join(folder, 'runs.sqlite'));
  onTestFinished(() => {
    index.close();
    rmSync(folder, { recursive: true });
  });
  const ids: string[] = [];
  for (const [at, mail] of mails.entries()) {
    rig.advance(1_000);
    const { runId } = await rig.scan(mail, `${at}.eml`);
    await index.put(indexedRun(await rig.ledger(runId)));
    ids.push(runId);
  }
  const told: RecallEvent[] = [];
  const noted: string[] = [];
  const put = rig.blobs.put;
  rig.blobs.put = async (bucket, key, ...rest) => {
    if (key.startsWith('worse/')) noted.push(key.slice('worse/'.length));
    return put(bucket, key, ...rest);
  };
  const block = (text: string) =>
    changeBlock(rig.ctx, createBlockList(rig.ctx), 'block', {
      block: { kind: 'file', value: sha256Hex(text) },
      who: { name: 'Ann', why: 'a lure' },
    });
  const mailed: { to: string; text: string }[] = [];
  let answer: (recipient: string) => RelayReply['outcome'] = () => 'sent';
  const relay = {
    async send({ recipients, bytes }: { recipients: readonly string[]; bytes: Uint8Array }) {
      const [recipient = ''] = recipients;
      const outcome = answer(recipient);
      if (outcome === 'sent') mailed.push({ to: recipient, text: Buffer.from(bytes).toString() });
      return [{ recipient, outcome, text: '' }];
    },
  };
  const sending = { blobs: rig.blobs, relay, log: { warn: () => {} }, now: rig.ctx.clock.now };
  let isOver = () => false;
  const round = (request: Partial<RoundRequest> = {}) =>
    recheckRound(
      {
        ...rig.ctx,
        policy: parsePolicy(JSON.stringify({ version: 1, ...POLICY })),
        sending: request.mails === undefined ? null : sending,
        runs: { list: (query: RunQuery) => index.list(query) },
        emitRecalled: async (event) => void told.push(event),
        blocks: () => createBlockList(rig.ctx).current(),
        worseFiles: async () => hashesIn(noted),
        pause: async (seconds) => rig.advance(seconds * 1000),
        patienceSeconds: 60,
        isOver: () => isOver(),
      },
      { day: DAY, since: 0, after: null, budget: 100, mails: 0, ...request },
    );
  const asked = () => rig.analyzer.requests.length;
  const endsAtOnce = () => {
    isOver = () => true;
  };
  const answers = (other: typeof answer) => {
    answer = other;
  };
  return { rig, ids, worse, told, round, asked, endsAtOnce, mailed, answers, block, index };
}

const total = ({ same, worse, unanswered }: Awaited<ReturnType<typeof recheckRound>>['counts']) =>
  same + worse + unanswered;

test('each delivered file is asked about once a day, and again on the next', async () => {
  const { round, asked } = await opened([mailOf('A'), mailOf('B'), mailOf('C', 'notes of A')]);
  const first = await round();
  const before = asked();
  expect([total(first.counts) > 1, first.counts.worse, first.next]).toEqual([true, 0, null]);
  expect(total((await round()).counts)).toBe(0);
  expect(asked()).toBe(before);
  expect(total((await round({ day: '2026-11-21' })).counts)).toBe(total(first.counts));
});

describe('a file that is worse now', () => {
  test('is noted, and each mail that delivered it is told of once', async () => {
    const { rig, ids, worse, told, round } = await opened([mailOf('A', 'one'), mailOf('B', 'one'), mailOf('C', 'two')]);
    worse.set('one', 'malicious');
    const { counts, worse: found } = await round();
    expect([counts.worse, counts.recalled, found.map(({ sha256 }) => sha256)]).toEqual([1, 2, [sha256Hex('one')]]);
    expect(told.map(({ runId }) => runId).sort()).toEqual(ids.slice(0, 2).sort());
    expect(told[0]).toMatchObject({
      before: 'benign',
      after: 'malicious',
      delivered: 'keep',
      untrustedReasons: ['seen today'],
    });
    expect(await rig.blobs.has('work', keys.worse(sha256Hex('one')))).toBe(true);
    expect((await round({ day: '2026-11-21' })).counts).toMatchObject({ worse: 1, recalled: 0 });
    expect(told).toHaveLength(2);
  });

  test('is told of again when nobody took the event', async () => {
    const { rig, worse, told, round } = await opened([mailOf('A', 'one')]);
    worse.set('one', 'suspicious');
    const put = rig.blobs.put;
    rig.blobs.put = async (bucket, key, ...rest) => {
      if (key.startsWith('recalled/')) throw new Error('the store is away');
      return put(bucket, key, ...rest);
    };
    await expect(round()).rejects.toThrow('the store is away');
    rig.blobs.put = put;
    expect((await round()).counts.recalled).toBe(1);
    expect(told).toHaveLength(2);
  });
});

test('the budget is that of all rounds together, and the newest mail comes first', async () => {
  const mails = Array.from({ length: 40 }, (_, at) => mailOf(`Mail ${at}`));
  const { rig, ids, round, endsAtOnce } = await opened(mails);
  endsAtOnce();
  const first = await round({ budget: 30 });
  expect(first.next).toMatchObject({ day: DAY, budget: 30 - total(first.counts) });
  let [count, next] = [total(first.counts), first.next];
  while (next !== null) {
    const { counts, next: following } = await round(next);
    count += total(counts);
    next = following;
  }
  expect(count).toBe(30);
  const isAsked = (at: number) => rig.blobs.has('work', keys.rechecked(DAY, sha256Hex(`notes of Mail ${at}`)));
  expect([await isAsked(39), await isAsked(0), ids.length]).toEqual([true, false, 40]);
});

describe('mail to the recipients of a harmful file', () => {
  /** The text of a mail of ours, with the words of its subject. */
  const readable = (mail: string) => {
    const [header = '', body = ''] = mail.split('\r\n\r\n');
    const subject = header.replace(/=\?utf-8\?B\?([^?]*)\?=(?:\r\n )?/g, (_, word) =>
      Buffer.from(word, 'base64').toString(),
    );
    return `${subject}\n\n${Buffer.from(body, 'base64').toString()}`;
  };
  const toMany = (subject: string, recipients: readonly string[]) =>
    mailOf(subject, 'one').replace('bob@recipient.example', recipients.join(', '));
  const many = Array.from({ length: 5 }, (_, at) => `p${at}@recipient.example`);

  test('goes once to each of ours, in his language, with a cut subject that is no link and nothing else of the mail', async () => {
    const subject = `See https://evil.example/ ${'x'.repeat(200)}`;
    const to = ['bob@recipient.example', 'eve@elsewhere.example'];
    const { worse, round, mailed } = await opened([toMany(subject, to)]);
    worse.set('one', 'malicious');
    expect((await round({ mails: 10 })).counts).toMatchObject({ recalled: 1, mailed: 1, unmailed: 0 });
    expect((await round({ day: '2026-11-21', mails: 10 })).counts).toMatchObject({ worse: 1, mailed: 0, unmailed: 0 });
    expect(mailed.map(({ to: recipient }) => recipient)).toEqual(['bob@recipient.example']);
    const text = readable(mailed[0]?.text ?? '');
    expect(text).toContain('Subject: Eine Nachricht in Ihrem Postfach enthält eine schädliche Datei');
    expect(text).toMatch(/Betreff, wie ihn der Absender schrieb: „See hxxps\[?:/);
    expect(text).not.toMatch(/x{81}|notes\.txt|seen today|https:/);
  });

  test('is for a malicious file that came as it was, and for no suspicious one', async () => {
    const { worse, round, mailed, told } = await opened([mailOf('A', 'one')]);
    worse.set('one', 'suspicious');
    expect((await round({ mails: 10 })).counts).toMatchObject({ recalled: 1, mailed: 0, unmailed: 0 });
    expect([mailed, told.length]).toEqual([[], 1]);
  });

  test('stops at the most of a day, and whoever is left has his on the next one', async () => {
    const { worse, round, mailed } = await opened([toMany('A', many)]);
    worse.set('one', 'malicious');
    expect((await round({ mails: 3 })).counts).toMatchObject({ recalled: 1, mailed: 3, unmailed: 2 });
    expect((await round({ day: '2026-11-21', mails: 3 })).counts).toMatchObject({
      recalled: 0,
      mailed: 2,
      unmailed: 0,
    });
    expect(mailed.map(({ to }) => to).sort()).toEqual(many);
  });

  test('that the next server puts off is sent in the next round, also when nobody is asked about the file again', async () => {
    const { worse, round, mailed, answers, asked } = await opened([mailOf('A', 'one')]);
    worse.set('one', 'malicious');
    answers(() => 'later');
    expect((await round({ mails: 9 })).counts).toMatchObject({ mailed: 0, unmailed: 1 });
    const before = asked();
    answers(() => 'sent');
    expect((await round({ mails: 9 })).counts).toMatchObject({ worse: 0, mailed: 1, unmailed: 0 });
    expect([mailed.length, asked()]).toEqual([1, before]);
  });

  test('is counted as missing in each round until it is sent, whatever the most of a day is', async () => {
    const { worse, round, mailed } = await opened([toMany('A', many)]);
    worse.set('one', 'malicious');
    expect((await round({ mails: 3 })).counts).toMatchObject({ mailed: 3, unmailed: 2 });
    expect((await round({ mails: 0 })).counts).toMatchObject({ mailed: 0, unmailed: 2 });
    expect(mailed).toHaveLength(3);
  });

  test('is one for a message with two such files', async () => {
    const files = ['one', 'two'].map((text) => ({ name: `${text}.txt`, bytes: text }));
    const { worse, round, mailed } = await opened([emailWith({ subject: 'A', text: '', files })]);
    worse.set('one', 'malicious').set('two', 'malicious');
    expect((await round({ mails: 9 })).counts).toMatchObject({ worse: 2, recalled: 2, mailed: 1, unmailed: 0 });
    expect(mailed).toHaveLength(1);
  });

  test('is nobody’s business where it was not asked for', async () => {
    const { worse, round, mailed } = await opened([mailOf('A', 'one')]);
    worse.set('one', 'malicious');
    expect((await round()).counts).toMatchObject({ recalled: 1, mailed: 0, unmailed: 0 });
    expect(mailed).toEqual([]);
  });
});

describe('a file that people have blocked since', () => {
  test('is told of, once for each mail that delivered it, and its recipients have a mail', async () => {
    const { ids, told, round, mailed, block } = await opened([
      mailOf('A', 'one'),
      mailOf('B', 'one'),
      mailOf('C', 'two'),
    ]);
    await block('one');
    expect((await round({ mails: 9 })).counts).toMatchObject({ worse: 0, recalled: 2, mailed: 2, unmailed: 0 });
    expect(told.map(({ runId }) => runId).sort()).toEqual(ids.slice(0, 2).sort());
    expect(told[0]).toMatchObject({ cause: 'blocked', before: 'benign', after: 'benign', delivered: 'keep' });
    expect((await round({ mails: 9 })).counts).toMatchObject({ recalled: 0, mailed: 0, unmailed: 0 });
    expect(mailed).toHaveLength(2);
  });

  test('is told of by the event alone where no mail goes to recipients', async () => {
    const { told, round, mailed, block } = await opened([mailOf('A', 'one')]);
    await block('one');
    expect((await round()).counts).toMatchObject({ recalled: 1, mailed: 0, unmailed: 0 });
    expect([told.length, mailed]).toEqual([1, []]);
  });

  test('is told of by a round that asks about no file', async () => {
    const { round, mailed, block, asked } = await opened([mailOf('A', 'one')]);
    await block('one');
    const before = asked();
    expect(await round({ mails: 9, budget: 0 })).toMatchObject({ counts: { recalled: 1, mailed: 1 }, next: null });
    expect([asked(), mailed.length]).toEqual([before, 1]);
  });

  test('and that somebody released all the same is not told of', async () => {
    const blocked = { files: [sha256Hex('one')] };
    const policy = parsePolicy(JSON.stringify({ ...POLICY, blocked, release: { original: 'one' } }));
    const { rig, ids, index, round, told, block } = await opened([mailOf('A', 'one')], policy);
    await block('one');
    rig.advance(1_000);
    const [runId = ''] = ids;
    const on = carryOutRig(rig);
    const kim: Reviewer = { name: 'kim@example.org', id: 'kim', role: 'admin' };
    const request: ReviewRequest = { action: 'original', runId, seen: 1, why: 'no lure at all' };
    expect(await carryOut(on.review, createBlockList(rig.ctx), kim, request)).toEqual({ state: 'done' });
    await on.toItsEnd();
    const ledger = await rig.ledger(runId);
    expect(ledger.terminal?.state).toBe('delivered');
    await index.put(indexedRun(ledger));
    expect((await round({ mails: 9 })).counts).toMatchObject({ recalled: 0, mailed: 0 });
    expect(told).toEqual([]);
  });

  test('and is blocked no more is not told of', async () => {
    const { rig, told, round, block } = await opened([mailOf('A', 'one')]);
    await block('one');
    await changeBlock(rig.ctx, createBlockList(rig.ctx), 'unblock', {
      block: { kind: 'file', value: sha256Hex('one') },
      who: { name: 'Ann', why: 'a mistake' },
    });
    expect((await round({ mails: 9 })).counts).toMatchObject({ recalled: 0, mailed: 0 });
    expect(told).toEqual([]);
  });
});

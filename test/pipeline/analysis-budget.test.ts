/** A quota of the sandbox is spent on the files for which most speaks, and what is not asked is never taken for harmless. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { notAskedOf } from '../../lib/pipeline/analysis/not-asked.ts';
import { pointsNeeded } from '../../lib/pipeline/analysis/sandbox-priority.ts';
import { ConfigError, TransientError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Quota } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { createRig, emailWith, type RigOptions } from './rig.ts';

const SANDBOX = ['office', 'text', 'data', 'executable', 'script', 'archive'];
const DAY_MS = 86_400_000;

function policyWith(budget: object, failures: object = {}) {
  const types = Object.fromEntries(
    SANDBOX.map((group) => [
      group,
      { analyses: group === 'text' ? ['static', 'sandbox'] : ['static', 'sandbox', 'cdr'] },
    ]),
  );
  return parsePolicy(JSON.stringify({ types, budget, failures }));
}

/** A rig whose service tells this quota; each mail is another object. */
function airlock(
  budget: object,
  told: { quota?: Quota | null | Error } = {},
  options: RigOptions & { failures?: object } = {},
) {
  let came = 0;
  const rig = createRig({
    ...options,
    policy: policyWith(budget, options.failures),
    overrides: (ctx) => ({
      ...options.overrides?.(ctx),
      analyzer: {
        ...ctx.analyzer,
        quota: async () => {
          if (told.quota instanceof Error) throw told.quota;
          return told.quota ?? null;
        },
      },
    }),
  });
  const scan = async (mail: string) => {
    came += 1;
    const before = rig.analyzer.requests.length;
    const { ledger } = await rig.scan(mail, `${came}.eml`);
    const asked = rig.analyzer.requests.slice(before).flatMap((one) => (one.kind === 'sandbox' ? [one.filename] : []));
    return { ledger, asked: asked.length, spared: notAskedOf(ledger) };
  };
  return { rig, told, scan };
}

let number = 0;
/** Texts that nobody has sent before. */
const texts = (count: number, text = 'Hello') => {
  number += 1;
  const files = Array.from({ length: count }, (_, index) => ({
    name: `${index}.txt`,
    bytes: `file ${number} ${index}`,
  }));
  return emailWith({ text: `${text} ${number}`, files });
};

describe('without a budget', () => {
  test('everything is asked, and nothing is noted', async () => {
    const { rig, scan } = airlock({});
    expect(await scan(texts(3))).toMatchObject({ asked: 4, spared: [] });
    expect(rig.blobs.list('work').filter((key) => /^(?:budget|seen)\//.test(key))).toEqual([]);
  });

  test('a service that does not answer the question, or tells no limit, is asked as before', async () => {
    for (const quota of [new TransientError('away'), new ConfigError('the service', ['no key']), null])
      expect((await airlock({}, { quota }).scan(texts(1))).asked).toBe(2);
  });
});

describe('sandboxPerMail', () => {
  test('is spent on a program in an archive before a text of the same mail', async () => {
    const { scan } = airlock({ sandboxPerMail: 1 });
    const zip = zipOf({ 'run.exe': 'MZ inner' });
    const { spared, ledger } = await scan(emailWith({ files: [{ name: 'a.zip', bytes: zip }] }));
    const program = ledger.artifacts.find(({ typeGroup }) => typeGroup === 'executable');
    expect(program?.submissions.map(({ kind, failure }) => [kind, failure])).toContainEqual(['sandbox', null]);
    expect(spared.map(({ artifact }) => artifact.typeGroup).sort()).toEqual(['archive', 'text']);
    expect(spared[0]?.why).toMatch(
      /^of one mail, the sandbox is asked about 1 files, and others come first; this one is /,
    );
  });

  test('of 0 asks about none', async () => {
    expect(await airlock({ sandboxPerMail: 0 }).scan(texts(1))).toMatchObject({ asked: 0 });
  });
});

describe('sandboxPerMail over all tries and attempts', () => {
  /** A mail of two files, read and not yet asked about. */
  async function readMail() {
    const { rig } = airlock({ sandboxPerMail: 1 });
    const run = await parse(rig.ctx, await rig.intake(texts(2)));
    const asked = () => new Set(rig.analyzer.requests.flatMap((one) => (one.kind === 'sandbox' ? [one.id] : [])));
    return { rig, run, asked };
  }

  test('a stage that is killed before it is noted, and repeated, asks about no other file', async () => {
    const { rig, run, asked } = await readMail();
    const { blobs } = rig.ctx;
    const put: typeof blobs.put = async (bucket, key, ...rest) => {
      if (key.endsWith('/submit.json')) throw new Error('killed');
      return blobs.put(bucket, key, ...rest);
    };
    await expect(STAGES.submit({ ...rig.ctx, blobs: { ...blobs, put } }, run)).rejects.toThrow('killed');
    expect(asked().size).toBe(1);
    await STAGES.submit(rig.ctx, run);
    expect(asked().size).toBe(1);
    const { artifacts } = await rig.ledger(run.runId);
    expect(notAskedOf({ artifacts })).toHaveLength(2);
  });

  test('two tries at once ask about one file', async () => {
    const { rig, run, asked } = await readMail();
    await Promise.allSettled([STAGES.submit(rig.ctx, run), STAGES.submit(rig.ctx, run)]);
    expect(asked().size).toBe(1);
  });
});

describe('what is not asked', () => {
  test('holds the mail as shipped, with a reason of its own', async () => {
    const { ledger } = await airlock({ sandboxPerMail: 0 }).scan(texts(1));
    expect([ledger.terminal?.state, [...new Set(ledger.reasons.map(({ code }) => code))]]).toEqual([
      ...['quarantined', ['not_asked']],
    ]);
    expect(ledger.reasons[0]?.text).toContain('sandbox analysis was not asked for it (of one mail');
  });

  test('is removed where policy says so, and never kept', async () => {
    const { ledger } = await airlock({ sandboxPerMail: 1 }, {}, { failures: { not_asked: 'remove' } }).scan(texts(2));
    expect(ledger.terminal?.state).toBe('delivered');
    const ends = ledger.artifacts.map(({ disposition, removedFor }) => [disposition, removedFor]);
    expect(ends.filter(([disposition]) => disposition === 'remove')).toEqual([
      ['remove', 'not_asked'],
      ['remove', 'not_asked'],
    ]);
  });

  test('is asked by a later attempt when there is room again', async () => {
    const { rig, scan } = airlock({ sandboxPerDay: 1 });
    await scan(texts(0));
    expect(await scan(texts(0))).toMatchObject({ asked: 0 });
    rig.advance(DAY_MS);
    expect(await scan(texts(0))).toMatchObject({ asked: 1 });
  });
});

test.each([
  [{ limit: 100, left: 51 }, 0],
  [{ limit: 100, left: 50 }, 1],
  [{ limit: 100, left: 26 }, 1],
  [{ limit: 100, left: 25 }, 3],
  [{ limit: 100, left: 11 }, 3],
  [{ limit: 100, left: 10 }, 5],
  [{ limit: 100, left: 0 }, 5],
])('of %j, a file needs %i points', (quota, points) => {
  expect(pointsNeeded(quota)).toBe(points);
});

describe('while little of the quota of the service is left', () => {
  test.each([
    [60, true],
    [40, false],
  ])('a file without any priority is asked about with %i of 100 left: %s', async (left, isAsked) => {
    const { rig, told, scan } = airlock({}, { quota: { limit: 100, left: 100 } });
    const mail = texts(0);
    await scan(mail);
    told.quota = { limit: 100, left };
    rig.advance(2 * DAY_MS);
    expect(await scan(mail)).toMatchObject({ asked: isAsked ? 1 : 0 });
  });

  test('a sender who is new has a file asked about that one who is known has not', async () => {
    const { told, scan } = airlock({}, { quota: { limit: 100, left: 100 } });
    await scan(texts(0));
    told.quota = { limit: 100, left: 20 };
    const known = await scan(texts(0));
    expect([known.asked, known.spared[0]?.why]).toEqual([
      0,
      '20 of the 100 submissions of today are left (the service), and they are kept for files of a higher priority; this one is a file that was not met before today',
    ]);
    expect(await scan(texts(0).replace('ana@sender', 'eve@stranger'))).toMatchObject({ asked: 1 });
  });

  test('a document that may hold macros is asked about, also of a sender who is known', async () => {
    const { told, scan } = airlock({}, { quota: { limit: 100, left: 100 } });
    await scan(texts(0));
    told.quota = { limit: 100, left: 20 };
    const { ledger, asked, spared } = await scan(
      await readFile('test/fixtures/emails/invoice-with-macro.eml', 'latin1'),
    );
    const document = ledger.artifacts.find(({ extension }) => extension === 'docm');
    expect([asked, document?.submissions.some(({ kind, failure }) => kind === 'sandbox' && failure === null)]).toEqual([
      ...[1, true],
    ]);
    expect(spared.map(({ artifact }) => artifact.typeGroup)).toEqual(['text']);
  });

  test('nothing is asked when nothing is left, whatever speaks for it', async () => {
    const { scan } = airlock({}, { quota: { limit: 100, left: 0 } });
    expect(await scan(emailWith({ files: [{ name: 'a.zip', bytes: zipOf({ 'run.exe': 'MZ' }) }] }))).toMatchObject({
      asked: 0,
    });
  });

  test('what one file of a mail takes is no longer left for the next', async () => {
    const { scan } = airlock({}, { quota: { limit: 100, left: 1 } });
    const zip = zipOf({ 'a.exe': 'MZ a', 'b.exe': 'MZ b' });
    const { asked, spared } = await scan(emailWith({ files: [{ name: 'a.zip', bytes: zip }] }));
    const programs = spared.filter(({ artifact }) => artifact.typeGroup === 'executable');
    expect([asked, programs.length]).toEqual([1, 1]);
    expect(programs[0]?.why).toContain('nothing of the 100 submissions of today is left (the service)');
  });

  test('what another run has asked costs nothing while it is under way', async () => {
    const { rig, told, scan } = airlock({}, { quota: { limit: 100, left: 100 } });
    const mail = texts(0);
    await STAGES.submit(rig.ctx, await parse(rig.ctx, await rig.intake(mail, 'first.eml')));
    told.quota = { limit: 100, left: 0 };
    expect(await scan(mail)).toMatchObject({ asked: 0, spared: [] });
  });

  test('a fault of our own in the question is no answer: the mail is held', async () => {
    const { ledger, asked } = await airlock({}, { quota: new TypeError('a fault') }).scan(texts(0));
    expect([asked, ledger.terminal?.state, ledger.reasons.map(({ code }) => code)]).toEqual([
      ...[0, 'quarantined', ['run_failed']],
    ]);
  });

  test('what is known costs nothing and is used', async () => {
    const { told, scan } = airlock({}, { quota: { limit: 100, left: 100 } });
    const mail = texts(1);
    await scan(mail);
    told.quota = { limit: 100, left: 0 };
    expect(await scan(mail)).toMatchObject({ asked: 0, spared: [] });
  });
});

describe('sandboxPerDay', () => {
  test('is never overspent by runs at the same time', async () => {
    const { rig, scan } = airlock({ sandboxPerDay: 8 });
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, index) => scan(texts(2, `mail ${index}`).replace('ana@', `a${index}@`))),
    );
    expect(all.every(({ ledger }) => ledger.terminal !== null)).toBe(true);
    const asked = rig.analyzer.requests.filter(({ kind }) => kind === 'sandbox');
    expect(asked.length).toBeLessThanOrEqual(8);
    expect(asked.length).toBeGreaterThanOrEqual(4);
    const places = rig.blobs.list('work').filter((key) => key.startsWith('budget/sandbox/2026-11-20/'));
    expect(places).toHaveLength(asked.length);
    expect(places).toContain(keys.budgetPlace('sandbox', '2026-11-20', asked.length));
  });
});

describe('what the store says', () => {
  test('of places that are taken may be old: a place is taken once all the same', async () => {
    const { scan } = airlock(
      { sandboxPerDay: 2 },
      {},
      {
        overrides: ({ blobs }) => ({
          blobs: { ...blobs, has: async (bucket, key) => !key.startsWith('budget/') && blobs.has(bucket, key) },
        }),
      },
    );
    const asked: number[] = [];
    for (let times = 0; times < 3; times += 1) asked.push((await scan(texts(0))).asked);
    expect(asked).toEqual([1, 1, 0]);
  });

  test.each([new TransientError('away'), new ConfigError('the store', ['no table'])])(
    'of known analyses may not be had: nothing counts as known then (%s)',
    async (error) => {
      let isAway = true;
      const { scan } = airlock(
        { sandboxPerMail: 0 },
        {},
        {
          overrides: ({ submissions }) => ({
            submissions: {
              ...submissions,
              find: async (...args) => {
                if (!isAway) return submissions.find(...args);
                isAway = false;
                throw error;
              },
            },
          }),
        },
      );
      const { asked, spared } = await scan(texts(0));
      expect([asked, spared.length]).toEqual([0, 1]);
    },
  );
});

describe('a policy', () => {
  test.each(['sandboxPerMail', 'sandboxPerDay'])('takes no %s below 0 or beyond its bound', (field) => {
    const most = field === 'sandboxPerMail' ? 1_000 : 1_000_000;
    for (const value of [-1, most + 1, 1.5]) expect(() => policyWith({ [field]: value })).toThrow(field);
    for (const value of [0, most, null]) expect(policyWith({ [field]: value })).toBeDefined();
  });

  test('has one budget for all recipients', () => {
    const recipients = { 'corp.example': { budget: { sandboxPerMail: 1 } } };
    expect(() => parsePolicy(JSON.stringify({ recipients }))).toThrow('paid from one budget');
  });
});

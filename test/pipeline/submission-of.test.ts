/** How a run comes by the submission of one artifact: known, joined, sent, or found again, and how long others wait for it. */
import { describe, expect, test } from 'vitest';
import {
  attemptOf,
  type Claimant,
  isShared,
  obtainSubmission,
  submissionKeyOf,
  unsent,
  withReport,
} from '../../lib/pipeline/analysis/submission-of.ts';
import { AnalyzerRefusal, TransientError } from '../../lib/pipeline/errors.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import { Artifact, type FileArtifact } from '../../lib/pipeline/ledger/artifact.ts';
import { fileIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import type { Kind, Report } from '../../lib/pipeline/model.ts';
import type { SubmissionRecord } from '../../lib/pipeline/ports.ts';
import { BENIGN, createRig, type RigOptions } from './rig.ts';

const BYTES = 'what is analysed';
const OTHER = 'the same in another charset';
const AT = '2026-11-20T12:00:00.000Z';
const NOW_SECONDS = Date.parse(AT) / 1000;

function file(change: Partial<FileArtifact> = {}): Artifact {
  return Artifact.parse({
    type: 'file',
    id: fileIdOf(sha256Hex(BYTES)),
    typeGroup: 'pdf',
    extension: 'pdf',
    untrustedUrl: null,
    disarmAs: null,
    opening: null,
    size: BYTES.length,
    origins: ['1.2'],
    submissions: [],
    verdict: 'unknown',
    disposition: null,
    reasons: [],
    removedFor: null,
    ...change,
  });
}
const LINK = Artifact.parse({
  ...file(),
  type: 'url',
  id: `url:${sha256Hex('https://a.example/')}`,
  typeGroup: 'url',
  extension: '',
  untrustedUrl: 'https://a.example/',
});

/** An attempt of a run, begun now. */
const claimant = (name: string, begunAtSeconds = NOW_SECONDS): Claimant => ({
  name,
  attempt: attemptOf(name),
  begunAtSeconds,
});

/** A rig whose work bucket has the bytes. */
async function rigWithBytes(options: RigOptions = {}) {
  const rig = createRig(options);
  for (const bytes of [BYTES, OTHER]) await rig.blobs.put('work', keys.artifact(sha256Hex(bytes)), Buffer.from(bytes));
  const obtain = (artifact: Artifact = file(), kind: Kind = 'static', name = 'runa') =>
    obtainSubmission(rig.ctx, { ...claimant(name), begunAtSeconds: rig.ctx.clock.now() / 1000 }, artifact, kind);
  const record = async (artifact: Artifact = file(), kind: Kind = 'static') =>
    rig.ctx.submissions.find(await submissionKeyOf(rig.ctx, artifact, kind), rig.ctx.clock.now() / 1000);
  return { rig, obtain, record };
}

describe('a submission that this run sends', () => {
  test('is accepted, with nothing said of it yet', async () => {
    const { obtain } = await rigWithBytes();
    expect(await obtain()).toEqual({
      kind: 'static',
      source: 'submitted',
      engines: 'scripted',
      submissionId: '0',
      status: 'accepted',
      verdict: 'unknown',
      score: null,
      untrustedReasons: [],
      untrustedRemoved: [],
      untrustedSanitized: [],
      failure: null,
      readAs: null,
      disarmed: null,
      fetched: false,
      submittedAt: AT,
      finishedAt: null,
    });
  });

  test('has its bytes, a name of ours, and its run', async () => {
    const { rig, obtain } = await rigWithBytes();
    await obtain();
    expect(rig.analyzer.requests).toEqual([
      {
        kind: 'static',
        id: fileIdOf(sha256Hex(BYTES)),
        bytes: expect.anything(),
        filename: `${sha256Hex(BYTES).slice(0, 16)}.pdf`,
        password: null,
        group: 'runa',
      },
    ]);
    const [request] = rig.analyzer.requests;
    expect(request && 'bytes' in request && Buffer.from(request.bytes).toString()).toBe(BYTES);
  });

  test('of a file without an extension is called .bin', async () => {
    const { rig, obtain } = await rigWithBytes();
    await obtain(file({ extension: '' }));
    expect(rig.analyzer.requests).toMatchObject([{ filename: expect.stringMatching(/^[0-9a-f]{16}\.bin$/) }]);
  });

  test('of a container has the password that opened it', async () => {
    const { rig, obtain } = await rigWithBytes();
    await obtain(file({ opening: { as: 'zip', outcome: 'opened', detail: '', untrustedPassword: 'x1' } }));
    expect(rig.analyzer.requests).toMatchObject([{ password: 'x1' }]);
  });

  test('for a disarm of a page in another charset has the page that is disarmed, and no other analysis has', async () => {
    const { rig, obtain } = await rigWithBytes();
    const page = file({ disarmAs: fileIdOf(sha256Hex(OTHER)) });
    await obtain(page, 'static');
    await obtain(page, 'cdr');
    const texts = rig.analyzer.requests.map((request) => 'bytes' in request && Buffer.from(request.bytes).toString());
    expect(texts).toEqual([BYTES, OTHER]);
    expect(rig.analyzer.requests.map(({ id }) => id)).toEqual([page.id, page.disarmAs]);
  });

  test('of a link is the link', async () => {
    const { rig, obtain } = await rigWithBytes();
    await obtain(LINK, 'url_analysis');
    expect(rig.analyzer.requests).toEqual([
      { kind: 'url_analysis', id: LINK.id, url: 'https://a.example/', group: 'runa' },
    ]);
  });

  test('of a file is never one of a link', async () => {
    const { obtain } = await rigWithBytes();
    await expect(obtain(file(), 'url_analysis')).rejects.toThrow(TypeError);
  });

  test('is claimed for two minutes, and after the answer for an hour', async () => {
    const claims: SubmissionRecord[] = [];
    const { rig, obtain, record } = await rigWithBytes({
      overrides: ({ submissions }) => ({
        submissions: {
          ...submissions,
          claim: async (claim, nowSeconds) => {
            claims.push(claim);
            expect(nowSeconds).toBe(NOW_SECONDS);
            return submissions.claim(claim, nowSeconds);
          },
        },
      }),
    });
    await obtain();
    expect(claims).toMatchObject([
      { claimedBy: 'runa', submissionId: null, report: null, disarmed: null, expiresAtSeconds: NOW_SECONDS + 120 },
    ]);
    expect(await record()).toMatchObject({ submissionId: '0', report: null, expiresAtSeconds: NOW_SECONDS + 3_600 });
    rig.advance(3_600_001);
    expect(await record()).toBeNull();
  });
});

describe('a submission of another run', () => {
  test('is joined while it is in flight, and sent again afterwards', async () => {
    const { rig, obtain } = await rigWithBytes();
    await obtain();
    expect(await obtain(file(), 'static', 'runb')).toMatchObject({
      source: 'joined',
      submissionId: '0',
      status: 'accepted',
    });
    rig.advance(3_600_000);
    expect(await obtain(file(), 'static', 'runc')).toMatchObject({ source: 'submitted', submissionId: '1' });
  });

  test('is not joined by a later attempt that began after it, which sends again', async () => {
    const { rig, obtain } = await rigWithBytes();
    await obtain();
    rig.advance(1_000);
    expect(await obtain(file(), 'static', 'runb-2')).toMatchObject({ source: 'submitted', submissionId: '1' });
  });

  test('is joined by a later attempt that had begun when it was sent, and one that waits for its answer sends nothing', async () => {
    const { rig, obtain } = await rigWithBytes();
    await obtain(file(), 'static', 'runa-2');
    expect(await obtain(file(), 'static', 'runb-3')).toMatchObject({ source: 'joined', submissionId: '0' });
    const key = await submissionKeyOf(rig.ctx, file(), 'cdr');
    const claim = { key, claimedBy: 'runa-2', submissionId: null, report: null, disarmed: null };
    await rig.ctx.submissions.claim({ ...claim, expiresAtSeconds: NOW_SECONDS + 120 }, NOW_SECONDS);
    expect(await obtain(file(), 'cdr', 'runb-3')).toMatchObject({ source: 'joined', submissionId: null });
    expect(rig.analyzer.requests).toHaveLength(1);
  });

  test('that has no answer yet is joined without an id', async () => {
    const { rig, obtain } = await rigWithBytes({
      overrides: ({ submissions }) => ({ submissions: { ...submissions, update: async () => false } }),
    });
    await obtain();
    expect(await obtain(file(), 'static', 'runb')).toMatchObject({ source: 'joined', submissionId: null });
    expect(rig.analyzer.requests).toHaveLength(1);
  });

  test.each<[string, Artifact, Kind]>([
    ['another kind', file(), 'cdr'],
    ['another extension', file({ extension: 'txt' }), 'static'],
    [
      'another password',
      file({ opening: { as: 'zip', outcome: 'opened', detail: '', untrustedPassword: 'x' } }),
      'static',
    ],
    ['other bytes', file({ id: fileIdOf(sha256Hex(OTHER)) }), 'static'],
  ])('is not joined for %s', async (_, artifact, kind) => {
    const { obtain } = await rigWithBytes();
    await obtain();
    expect(await obtain(artifact, kind, 'runb')).toMatchObject({ source: 'submitted', submissionId: '1' });
  });
});

describe('a submission of this run that it does not remember', () => {
  test('is the one it knows of', async () => {
    const { rig, obtain } = await rigWithBytes();
    await obtain();
    expect(await obtain()).toMatchObject({ source: 'submitted', submissionId: '0' });
    expect(rig.analyzer.requests).toHaveLength(1);
  });

  test('is looked for, and then remembered; and sent when the service has none', async () => {
    const { rig, obtain, record } = await rigWithBytes();
    const key = await submissionKeyOf(rig.ctx, file(), 'static');
    const claim = { key, claimedBy: 'runa', submissionId: null, report: null, disarmed: null };
    await rig.ctx.submissions.claim({ ...claim, expiresAtSeconds: NOW_SECONDS + 9 }, NOW_SECONDS);
    expect(await obtain()).toMatchObject({ source: 'submitted', submissionId: '0' });
    await rig.ctx.submissions.update({ ...claim, expiresAtSeconds: NOW_SECONDS + 9 });
    expect(await obtain()).toMatchObject({ source: 'submitted', submissionId: '0' });
    expect(rig.analyzer.requests).toHaveLength(1);
    expect(await record()).toMatchObject({ submissionId: '0', expiresAtSeconds: NOW_SECONDS + 3_600 });
  });
});

describe('a service that does not take it', () => {
  test('and refuses it has ended it; no other run waits', async () => {
    const { obtain, record } = await rigWithBytes({
      script: { refuse: () => new AnalyzerRefusal('oversize', 'at most 1 MB') },
    });
    expect(await obtain()).toMatchObject({
      source: 'submitted',
      submissionId: null,
      status: 'error',
      failure: { class: 'oversize', detail: 'at most 1 MB' },
      fetched: true,
      finishedAt: AT,
    });
    expect(await record()).toBeNull();
  });

  test('and is away may have it all the same, so the claim stays, and this run asks for the submission before it sends again', async () => {
    const { obtain, record } = await rigWithBytes({ script: { refuse: () => new TransientError('away') } });
    await expect(obtain()).rejects.toThrow(TransientError);
    expect(await record()).toMatchObject({ claimedBy: 'runa', submissionId: null });
  });
});

describe('a known report', () => {
  const REPORT: Report = {
    verdict: 'suspicious',
    score: 7,
    reasons: ['odd'],
    failure: null,
    removed: ['macro'],
    sanitized: ['link'],
    readAs: 'pdf',
    hasDisarmedFile: true,
  };
  const DISARMED = { sha256: sha256Hex('disarmed'), size: 8 };

  async function rigThatKnows(report: Report, disarmed: SubmissionRecord['disarmed']) {
    const found = await rigWithBytes();
    const key = await submissionKeyOf(found.rig.ctx, file(), 'cdr');
    const record = { key, claimedBy: 'runz', submissionId: '9', report, disarmed, expiresAtSeconds: NOW_SECONDS + 9 };
    await found.rig.ctx.submissions.claim(record, NOW_SECONDS);
    return found;
  }

  test('is used whole, also by the run that sent it', async () => {
    const { rig, obtain } = await rigThatKnows(REPORT, DISARMED);
    await rig.blobs.put('work', keys.disarmed(DISARMED.sha256), Buffer.from('disarmed'));
    for (const runId of ['runa', 'runz'])
      expect(await obtain(file(), 'cdr', runId)).toEqual({
        kind: 'cdr',
        source: 'known',
        engines: 'scripted',
        submissionId: '9',
        status: 'completed',
        verdict: 'suspicious',
        score: 7,
        untrustedReasons: ['odd'],
        untrustedRemoved: ['macro'],
        untrustedSanitized: ['link'],
        failure: null,
        readAs: 'pdf',
        disarmed: DISARMED,
        fetched: true,
        submittedAt: AT,
        finishedAt: AT,
      });
    expect(rig.analyzer.requests).toEqual([]);
  });

  test('without a disarmed file needs none', async () => {
    const { obtain } = await rigThatKnows(BENIGN, null);
    expect(await obtain(file(), 'cdr')).toMatchObject({ source: 'known', disarmed: null });
  });

  test('whose disarmed file is gone is asked for again', async () => {
    const { rig, obtain } = await rigThatKnows(REPORT, DISARMED);
    expect(await obtain(file(), 'cdr', 'runb')).toMatchObject({
      source: 'submitted',
      submissionId: '0',
      status: 'accepted',
      fetched: false,
    });
    expect(rig.analyzer.requests).toMatchObject([{ kind: 'cdr', group: 'runb' }]);
  });
});

test('what was not sent yet has no id', () => {
  expect(unsent(createRig().ctx, 'sandbox')).toMatchObject({
    kind: 'sandbox',
    source: 'submitted',
    submissionId: null,
    status: 'accepted',
  });
});

test('a report of a failure is an error, and the time at which it finished stays', () => {
  const waiting = unsent(createRig().ctx, 'static');
  const failure = { class: 'encrypted' as const, detail: 'x' };
  const late = '2026-11-20T13:00:00.000Z';
  expect(withReport(waiting, late, { ...BENIGN, failure }, null)).toMatchObject({
    status: 'error',
    failure,
    fetched: true,
    finishedAt: late,
  });
  expect(withReport({ ...waiting, finishedAt: AT }, late, BENIGN, null)).toMatchObject({
    status: 'completed',
    failure: null,
    finishedAt: AT,
  });
});

const SENT_AT = NOW_SECONDS - DEFAULT_LIMITS.inFlightSeconds;
test.each([
  ['another run has it in flight', 'run', 'id', null, claimant('other'), true],
  ['the same attempt sent it', 'run-2', 'id', null, claimant('run-2'), true],
  ['an earlier attempt has it in flight', 'run', 'id', null, claimant('run-2'), false],
  ['an earlier attempt sent it after this one began', 'other', 'id', null, claimant('run-2', SENT_AT), true],
  ['an earlier attempt has its report', 'run', 'id', BENIGN, claimant('run-2'), true],
  ['it was never sent', 'run', null, null, claimant('other'), false],
])('whether a claimant sends nothing itself: %s', (_, claimedBy, submissionId, report, by, expected) => {
  const record = { key: 'k', claimedBy, submissionId, report, disarmed: null, expiresAtSeconds: NOW_SECONDS };
  expect(isShared(record, by, DEFAULT_LIMITS)).toBe(expected);
});

/** One artifact under the policy: every verdict, every failure, every place, and the words that say why. */
import { describe, expect, test } from 'vitest';
import type { Place } from '../../lib/pipeline/judging/body-removals.ts';
import { isWrittenAnew, judgeArtifact, worseOf } from '../../lib/pipeline/judging/judge.ts';
import { Artifact, type FileArtifact, Submission } from '../../lib/pipeline/ledger/artifact.ts';
import { fileIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import type { Verdict } from '../../lib/pipeline/model.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../lib/pipeline/policy/policy.ts';

const SHA = 'a'.repeat(64);
const OTHER_SHA = 'b'.repeat(64);
const AT = '2026-11-20T12:00:00.000Z';
const VERDICTS: readonly Verdict[] = ['benign', 'unknown', 'suspicious', 'malicious'];

/** A report that came: benign, and of a disarm the same bytes, read as a PDF. */
function submission(change: Partial<Submission> & Pick<Submission, 'kind'>): Submission {
  const isDisarm = change.kind === 'cdr';
  return Submission.parse({
    source: 'submitted',
    engines: null,
    submissionId: '1',
    status: 'completed',
    verdict: 'benign',
    score: null,
    untrustedReasons: [],
    untrustedRemoved: [],
    untrustedSanitized: [],
    failure: null,
    readAs: isDisarm ? 'pdf' : null,
    disarmed: isDisarm ? { sha256: SHA, size: 9 } : null,
    fetched: true,
    submittedAt: AT,
    finishedAt: AT,
    ...change,
  });
}
const STATIC = submission({ kind: 'static' });
const CDR = submission({ kind: 'cdr' });
const REWRITTEN = submission({ kind: 'cdr', disarmed: { sha256: OTHER_SHA, size: 8 } });

function file(change: Partial<FileArtifact> = {}): Artifact {
  return Artifact.parse({
    type: 'file',
    id: fileIdOf(SHA),
    typeGroup: 'pdf',
    extension: 'pdf',
    untrustedUrl: null,
    disarmAs: null,
    opening: null,
    size: 9,
    origins: ['1.2'],
    submissions: [STATIC, CDR],
    verdict: 'unknown',
    disposition: null,
    reasons: [],
    removedFor: null,
    ...change,
  });
}
function url(...submissions: Submission[]): Artifact {
  return Artifact.parse({
    ...file(),
    type: 'url',
    id: `url:${SHA}`,
    typeGroup: 'url',
    extension: '',
    untrustedUrl: 'https://a.example/',
    submissions,
  });
}

/** What becomes of an artifact, as one list. */
function judged(artifact: Artifact, { place = 'file' as Place, policy = DEFAULT_POLICY } = {}) {
  const found = judgeArtifact(policy, artifact, place);
  const { verdict, disposition, removedFor, reasons } = found.artifact;
  return { verdict, disposition, removedFor, reasons, holds: found.holds, hasFailed: found.hasFailed };
}
const withVerdicts = (verdict: Verdict, disarm: Verdict, more: Partial<Submission> = {}) =>
  file({
    submissions: [submission({ kind: 'static', verdict }), submission({ ...more, kind: 'cdr', verdict: disarm })],
  });

describe('the verdict', () => {
  test('is the worse of two, whichever comes first', () => {
    for (const [at, worse] of VERDICTS.entries())
      for (const milder of VERDICTS.slice(0, at + 1)) {
        expect(worseOf(milder, worse)).toBe(worse);
        expect(worseOf(worse, milder)).toBe(worse);
      }
  });

  test('is the worst of all analyses that judge', () => {
    const policy = parsePolicy('{"types":{"pdf":{"analyses":["static","sandbox","cdr"]}}}');
    for (const one of VERDICTS)
      for (const other of VERDICTS) {
        const submissions = [
          submission({ kind: 'static', verdict: one }),
          submission({ kind: 'sandbox', verdict: other }),
          CDR,
        ];
        expect(judged(file({ submissions }), { policy }).verdict).toBe(worseOf(one, other));
      }
  });

  test('is made worse by a disarm, and never milder', () => {
    const of = (verdict: Verdict, disarm: Verdict) => judged(withVerdicts(verdict, disarm)).verdict;
    expect(VERDICTS.map((disarm) => of('benign', disarm))).toEqual(['benign', 'benign', 'suspicious', 'malicious']);
    expect(VERDICTS.map((disarm) => of('unknown', disarm))).toEqual(['unknown', 'unknown', 'suspicious', 'malicious']);
    expect(VERDICTS.map((disarm) => of('suspicious', disarm))).toEqual([
      'suspicious',
      'suspicious',
      'suspicious',
      'malicious',
    ]);
    expect(VERDICTS.map((disarm) => of('malicious', disarm))).toEqual(Array(4).fill('malicious'));
  });

  test('is unknown when nothing judged it', () => {
    const policy = parsePolicy('{"types":{"pdf":{"analyses":["cdr"]}}}');
    expect(judged(file({ submissions: [CDR] }), { policy })).toMatchObject({
      verdict: 'unknown',
      disposition: 'disarm',
      reasons: ['no analysis could judge it', 'made anew from its safe content'],
    });
    const suspicious = submission({ kind: 'cdr', verdict: 'suspicious' });
    expect(judged(file({ submissions: [suspicious] }), { policy }).verdict).toBe('suspicious');
  });
});

describe('an analysis without a result', () => {
  const classes = ['timeout', 'service_error', 'encrypted', 'unsupported', 'oversize', 'unreadable'];
  const removing = (holding: object = {}) =>
    parsePolicy(
      JSON.stringify({ failures: { ...Object.fromEntries(classes.map((one) => [one, 'remove'])), ...holding } }),
    );
  const failing = (change: Partial<Submission>, kind: Submission['kind'] = 'static') =>
    file({
      submissions:
        kind === 'static' ? [submission({ kind, ...change }), CDR] : [STATIC, submission({ kind, ...change })],
    });
  const lost = (text: string, removedFor: string) => ({
    verdict: expect.anything(),
    disposition: 'remove',
    removedFor,
    reasons: [text],
    holds: [],
    hasFailed: true,
  });

  test.each<[string, Artifact, string, string]>([
    [
      'was never asked for',
      file({ submissions: [CDR] }),
      'static analysis failed (it was never submitted)',
      'service_error',
    ],
    [
      'of the disarm was never asked for',
      file({ submissions: [STATIC] }),
      'disarm failed (it was never submitted)',
      'service_error',
    ],
    [
      'did not come',
      failing({ status: 'accepted', fetched: false }),
      'static analysis did not finish in time (no report came)',
      'timeout',
    ],
    [
      'ended in an error',
      failing({ status: 'error' }),
      'static analysis failed (it ended without a report)',
      'service_error',
    ],
    [
      'was not fetched',
      failing({ fetched: false }),
      'static analysis failed (it ended without a report)',
      'service_error',
    ],
    [
      'has no disarmed file',
      failing({ disarmed: null }, 'cdr'),
      'disarm failed (its report has no disarmed file)',
      'service_error',
    ],
  ])('%s: the file goes', (_, artifact, text, removedFor) => {
    expect(judged(artifact, { policy: removing() })).toEqual(lost(text, removedFor));
  });

  test.each([
    ['timeout', 'static analysis did not finish in time (why)'],
    ['service_error', 'static analysis failed (why)'],
    ['encrypted', 'static analysis cannot look inside: it is encrypted (why)'],
    ['unsupported', 'static analysis cannot handle this type of file (why)'],
    ['oversize', 'static analysis refused it as too large (why)'],
    ['unreadable', 'static analysis could not read it: it is damaged or not what it claims to be (why)'],
  ] as const)('ended as %s, and is told so', (failureClass, text) => {
    const failure = { class: failureClass, detail: 'why' };
    expect(judged(failing({ status: 'error', failure }), { policy: removing() })).toEqual(lost(text, failureClass));
    // A report that says both is a failure.
    expect(judged(failing({ failure }), { policy: removing() })).toEqual(lost(text, failureClass));
  });

  test.each([
    ['sandbox', 'sandbox analysis failed (x)'],
    ['cdr', 'disarm failed (x)'],
  ] as const)('of the kind %s is called so', (kind, text) => {
    const failure = { class: 'service_error' as const, detail: 'x' };
    const submissions = [STATIC, CDR].filter((one) => one.kind !== kind).concat(submission({ kind, failure }));
    expect(judged(file({ submissions })).reasons).toEqual([text]);
  });
  test('of a link is called so', () => {
    const failure = { class: 'service_error' as const, detail: 'x' };
    expect(judged(url(submission({ kind: 'url_analysis', failure }))).reasons).toEqual(['URL analysis failed (x)']);
    expect(judged(url()).reasons).toEqual(['URL analysis failed (it was never submitted)']);
  });

  test('is told each, and the first says why the file went', () => {
    const failure = { class: 'encrypted' as const, detail: 'x' };
    const artifact = file({
      submissions: [
        submission({ kind: 'static', status: 'accepted', fetched: false }),
        submission({ kind: 'cdr', failure }),
      ],
    });
    expect(judged(artifact)).toMatchObject({
      removedFor: 'timeout',
      reasons: [
        'static analysis did not finish in time (no report came)',
        'disarm cannot look inside: it is encrypted (x)',
      ],
    });
  });

  test('keeps the verdict of the others', () => {
    const artifact = file({
      submissions: [submission({ kind: 'static', verdict: 'malicious' }), submission({ kind: 'cdr', disarmed: null })],
    });
    expect(judged(artifact)).toMatchObject({ verdict: 'malicious', disposition: 'remove', hasFailed: true });
  });

  test('holds the message when policy says so, with the parts that the file is in', () => {
    const policy = removing({ timeout: 'quarantine' });
    const artifact = { ...failing({ status: 'accepted', fetched: false }), origins: ['1.2', '1.3'] };
    const [hold, ...rest] = judged(artifact, { policy }).holds;
    expect(rest).toEqual([]);
    expect(hold?.code).toBe('timeout');
    expect(hold?.text).toMatch(
      /^file a+ in part 1\.2, 1\.3: static analysis did not finish in time \(no report came\)$/,
    );
    expect(judged(failing({ status: 'error' }), { policy }).holds).toEqual([]);
  });
});

describe('a container that was not looked at whole', () => {
  test.each([
    ['encrypted', 'encrypted'],
    ['damaged', 'unreadable'],
    ['over_budget', 'oversize'],
    ['unsupported', 'unsupported'],
  ] as const)('because it is %s has failed as %s, whatever its analyses say', (outcome, removedFor) => {
    const opening = { as: 'zip', outcome, detail: 'a wall', untrustedPassword: null } as const;
    const artifact = file({
      typeGroup: 'archive',
      opening,
      submissions: [STATIC, { ...REWRITTEN, readAs: 'archive' }],
    });
    expect(judged(artifact)).toMatchObject({
      disposition: 'remove',
      removedFor,
      reasons: ['not everything inside it was looked at: a wall'],
      hasFailed: true,
    });
  });

  test('is judged by its analyses when it was opened', () => {
    const opening = { as: 'zip', outcome: 'opened', detail: '', untrustedPassword: null } as const;
    const artifact = file({
      typeGroup: 'archive',
      opening,
      submissions: [STATIC, { ...REWRITTEN, readAs: 'archive' }],
    });
    expect(judged(artifact)).toMatchObject({ hasFailed: false, disposition: 'disarm' });
  });
});

describe('an empty file', () => {
  const empty = (typeGroup: FileArtifact['typeGroup']) => judged(file({ typeGroup, size: 0, submissions: [] }));

  test.each(['text', 'html', 'image', 'media', 'pdf', 'office', 'data', 'script'] as const)(
    'of the group %s stays',
    (group) => {
      expect(empty(group)).toEqual({
        verdict: 'benign',
        disposition: 'keep',
        removedFor: null,
        reasons: ['it is empty'],
        holds: [],
        hasFailed: false,
      });
    },
  );

  test.each([
    ['executable', 'a program'],
    ['archive', 'an archive'],
    ['email', 'a message'],
    ['other', 'a file of another kind'],
  ] as const)('of the group %s goes, and is called %s', (group, kind) => {
    expect(empty(group)).toEqual({
      verdict: 'unknown',
      disposition: 'remove',
      removedFor: 'type_not_allowed',
      reasons: [`it is empty, but its name or its header says that it is ${kind}`],
      holds: [],
      hasFailed: false,
    });
  });

  test('is one without a byte', () => {
    expect(judged(file({ size: 1, submissions: [] })).hasFailed).toBe(true);
    expect(judged({ ...url(), size: 0 }).hasFailed).toBe(true);
  });
});

describe('a file whose disarm gave back', () => {
  const disarmedAs = (verdict: Verdict, change: Partial<Submission>, more: Partial<FileArtifact> = {}) =>
    file({ submissions: [submission({ kind: 'static', verdict }), submission({ kind: 'cdr', ...change })], ...more });
  const other = { disarmed: { sha256: OTHER_SHA, size: 8 } };

  test.each<[string, Verdict, Partial<Submission>, string, string | null]>([
    ['the same bytes, benign', 'benign', {}, 'keep', null],
    ['the same bytes, unknown', 'unknown', {}, 'disarm', null],
    ['the same bytes, suspicious', 'suspicious', {}, 'remove', 'suspicious'],
    ['the same bytes, malicious', 'malicious', {}, 'remove', 'malicious'],
    ['other bytes, benign', 'benign', other, 'disarm', null],
    ['other bytes, unknown', 'unknown', other, 'disarm', null],
    ['other bytes, suspicious', 'suspicious', other, 'disarm', null],
    ['other bytes, malicious', 'malicious', other, 'remove', 'malicious'],
    ['the same bytes, read as another group', 'benign', { readAs: 'archive' }, 'remove', 'read_differently'],
    ['other bytes, read as another group', 'benign', { ...other, readAs: 'archive' }, 'remove', 'read_differently'],
    ['the same bytes, without saying how it read them', 'benign', { readAs: null }, 'disarm', null],
    ['other bytes, without saying how it read them', 'suspicious', { ...other, readAs: null }, 'disarm', null],
  ])('%s', (_, verdict, change, disposition, removedFor) => {
    expect(judged(disarmedAs(verdict, change))).toMatchObject({ verdict, disposition, removedFor, hasFailed: false });
  });

  test.each<[Verdict, Partial<Submission>, string[]]>([
    ['benign', {}, ['nothing was found']],
    ['unknown', {}, ['no analysis could judge it', 'made anew from its safe content']],
    ['suspicious', {}, ['the disarm took nothing out of it']],
    ['suspicious', other, ['made anew from its safe content']],
    ['malicious', other, ['policy removes pdf that is malicious']],
    [
      'benign',
      { ...other, untrustedRemoved: ['macro', 'macro', 'form'] },
      ['nothing was found', 'removed: macro, form'],
    ],
    ['benign', { ...other, untrustedSanitized: ['link', 'link'] }, ['nothing was found', 'rewritten: link']],
    ['benign', { ...other, untrustedReasons: ['odd', 'odd'] }, ['odd', 'made anew from its safe content']],
    ['unknown', { untrustedReasons: ['odd'] }, ['odd', 'made anew from its safe content']],
    [
      'benign',
      { readAs: 'archive' },
      ['nothing was found', 'it was judged as pdf, but the disarm read it as another type'],
    ],
    ['malicious', { untrustedRemoved: ['macro'] }, ['policy removes pdf that is malicious']],
  ])('a %s one with %j is told as %j', (verdict, change, reasons) => {
    expect(judged(disarmedAs(verdict, change)).reasons).toEqual(reasons);
  });

  test('a page in another charset is compared with what was sent of it', () => {
    const sent = fileIdOf(OTHER_SHA);
    expect(judged(disarmedAs('benign', other, { disarmAs: sent })).disposition).toBe('keep');
    expect(judged(disarmedAs('benign', {}, { disarmAs: sent })).disposition).toBe('disarm');
  });

  test('code is delivered as the text that it is, and never as it came', () => {
    const policy = parsePolicy(
      '{"types":{"script":{"analyses":["static","cdr"],"verdicts":{"benign":"disarm","unknown":"disarm","suspicious":"disarm"}}}}',
    );
    const code = (verdict: Verdict, origins = ['1.2']) =>
      judged(disarmedAs(verdict, { readAs: 'script' }, { typeGroup: 'script', extension: 'js', origins }), { policy })
        .disposition;
    expect([code('benign'), code('unknown'), code('suspicious')]).toEqual(['disarm', 'disarm', 'disarm']);
    expect(code('benign', ['1.2!1'])).toBe('remove');
  });

  describe('a page', () => {
    const page = (verdict: Verdict, removed: string[], place: Place, remoteContent = 'keep') =>
      judged(
        disarmedAs(
          verdict,
          { ...other, readAs: 'html', untrustedRemoved: removed },
          { typeGroup: 'html', extension: 'html' },
        ),
        {
          place,
          policy: parsePolicy(JSON.stringify({ remoteContent })),
        },
      );

    test.each<[Verdict, string[], Place, string]>([
      ['benign', ['author'], 'body', 'keep'],
      ['benign', ['author'], 'file', 'disarm'],
      ['benign', ['author', 'script'], 'body', 'disarm'],
      ['benign', [], 'body', 'disarm'],
      ['unknown', ['author'], 'body', 'disarm'],
      ['suspicious', ['author'], 'body', 'remove'],
      ['suspicious', ['script'], 'body', 'disarm'],
    ])('that is %s and lost %j, as a %s: %s', (verdict, removed, place, disposition) => {
      expect(page(verdict, removed, place).disposition).toBe(disposition);
    });

    test.each(['remote picture', 'picture set', 'background picture', 'page style', 'linked file', 'page comment'])(
      'that could load something (%s) stays only where policy lets pages load',
      (loss) => {
        expect(page('benign', [loss], 'body').disposition).toBe('keep');
        expect(page('benign', [loss], 'body', 'remove').disposition).toBe('disarm');
        expect(page('benign', [loss], 'body', 'proxy-note').disposition).toBe('disarm');
        expect(page('benign', ['author'], 'body', 'remove').disposition).toBe('keep');
      },
    );

    test('says what is left in it, or that nothing was taken out', () => {
      expect(page('benign', ['author', 'other link'], 'body').reasons).toEqual([
        'nothing was found',
        'nothing in it can act; left in it: author, other link',
      ]);
      expect(page('suspicious', ['author'], 'body').reasons).toEqual([
        'the disarm took nothing out of it that can act',
      ]);
    });
  });
});

describe('what is only in a container', () => {
  const inside = (change: Partial<FileArtifact> = {}) => file({ origins: ['1.2!1'], submissions: [STATIC], ...change });

  test('is judged, and not asked for its own disarmed form', () => {
    expect(judged(inside())).toMatchObject({
      verdict: 'benign',
      hasFailed: false,
      disposition: 'disarm',
      reasons: ['nothing was found', 'policy asks for its disarmed form'],
    });
  });

  test('and beside it is a file like any other', () => {
    expect(judged(inside({ origins: ['1.2!1', '1.3'] })).hasFailed).toBe(true);
  });
});

describe('a link', () => {
  const link = (verdict: Verdict) => judged(url(submission({ kind: 'url_analysis', verdict })));

  test('stays, is defanged, or goes', () => {
    expect(link('benign')).toMatchObject({ disposition: 'keep', reasons: ['nothing was found'] });
    expect(link('unknown')).toMatchObject({
      disposition: 'disarm',
      reasons: ['no analysis could judge it', 'switched off'],
    });
    expect(link('suspicious')).toMatchObject({ disposition: 'disarm', reasons: ['switched off'] });
  });
});

describe('what policy removes', () => {
  const removed = (typeGroup: FileArtifact['typeGroup'], verdict: Verdict) => {
    const submissions = [submission({ kind: 'static', verdict }), { ...REWRITTEN, readAs: null }];
    const policy = parsePolicy(JSON.stringify({ types: { [typeGroup]: { verdicts: { [verdict]: 'remove' } } } }));
    return judged(file({ typeGroup, submissions }), { policy });
  };

  test.each<[FileArtifact['typeGroup'], Verdict, string]>([
    ['pdf', 'benign', 'type_not_allowed'],
    ['pdf', 'unknown', 'unknown'],
    ['pdf', 'suspicious', 'suspicious'],
    ['executable', 'unknown', 'type_not_allowed'],
    ['script', 'unknown', 'type_not_allowed'],
    ['other', 'unknown', 'type_not_allowed'],
    ['executable', 'malicious', 'malicious'],
  ])('a file of the group %s that is %s: %s', (group, verdict, removedFor) => {
    expect(removed(group, verdict)).toMatchObject({ disposition: 'remove', removedFor });
    expect(removed(group, verdict).reasons.at(-1)).toBe(`policy removes ${group} that is ${verdict}`);
  });
});

describe('a container is written anew without what must go', () => {
  const opened = { as: 'zip', outcome: 'opened', detail: '', untrustedPassword: null } as const;
  const anew = { ...REWRITTEN, readAs: 'archive' } as const;
  const container = (change: Partial<FileArtifact> = {}) =>
    isWrittenAnew(file({ typeGroup: 'archive', opening: opened, submissions: [STATIC, anew], ...change }));

  test('when its disarm wrote another file', () => {
    expect(container()).toBe(true);
    expect(container({ typeGroup: 'email', submissions: [STATIC, { ...anew, readAs: 'email' }] })).toBe(true);
    expect(container({ submissions: [STATIC, { ...anew, readAs: null }] })).toBe(true);
    expect(container({ origins: ['1.2!1'], submissions: [STATIC] })).toBe(true);
  });

  test.each<[string, Partial<FileArtifact>]>([
    ['wrote the same file', { submissions: [STATIC, { ...CDR, readAs: 'archive' }] }],
    ['read it as another group', { submissions: [STATIC, { ...anew, readAs: 'office' }] }],
    ['wrote nothing', { submissions: [STATIC, { ...anew, disarmed: null }] }],
    ['was not asked', { submissions: [STATIC] }],
    ['is of a document', { typeGroup: 'office', submissions: [STATIC, { ...anew, readAs: 'office' }] }],
    ['is of a file that is no container', { opening: null }],
    ['is of one that was not opened', { opening: { ...opened, outcome: 'encrypted' } }],
    [
      'is of one inside of another that was not opened',
      { origins: ['1.2!1'], opening: { ...opened, outcome: 'damaged' } },
    ],
  ])('and goes as a whole when it %s', (_, change) => {
    expect(container(change)).toBe(false);
  });
});

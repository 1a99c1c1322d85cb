/** What a person reads about a decision: why each part stayed, was made anew or went, and why a message is held. */
import { describe, expect, test } from 'vitest';
import { decideLedger } from '../../lib/pipeline/decide.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import type { FailureClass, Verdict } from '../../lib/pipeline/model.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { createRig, emailWith, PDF, type RigOptions } from './rig.ts';

const MAIL = emailWith({ files: [{ name: 'a.pdf', type: 'application/pdf', bytes: PDF }] });
const NEW_PDF = new TextEncoder().encode('%PDF-1.4 disarmed %%EOF');

async function pdfOf(script: RigOptions['script'], options: RigOptions = {}) {
  const { ledger } = await createRig({ ...options, ...(script && { script }) }).scan(MAIL);
  const pdf = ledger.artifacts.find(({ typeGroup }) => typeGroup === 'pdf');
  return { ledger, disposition: pdf?.disposition, reasons: pdf?.reasons, verdict: pdf?.verdict };
}

describe('a file that stays, or is made anew', () => {
  test('nothing was found', async () => {
    expect(await pdfOf({})).toMatchObject({ disposition: 'keep', reasons: ['nothing was found'] });
  });

  test('what was found is told once, and what the disarm took out and wrote anew', async () => {
    const script: RigOptions['script'] = {
      answer: ({ kind }) =>
        kind === 'cdr'
          ? {
              disarmed: NEW_PDF,
              reasons: ['odd', 'odder'],
              removed: ['script', 'link', 'script'],
              sanitized: ['name', 'name', 'form'],
            }
          : { reasons: ['odd'] },
    };
    expect(await pdfOf(script)).toMatchObject({
      disposition: 'disarm',
      reasons: ['odd', 'odder', 'removed: script, link', 'rewritten: name, form'],
    });
  });

  test('nothing was taken out, but the bytes are new', async () => {
    expect((await pdfOf({ answer: ({ kind }) => (kind === 'cdr' ? { disarmed: NEW_PDF } : {}) })).reasons).toEqual([
      'nothing was found',
      'made anew from its safe content',
    ]);
  });

  test('no analysis could judge it', async () => {
    const script: RigOptions['script'] = { answer: ({ kind }) => (kind === 'static' ? { verdict: 'unknown' } : {}) };
    expect(await pdfOf(script)).toMatchObject({
      verdict: 'unknown',
      disposition: 'disarm',
      reasons: ['no analysis could judge it', 'made anew from its safe content'],
    });
  });

  test('an unknown file with findings is not reported as unjudged', async () => {
    const script: RigOptions['script'] = {
      answer: ({ kind }) => (kind === 'static' ? { verdict: 'unknown', reasons: ['odd'] } : {}),
    };
    expect((await pdfOf(script)).reasons).toEqual(['odd', 'made anew from its safe content']);
  });

  test('a link is defanged', async () => {
    const script: RigOptions['script'] = {
      answer: ({ kind }) => (kind === 'url_analysis' ? { verdict: 'suspicious', reasons: ['a trap'] } : {}),
    };
    const { ledger } = await createRig({ script }).scan(emailWith({ text: 'see https://bad.example/x' }));
    expect(ledger.artifacts.find(({ type }) => type === 'url')?.reasons).toEqual(['a trap', 'switched off']);
  });
});

describe('a file that is removed', () => {
  test('because the disarm read it as another type', async () => {
    expect((await pdfOf({ answer: () => ({ readAs: 'archive' }) })).reasons).toEqual([
      'nothing was found',
      'it was judged as pdf, but the disarm read it as another type',
    ]);
  });

  test('because policy removes such a file', async () => {
    const policy = parsePolicy('{"types":{"pdf":{"verdicts":{"unknown":"remove"}}}}');
    const script: RigOptions['script'] = { answer: ({ kind }) => (kind === 'static' ? { verdict: 'unknown' } : {}) };
    expect((await pdfOf(script, { policy })).reasons).toEqual([
      'no analysis could judge it',
      'policy removes pdf that is unknown',
    ]);
  });

  test('because it is suspicious and the disarm took nothing out of it, or nothing that can act', async () => {
    const suspicious = { verdict: 'suspicious', reasons: ['a trap'] } as const;
    const script: RigOptions['script'] = { answer: ({ kind }) => (kind === 'static' ? suspicious : {}) };
    expect((await pdfOf(script)).reasons).toEqual(['a trap', 'the disarm took nothing out of it']);
    const page = emailWith({ html: '<p>hello<!-- a --></p>' });
    const passive: RigOptions['script'] = {
      answer: ({ kind }) =>
        kind === 'cdr' ? { disarmed: Buffer.from('<p>hello</p>'), removed: ['page comment'] } : suspicious,
    };
    const { ledger } = await createRig({ script: passive }).scan(page);
    expect(ledger.artifacts.find(({ typeGroup }) => typeGroup === 'html')?.reasons).toEqual([
      'a trap',
      'the disarm took nothing out of it that can act',
    ]);
  });

  test.each<[FailureClass, string]>([
    ['timeout', 'disarm did not finish in time (why)'],
    ['service_error', 'disarm failed (why)'],
    ['encrypted', 'disarm cannot look inside: it is encrypted (why)'],
    ['unsupported', 'disarm cannot handle this type of file (why)'],
    ['oversize', 'disarm refused it as too large (why)'],
    ['unreadable', 'disarm could not read it: it is damaged or not what it claims to be (why)'],
  ])('because its disarm failed: %s', async (failureClass, reason) => {
    const policy = parsePolicy(JSON.stringify({ failures: { [failureClass]: 'quarantine' } }));
    const script: RigOptions['script'] = {
      answer: ({ kind }) => (kind === 'cdr' ? { failure: { class: failureClass, detail: 'why' } } : {}),
    };
    const { ledger, reasons, disposition } = await pdfOf(script, { policy });
    expect({ reasons, disposition }).toEqual({ reasons: [reason], disposition: 'remove' });
    const { sha256 = '' } = ledger.parts[2] ?? {};
    expect(ledger.reasons).toEqual([
      { code: failureClass, text: `file ${sha256?.slice(0, 16)} in part 1.2: ${reason}` },
    ]);
  });

  test('because its static analysis failed', async () => {
    const failure = { class: 'encrypted', detail: 'why' } as const;
    const { reasons } = await pdfOf({ answer: ({ kind }) => (kind === 'static' ? { failure } : {}) });
    expect(reasons).toEqual(['static analysis cannot look inside: it is encrypted (why)']);
  });

  test('because the analysis of a link failed, so that the link is defanged', async () => {
    const failure = { class: 'timeout', detail: 'why' } as const;
    const script: RigOptions['script'] = { answer: ({ kind }) => (kind === 'url_analysis' ? { failure } : {}) };
    const { ledger } = await createRig({ script }).scan(emailWith({ text: 'see https://bad.example/x' }));
    const link = ledger.artifacts.find(({ type }) => type === 'url');
    expect(link).toMatchObject({ disposition: 'remove', reasons: ['URL analysis did not finish in time (why)'] });
  });
});

describe('a ledger whose analyses are not what they should be', () => {
  const scanned = async () => (await createRig().scan(MAIL)).ledger;
  type Submission = Ledger['artifacts'][number]['submissions'][number];
  const withSubmission = (ledger: Ledger, kind: string, change: (one: Submission) => Submission[]): Ledger => ({
    ...ledger,
    artifacts: ledger.artifacts.map((artifact) =>
      artifact.typeGroup === 'pdf'
        ? { ...artifact, submissions: artifact.submissions.flatMap((one) => (one.kind === kind ? change(one) : [one])) }
        : artifact,
    ),
  });

  test.each<[string, string, (one: Submission) => Submission[], string]>([
    ['was never asked for', 'static', () => [], 'static analysis failed (it was never submitted)'],
    [
      'still runs',
      'static',
      (one) => [{ ...one, status: 'accepted' }],
      'static analysis did not finish in time (no report came)',
    ],
    [
      'ended in an error that nobody explains',
      'static',
      (one) => [{ ...one, status: 'error' }],
      'static analysis failed (it ended without a report)',
    ],
    [
      'has a report that was not fetched',
      'static',
      (one) => [{ ...one, fetched: false }],
      'static analysis failed (it ended without a report)',
    ],
    [
      'has no disarmed file',
      'cdr',
      (one) => [{ ...one, disarmed: null }],
      'disarm failed (its report has no disarmed file)',
    ],
  ])('an analysis that %s keeps nothing', async (_, kind, change, reason) => {
    const decided = decideLedger(DEFAULT_POLICY, withSubmission(await scanned(), kind, change));
    const pdf = decided.artifacts.find(({ typeGroup }) => typeGroup === 'pdf');
    expect(pdf).toMatchObject({ disposition: 'remove', reasons: [reason] });
  });

  test.each<[Verdict, Verdict, string]>([
    ['benign', 'benign', 'benign'],
    ['benign', 'unknown', 'benign'],
    ['benign', 'suspicious', 'suspicious'],
    ['suspicious', 'benign', 'suspicious'],
    ['suspicious', 'malicious', 'malicious'],
    ['malicious', 'suspicious', 'malicious'],
    ['unknown', 'suspicious', 'suspicious'],
    ['unknown', 'benign', 'unknown'],
  ])('judged %s, and %s by the disarm, is %s', async (judged, lifted, verdict) => {
    const script: RigOptions['script'] = {
      answer: ({ kind }) => ({ verdict: kind === 'static' ? judged : kind === 'cdr' ? lifted : 'benign' }),
    };
    expect((await pdfOf(script)).verdict).toBe(verdict);
  });
});

describe('an empty file', () => {
  test.each([
    ['a.txt', 'benign', 'keep', 'it is empty'],
    ['a.pdf', 'benign', 'keep', 'it is empty'],
    ['a.html', 'benign', 'keep', 'it is empty'],
    ['a.png', 'benign', 'keep', 'it is empty'],
    ['a.docx', 'benign', 'keep', 'it is empty'],
  ])('%s is %s: %s', async (name, verdict, disposition, reason) => {
    const { ledger } = await createRig().scan(emailWith({ files: [{ name, bytes: '' }] }));
    expect(ledger.artifacts.find(({ size }) => size === 0)).toMatchObject({ verdict, disposition, reasons: [reason] });
  });

  test('with the name of a program is removed without an analysis', async () => {
    const rig = createRig();
    const { ledger } = await rig.scan(emailWith({ files: [{ name: 'a.exe', bytes: '' }] }));
    const empty = ledger.artifacts.find(({ size }) => size === 0);
    expect(empty).toMatchObject({ verdict: 'unknown', disposition: 'remove', submissions: [] });
    expect(empty?.reasons).toEqual(['it is empty, but its name or its header says that it is a program']);
  });
});

describe('a message that is held', () => {
  test('for a verdict: it says what, where and why', async () => {
    const script: RigOptions['script'] = {
      answer: ({ kind }) => (kind === 'static' ? { verdict: 'malicious', reasons: ['one', 'two'] } : {}),
    };
    const { ledger } = await pdfOf(script);
    const pdf = ledger.parts[2]?.sha256 ?? '';
    expect(ledger.reasons).toContainEqual({
      code: 'malicious',
      text: `file ${pdf.slice(0, 16)} in part 1.2: one; two; policy removes pdf that is malicious`,
    });
  });

  test('for a warning: with its part, or without one, and readings that disagree are unreadable', async () => {
    const { ledger } = await createRig().scan(MAIL);
    const warnings = [
      { code: 'readings_disagree', path: null, detail: 'two readings' },
      { code: 'readings_disagree', path: '1.2', detail: 'two readings' },
      { code: 'limit_exceeded', path: '1.1', detail: 'too many' },
      { code: 'header_removed', path: '1.1', detail: 'harmless' },
    ] as const;
    expect(decideLedger(DEFAULT_POLICY, { ...ledger, warnings: [...warnings] }).reasons).toEqual([
      { code: 'unreadable', text: 'two readings' },
      { code: 'unreadable', text: 'part 1.2: two readings' },
      { code: 'limit_exceeded', text: 'part 1.1: too many' },
    ]);
  });

  test('for many files of one kind: the first fifty one by one, and how many more', async () => {
    const files = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ name: `f${at}.pdf`, bytes: `${PDF}${at}` }));
    const policy = parsePolicy('{"failures":{"encrypted":"quarantine"}}');
    const failure = { class: 'encrypted', detail: 'why' } as const;
    const script: RigOptions['script'] = { answer: ({ kind }) => (kind === 'cdr' ? { failure } : {}) };
    const reasonsOf = async (count: number) =>
      (await createRig({ policy, script }).scan(emailWith({ files: files(count) }))).ledger.reasons;
    const fifty = await reasonsOf(50);
    expect(fifty).toHaveLength(50);
    expect(fifty.at(-1)?.text).not.toContain('more reasons');
    const more = await reasonsOf(53);
    expect(more).toHaveLength(51);
    expect(more.slice(0, 50).filter(({ text }) => text.includes('more reasons'))).toEqual([]);
    expect(more.at(-1)?.text).toMatch(/^file [0-9a-f]{16} in part 1\.52: .*, and 2 more reasons like it$/);
  });

  test('because nothing of a bare file is left: it says what an email looks like', async () => {
    const { ledger } = await createRig().scan(new Uint8Array([0x4d, 0x5a, 0, 1, 2]), 'tool.exe');
    const [file] = ledger.artifacts;
    expect(ledger.reasons).toEqual([
      {
        code: 'nothing_left',
        text: `it is not an email but a single file (${file?.typeGroup}), and the file may not be delivered: ${file?.reasons.join('; ')}. An email starts with header lines such as From: and Subject:`,
      },
    ]);
    expect(file?.reasons.length).toBeGreaterThan(0);
  });

  test('because it has no parts, unless it is known why it could not be read', async () => {
    const { ledger } = await createRig().scan(MAIL);
    const empty = { ...ledger, parts: [], artifacts: [], urls: [], warnings: [] };
    expect(decideLedger(DEFAULT_POLICY, empty)).toMatchObject({
      disposition: 'quarantine',
      reasons: [{ code: 'unreadable', text: 'no part was found in the message' }],
    });
    const failure = { class: 'oversize', detail: 'too large' } as const;
    expect(decideLedger(DEFAULT_POLICY, { ...empty, failure }).reasons).toEqual([
      { code: 'oversize', text: 'too large' },
    ]);
  });
});

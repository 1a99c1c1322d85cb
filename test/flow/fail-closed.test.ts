import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnalyzerRefusal, TransientError } from '../../lib/pipeline/errors.ts';
import { FAILURE_CLASSES, VERDICTS } from '../../lib/pipeline/model.ts';
import { DEFAULT_POLICY } from '../../lib/pipeline/policy/policy.ts';
import { type Answer, createRig, emailWith, PDF, type RigOptions } from '../pipeline/rig.ts';

const MAIL = emailWith({ files: [{ name: 'report.pdf', type: 'application/pdf', bytes: PDF }] });
const PDF_BASE64 = Buffer.from(PDF).toString('base64').slice(0, 60);

/** Scans MAIL and returns what became of it; `isPdfIn` is whether the attachment's own bytes are in what was delivered. */
async function check(options: RigOptions) {
  const rig = createRig(options);
  const scanned = await rig.scan(MAIL);
  const terminal = scanned.ledger.terminal?.state ?? null;
  return {
    rig,
    ...scanned,
    terminal,
    codes: scanned.ledger.reasons.map(({ code }) => code),
    isPdfIn: scanned.clean?.includes(PDF_BASE64) ?? false,
  };
}

const onPdf = (answer: Answer): RigOptions => ({
  script: { answer: (request) => (request.kind !== 'url_analysis' && request.filename.endsWith('.pdf') ? answer : {}) },
});

test('delivers a mail whose every report is benign and whose files were already safe', async () => {
  const { terminal, isPdfIn, ledger } = await check({});
  expect({ terminal, isPdfIn }).toEqual({ terminal: 'delivered', isPdfIn: true });
  expect(ledger.parts.map(({ path, disposition }) => [path, disposition])).toEqual([
    ['1', null],
    ['1.1', 'keep'],
    ['1.2', 'keep'],
  ]);
});

describe('a report that never comes', () => {
  test('ends at the deadline of the run, as a timeout, in quarantine', async () => {
    const script = { answer: () => 'pending' as const, onPoll: () => rig.advance(600_000) };
    const rig = createRig({ script });
    const { ledger, clean } = await rig.scan(MAIL);
    expect(ledger.terminal?.state).toBe('quarantined');
    expect(new Set(ledger.reasons.map(({ code }) => code))).toEqual(new Set(['timeout']));
    expect(clean).toBeNull();
  });

  test('a service that is away for ever does not keep the run for ever', async () => {
    const script = { refuse: () => new TransientError('connection refused') };
    const { terminal, codes, clean } = await check({ script });
    expect({ terminal, codes, clean }).toEqual({ terminal: 'quarantined', codes: ['run_failed'], clean: null });
  });
});

describe('a report that failed', () => {
  test.each(FAILURE_CLASSES)('%s never delivers the file, and does what the policy says', async (failureClass) => {
    const failure = { class: failureClass, detail: 'as scripted' };
    const { terminal, isPdfIn, codes } = await check(onPdf({ verdict: 'unknown', failure }));
    const isHeld = DEFAULT_POLICY.failures[failureClass] === 'quarantine';
    expect({ terminal, isPdfIn }).toEqual({ terminal: isHeld ? 'quarantined' : 'delivered', isPdfIn: false });
    expect(codes.includes(failureClass)).toBe(isHeld);
  });

  test('a benign verdict beside a failure does not count', async () => {
    const { isPdfIn } = await check(onPdf({ verdict: 'benign', failure: { class: 'unsupported', detail: '' } }));
    expect(isPdfIn).toBe(false);
  });

  test('a submission that the service refuses is a failure of its class', async () => {
    const refuse = () => new AnalyzerRefusal('oversize', 'too large');
    const { terminal, codes } = await check({ script: { refuse } });
    expect(terminal).toBe('quarantined');
    expect(codes).toContain('oversize');
  });

  test('a report that cannot be understood is a failure', async () => {
    const { terminal, codes } = await check(onPdf(new AnalyzerRefusal('service_error', 'unknown level "fine"')));
    expect({ terminal, codes: [...new Set(codes)] }).toEqual({ terminal: 'quarantined', codes: ['service_error'] });
  });

  test('a disarm without a disarmed file is a failure', async () => {
    const answer = (): Answer => ({ hasDisarmedFile: false });
    const { terminal, isPdfIn } = await check({ script: { answer } });
    expect({ terminal, isPdfIn }).toEqual({ terminal: 'quarantined', isPdfIn: false });
  });
});

describe('a verdict', () => {
  test('unknown is never delivered as it was, in any type of file', async () => {
    const files = [
      { name: 'a.pdf', bytes: PDF },
      { name: 'b.txt', type: 'text/plain', bytes: 'plain words' },
      { name: 'c.exe', bytes: 'MZ and more' },
      { name: 'd.bin', bytes: new Uint8Array([1, 2, 3, 0, 255]) },
    ];
    const disarmed = new TextEncoder().encode('%PDF-1.4 disarmed %%EOF');
    const answer = (): Answer => ({ verdict: 'unknown', disarmed });
    const rig = createRig({ script: { answer } });
    const { clean } = await rig.scan(emailWith({ files, text: 'body words' }));
    for (const { bytes } of files) expect(clean).not.toContain(Buffer.from(bytes).toString('base64'));
    expect(clean).not.toContain('body words');
  });

  test('malicious holds the message', async () => {
    const { terminal, codes } = await check(onPdf({ verdict: 'malicious', reasons: ['a test'] }));
    expect({ terminal, codes }).toEqual({ terminal: 'quarantined', codes: ['malicious'] });
  });
});

describe('what the service calls disarmed', () => {
  test.each([
    ['a program', 'MZ\u0090 not a document'],
    ['another type of file', '<html><script>alert(1)</script></html>'],
    ['nothing that is known', '\u0000\u0001\u0002'],
    ['nothing at all', ''],
  ])('is not delivered when it is %s', async (_, bytes) => {
    const disarmed = new TextEncoder().encode(bytes);
    const { terminal, clean } = await check(onPdf({ verdict: 'suspicious', disarmed }));
    expect({ terminal, clean }).toEqual({ terminal: 'quarantined', clean: null });
  });
});

describe('a message that would fill its ledger', () => {
  const links = Array.from({ length: 400 }, (_, index) => `<a href="${index}">x</a>`).join('');
  const html = `<base href="https://long.example/${'a'.repeat(7_900)}/">${links}`;

  test('is quarantined with the reason, never lost', async () => {
    const rig = createRig({ limits: { ledgerBytes: 400_000, urls: 400 } });
    const { ledger, runId } = await rig.scan(emailWith({ html }));
    expect(ledger.reasons.map(({ code }) => code)).toEqual(['oversize']);
    expect(rig.blobs.list('quarantine')).toEqual([`${runId}/original`, `${runId}/record.json`]);
  });

  test('and one of more URLs than can be listed is quarantined too', async () => {
    const many = Array.from(
      { length: 1_200 },
      (_, index) => `<a href="https://x.example/${index % 3}?${'A'.repeat(index % 5)}">x</a>`,
    );
    const { ledger } = await createRig({ limits: { urlPlaces: 10 } }).scan(emailWith({ html: many.join('') }));
    expect(ledger.reasons.map(({ code }) => code)).toContain('urls_over_limit');
  });

  test('and so is one that repeats a few URLs more often than they are counted', async () => {
    const { ledger } = await createRig().scan(emailWith({ text: 'ab.de '.repeat(320_000) }));
    expect(ledger.reasons.map(({ code }) => code)).toContain('urls_over_limit');
  });
});

describe('a stage that breaks', () => {
  const failing = (method: 'report' | 'progress' | 'submit'): RigOptions => ({
    overrides: ({ analyzer }) => ({
      analyzer: { ...analyzer, [method]: async () => Promise.reject(new Error(`${method} has a bug`)) },
    }),
  });

  test.each(['submit', 'progress', 'report'] as const)('in %s ends in quarantine with the reason', async (method) => {
    const { terminal, ledger } = await check(failing(method));
    expect(terminal).toBe('quarantined');
    expect(ledger.reasons).toContainEqual({ code: 'run_failed', text: `Error: ${method} has a bug` });
  });

  test('a disarmed file that changed in the work bucket is not delivered', async () => {
    const disarmed = new TextEncoder().encode('%PDF-1.4 disarmed %%EOF');
    const overrides: RigOptions['overrides'] = ({ blobs }) => ({
      blobs: {
        ...blobs,
        put: (bucket, key, body, options) =>
          blobs.put(bucket, key, key.startsWith('disarmed/') ? new TextEncoder().encode('%PDF- evil') : body, options),
      },
    });
    const { terminal, clean } = await check({ ...onPdf({ verdict: 'suspicious', disarmed }), overrides });
    expect({ terminal, clean }).toEqual({ terminal: 'quarantined', clean: null });
  });

  test('an intake object that was replaced after it was judged is not delivered', async () => {
    const rig = createRig({
      script: {
        onPoll: () =>
          void rig.blobs.put('intake', 'mail.eml', new TextEncoder().encode(MAIL.replace('Hello', 'HELLO'))),
      },
    });
    const { ledger, clean } = await rig.scan(MAIL);
    expect({ state: ledger.terminal?.state, clean }).toEqual({ state: 'quarantined', clean: null });
  });

  test('a quarantine that fails for a moment is repeated', async () => {
    let failures = 2;
    const overrides: RigOptions['overrides'] = ({ blobs }) => ({
      blobs: {
        ...blobs,
        copy: async (source, target) => {
          if (failures-- > 0) throw new TransientError('slow down');
          return blobs.copy(source, target);
        },
      },
    });
    const { terminal, rig, runId } = await check({ ...onPdf({ verdict: 'malicious' }), overrides });
    expect(terminal).toBe('quarantined');
    expect(rig.blobs.list('quarantine')).toEqual([`${runId}/original`, `${runId}/record.json`]);
  });
});

test('whatever the service answers: one terminal state, and nothing but benign or disarmed bytes delivered', async () => {
  const answers: fc.Arbitrary<Answer> = fc.oneof(
    fc.constantFrom(...VERDICTS).map((verdict) => ({ verdict })),
    fc
      .constantFrom(...FAILURE_CLASSES)
      .map((failureClass) => ({ verdict: 'unknown' as const, failure: { class: failureClass, detail: '' } })),
    fc.constant(new AnalyzerRefusal('service_error', 'no')),
    fc.constant(new TransientError('later')),
    fc.constant(new Error('bug')),
    fc.constant('pending' as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(answers, { minLength: 3, maxLength: 3 }), async ([first, second, third]) => {
      const byKind = { static: first, cdr: second, sandbox: third, url_analysis: third };
      const answer = (request: { kind: keyof typeof byKind }) => byKind[request.kind] as Answer;
      const rig = createRig({ script: { answer, onPoll: () => rig.advance(300_000) } });
      const { ledger, clean } = await rig.scan(MAIL);
      expect(ledger.terminal).not.toBeNull();
      expect(ledger.terminal?.state === 'delivered').toBe(clean !== null);
      expect(rig.events).toHaveLength(1);
      const pdf = ledger.artifacts.find(({ typeGroup }) => typeGroup === 'pdf');
      if (clean?.includes(PDF_BASE64))
        expect(pdf?.submissions.every(({ failure, status }) => failure === null && status === 'completed')).toBe(true);
    }),
    { numRuns: 60 },
  );
});

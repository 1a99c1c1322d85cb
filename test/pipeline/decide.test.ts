import { describe, expect, test } from 'vitest';
import { PASSIVE } from '../../lib/engines/disarm/html/rules.ts';
import { decideLedger } from '../../lib/pipeline/decide.ts';
import { PASSIVE_KINDS } from '../../lib/pipeline/judging/body-removals.ts';
import { tally } from '../../lib/pipeline/ledger/conservation.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import type { Verdict } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { createRig, emailWith, PDF, type RigOptions } from './rig.ts';

async function decided(mail: string, options: RigOptions = {}) {
  return (await createRig(options).scan(mail)).ledger;
}

const MAIL = emailWith({
  text: 'see https://bad.example/x',
  html: '<p>see <a href="https://bad.example/x">this</a></p>',
  files: [{ name: 'a.pdf', type: 'application/pdf', bytes: PDF }],
});

const url = (verdict: 'benign' | 'suspicious' | 'malicious' | 'unknown'): RigOptions => ({
  script: { answer: ({ kind }) => (kind === 'url_analysis' ? { verdict } : {}) },
});

describe('URLs', () => {
  test.each(['suspicious', 'unknown'] as const)(
    '%s: defanged in the bodies that hold it, message delivered',
    async (verdict) => {
      const ledger = await decided(MAIL, url(verdict));
      expect(ledger.disposition).toBe('deliver');
      expect(ledger.artifacts.find(({ type }) => type === 'url')?.disposition).toBe('disarm');
      const dispositions = Object.fromEntries(ledger.parts.map(({ path, disposition }) => [path, disposition]));
      expect(dispositions).toEqual({ '1': null, '1.1': 'disarm', '1.2': 'disarm', '1.3': 'keep' });
    },
  );

  test('a malicious URL holds the message', async () => {
    expect((await decided(MAIL, url('malicious'))).reasons.map(({ code }) => code)).toEqual(['malicious']);
  });

  test('a benign URL leaves every byte as it is', async () => {
    expect(tally(await decided(MAIL, url('benign')))).toEqual({
      in: 3,
      kept: 3,
      disarmed: 0,
      removed: 0,
      undecided: 0,
    });
  });
});

describe('the policy', () => {
  test('decides what a verdict leads to, per type group', async () => {
    const policy = parsePolicy('{"types":{"pdf":{"verdicts":{"benign":"remove"}}}}');
    const ledger = await decided(MAIL, { policy });
    expect(ledger.parts.find(({ path }) => path === '1.3')?.disposition).toBe('remove');
    expect(ledger.parts.find(({ path }) => path === '1.1')?.disposition).toBe('keep');
  });

  test('can hold a message for a verdict less than malicious', async () => {
    const policy = parsePolicy('{"message":{"quarantineVerdicts":["malicious","suspicious"]}}');
    const ledger = await decided(MAIL, { ...url('suspicious'), policy });
    expect(ledger.reasons.map(({ code }) => code)).toEqual(['suspicious']);
  });

  test.each([
    'timeout',
    'service_error',
    'encrypted',
    'unsupported',
    'oversize',
    'unreadable',
    'unsafe_output',
  ] as const)('says whether the file goes or the message is held, of %s', async (failureClass) => {
    const script: RigOptions['script'] = {
      answer: ({ kind }) =>
        kind === 'cdr' ? { verdict: 'unknown', failure: { class: failureClass, detail: '' } } : {},
    };
    const removing = parsePolicy(JSON.stringify({ failures: { [failureClass]: 'remove' } }));
    const removed = await decided(MAIL, { script, policy: removing });
    expect([removed.disposition, removed.parts.find(({ path }) => path === '1.3')?.disposition]).toEqual([
      'deliver',
      'remove',
    ]);
    const holding = parsePolicy(JSON.stringify({ failures: { [failureClass]: 'quarantine' } }));
    expect((await decided(MAIL, { script, policy: holding })).reasons[0]?.code).toBe(failureClass);
  });
});

test('the same bytes under a harmless and a harmful name are judged as the harmful one', async () => {
  const files = [
    { name: 'a.txt', type: 'text/plain', bytes: 'echo hi' },
    { name: 'a.bat', bytes: 'echo hi' },
  ];
  const ledger = await decided(emailWith({ files }));
  expect(ledger.parts.filter(({ role }) => role === 'attachment').map(({ disposition }) => disposition)).toEqual([
    'disarm',
    'disarm',
  ]);
  expect(ledger.artifacts.filter(({ typeGroup }) => typeGroup === 'script')).toHaveLength(1);
});

test('an artifact that was never submitted is not delivered', async () => {
  const rig = createRig();
  const run = await parse(rig.ctx, await rig.intake(MAIL));
  const ledger = decideLedger(DEFAULT_POLICY, await rig.ledger(run.runId));
  expect(ledger.disposition).toBe('quarantine');
  expect(tally(ledger)).toMatchObject({ kept: 0, disarmed: 0 });
});

test('an artifact of no part, or a part of no artifact, holds the message', async () => {
  const rig = createRig();
  const { ledger } = await rig.scan(MAIL);
  const broken: Ledger = { ...ledger, artifacts: ledger.artifacts.filter(({ typeGroup }) => typeGroup !== 'pdf') };
  expect(decideLedger(DEFAULT_POLICY, broken).reasons.map(({ code }) => code)).toContain('inconsistent');
});

test('a file that may not be delivered leaves nothing, so it is held', async () => {
  const rig = createRig();
  const { ledger } = await rig.scan(new Uint8Array([0x4d, 0x5a, 0, 1, 2]), 'tool.exe');
  expect(ledger.kind).toBe('file');
  expect(ledger.reasons.map(({ code }) => code)).toEqual(['nothing_left']);
});

test.each([
  ['benign', 'keep'],
  ['unknown', 'disarm'],
  ['suspicious', 'remove'],
] as const)('a %s file that a disarm gives back unchanged: %s', async (verdict, disposition) => {
  const script: RigOptions['script'] = { answer: ({ kind }) => (kind === 'static' ? { verdict } : {}) };
  const ledger = await decided(emailWith({ files: [{ name: 'a.pdf', type: 'application/pdf', bytes: PDF }] }), {
    script,
  });
  const pdf = ledger.artifacts.find(({ typeGroup }) => typeGroup === 'pdf');
  expect(pdf?.disposition).toBe(disposition);
  if (disposition === 'remove') expect(pdf?.reasons).toContain('the disarm took nothing out of it');
});

describe('a body of which the disarm took out only what cannot act', () => {
  const PAGE = '<p>hello<!-- a --><img src="https://shop.example/a.png"></p>';
  const disarmed = new TextEncoder().encode('<p>hello</p>');
  const losing = (
    removed: string[],
    verdict: Verdict = 'benign',
    sanitized: string[] = [],
  ): NonNullable<RigOptions['script']> => ({
    answer: ({ kind }) =>
      kind === 'cdr' ? { disarmed, removed, sanitized } : { verdict: kind === 'static' ? verdict : 'benign' },
  });
  const judged = async (mail: string, script: NonNullable<RigOptions['script']>) => {
    const { ledger, clean } = await createRig({ script }).scan(mail);
    return { page: ledger.artifacts.find(({ typeGroup }) => typeGroup === 'html'), clean };
  };

  test.each([...PASSIVE_KINDS])('stays as it came: %s', async (kind) => {
    const { page, clean } = await judged(emailWith({ html: PAGE }), losing([kind, 'page comment']));
    expect(page?.disposition).toBe('keep');
    expect(page?.reasons).toContain(`nothing in it can act; left in it: ${kind}, page comment`);
    expect(clean).toContain(PAGE);
  });

  test.each([
    ['a script was among it', ['page comment', 'script'], []],
    ['the list goes on', ['page comment', 'more of the kinds above'], []],
    ['the service has other words', ['Remote picture'], []],
    ['the service does not say what', [], []],
    ['something was rewritten', ['page comment'], ['XHTML']],
  ])('goes when %s', async (_, removed, sanitized) => {
    const { page, clean } = await judged(emailWith({ html: PAGE }), losing(removed, 'benign', sanitized));
    expect(page?.disposition).toBe('disarm');
    expect(clean).not.toContain('shop.example');
  });

  test.each([
    ['unknown', 'disarm'],
    ['suspicious', 'remove'],
  ] as const)('goes when it is %s', async (verdict, disposition) => {
    const { page } = await judged(emailWith({ html: PAGE }), losing(['page comment'], verdict));
    expect(page?.disposition).toBe(disposition);
  });

  test('is removed when it is a file, or also stands in the message as a file', async () => {
    const files = [{ name: 'a.html', type: 'text/html', bytes: PAGE }];
    for (const mail of [emailWith({ text: 'see it', files }), emailWith({ html: PAGE, files })]) {
      const { page, clean } = await judged(mail, losing(['page comment']));
      expect(page?.disposition).toBe('disarm');
      expect(clean).not.toContain('shop.example');
    }
  });

  test("in the words of the project's own disarm", () => {
    expect([...PASSIVE_KINDS].toSorted()).toEqual(Object.values(PASSIVE).toSorted());
  });
});

test.each([
  ['pdf', 'keep'],
  ['archive', 'remove'],
  ['text', 'remove'],
  [null, 'disarm'],
] as const)('a PDF that a disarm gives back unchanged, read as %s: %s', async (readAs, disposition) => {
  const script: RigOptions['script'] = { answer: () => ({ readAs }) };
  const mail = emailWith({ files: [{ name: 'a.pdf', type: 'application/pdf', bytes: PDF }] });
  const ledger = await decided(mail, { script });
  expect(ledger.disposition).toBe('deliver');
  expect(ledger.parts.find(({ path }) => path === '1.2')?.disposition).toBe(disposition);
});

test('the same bytes under names of two types of one group count as neither', async () => {
  const bytes = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\nEND:VCARD\r\n';
  const files = [
    { name: 'a.csv', bytes },
    { name: 'a.vcf', bytes },
  ];
  const dispositions = (ledger: Ledger) => ledger.parts.slice(2).map(({ disposition }) => disposition);
  expect(dispositions(await decided(emailWith({ files })))).toEqual(['remove', 'remove']);
  const twice = files.map((file) => ({ ...file, name: `${file.name}.vcf` }));
  expect(dispositions(await decided(emailWith({ files: twice })))).toEqual(['keep', 'keep']);
});

test('run twice, it leaves the same ledger', async () => {
  const rig = createRig();
  const { ledger } = await rig.scan(MAIL);
  expect(decideLedger(DEFAULT_POLICY, ledger)).toEqual(
    decideLedger(DEFAULT_POLICY, decideLedger(DEFAULT_POLICY, ledger)),
  );
});

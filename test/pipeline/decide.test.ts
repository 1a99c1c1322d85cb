import { describe, expect, test } from 'vitest';
import { tally } from '../../lib/pipeline/conservation.ts';
import { decideLedger } from '../../lib/pipeline/decide.ts';
import type { Ledger } from '../../lib/pipeline/ledger.ts';

import { parse } from '../../lib/pipeline/parse.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../lib/pipeline/policy.ts';
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
    '%s: unclickable in the bodies that hold it, message delivered',
    async (verdict) => {
      const ledger = await decided(MAIL, url(verdict));
      expect(ledger.disposition).toBe('deliver');
      expect(ledger.artifacts.find(({ type }) => type === 'url')?.disposition).toBe('disarm');
      const dispositions = Object.fromEntries(ledger.parts.map(({ path, disposition }) => [path, disposition]));
      expect(dispositions).toEqual({ '1': null, '1.1': 'disarm', '1.2': 'disarm', '1.3': 'keep' });
    },
  );

  test('malicious: the message is held', async () => {
    expect((await decided(MAIL, url('malicious'))).reasons.map(({ code }) => code)).toEqual(['malicious']);
  });

  test('benign: every byte stays', async () => {
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

  test('says per failure class whether the file goes or the message is held', async () => {
    const script: RigOptions['script'] = {
      answer: ({ kind }) => (kind === 'cdr' ? { verdict: 'unknown', failure: { class: 'encrypted', detail: '' } } : {}),
    };
    expect((await decided(MAIL, { script })).disposition).toBe('deliver');
    const policy = parsePolicy('{"failures":{"encrypted":"quarantine"}}');
    expect((await decided(MAIL, { script, policy })).reasons[0]?.code).toBe('encrypted');
  });
});

test('the same bytes under a harmless and a harmful name are judged as the harmful one', async () => {
  const files = [
    { name: 'a.txt', type: 'text/plain', bytes: 'echo hi' },
    { name: 'a.bat', bytes: 'echo hi' },
  ];
  const ledger = await decided(emailWith({ files }));
  expect(ledger.parts.filter(({ role }) => role === 'attachment').map(({ disposition }) => disposition)).toEqual([
    'remove',
    'remove',
  ]);
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

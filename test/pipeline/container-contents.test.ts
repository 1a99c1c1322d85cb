import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import { fileIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import { fileOf, filesById } from '../../lib/pipeline/ledger/artifacts-of.ts';
import { checkConservation, tally } from '../../lib/pipeline/ledger/conservation.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { packed } from '../formats/archives/archives.ts';
import { type Answer, createRig, emailWith, type SentRequest } from './rig.ts';

/** A policy that would keep archives and all that these tests put into them. */
const KEEPS = {
  types: {
    archive: { verdicts: { benign: 'keep' } },
    text: { verdicts: { benign: 'keep' } },
    script: { verdicts: { benign: 'keep' } },
  },
  message: { quarantineVerdicts: [] },
};

async function check(
  members: Readonly<Record<string, string | Buffer>>,
  answers: Readonly<Record<string, Answer>> = {},
  policy: object = KEEPS,
  archive?: Buffer,
) {
  const byId = new Map<string, Answer>(
    Object.entries(answers).map(([name, answer]) => [fileIdOf(sha256Hex(members[name] ?? '')), answer]),
  );
  const answer = ({ id }: SentRequest) => byId.get(id) ?? {};
  const rig = createRig({ policy: parsePolicy(JSON.stringify(policy)), script: { answer } });
  const contents = Object.fromEntries(Object.entries(members).map(([name, content]) => [name, { content }]));
  const bytes = archive ?? zipOf(contents);
  const { ledger, clean } = await rig.scan(emailWith({ files: [{ name: 'a.zip', bytes }] }));
  expect(checkConservation(ledger, true)).toEqual([]);
  const zip = ledger.parts.find(({ path }) => path === '1.2');
  const artifact = zip && fileOf(filesById(ledger), zip);
  return { rig, ledger, clean, zip, artifact };
}

describe('a container is delivered or removed with what is in it', () => {
  test('kept when everything in it may be kept', async () => {
    const { ledger, zip, clean } = await check({ 'a.txt': 'one', 'b.js': 'two' });
    expect([ledger.disposition, zip?.disposition]).toEqual(['deliver', 'keep']);
    expect(clean).toContain('a.zip');
    expect(ledger.parts.filter(({ role }) => role === 'member').map(({ disposition }) => disposition)).toEqual([
      'keep',
      'keep',
    ]);
    expect(tally(ledger)).toMatchObject({ in: 2, kept: 2 });
  });

  test.each(['suspicious', 'malicious', 'unknown'] as const)(
    'something %s in it: it is that, too, and goes',
    async (verdict) => {
      const { ledger, zip, artifact } = await check({ 'a.txt': 'one', 'b.js': 'two' }, { 'b.js': { verdict } });
      expect([artifact?.verdict, zip?.disposition, ledger.disposition]).toEqual([verdict, 'remove', 'deliver']);
      expect(artifact?.reasons.join()).toContain(`something in it is ${verdict} (1.2!2)`);
      expect(tally(ledger)).toMatchObject({ in: 2, kept: 1, removed: 1 });
    },
  );

  test('through every layer', async () => {
    const inner = zipOf({ 'deep.js': 'deep' });
    const { artifact } = await check({ 'in.zip': inner, 'deep.js': 'deep' }, { 'deep.js': { verdict: 'malicious' } });
    expect([artifact?.verdict, artifact?.disposition]).toEqual(['malicious', 'remove']);
  });

  test('a member that policy removes removes the container', async () => {
    const { artifact } = await check({ 'a.exe': 'MZ' });
    expect([artifact?.verdict, artifact?.disposition]).toEqual(['benign', 'remove']);
    expect(artifact?.reasons).toContain('policy does not allow everything that is in it');
  });

  test('a URL that may not be clicked removes the container', async () => {
    const members = { 'a.txt': 'https://bad.example/' };
    const rig = createRig({
      policy: parsePolicy(JSON.stringify(KEEPS)),
      script: { answer: ({ kind }) => (kind === 'url_analysis' ? { verdict: 'suspicious' } : {}) },
    });
    const { ledger } = await rig.scan(emailWith({ files: [{ name: 'a.zip', bytes: zipOf(members) }] }));
    expect(ledger.parts.find(({ path }) => path === '1.2')?.disposition).toBe('remove');
  });

  test('something in it that could not be judged: it goes, and what policy says of that failure follows', async () => {
    const { ledger, artifact } = await check(
      { 'a.txt': 'one' },
      { 'a.txt': { verdict: 'unknown', failure: { class: 'timeout', detail: 'it was slow' } } },
    );
    expect(artifact?.disposition).toBe('remove');
    expect(ledger.reasons.map(({ code }) => code)).toContain('timeout');
  });
});

describe('by the policy as shipped', () => {
  test('an archive goes through its disarm, a malicious member holds the message', async () => {
    const benign = await check({ 'a.txt': 'one' }, {}, {});
    expect([benign.ledger.disposition, benign.zip?.disposition]).toEqual(['deliver', 'keep']);
    const unsafe = await check({ 'a.exe': 'MZ' }, {}, {});
    expect([unsafe.ledger.disposition, unsafe.zip?.disposition]).toEqual(['deliver', 'remove']);
    const malicious = await check({ 'a.txt': 'one' }, { 'a.txt': { verdict: 'malicious' } }, {});
    expect(malicious.ledger.disposition).toBe('quarantine');
    expect(malicious.ledger.reasons.some(({ text }) => text.includes('1.2!1'))).toBe(true);
  });

  test('a container that stays closed is removed as encrypted, even when its own verdict is benign', async () => {
    const archive = await packed('zip', { 'a.txt': 'x' }, { password: 'nobody knows' });
    for (const policy of [{}, KEEPS]) {
      const { artifact, ledger } = await check({}, {}, policy, archive);
      expect([artifact?.disposition, ledger.disposition]).toEqual(['remove', 'deliver']);
      expect(artifact?.reasons.join()).toContain('need a password');
    }
    const held = await check({}, {}, { failures: { encrypted: 'quarantine' } }, archive);
    expect(held.ledger.reasons.map(({ code }) => code)).toContain('encrypted');
  });

  test('a container that is over the budget holds the message', async () => {
    const archive = zipOf({ zeros: Buffer.alloc(12 * 1024 * 1024).toString('latin1') });
    const { ledger } = await check({}, {}, {}, archive);
    expect(ledger.reasons.map(({ code }) => code)).toContain('oversize');
  });

  test('a member is judged and not disarmed: nothing could take the disarmed file', async () => {
    const { rig } = await check({ 'a.html': '<p>page' }, {}, {});
    const kinds = rig.analyzer.requests
      .filter(({ id }) => id === fileIdOf(sha256Hex('<p>page')))
      .map(({ kind }) => kind);
    expect(kinds).toEqual(['static']);
  });
});

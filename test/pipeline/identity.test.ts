/** Whatever stands in a mail together: what becomes of a part follows from what was said of its own bytes, and of nothing else. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import { decideLedger } from '../../lib/pipeline/decide.ts';
import { deliver } from '../../lib/pipeline/deliver.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import { fileIdOf, urlIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import { checkConservation } from '../../lib/pipeline/ledger/conservation.ts';
import { Ledger, type Part } from '../../lib/pipeline/ledger/ledger.ts';
import { type Disposition, type TypeGroup, VERDICTS, type Verdict } from '../../lib/pipeline/model.ts';
import { DEFAULT_POLICY } from '../../lib/pipeline/policy/policy.ts';
import { rebuild } from '../../lib/pipeline/rebuild.ts';
import { writeLedger } from './forge.ts';
import { createRig, emailWith } from './rig.ts';

const LINK = 'https://one.example/';
const LINKS = [LINK, 'https://two.example/a', 'urn:<b>three</b>', 'data:text/html,four'];
const CONTENTS = [
  ...LINKS,
  'plain words',
  'see https://one.example/ and more',
  '<p><a href="https://two.example/a">five</a>',
];

/** What the shipped policy makes of a file of this group and verdict that its disarm gives back unchanged. */
function expected(group: TypeGroup, verdict: Verdict): Disposition {
  if (group === 'text') return verdict === 'benign' ? 'keep' : 'remove';
  if (group !== 'html' && group !== 'data') return 'remove';
  return verdict === 'benign' ? 'keep' : verdict === 'unknown' ? 'disarm' : 'remove';
}

const fileOf = fc.record({ type: fc.constantFrom('txt', 'html', 'csv'), content: fc.constantFrom(...CONTENTS) });
const verdictsOf = <T extends string>(names: readonly T[]) =>
  fc
    .tuple(...names.map(() => fc.constantFrom(...VERDICTS)))
    .map((list) => new Map(names.map((name, at) => [name, list[at]])));

const nameOf = (part: Part) => part.untrustedNames[0] ?? '';

test('every part of any set of parts and links follows from the reports of its own file', async () => {
  const property = fc.asyncProperty(
    fc.array(fileOf, { minLength: 1, maxLength: 5 }),
    verdictsOf(CONTENTS),
    verdictsOf(LINKS),
    async (files, ofFiles, ofLinks) => {
      const said = new Map<string, Verdict | undefined>([
        ...[...ofFiles].map(([content, verdict]) => [fileIdOf(sha256Hex(content)), verdict] as const),
        ...[...ofLinks].map(([link, verdict]) => [urlIdOf(link), verdict] as const),
      ]);
      const rig = createRig({ script: { answer: ({ id }) => ({ verdict: said.get(id) ?? 'benign' }) } });
      const named = files.map(({ type, content }, at) => ({ name: `f${at}.${type}`, bytes: content }));
      const html = LINKS.map((link) => `<a href="${link}">x</a>`).join(' ');
      const { ledger } = await rig.scan(emailWith({ text: 'Hello', html, files: named }));
      expect(checkConservation(ledger, true)).toEqual([]);
      const blocked = new Set(
        ledger.artifacts.flatMap(({ id, type, disposition }) => (type === 'url' && disposition !== 'keep' ? [id] : [])),
      );
      for (const part of ledger.parts.filter(({ role }) => role === 'attachment')) {
        const content = files[Number(nameOf(part).slice(1, 2))]?.content ?? '';
        // The same bytes under several names are judged as the worst of them.
        const groups = ledger.parts.filter(({ sha256 }) => sha256 === part.sha256).map(({ typeGroup }) => typeGroup);
        const worst = (['data', 'html', 'text'] as const).find((group) => groups.includes(group));
        const isOther = groups.some((group) => group !== 'data' && group !== 'html' && group !== 'text');
        const own = expected(isOther || worst === undefined ? 'other' : worst, ofFiles.get(content) ?? 'unknown');
        const links = ledger.urls.filter(({ path, artifactId }) => path === part.path && blocked.has(artifactId));
        // A blocked link in it makes it stricter, never milder.
        const allowed = links.length === 0 ? [own] : [own === 'keep' ? 'disarm' : own, 'remove'];
        expect(allowed, `${nameOf(part)} ${content}`).toContain(part.disposition);
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

describe('a file that is a link that stands in the mail', () => {
  test.each([
    ['benign', 'malicious'],
    ['malicious', 'benign'],
    ['suspicious', 'benign'],
  ] as const)('the file %s, the link %s: two artifacts, two verdicts', async (file, link) => {
    const said = { [fileIdOf(sha256Hex(LINK))]: file, [urlIdOf(LINK)]: link } as Record<string, Verdict>;
    const rig = createRig({ script: { answer: ({ id }) => ({ verdict: said[id] ?? 'benign' }) } });
    const { ledger } = await rig.scan(emailWith({ text: `See ${LINK}`, files: [{ name: 'a.txt', bytes: LINK }] }));
    expect(
      ledger.artifacts
        .filter(({ id }) => id in said)
        .map(({ id, verdict }) => [id, verdict])
        .sort(),
    ).toEqual(Object.entries(said).sort());
  });
});

describe('a ledger that does not hold together', () => {
  async function delivered() {
    const rig = createRig();
    const { ledger } = await rig.scan(emailWith({ text: `See ${LINK}`, files: [{ name: 'a.txt', bytes: LINK }] }));
    const file = fileIdOf(sha256Hex(LINK));
    const at = ledger.artifacts.findIndex(({ id }) => id === file);
    return { rig, at, ledger: { ...ledger, terminal: null } as Ledger };
  }
  const withArtifact = (ledger: Ledger, at: number, change: object): Ledger => ({
    ...ledger,
    artifacts: ledger.artifacts.map((artifact, index) =>
      index === at ? ({ ...artifact, ...change } as typeof artifact) : artifact,
    ),
  });

  test('a part milder than its file is neither rebuilt nor delivered', async () => {
    const { rig, ledger, at } = await delivered();
    await writeLedger(rig, withArtifact(ledger, at, { disposition: 'remove' }));
    const run = newRun(ledger.runId);
    await expect(rebuild(rig.ctx, { ...run, last: 'decide' })).rejects.toThrow(/treated more mildly than its file/);
    await expect(deliver(rig.ctx, { ...run, last: 'rebuild' })).rejects.toThrow(/treated more mildly than its file/);
  });

  test('a link does not replace a file, and no id is listed twice', async () => {
    const { ledger, at } = await delivered();
    const artifact = ledger.artifacts[at];
    const asLink = withArtifact(ledger, at, { id: urlIdOf(LINK) });
    expect(Ledger.safeParse(asLink).success).toBe(false);
    expect(decideLedger(DEFAULT_POLICY, asLink).reasons.map(({ code }) => code)).toContain('inconsistent');
    const twice = { ...ledger, artifacts: [...ledger.artifacts, artifact] } as Ledger;
    expect(Ledger.safeParse(twice).success).toBe(false);
    expect(decideLedger(DEFAULT_POLICY, twice).reasons.map(({ code }) => code)).toContain('inconsistent');
  });
});

test('a report is known for a type: the same bytes under another extension, or a link, are asked about anew', () => {
  const id = fileIdOf(sha256Hex(LINK));
  const asked = { kind: 'static', id, extension: 'txt', password: null } as const;
  const key = keys.submission('service', asked);
  expect(keys.submission('service', { ...asked, extension: 'html' })).not.toBe(key);
  expect(() => keys.submission('service', { ...asked, id: urlIdOf(LINK) })).toThrow(TypeError);
  expect(() => keys.submission('service', { ...asked, kind: 'url_analysis' })).toThrow(TypeError);
});

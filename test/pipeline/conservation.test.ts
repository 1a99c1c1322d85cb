/** Nothing that came in is lost, and nothing is treated more mildly than it was judged: each way to break that has its own words. */
import { beforeAll, expect, test } from 'vitest';
import type { Artifact } from '../../lib/pipeline/ledger/artifact.ts';
import { checkConservation, isAsStrict, mildParts, tally } from '../../lib/pipeline/ledger/conservation.ts';
import type { Ledger, Part } from '../../lib/pipeline/ledger/ledger.ts';
import type { Disposition } from '../../lib/pipeline/model.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { createRig, emailWith, PDF } from './rig.ts';

let whole: Ledger;
beforeAll(async () => {
  const archive = await zipOf({ 'note.txt': 'a note' });
  const files = [
    { name: 'a.pdf', type: 'application/pdf', bytes: PDF },
    { name: 'a.zip', bytes: archive },
  ];
  whole = (await createRig().scan(emailWith({ text: 'see https://good.example/', files }))).ledger;
});

const withPart = (path: string, change: Partial<Part>): Ledger => ({
  ...whole,
  parts: whole.parts.map((part) => (part.path === path ? { ...part, ...change } : part)),
});
const pdfOf = ({ artifacts }: Ledger) => artifacts.find(({ typeGroup }) => typeGroup === 'pdf') as Artifact;
const withPdf = (change: Partial<Artifact>): Ledger => ({
  ...whole,
  artifacts: whole.artifacts.map((one) => (one === pdfOf(whole) ? ({ ...one, ...change } as Artifact) : one)),
});
const without = (typeGroup: string): Ledger => ({
  ...whole,
  artifacts: whole.artifacts.filter((artifact) => artifact.typeGroup !== typeGroup),
});

test('a mail that was decided holds together', () => {
  expect(whole.parts.map(({ path, role }) => `${path} ${role}`)).toEqual([
    '1 multipart',
    '1.1 body',
    '1.2 attachment',
    '1.3 attachment',
    '1.3!1 member',
  ]);
  expect(checkConservation(whole, true)).toEqual([]);
  expect(mildParts(whole)).toEqual([]);
});

test.each<[string, () => Ledger, string[]]>([
  [
    'an artifact twice',
    () => ({ ...whole, artifacts: [...whole.artifacts, pdfOf(whole)] }),
    [`artifact ID is listed twice`],
  ],
  ['an artifact of nothing', () => withPdf({ origins: [] }), ['artifact ID has no origin']],
  [
    'an artifact that was not decided',
    () => withPdf({ disposition: null }),
    ['artifact ID has no disposition', 'part 1.2 is treated more mildly than its file'],
  ],
  [
    'a file whose artifact is gone',
    () => without('pdf'),
    ['part 1.2 has no artifact', 'part 1.2 is treated more mildly than its file'],
  ],
  ['a part that was not decided', () => withPart('1.2', { disposition: null }), ['part 1.2 has no disposition']],
  [
    'a file treated more mildly than judged',
    () => withPdf({ disposition: 'remove' }),
    ['part 1.2 is treated more mildly than its file'],
  ],
  ['a member of no container', () => withPart('1.3!1', { container: null }), ['member 1.3!1 has no container']],
  ['a member of another container', () => withPart('1.3!1', { container: '1.9' }), ['member 1.3!1 has no container']],
  ['a member without a hash', () => withPart('1.3!1', { sha256: null }), ['member 1.3!1 has no artifact']],
  [
    'a member that stays while its container goes',
    () => withPart('1.3!1', { disposition: whole.parts[3]?.disposition === 'keep' ? 'remove' : 'keep' }),
    ['member 1.3!1 has another disposition than its container'],
  ],
  ['a link whose artifact is gone', () => without('url'), ['a URL in part 1.1 has no artifact']],
])('%s is found', (_, lie, problems) => {
  const ids = problems.map((problem) => problem.replace('ID', pdfOf(whole).id));
  expect(checkConservation(lie(), true)).toEqual(ids);
});

test('before the decision nothing must have a disposition, but everything its place', () => {
  const undecided: Ledger = {
    ...whole,
    parts: whole.parts.map((part) => ({ ...part, disposition: null })),
    artifacts: whole.artifacts.map((artifact) => ({ ...artifact, disposition: null })),
  };
  expect(checkConservation(undecided, false)).toEqual([]);
  expect(checkConservation({ ...undecided, artifacts: [] }, false)).toEqual([
    'part 1.1 has no artifact',
    'part 1.2 has no artifact',
    'part 1.3 has no artifact',
    'member 1.3!1 has no artifact',
    'a URL in part 1.1 has no artifact',
  ]);
});

test.each<[Disposition, Disposition, boolean]>([
  ['keep', 'keep', true],
  ['keep', 'disarm', false],
  ['keep', 'remove', false],
  ['disarm', 'keep', true],
  ['disarm', 'disarm', true],
  ['disarm', 'remove', false],
  ['remove', 'keep', true],
  ['remove', 'disarm', true],
  ['remove', 'remove', true],
])('%s lets through no more than %s: %s', (one, other, isSo) => {
  expect(isAsStrict(one, other)).toBe(isSo);
});

test('the tally counts the parts of the message, not containers of parts and not members', () => {
  const dispositions: (Disposition | null)[] = ['keep', 'disarm', 'remove'];
  const leaves = ['1.1', '1.2', '1.3'];
  const parts = whole.parts.map((part) => ({ ...part, disposition: dispositions[leaves.indexOf(part.path)] ?? null }));
  expect(tally({ ...whole, parts })).toEqual({ in: 3, kept: 1, disarmed: 1, removed: 1, undecided: 0 });
  const undecided = parts.map((part) => ({ ...part, disposition: null }));
  expect(tally({ ...whole, parts: undecided })).toEqual({ in: 3, kept: 0, disarmed: 0, removed: 0, undecided: 3 });
});

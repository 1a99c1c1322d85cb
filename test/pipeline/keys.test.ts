/** Keys are made of ids, hashes and extensions alone. Whatever else comes is refused, because a sender could choose it. */
import { expect, test } from 'vitest';
import { mapBounded } from '../../lib/pipeline/bounded.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';

const RUN = '0123456789abcdef0123456789abcdef';
const HASH = 'ab'.repeat(32);

test('every key has its place', () => {
  expect({
    ledger: keys.ledger(RUN),
    intake: keys.intake(RUN),
    terminal: keys.terminal(RUN),
    rebuilt: keys.rebuilt(RUN),
    artifact: keys.artifact(HASH),
    disarmed: keys.disarmed(HASH),
    cleanMessage: keys.cleanMessage(RUN),
    cleanFile: keys.cleanFile(RUN, HASH, 'pdf'),
    quarantinedOriginal: keys.quarantinedOriginal(RUN),
    quarantineRecord: keys.quarantineRecord(RUN),
  }).toEqual({
    ledger: `runs/${RUN}/ledger.json`,
    intake: `runs/${RUN}/intake.json`,
    terminal: `runs/${RUN}/terminal.json`,
    rebuilt: `runs/${RUN}/rebuilt`,
    artifact: `artifacts/${HASH}`,
    disarmed: `disarmed/${HASH}`,
    cleanMessage: `${RUN}/message.eml`,
    cleanFile: `${RUN}/files/${HASH}.pdf`,
    quarantinedOriginal: `${RUN}/original`,
    quarantineRecord: `${RUN}/record.json`,
  });
});

test.each(['', RUN.slice(1), `${RUN}0`, `0${RUN}`, `../${RUN}`, `${RUN}/..`, RUN.toUpperCase()])(
  'the run id %j is refused everywhere',
  (runId) => {
    for (const name of [
      'ledger',
      'intake',
      'terminal',
      'rebuilt',
      'cleanMessage',
      'quarantinedOriginal',
      'quarantineRecord',
    ] as const)
      expect(() => keys[name](runId), name).toThrow(TypeError);
    expect(() => keys.cleanFile(runId, HASH, 'pdf')).toThrow('not a run id: ');
  },
);

test.each(['', HASH.slice(1), `${HASH}a`, `a${HASH}`, `../${HASH}`, HASH.toUpperCase()])(
  'the hash %j is refused everywhere',
  (hash) => {
    for (const name of ['artifact', 'disarmed'] as const) expect(() => keys[name](hash)).toThrow('not a sha256: ');
    expect(() => keys.cleanFile(RUN, hash, 'pdf')).toThrow(TypeError);
  },
);

test.each(['', 'PDF', 'p.df', '../x', 'ninechars', 'x/y'])('the extension %j is refused', (extension) => {
  expect(() => keys.cleanFile(RUN, HASH, extension)).toThrow('not a file extension: ');
});

test('an error shows no more than the start of what was refused', () => {
  expect(() => keys.artifact('x'.repeat(10_000))).toThrow(new TypeError(`not a sha256: "${'x'.repeat(80)}"`));
});

const asked = { kind: 'static', id: `file:${HASH}`, extension: 'pdf', password: null } as const;

test('a submission is known by the service, the kind, the bytes, the type and the password', () => {
  const scope = sha256Hex('a service').slice(0, 16);
  expect(keys.submission('a service', asked)).toBe(`${scope}:static:file:${HASH}:pdf`);
  expect(keys.submission('a service', { ...asked, extension: '' })).toBe(`${scope}:static:file:${HASH}`);
  expect(keys.submission('a service', { ...asked, password: 'x' })).toBe(
    `${scope}:static:file:${HASH}:pdf:${sha256Hex('x').slice(0, 16)}`,
  );
  const link = { kind: 'url_analysis', id: `url:${HASH}`, extension: '', password: null } as const;
  expect(keys.submission('a service', link)).toBe(`${scope}:url_analysis:url:${HASH}`);
});

test.each([
  { ...asked, id: `url:${HASH}` },
  { ...asked, id: `file:${HASH}0` },
  { ...asked, id: `xfile:${HASH}` },
  { ...asked, kind: 'url_analysis' as const },
  { ...asked, kind: 'url_analysis' as const, id: `url:${HASH}0` },
  { ...asked, kind: 'url_analysis' as const, id: `xurl:${HASH}` },
  { ...asked, extension: '../x' },
])('a submission of %j is refused', (request) => {
  expect(() => keys.submission('a service', request)).toThrow(TypeError);
});

test('work in lanes: never more at a time than allowed, results in order, and the first failure ends it', async () => {
  let running = 0;
  let most = 0;
  const work = async (item: number, index: number) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    return [item, index];
  };
  expect(await mapBounded([5, 6, 7, 8, 9], 2, work)).toEqual([
    [5, 0],
    [6, 1],
    [7, 2],
    [8, 3],
    [9, 4],
  ]);
  expect(most).toBe(2);
  expect(await mapBounded([], 2, work)).toEqual([]);
  const begun: number[] = [];
  const failing = mapBounded([1, 2, 3, 4], 1, async (item) => {
    begun.push(item);
    if (item >= 2) throw new Error(`of ${item}`);
  });
  await expect(failing).rejects.toThrow('of 2');
  expect(begun).toEqual([1, 2]);
});

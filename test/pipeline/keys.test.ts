/** Keys are made of ids, hashes and extensions alone. Whatever else comes is refused, because a sender could choose it. */
import { expect, test } from 'vitest';
import { mapBounded } from '../../lib/pipeline/bounded.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';

const RUN = '0123456789abcdef0123456789abcdef';
const HASH = 'ab'.repeat(32);

test('every key has its place', () => {
  expect({
    run: keys.run(RUN),
    ledgerView: keys.ledgerView(RUN),
    entry: keys.entry(RUN, 2, 'poll-12'),
    publicKey: keys.publicKey('submit', RUN),
    intake: keys.intake(RUN),
    beginning: keys.beginning(RUN, 2),
    terminal: keys.terminal(RUN, 1),
    rebuilt: keys.rebuilt(RUN, HASH),
    artifact: keys.artifact(HASH),
    disarmed: keys.disarmed(HASH),
    cleanMessage: keys.cleanMessage(RUN),
    cleanFile: keys.cleanFile(RUN, HASH, 'pdf'),
    quarantinedOriginal: keys.quarantinedOriginal(RUN),
    quarantineRecord: keys.quarantineRecord(RUN, 1),
    quarantineNotice: keys.quarantineNotice(RUN, 1),
    laterRecord: keys.quarantineRecord(RUN, 2),
    laterNotice: keys.quarantineNotice(RUN, 12),
  }).toEqual({
    run: `runs/${RUN}`,
    ledgerView: `runs/${RUN}/ledger.json`,
    entry: `runs/${RUN}/2/poll-12.json`,
    publicKey: `keys/submit-${RUN}.json`,
    intake: `runs/${RUN}/intake.json`,
    beginning: `runs/${RUN}/2/beginning.json`,
    terminal: `runs/${RUN}/1/terminal.json`,
    rebuilt: `runs/${RUN}/rebuilt-${HASH}`,
    artifact: `artifacts/${HASH}`,
    disarmed: `disarmed/${HASH}`,
    cleanMessage: `${RUN}/message.eml`,
    cleanFile: `${RUN}/files/${HASH}.pdf`,
    quarantinedOriginal: `${RUN}/original`,
    quarantineRecord: `${RUN}/record.json`,
    quarantineNotice: `${RUN}/notice.eml`,
    laterRecord: `${RUN}/record-2.json`,
    laterNotice: `${RUN}/notice-12.eml`,
  });
});

test.each(['', RUN.slice(1), `${RUN}0`, `0${RUN}`, `../${RUN}`, `${RUN}/..`, RUN.toUpperCase()])(
  'the run id %j is refused everywhere',
  (runId) => {
    for (const name of ['run', 'ledgerView', 'intake', 'cleanMessage', 'quarantinedOriginal'] as const)
      expect(() => keys[name](runId), name).toThrow(TypeError);
    expect(() => keys.cleanFile(runId, HASH, 'pdf')).toThrow('not a run id: ');
    expect(() => keys.rebuilt(runId, HASH)).toThrow('not a run id: ');
    expect(() => keys.terminal(runId, 1)).toThrow('not a run id: ');
    expect(() => keys.quarantineRecord(runId, 1)).toThrow('not a run id: ');
    expect(() => keys.entry(runId, 1, 'parse')).toThrow('not a run id: ');
  },
);

test.each(['', HASH.slice(1), `${HASH}a`, `a${HASH}`, `../${HASH}`, HASH.toUpperCase()])(
  'the hash %j is refused everywhere',
  (hash) => {
    for (const name of ['artifact', 'disarmed'] as const) expect(() => keys[name](hash)).toThrow('not a sha256: ');
    expect(() => keys.cleanFile(RUN, hash, 'pdf')).toThrow(TypeError);
    expect(() => keys.rebuilt(RUN, hash)).toThrow(TypeError);
  },
);

test.each(['', 'PDF', 'p.df', '../x', 'ninechars', 'x/y'])('the extension %j is refused', (extension) => {
  expect(() => keys.cleanFile(RUN, HASH, extension)).toThrow('not a file extension: ');
});

test.each(['', 'poll', 'poll-0', 'poll-01', 'poll-1x', 'parse-1', 'xparse', 'submit.json', '../submit', 'Submit'])(
  'the name of an entry %j is refused',
  (name) => {
    expect(() => keys.entry(RUN, 1, name)).toThrow('not a name of an entry: ');
  },
);

test.each([0, -1, 1.5, 10_000, Number.NaN])('the attempt %d is refused', (attempt) => {
  expect(() => keys.entry(RUN, attempt, 'parse')).toThrow('not a number of an attempt: ');
  expect(() => keys.terminal(RUN, attempt)).toThrow('not a number of an attempt: ');
});

test('a public key is named after a stage and 32 digits, and nothing else', () => {
  expect(() => keys.publicKey('intake', RUN)).toThrow('not a owner of a key: ');
  expect(() => keys.publicKey('submit', `${RUN}0`)).toThrow('not a key id: ');
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

/** Limits that no stage's own test steps over: one step below each, and one above. */
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import type { CodeReader, OnWork, Unpacker } from '../../lib/pipeline/ports.ts';
import { submit } from '../../lib/pipeline/submit.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { buildPng } from '../fixtures/build-image.ts';
import { createRig, emailWith, PDF, type Rig, type RigOptions } from './rig.ts';

const MAIL = emailWith({ files: [{ name: 'a.pdf', type: 'application/pdf', bytes: PDF }] });

async function ledgerOf(email: string, options: RigOptions) {
  const rig = createRig(options);
  return rig.ledger((await parse(rig.ctx, await rig.intake(email))).runId);
}

test('the limits in bytes are what they are called', () => {
  expect(DEFAULT_LIMITS).toMatchObject({
    emailBytes: 44_040_192,
    headerBytes: 2_097_152,
    containerBytes: 201_326_592,
    memberBytes: 67_108_864,
    nestedEmailBytes: 50_331_648,
    textBytes: 16_777_216,
    disarmedBytes: 67_108_864,
    ledgerBytes: 16_777_216,
  });
});

test('every limit is a whole number above zero', () => {
  for (const [name, value] of Object.entries(DEFAULT_LIMITS))
    expect(Number.isSafeInteger(value) && value > 0, `${name}: ${value}`).toBe(true);
});

test.each([2, 3])('urlSpellings %i: so many spellings of one URL are listed of a part', async (urlSpellings) => {
  const text = 'https://one.example/ HTTPS://one.example/ https://ONE.example/ https://One.example/';
  expect((await ledgerOf(emailWith({ text }), { limits: { urlSpellings } })).urls).toHaveLength(urlSpellings);
});

test.each([
  [29_999, []],
  [30_000, ['urls_not_searched']],
])('urlSearchWorkSeconds: after %i ms of work on the first picture, the warnings are %j', async (ms, codes) => {
  expect(await warningsOf({ ...PICTURES_READ, onPicture: (rig) => rig.spend(ms) })).toEqual(codes);
});

test('urlSearchWorkSeconds: the work of the thread that reads codes counts', async () => {
  const onPicture = (_: Rig, onWork: OnWork) => onWork(30_000);
  expect(await warningsOf({ ...PICTURES_READ, onPicture })).toEqual(['urls_not_searched']);
});

test.each([
  [19_999, []],
  [20_000, ['container_over_budget']],
])('containerWorkSeconds: after %i ms of work on the first archive, the warnings are %j', async (ms, codes) => {
  expect(await warningsOf({ ...ARCHIVES_OPENED, onArchive: (_, onWork) => onWork(ms) })).toEqual(codes);
  expect(await warningsOf({ ...ARCHIVES_OPENED, onArchive: (rig) => rig.spend(ms) })).toEqual(codes);
});

test('a clock that runs 20 times as fast as the work holds no mail', async () => {
  const busy = (rig: Rig, onWork: OnWork) => {
    rig.advance(14_000 * 20);
    onWork(7_000);
    rig.spend(7_000);
  };
  expect(await warningsOf({ ...PICTURES_READ, onPicture: busy })).toEqual([]);
  const lessBusy = (rig: Rig, onWork: OnWork) => {
    rig.advance(9_000 * 20);
    onWork(9_000);
  };
  expect(await warningsOf({ ...ARCHIVES_OPENED, onArchive: lessBusy })).toEqual([]);
});

interface Reading {
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly onPicture?: (rig: Rig, onWork: OnWork) => void;
  readonly onArchive?: (rig: Rig, onWork: OnWork) => void;
}

const PICTURES_READ: Reading = {
  files: [40, 41].map((width) => ({ name: `${width}.png`, bytes: buildPng({ width, height: 40 }) })),
};
const ARCHIVES_OPENED: Reading = {
  files: ['a', 'b'].map((name) => ({ name: `${name}.zip`, bytes: zipOf({ [name]: name }) })),
};

/** The warnings of a mail with these files, which are read as `onPicture` and `onArchive` say. */
async function warningsOf({ files, onPicture, onArchive }: Reading): Promise<readonly string[]> {
  const codes: CodeReader = {
    read: async (_, onWork) => {
      onPicture?.(rig, onWork);
      return { outcome: 'read', untrustedTexts: [] };
    },
  };
  const unpacker: Unpacker = {
    unpack: async (_, onWork) => {
      onArchive?.(rig, onWork);
      return { outcome: 'opened', detail: '', members: [], untrustedPassword: null };
    },
  };
  const rig: Rig = createRig({ codes, ...(onArchive && { overrides: () => ({ unpacker }) }) });
  const { runId } = await parse(rig.ctx, await rig.intake(emailWith({ text: 'x', files })));
  return (await rig.ledger(runId)).warnings.map(({ code }) => code);
}

test.each([
  [PDF.length + 1, 'delivered'],
  [PDF.length, 'quarantined'],
])('disarmedBytes %i: a disarmed file of 77 bytes is %s', async (disarmedBytes, state) => {
  const answer = () => ({ disarmed: Buffer.from(`${PDF} `) });
  const { ledger } = await createRig({ script: { answer }, limits: { disarmedBytes } }).scan(MAIL);
  expect(ledger.terminal?.state).toBe(state);
});

test.each([
  [3_599, 'joined'],
  [3_601, 'submitted'],
])('inFlightSeconds: what is in flight for %i seconds is %s', async (seconds, source) => {
  const rig = createRig();
  await submit(rig.ctx, await parse(rig.ctx, await rig.intake(MAIL)));
  rig.advance(seconds * 1_000);
  const other = await parse(rig.ctx, await rig.intake(MAIL.replace('Subject: Files', 'Subject: Again'), 'other.eml'));
  await submit(rig.ctx, other);
  const { artifacts } = await rig.ledger(other.runId);
  expect(new Set(artifacts.flatMap(({ submissions }) => submissions.map((each) => each.source)))).toEqual(
    new Set([source]),
  );
});

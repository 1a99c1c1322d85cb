/** The stages lie one by one, with everything that the role of a stage has: its own key, and its own names in the work bucket. */
import { beforeEach, describe, expect, test } from 'vitest';
import { checkedChain } from '../../lib/pipeline/chain/chain.ts';
import { chainText, readChainText, type SignedLine } from '../../lib/pipeline/chain/chain-text.ts';
import { readLedger } from '../../lib/pipeline/chain/ledger-store.ts';
import { deliver } from '../../lib/pipeline/deliver.ts';
import { ConfigError, CorruptDataError, NotFoundError } from '../../lib/pipeline/errors.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import type { Run, StageName } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import type { Signer } from '../../lib/pipeline/ports.ts';
import { quarantine } from '../../lib/pipeline/quarantine.ts';
import { STAGES, type Stage } from '../../lib/pipeline/stages.ts';
import { submit } from '../../lib/pipeline/submit.ts';
import { createSigner } from '../../lib/storage/signer.ts';
import { type Forged, forgedLines, putLines } from './forge.ts';
import { createRig, emailWith, PDF, type Rig } from './rig.ts';
import { runUpTo, WAY } from './way.ts';

const MAIL = emailWith({ text: 'See https://good.example/', files: [{ name: 'a.pdf', bytes: PDF }] });
const EVIL = sha256Hex('evil');

let rig: Rig;
let run: Run;
let ledger: Ledger;
let lines: SignedLine[];

/** A run up to the door of `deliver`. */
beforeEach(async () => {
  rig = createRig({ script: { polls: 0 } });
  run = await runUpTo(rig.ctx, await parse(rig.ctx, await rig.intake(MAIL)), 'deliver');
  ledger = await rig.ledger(run.runId);
  lines = readChainText(await stored('rebuild'), 'the chain');
});

const stored = (name: string) => rig.blobs.get('work', keys.entry(run.runId, 1, name), { maxBytes: 1_000_000 });
const put = (name: string, forged: readonly SignedLine[]) => putLines(rig, run.runId, name, forged);
const forge = (entries: readonly Forged[], begun: readonly SignedLine[]) =>
  forgedLines(rig.ctx, run.runId, entries, begun);
const failure = { Error: 'CorruptDataError', Cause: 'forged' };

/** Nothing is delivered, and quarantine works all the same. */
async function isRefused(because: string | RegExp, stage: Stage = deliver) {
  await expect(stage(rig.ctx, run)).rejects.toThrow(CorruptDataError);
  await expect(stage(rig.ctx, run)).rejects.toThrow(because);
  expect(rig.blobs.list('clean')).toEqual([]);
  expect((await quarantine(rig.ctx, { ...run, failure })).disposition).toBe('quarantine');
  expect(rig.blobs.list('quarantine')).toContain(keys.quarantineRecord(run.runId, run.attempt));
}

const firstOf = (type: 'file' | 'url') => ledger.artifacts.find((artifact) => artifact.type === type)?.id;

/** The stage that reads the entry of a stage. */
function readerOf(stage: StageName): Stage {
  const next = [...WAY, 'deliver' as const].find((_, index) => WAY[index - 1] === stage);
  return STAGES[next ?? 'deliver'];
}

describe('a stage that is taken over changes what it may not', () => {
  /** The stage, what it says instead, and why it is not believed. The stages behind it are honest, and sign what they read. */
  const lies: [string, StageName, string, () => unknown, string][] = [
    [
      'submit forges a disposition',
      'submit',
      'submit',
      () => ({ artifacts: [{ id: firstOf('file'), disposition: 'keep' }] }),
      'is no entry of',
    ],
    [
      'submit forges a verdict',
      'submit',
      'submit',
      () => ({ artifacts: [{ id: firstOf('file'), verdict: 'benign' }] }),
      'is no entry of',
    ],
    [
      'poll forges the hash of what is rebuilt',
      'poll',
      'poll-1',
      () => ({ ledger: { rebuilt: { sha256: EVIL, size: 4 } } }),
      'is no entry of',
    ],
    [
      'fetch forges the decision',
      'fetch',
      'fetch-1',
      () => ({ ledger: { disposition: 'deliver', reasons: [] } }),
      'is no entry of',
    ],
    [
      'fetch adds an artifact',
      'fetch',
      'fetch-1',
      () => ({ artifacts: [{ id: `file:${EVIL}`, submissions: [] }] }),
      'the ledger does not have',
    ],
    ['decide forges what came in', 'decide', 'decide', () => ({ ledger: { sha256: EVIL } }), 'is no entry of'],
    [
      'decide forges a report',
      'decide',
      'decide',
      () => ({ artifacts: [{ id: firstOf('file'), submissions: [] }] }),
      'is no entry of',
    ],
    [
      'rebuild says that it was delivered',
      'rebuild',
      'rebuild',
      () => ({ ledger: { terminal: { state: 'delivered', at: ledger.bornAt, keys: [] } } }),
      'is no entry of',
    ],
    [
      'rebuild forges the decision',
      'rebuild',
      'rebuild',
      () => ({ ledger: { disposition: 'deliver' } }),
      'is no entry of',
    ],
    [
      'rebuild changes an artifact twice',
      'rebuild',
      'rebuild',
      () => ({ artifacts: [{ id: firstOf('file') }, { id: firstOf('file') }] }),
      'changes them twice',
    ],
  ];

  test.each(lies)('%s', async (_, stage, name, change, because) => {
    const at = lines.findIndex(({ json }) => json.includes(`"stage":"${stage}"`));
    await put(name, await forge([{ stage, change: change() }], lines.slice(0, at)));
    run = { ...run, last: name };
    await isRefused(because, readerOf(stage));
  });

  test('a second fetch says something else of what was fetched', async () => {
    const [artifact] = ledger.artifacts;
    const submissions = artifact?.submissions.map((one) => ({ ...one, verdict: 'benign', score: -1 }));
    const change = { artifacts: [{ id: artifact?.id, submissions }] };
    await put('fetch-2', await forge([{ stage: 'fetch', change }], lines.slice(0, 4)));
    run = { ...run, last: 'fetch-2' };
    await isRefused('changes what was known of a submission that has ended', STAGES.decide);
  });

  test('a second entry of submit takes the place of the first', async () => {
    await put('rebuild', await forge([{ stage: 'submit', change: {} }], lines.slice(0, 2)));
    await isRefused('may not stand behind submit');
  });

  test('rebuild is milder than what was decided', async () => {
    const removed = ledger.artifacts.map(({ id }) => ({ id, disposition: 'remove' }));
    const parts = ledger.parts
      .filter(({ sha256 }) => sha256 !== null)
      .map(({ path }) => ({ path, disposition: 'remove' }));
    const decided = await forge(
      [{ stage: 'decide', change: { ledger: { disposition: 'deliver' }, artifacts: removed, parts } }],
      lines.slice(0, 4),
    );
    const kept = { parts: parts.map((part) => ({ ...part, disposition: 'keep' })) };
    await put('rebuild', await forge([{ stage: 'rebuild', change: kept }], decided));
    await isRefused('is milder than what was decided');
  });

  test.each(['quarantined', 'delivered'] as const)(
    'deliver and quarantine may each say %s only of themselves',
    async (state) => {
      const stage = state === 'delivered' ? 'quarantine' : 'deliver';
      const terminal = { state: 'quarantined', at: ledger.bornAt, keys: [] };
      await put(stage, await forge([{ stage, change: { ledger: { terminal } } }], lines));
      await expect(readLedger(rig.ctx, run.runId)).rejects.toThrow(/says/);
    },
  );

  test('parse says already what others find', async () => {
    const judged = { ...ledger, stages: [], terminal: null };
    const start = (lie: object) => ({ ...blankOf(judged), ...lie });
    for (const [lie, because] of [
      [{ disposition: 'deliver' }, 'what is decided'],
      [{ rebuilt: ledger.rebuilt }, 'what is rebuilt'],
      [{ polls: 1 }, 'what the service answers'],
      [{ artifacts: ledger.artifacts }, 'what the service answers'],
      [{ parts: ledger.parts }, 'what is decided'],
      [{ terminal: { state: 'delivered', at: ledger.bornAt, keys: [] } }, 'what the end is'],
    ] as const) {
      await put('parse', await forge([{ stage: 'parse', start: start(lie) }], []));
      await expect(submit(rig.ctx, { ...run, last: 'parse' })).rejects.toThrow(because);
    }
  });
});

/** The ledger as parse writes it. */
function blankOf({ parts, artifacts, ...rest }: Ledger): Ledger {
  const unjudged = { submissions: [], verdict: 'unknown', disposition: null, reasons: [], removedFor: null } as const;
  return {
    ...rest,
    parts: parts.map((part) => ({ ...part, disposition: null, delivered: null })),
    artifacts: artifacts.map((artifact) => ({ ...artifact, ...unjudged, submissions: [], reasons: [] })),
    disposition: null,
    reasons: [],
    rebuilt: null,
    polls: 0,
  };
}

describe('the chain is not what it was', () => {
  test('an entry is missing', async () => {
    await put('rebuild', [...lines.slice(0, 3), ...lines.slice(4)]);
    await isRefused('line 4 does not stand on the entry before it');
  });

  test('two entries stand in another order', async () => {
    const [one, two, three, ...rest] = lines as [SignedLine, SignedLine, SignedLine];
    await put('rebuild', [one, three, two, ...rest]);
    await isRefused('does not stand on the entry before it');
  });

  test('an entry that stands on nothing is put behind one of another stage', async () => {
    const again = await forge([{ stage: 'decide', change: {} }], lines);
    await put('rebuild', again);
    await isRefused('may not stand behind rebuild');
  });

  test('it is that of another run', async () => {
    const other = createRig({ script: { polls: 0 } });
    const theirs = await runUpTo(other.ctx, await parse(other.ctx, await other.intake(`${MAIL}x`)), 'deliver');
    const foreign = await other.blobs.get('work', keys.entry(theirs.runId, 1, 'rebuild'), { maxBytes: 1_000_000 });
    await rig.blobs.put('work', keys.entry(run.runId, 1, 'rebuild'), foreign);
    await isRefused('line 1 is of another run or attempt');
  });

  test('it is that of another attempt', async () => {
    await rig.blobs.put('work', keys.entry(run.runId, 2, 'rebuild'), await stored('rebuild'));
    run = { ...run, attempt: 2 };
    await isRefused('line 1 is of another run or attempt');
  });

  test('it stands under the name of another entry', async () => {
    await put('rebuild', lines.slice(0, 5));
    await isRefused('ends with the entry decide');
  });

  test('one entry is not there', async () => {
    rig.blobs.remove('work', keys.entry(run.runId, 1, 'rebuild'));
    await expect(deliver(rig.ctx, run)).rejects.toThrow(NotFoundError);
    expect((await quarantine(rig.ctx, { ...run, failure })).disposition).toBe('quarantine');
  });
});

describe('the signature is not that of the stage', () => {
  test.each(['submit', 'poll', 'deliver'] as const)('%s signs for rebuild', async (signer) => {
    const change = { ledger: { rebuilt: { sha256: EVIL, size: 4 } } };
    await put('rebuild', await forge([{ stage: 'rebuild', change, signer }], lines.slice(0, 5)));
    await isRefused(/rebuild has no key [0-9a-f]{32}/);
  });

  test('the key is one that nobody published', async () => {
    const blobs = { ...rig.blobs, put: async () => true };
    const stranger = { signer: createSigner({ blobs, secretOf: async () => 'a stranger' }) };
    const change = { ledger: { rebuilt: { sha256: EVIL, size: 4 } } };
    await put('rebuild', await forgedLines(stranger, run.runId, [{ stage: 'rebuild', change }], lines.slice(0, 5)));
    await isRefused('rebuild has no key');
  });

  test('a published key was replaced, and another one took its name', async () => {
    const { keyId } = await rig.ctx.signer.sign('rebuild', new Uint8Array(1));
    const theirs = await rig.ctx.signer.sign('submit', new Uint8Array(1));
    const document = await rig.blobs.get('work', keys.publicKey('submit', theirs.keyId), { maxBytes: 1_000 });
    const renamed = Buffer.from(document).toString().replace('submit', 'rebuild').replace(theirs.keyId, keyId);
    await rig.blobs.put('work', keys.publicKey('rebuild', keyId), Buffer.from(renamed));
    const fresh = createSigner({ blobs: rig.blobs, secretOf: async (stage) => `secret of ${stage}` });
    expect(await fresh.publicKey('rebuild', keyId)).toBeNull();
  });

  test('a secret that is rotated in the middle of a run changes nothing for the run', async () => {
    const rotated = createSigner({ blobs: rig.blobs, secretOf: async (stage) => `another secret of ${stage}` });
    expect((await deliver({ ...rig.ctx, signer: rotated }, run)).disposition).toBe('deliver');
    expect((await rig.ledger(run.runId)).terminal?.state).toBe('delivered');
  });
});

test('a stored chain with any one byte changed is refused', async () => {
  const bytes = Buffer.from(await stored('rebuild'));
  const step = Math.max(1, Math.floor(bytes.length / 400));
  for (let at = 0; at < bytes.length; at += step) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] as number) ^ (1 << (at % 8));
    await rig.blobs.put('work', keys.entry(run.runId, 1, 'rebuild'), changed);
    await expect(deliver(rig.ctx, run), `byte ${at}`).rejects.toThrow(CorruptDataError);
  }
  expect(chainText(readChainText(bytes, 'the chain'))).toEqual(new Uint8Array(bytes));
});

describe('a chain that this process has checked before', () => {
  const checked = (ctx: Rig['ctx'], attempt: number, bytes: Uint8Array) =>
    checkedChain(ctx, { runId: run.runId, attempt }, bytes, 'the chain');

  test('is checked from where it goes on, and all of its keys are asked for', async () => {
    const [before = '', last = ''] = WAY.slice(-2);
    const known = await checked(rig.ctx, 1, await stored(before));
    const longer = await checked(rig.ctx, 1, await stored(last));
    expect(longer.entries.slice(0, -1).map((entry, at) => entry === known.entries[at])).not.toContain(false);
    // Each of its keys is asked for all the same.
    const asked: string[] = [];
    const publicKey: Signer['publicKey'] = async (stage, keyId) => {
      asked.push(stage);
      return rig.ctx.signer.publicKey(stage, keyId);
    };
    const again = await checked({ ...rig.ctx, signer: { ...rig.ctx.signer, publicKey } }, 1, await stored(last));
    expect(again).toEqual(longer);
    expect(asked).toEqual(longer.entries.map(({ stage }) => stage));
  });

  test('stands no longer when a key of it is gone', async () => {
    const bytes = await stored('rebuild');
    await checked(rig.ctx, 1, bytes);
    const publicKey: Signer['publicKey'] = async (stage, keyId) =>
      stage === 'submit' ? null : rig.ctx.signer.publicKey(stage, keyId);
    const signer = { ...rig.ctx.signer, publicKey };
    await expect(checked({ ...rig.ctx, signer }, 1, bytes)).rejects.toThrow('submit has no key');
  });

  test('is none of another attempt', async () => {
    const bytes = await stored('rebuild');
    await checked(rig.ctx, 1, bytes);
    await expect(checked(rig.ctx, 2, bytes)).rejects.toThrow(CorruptDataError);
  });

  test.each([0, 1, 2, 3])('with another entry in the place of line %i is refused', async (at) => {
    await checked(rig.ctx, 1, await stored('rebuild'));
    const other = lines.map((line, index) =>
      index === at ? { ...line, line: line.line.replace(/"durationMs":\d+/, '"durationMs":77777') } : line,
    );
    expect(other[at]?.line).not.toBe(lines[at]?.line);
    await expect(checked(rig.ctx, 1, chainText(other))).rejects.toThrow('the signature is not that of');
  });
});

test('a poll that learns nothing leaves no entry, and the polls are counted all the same', async () => {
  const waiting = createRig({ script: { polls: 5 } });
  const { runId, ledger: delivered } = await waiting.scan(MAIL);
  expect(delivered.polls).toBe(6);
  const entries = waiting.blobs
    .list('work')
    .filter((key) => key.startsWith(`runs/${runId}/1/`) && !key.endsWith('terminal.json'));
  const names = ['decide', 'deliver', 'fetch-1', 'parse', 'poll-1', 'rebuild', 'submit'];
  expect(entries).toEqual(names.map((name) => keys.entry(runId, 1, name)));
});

test('quarantine holds a message although its own end cannot be signed', async () => {
  const mute = {
    ...rig.ctx.signer,
    sign: async () => Promise.reject(new ConfigError('the environment', ['no secret'])),
  };
  const warned: unknown[] = [];
  const log = { ...rig.ctx.log, warn: (text: string) => void warned.push(text) };
  const ended = await quarantine({ ...rig.ctx, log, signer: mute }, { ...run, failure });
  expect(ended.disposition).toBe('quarantine');
  expect(rig.blobs.list('quarantine')).toContain(keys.quarantineRecord(run.runId, 1));
  expect(warned).toEqual(['the end of the run cannot be signed']);
  await expect(deliver(rig.ctx, run)).rejects.toThrow('was quarantined before');
  // When the secret is there again, the end is noted.
  await quarantine(rig.ctx, { ...run, failure });
  expect((await rig.ledger(run.runId)).terminal?.state).toBe('quarantined');
});

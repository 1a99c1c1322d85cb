/** What a stage says is not believed when it has not the form of a ledger, whatever field it is in, and although the stage has signed it. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ledgerJson, readLedger } from '../../lib/pipeline/chain/ledger-store.ts';
import { CorruptDataError, LimitExceededError, NotFoundError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import type { Limits } from '../../lib/pipeline/limits.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { writeLedger } from './forge.ts';
import { createRig, emailWith, PDF, type Rig } from './rig.ts';
import { WAY } from './way.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Place = readonly (string | number)[];

let rig: Rig;
let runId: string;
let whole: Json;

/** With an entry for each field of a ledger. */
const STAGES = ['parse', ...WAY, 'quarantine'] as const;
const say = (ledger: Json) => writeLedger(rig, ledger as unknown as Ledger, STAGES, runId);
/** What follows from the entries themselves. */
const told = async () => ({ ...(await readLedger(rig.ctx, runId)), stages: [] });

/** Every field is set somewhere: a disarmed file with reasons, a link, a container, a warning, and something that was refused. */
beforeAll(async () => {
  const failure = { class: 'encrypted', detail: 'why' } as const;
  rig = createRig({
    policy: parsePolicy('{"failures":{"encrypted":"quarantine"}}'),
    script: {
      answer: (request) => {
        if (request.kind === 'url_analysis') return { verdict: 'suspicious' };
        const told = { score: 7, reasons: ['odd'], removed: ['script'], sanitized: ['name'] };
        if (request.filename.endsWith('.pdf') && request.kind === 'cdr')
          return { ...told, disarmed: Buffer.from(`${PDF} `) };
        return request.filename.endsWith('.zip') && request.kind === 'cdr' ? { failure } : {};
      },
    },
  });
  const mail = emailWith({
    html: '<a href="https://bad.example/x">https://good.example/</a>',
    files: [
      { name: 'a.pdf', type: 'application/pdf', bytes: PDF },
      { name: 'a.zip', bytes: await zipOf({ 'note.txt': 'a note' }) },
    ],
  });
  const scanned = await rig.scan(mail);
  runId = scanned.runId;
  const delivered = {
    sha256: 'ab'.repeat(32),
    size: 7,
    type: 'text/plain',
    extension: 'txt',
    untrustedName: 'a.txt',
    hasOurWords: false,
  };
  const ledger: Ledger = {
    ...scanned.ledger,
    stages: [],
    failure: { class: 'timeout', detail: 'why' },
    rebuilt: { sha256: 'ab'.repeat(32), size: 7 },
    warnings: [{ code: 'odd_header', path: '1', detail: 'why' }],
    signatures: [
      {
        kind: 'pgp',
        path: '1',
        contentPath: '1.1',
        signaturePath: '1.2',
        result: 'verified',
        untrustedSigner: 'ana@sender.example',
        detail: '',
        isDelivered: true,
      },
    ],
    parts: scanned.ledger.parts.map((part) => ({ ...part, delivered })),
  };
  whole = JSON.parse(new TextDecoder().decode(ledgerJson(ledger)));
});

const at = (value: Json, place: Place): Json =>
  place.reduce<Json>((inner, step) => (inner as Record<string, Json>)[step] as Json, value);

/** Every place in it, one entry of each list per kind of entry. */
function placesIn(value: Json, place: Place = []): Place[] {
  const entries: [string | number, Json][] = Array.isArray(value)
    ? value.map((entry, index) => [index, entry])
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : [];
  return entries.flatMap(([step, inner]) => [[...place, step], ...placesIn(inner, [...place, step])]);
}

async function isBelieved(place: Place, lie: Json | undefined): Promise<boolean> {
  const copy = structuredClone(whole);
  const last = place.at(-1) as string;
  const holder = at(copy, place.slice(0, -1)) as Record<string, Json>;
  if (lie === undefined) delete holder[last];
  else holder[last] = lie;
  await say(copy);
  return readLedger(rig.ctx, runId).then(
    () => true,
    (error: unknown) => {
      if (error instanceof CorruptDataError) return false;
      throw error;
    },
  );
}

/** The places at which a lie was believed, without the numbers of list entries. */
async function believed(lieFor: (value: Json, name: string) => Json | undefined | 'none'): Promise<string[]> {
  const found = new Set<string>();
  // The list of stages follows from the heads of the entries; nobody says it.
  for (const place of placesIn(whole).filter(([first]) => first !== 'stages')) {
    const lie = lieFor(at(whole, place), String(place.at(-1)));
    if (lie !== 'none' && (await isBelieved(place, lie)))
      found.add(place.filter((step) => typeof step === 'string').join('.'));
  }
  return [...found];
}

test('as it is, it is believed, and so is what a stage writes', async () => {
  await say(whole);
  expect(await told()).toEqual(whole);
});

describe('is damaged', () => {
  test('when any field is missing', async () => {
    expect(await believed((_, name) => (/^\d+$/.test(name) ? 'none' : undefined))).toEqual([]);
  });

  test('when any value is of another kind', async () => {
    // An empty list is none of: a text, a number, a truth, nothing, an object.
    expect(await believed((value) => (Array.isArray(value) ? {} : []))).toEqual([]);
  });

  test('when a count is negative or not whole', async () => {
    const counts = /^(?:size|depth|start|end|urlsOverLimit|polls)$/;
    for (const lie of [-1, 1.5])
      expect(await believed((value, name) => (counts.test(name) && value !== null ? lie : 'none'))).toEqual([]);
  });

  test('when a word is not one of the closed list', async () => {
    const words =
      /^(?:schema|kind|role|typeGroup|where|source|status|verdict|class|readAs|as|outcome|disposition|code|state|stage|result)$/;
    expect(
      await believed((value, name) => (words.test(name) && typeof value === 'string' ? 'made-up' : 'none')),
    ).toEqual([]);
    const lists = at(whole, ['parts', 1, 'readings']);
    expect(Array.isArray(lists)).toBe(true);
    expect(await isBelieved(['parts', 1, 'readings'], ['made-up'])).toBe(false);
    expect(await isBelieved(['artifacts', 0, 'type'], 'made-up')).toBe(false);
  });

  test.each([
    ['short', (hash: string) => hash.slice(1)],
    ['long', (hash: string) => `${hash}0`],
    ['in capitals', (hash: string) => `${hash.slice(0, -1)}A`],
    ['behind something', (hash: string) => `0${hash}`],
  ])('when a hash is %s', async (_, lie) => {
    const isHash = (name: string) => name === 'sha256';
    expect(await believed((value, name) => (isHash(name) && typeof value === 'string' ? lie(value) : 'none'))).toEqual(
      [],
    );
    const isId = (value: Json): value is string =>
      typeof value === 'string' && /^(?:file|url):[0-9a-f]{64}$/.test(value);
    expect(await believed((value) => (isId(value) ? value.replace(/[0-9a-f]{64}/, lie) : 'none'))).toEqual([]);
  });

  test('when the id of a link stands for a file, or the other way round', async () => {
    const other = (id: string) => (id.startsWith('url:') ? id.replace('url:', 'file:') : id.replace('file:', 'url:'));
    expect(
      await believed((value, name) =>
        /^(?:id|artifactId)$/.test(name) && typeof value === 'string' ? other(value) : 'none',
      ),
    ).toEqual([]);
  });

  test('when a time is none', async () => {
    const times = /^(?:bornAt|deadlineAt|at|submittedAt|finishedAt|startedAt)$/;
    expect(
      await believed((value, name) => (times.test(name) && typeof value === 'string' ? 'yesterday' : 'none')),
    ).toEqual([]);
  });

  test('when an artifact is listed twice', async () => {
    const artifacts = at(whole, ['artifacts']) as Json[];
    expect(await isBelieved(['artifacts'], [...artifacts, artifacts[0] as Json])).toBe(false);
  });

  test('when a file is in the group of links', async () => {
    const index = (at(whole, ['artifacts']) as { type: string }[]).findIndex(({ type }) => type === 'file');
    expect(await isBelieved(['artifacts', index, 'typeGroup'], 'url')).toBe(false);
  });

  test('and the error says where', async () => {
    await say({ ...(whole as Record<string, Json>), polls: -1 });
    await expect(readLedger(rig.ctx, runId)).rejects.toThrow(
      `entry quarantine of run ${runId}: line 3 is no entry of poll: change.ledger.polls: `,
    );
  });
});

test('a ledger that is missing or too large is said to be so', async () => {
  await expect(readLedger(rig.ctx, 'cd'.repeat(16))).rejects.toThrow(NotFoundError);
  await say(whole);
  const { length } = await rig.blobs.get('work', keys.entry(runId, 1, 'quarantine'), { maxBytes: 10_000_000 });
  const within = (limits: Partial<Limits>) => ({ ...rig.ctx, limits: { ...rig.ctx.limits, ...limits } });
  await readLedger(within({ chainBytes: length, chainEntries: STAGES.length }), runId);
  await expect(readLedger(within({ chainBytes: length - 1 }), runId)).rejects.toThrow(LimitExceededError);
  await expect(readLedger(within({ chainEntries: STAGES.length - 1 }), runId)).rejects.toThrow(LimitExceededError);
});

import { beforeAll, describe, expect, test } from 'vitest';
import type { Blobs, Submissions } from '../../lib/pipeline/ports.ts';
import { describeBlobs } from '../storage/blobs-contract.ts';
import { describeSubmissions } from '../storage/submissions-contract.ts';
import { loadSimulation, type SimulationModule } from './bundle.ts';
import { INVARIANTS } from './invariants.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';
import { shrink } from './shrink.ts';
import { createObjects, createRecords } from './stores.ts';
import type { Simulation } from './world.ts';

let product: SimulationModule;
beforeAll(async () => {
  product = await loadSimulation();
});

const SEEDS = 20;
/** A planted fault is searched for in this many seeds. */
const SEEDS_OF_FAULT = 300;

describe('the airlock under every fault', () => {
  test(`holds every invariant in the first ${SEEDS} seeds, with every kind of end and of fault in them`, async () => {
    const [kinds, ends] = [new Set<string>(), new Set<string>()];
    const trace = (line: string) => ends.add(line.replace(/^.*? told (\w+) of mail \d/, '$1'));
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { violation, faults } = await product.simulate({ seed, trace });
      expect(violation, `npm run simulate -- --seed ${seed}`).toBe(null);
      for (const { kind } of faults) kinds.add(kind);
    }
    // Nothing would be held where nothing goes wrong.
    expect(kinds.size).toBeGreaterThanOrEqual(18);
    for (const end of ['MessageDelivered', 'MessageQuarantined', 'MessageDelivered attempt 2'])
      expect(ends).toContain(end);
  });

  test('a seed is the same course of events each time, however much is remembered from others', async () => {
    const fresh = await loadSimulation(undefined, 'fresh');
    for (const seed of [3, 8]) {
      const [first, again] = [await fresh.simulate({ seed }), await product.simulate({ seed })];
      expect(again).toEqual(first);
      expect(await product.simulate({ seed })).toEqual(first);
    }
    expect((await product.simulate({ seed: 4 })).digest).not.toBe((await product.simulate({ seed: 3 })).digest);
  });

  test('a seed with all of its mails and faults named is the same as without', async () => {
    const { mails, faults, digest } = await product.simulate({ seed: 8 });
    const only = new Set([...mails.map((mail) => mail.slice(0, mail.indexOf(':'))), ...faults.map(({ name }) => name)]);
    expect((await product.simulate({ seed: 8, only })).digest).toBe(digest);
  });
});

/** A simulation that breaks something, or null. The seed that found the fault before is tried first. */
async function firstBroken({ simulate }: SimulationModule, before: number): Promise<Simulation | null> {
  const all = Array.from({ length: SEEDS_OF_FAULT }, (_, index) => index + 1);
  for (const seed of [before, ...all]) {
    const found = await simulate({ seed });
    if (found.violation !== null) return found;
  }
  return null;
}

describe('a fault in the product is found:', () => {
  test.each(PLANTED_FAULTS)('$name', async (planted) => {
    const simulation = await loadSimulation(planted);
    const found = await firstBroken(simulation, planted.seed);
    expect(found, `not in ${SEEDS_OF_FAULT} seeds`).not.toBe(null);
    const seed = found?.seed ?? 0;
    process.stdout.write(`  seed ${seed} finds: ${planted.name} (${found?.violation?.invariant})\n`);
    // The same seed breaks nothing in the product.
    expect((await product.simulate({ seed })).violation).toBe(null);
  });

  test('and a seed is cut down to what is needed for it', async () => {
    const planted = PLANTED_FAULTS.find(({ name }) => name === 'the claim of an end is not conditional');
    const simulation = await loadSimulation(planted);
    const found = await firstBroken(simulation, planted?.seed ?? 1);
    const { mails, faults, violation } = await shrink(simulation.simulate, { seed: found?.seed ?? 0 });
    expect(violation?.invariant).toBe(found?.violation?.invariant);
    expect(mails).toHaveLength(1);
    expect(faults.length).toBeLessThan(found?.faults.length ?? 0);
  });
});

test('every invariant has a name and looks at something', () => {
  for (const { name, ...looks } of INVARIANTS) expect(Object.keys(looks).length, name).toBeGreaterThan(0);
  expect(new Set(INVARIANTS.map(({ name }) => name)).size).toBe(INVARIANTS.length);
});

/** The store of the simulation as the port, without delays and faults. */
function blobs(): Blobs {
  const objects = createObjects(() => {});
  return {
    put: async (bucket, key, body, options) => objects.put(bucket, key, Uint8Array.from(body), options),
    get: async (...args) => Uint8Array.from(objects.get(...args)),
    has: async (...args) => objects.has(...args),
    copy: async (...args) => objects.copy(...args),
  };
}

function submissions(): Submissions {
  const records = createRecords(() => 0);
  return {
    claim: async (...args) => records.claim(...args),
    find: async (...args) => records.find(...args),
    update: async (...args) => records.update(...args),
    release: async (...args) => records.release(...args),
  };
}

test('a claim that was made after something was sent is not the one under which it was sent', () => {
  let now = 0;
  const records = createRecords(() => now);
  const claim = (expiresAtSeconds: number) =>
    records.claim(
      { key: 'k', claimedBy: 'run', submissionId: null, report: null, disarmed: null, expiresAtSeconds },
      now,
    );
  claim(120);
  now = 168;
  claim(288);
  // The call took until the first claim had run out, and the second was not made yet.
  expect(records.claimEnd('k', 'run', 132)).toBe(null);
  expect(records.claimEnd('k', 'run', 100)).toBe(120);
  expect(records.claimEnd('k', 'run', 170)).toBe(288);
});

test('a run whose claim a later attempt gives up for it had one, also before that attempt claims for itself', () => {
  const records = createRecords(() => 0);
  const claimFor = (claimedBy: string) =>
    records.claim({ key: 'k', claimedBy, submissionId: null, report: null, disarmed: null, expiresAtSeconds: 120 }, 0);
  claimFor('one-3');
  records.release('k', 'one-3');
  expect(records.hadClaim('k', 'one-3')).toBe(true);
  claimFor('other-4');
  expect(records.hadClaim('k', 'one-3')).toBe(true);
  records.release('k', 'other-4');
  claimFor('third-4');
  expect(records.hadClaim('k', 'other-4')).toBe(false);
});

describeBlobs('the store of the simulation', blobs);
describeSubmissions('the records of the simulation', submissions);

/** A run of which a first message went out, and whose process ended: it goes on where it was, and is not held for the time in between. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';
import { openSession, type SessionOptions } from '../../lib/local/session/session.ts';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { type RunningService, startService } from '../../lib/service/server/listen.ts';
import { directoryBlobs } from '../../lib/storage/directory/directory.ts';
import { emailWith } from '../pipeline/rig.ts';

const HOUR_MS = 3_600_000;
const POLICY = parsePolicy(JSON.stringify({ firstMessage: { afterSeconds: 0 } }));
const API_KEY = 'ma_key_of_a_test';
const mailOf = (number: number) =>
  emailWith({ text: 'See.', files: [{ name: 'a.csv', type: 'text/csv', bytes: `name,amount\r\nAna,${number}\r\n` }] });

let pool: EnginePool;
let service: RunningService;
/** The file waits in the service until this is resolved. */
let goOn: () => void;
let told: Promise<void>;

beforeAll(async () => {
  pool = createEnginePool({ threads: 1 });
  const runner: EnginePool = {
    ...pool,
    run: async (task, group) => {
      if (task.engine !== 'url' && Buffer.from(task.input.bytes).includes('amount')) await told;
      return pool.run(task, group);
    },
  };
  service = await startService({ port: 0, apiKey: API_KEY, cdrToken: 'token_of_a_test', pool: runner });
});
afterEach(() => void vi.useRealTimers());
afterAll(async () => {
  goOn();
  await service.close();
  await pool.close();
});

test.each([
  ['where it was, at once', 0, 'submit', 1],
  // A report that is there when the attempt asks for it counts, late as it is. So the service ends only when the attempt was decided.
  ['as another attempt, when its time is over', HOUR_MS, 'decide', 2],
] as const)('it goes on %s', async (_, passedMs, waitsFor, number) => {
  told = new Promise((resolve) => {
    goOn = resolve;
  });
  const mail = Buffer.from(mailOf(number));
  const out = await mkdtemp(join(tmpdir(), 'airlock-gone-on-'));
  await directoryBlobs(out).put('intake', 'mail.eml', mail);
  const intake = { bucket: 'intake', untrustedKey: 'mail.eml', versionId: sha256Hex(mail), size: mail.length };
  const remote = { url: service.url, secret: API_KEY };
  const open = (signal: AbortSignal, onStage: SessionOptions['onStage'] = () => {}) =>
    openSession({ out, policy: POLICY, service: remote, cdrService: null, signal, onStage });
  const ending = new AbortController();
  const before = await open(ending.signal);
  const onFirst = async () => ending.abort();
  const died = await before.scanStored('mail', intake, { isOnce: true, onFirst });
  await before.close();
  expect(died.state).toBe('interrupted');

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + passedMs });
  const after = await open(new AbortController().signal, (_label, stage) => stage === waitsFor && goOn());
  const outcome = await after.scanStored('mail', intake, { isOnce: true });
  await after.close();
  expect(outcome).toMatchObject({ state: 'delivered', ledger: { early: {}, attempt: { number } } });
  await rm(out, { recursive: true, force: true });
});

import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Input } from '../../lib/local/input/input.ts';
import { inputsOf } from '../../lib/local/input/input.ts';
import { hasRunFailed, type Outcome } from '../../lib/local/outcome.ts';
import { type LocalService, startLocalService } from '../../lib/local/session/local-service.ts';
import { openSession } from '../../lib/local/session/session.ts';
import type { StageName } from '../../lib/pipeline/model.ts';
import { DEFAULT_POLICY } from '../../lib/pipeline/policy/policy.ts';
import { emailWith } from '../pipeline/rig.ts';
import { wayWithout } from '../pipeline/way.ts';

let folder: string;
let service: LocalService;
let input: Input;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-session-'));
  service = await startLocalService(0);
  await writeFile(join(folder, 'mail.eml'), emailWith({ text: 'see https://one.example/', html: '<p>hello</p>' }));
  for await (const found of inputsOf([join(folder, 'mail.eml')])) input = found;
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Scans the mail against the remote service, and presses Ctrl-C when a stage is done. */
async function scan(out: string, stopAfter: StageName | null): Promise<Outcome> {
  const stop = new AbortController();
  const onStage = (_: string, stage: StageName) => {
    if (stage === stopAfter) stop.abort();
  };
  const remote = { url: service.url, secret: service.apiKey };
  const session = await openSession({
    out: join(folder, out),
    policy: DEFAULT_POLICY,
    service: remote,
    cdrService: null,
    signal: stop.signal,
    onStage,
  });
  try {
    return await session.scan(input);
  } finally {
    await session.close();
  }
}

const submissionIds = (outcome: Outcome) => {
  if (!('ledger' in outcome)) throw new Error(`no ledger: ${outcome.state}`);
  return outcome.ledger.artifacts.flatMap(({ submissions }) => submissions.map(({ submissionId }) => submissionId));
};

test.each(['parse', ...wayWithout('poll', 'fetch')] as const)(
  'stopped after %s it says so; scanned again it comes to its end',
  async (stage) => {
    const stopped = await scan(`stopped-${stage}`, stage);
    expect(stopped).toMatchObject({ state: 'interrupted', code: 'interrupted' });
    expect((await scan(`stopped-${stage}`, null)).state).toBe('delivered');
  },
);

test('a run that is stopped after the delivery counts as delivered', async () => {
  expect((await scan('late', 'deliver')).state).toBe('delivered');
});

test('a submission of an interrupted run is joined at the remote service and not sent again', async () => {
  await scan('joined', 'submit');
  const again = await scan('joined', null);
  const third = await scan('joined', null);
  expect(submissionIds(third)).toEqual(submissionIds(again));
  expect(new Set(submissionIds(again)).size).toBe(submissionIds(again).length);
});

test('Ctrl-C ends a request that a service never answers', async () => {
  const silent = createServer(() => {});
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const stop = new AbortController();
  silent.once('request', () => stop.abort());
  const { port } = silent.address() as AddressInfo;
  const session = await openSession({
    out: join(folder, 'silent'),
    policy: DEFAULT_POLICY,
    service: { url: `http://127.0.0.1:${port}`, secret: 'k' },
    cdrService: null,
    signal: stop.signal,
    onStage: () => {},
  });
  expect(await session.scan(input)).toMatchObject({ state: 'interrupted' });
  await session.close();
  silent.closeAllConnections();
  silent.close();
});

test('a key that the service refuses is a fault of the run, and says what to check', async () => {
  const session = await openSession({
    out: join(folder, 'refused'),
    policy: DEFAULT_POLICY,
    service: { url: service.url, secret: 'wrong' },
    cdrService: null,
    signal: new AbortController().signal,
    onStage: () => {},
  });
  const outcome = await session.scan(input);
  await session.close();
  expect(outcome.state).toBe('quarantined');
  expect(hasRunFailed(outcome)).toBe(true);
  expect(JSON.stringify('ledger' in outcome && outcome.ledger.reasons)).toContain('check the API key');
});

test('a separate CDR service disarms beside the analysis service', async () => {
  const session = await openSession({
    out: join(folder, 'cdr'),
    policy: DEFAULT_POLICY,
    service: null,
    cdrService: { url: service.cdrUrl, secret: service.cdrToken },
    signal: new AbortController().signal,
    onStage: () => {},
  });
  const outcome = await session.scan(input);
  await session.close();
  expect(outcome.state).toBe('delivered');
});

test('one file scanned by three sessions at once into one folder is delivered by each of them', async () => {
  const outcomes = await Promise.all([scan('shared', null), scan('shared', null), scan('shared', null)]);
  expect(outcomes.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
  const messages = outcomes.map((outcome) => ('written' in outcome ? outcome.written.message : null));
  expect(new Set(messages).size).toBe(1);
});

test('a folder that was replaced by a link ends the run with a sentence, and nothing is written there', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'airlock-elsewhere-'));
  await mkdir(join(folder, 'planted'), { recursive: true });
  await symlink(elsewhere, join(folder, 'planted/clean'));
  const outcome = await scan('planted', null);
  expect(outcome.state).toBe('failed');
  expect('message' in outcome ? outcome.message : '').toMatch(/clean is a link, or of another kind/);
  expect(await readdir(elsewhere)).toEqual([]);
  await rm(elsewhere, { recursive: true });
});

/** The deployed thing with tags and the policy that refuses what is not clean: what each upload is answered, and who may read it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, PutObjectTaggingCommand, S3Client } from '@aws-sdk/client-s3';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';
import type { MailAirlockStack } from '../../lib/infra/stack.ts';
import { MailEnvelope } from '../../lib/pipeline/contents/mail-envelope.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { EVENT_SOURCE, RunEvent } from '../../lib/pipeline/results/run-event.ts';
import { STACK, synthesizeTo } from './assembly/synthesize.ts';
import { onTwin } from './run/command-line.ts';
import { badMail, mailWithFile, mailWithPdf, plainMail } from './run/mails.ts';
import { outcomesOf } from './run/outcomes.ts';
import { CREDENTIALS, type Sent, startTwin, type Twin } from './run/twin.ts';
import type { StoredObject } from './servers/s3/store.ts';
import { receiveBySes } from './servers/ses.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-answers-test-'));
/** Bounds a run that hangs. It measures nothing. */
const NET_SECONDS = 500;
/** A link and a script, so that nothing of it is clean by itself. */
const page = '<html><body><p>Hello</p><script>document.write(1)</script></body></html>';

const SETTINGS = {
  tagSources: true,
  indexRuns: true,
  denyUncleanReads: true,
  ocsfFindings: true,
  sesRecipients: 'recipient.example',
};

/** A bucket of the owner, of which one folder goes through the airlock. */
function withUploads(stack: MailAirlockStack): void {
  const bucket = new s3.Bucket(stack, 'Uploads', { versioned: true, encryption: s3.BucketEncryption.S3_MANAGED });
  const uploads = bucket as s3.IBucket;
  stack.airlock.addSource({ bucket: uploads, prefix: 'in/', suffix: '.txt', maximumBytes: 1_000 });
  stack.airlock.addSource({ bucket: uploads, prefix: 'swap/', keys: 'in-place' });
  stack.airlock.addSource({ bucket: uploads, prefix: 'twin/', keys: 'mirrored' });
}

let engines: EnginePool;
let twin: Twin;
/** The key of a mail that SES received. */
let received: string | null;
const INCOMING = {
  sender: 'bounces+1=bob@sender.example',
  recipients: ['bob@recipient.example', 'hidden@recipient.example', 'eve@elsewhere.example'],
  bytes: plainMail().bytes,
};
let uploads: Readonly<Record<'plain' | 'script' | 'bad' | 'page', Sent>>;

beforeAll(async () => {
  const assembly = join(folder, 'cdk.out');
  synthesizeTo(assembly, { ...SETTINGS }, withUploads);
  engines = createEnginePool({ threads: 1 });
  twin = await startTwin({ assembly, folder, engines, analyst: 'engines', processes: 2 });
  uploads = {
    plain: await twin.send(plainMail()),
    script: await twin.send(mailWithPdf()),
    bad: await twin.send(badMail()),
    page: await twin.send(mailWithFile('page.html', 'text/html', Buffer.from(page), 'either')),
  };
  received = await twin.clock.work(() => receiveBySes(twin.deployment, { ...INCOMING, isOverTls: true }));
  await inUploads(['in/a.txt', 'in/large.txt', 'in/a.bin', 'out/a.txt'], (client, Bucket, Key) =>
    twin.clock.work(() => client.send(new PutObjectCommand({ Bucket, Key, Body: textOf(Key) }))),
  );
  await inUploads(['swap/page.html', 'twin/page.html'], (client, Bucket, Key) =>
    twin.clock.work(() => client.send(new PutObjectCommand({ Bucket, Key, Body: page }))),
  );
  await twin.settled(NET_SECONDS);
});
afterAll(async () => {
  await twin.close();
  await engines.close();
  rmSync(folder, { recursive: true });
});

const intakeOf = (detail: object) =>
  (detail as { intake?: { bucket: string; untrustedKey: string } }).intake ?? NOWHERE;
const NOWHERE = { bucket: '', untrustedKey: '' };
const tagsOf = ({ key, object }: Sent) =>
  twin.deployment.bucket('BucketsIntake').find(key, object.versionId).tags as Record<string, string>;
const textOf = (key: string) => `The text of ${key}. `.repeat(key.includes('large') ? 100 : 1);

/** What the administrator does with objects of the owner's bucket. */
async function inUploads(
  keys: readonly string[],
  work: (client: S3Client, bucket: string, key: string) => Promise<unknown>,
) {
  const { front, assembly, bucket } = twin.deployment;
  const { region } = assembly.place;
  const client = new S3Client({ endpoint: front.url, forcePathStyle: true, region, credentials: CREDENTIALS });
  try {
    for (const key of keys) await work(client, bucket('Uploads').settings.name, key);
  } finally {
    client.destroy();
  }
}
const eventOf = ({ runId }: Sent) =>
  twin.deployment.bus.events.find(({ source, detail }) => source === EVENT_SOURCE && detail.runId === runId)?.detail;

test('every upload ends as it must, nothing is denied to a function, and nothing waits for a person', () => {
  expect(outcomesOf(twin).flatMap(({ problems }) => problems)).toEqual([]);
  expect(twin.deployment.gate.denials).toEqual([]);
  expect(twin.deployment.front.unknowns).toEqual([]);
});

test('every upload is tagged with its state, its worst verdict and its run, as the event says', () => {
  for (const sent of Object.values(uploads)) {
    const { state, verdict } = eventOf(sent) as { state: string; verdict: string };
    expect(tagsOf(sent)).toEqual({
      'airlock-state': state,
      'airlock-verdict': verdict,
      'airlock-run': `${sent.runId}-1`,
    });
  }
  expect(tagsOf(uploads.plain)['airlock-state']).toBe('clean');
  expect(tagsOf(uploads.script)['airlock-state']).toBe('delivered');
  expect(tagsOf(uploads.bad)).toMatchObject({ 'airlock-state': 'quarantined', 'airlock-verdict': 'malicious' });
});

test('of the bucket of the owner, only what begins and ends as it should is looked at, and it is answered there', async () => {
  const uploaded = twin.deployment.bucket('Uploads');
  const stateOf = (key: string) => uploaded.newest(key)?.tags['airlock-state'];
  expect(['in/a.txt', 'in/a.bin', 'out/a.txt'].map(stateOf)).toEqual(['clean', undefined, undefined]);
  const ends = twin.deployment.bus.events.filter(
    (event) => event['detail-type'].startsWith('Message') && intakeOf(event.detail).bucket === uploaded.settings.name,
  );
  const answered = ends.map(({ detail }) => intakeOf(detail).untrustedKey).filter((key) => !/^(?:swap|twin)/.test(key));
  expect(answered.sort()).toEqual(['in/a.txt', 'in/large.txt']);
  await inUploads(['in/a.txt', 'out/a.txt'], (client, Bucket, Key) =>
    client.send(new GetObjectCommand({ Bucket, Key })),
  );
});

test('an object over the limit of its source is held as unreadable, with its original', async () => {
  const uploaded = twin.deployment.bucket('Uploads');
  expect(uploaded.newest('in/large.txt')?.tags).toMatchObject({ 'airlock-state': 'unreadable' });
  const end = twin.deployment.bus.events.find(({ detail }) => intakeOf(detail).untrustedKey === 'in/large.txt');
  expect(end?.detail).toMatchObject({
    state: 'unreadable',
    reasons: ['oversize'],
    intake: { size: textOf('in/large.txt').length },
  });
  const held = twin.deployment.bucket('BucketsQuarantine').newest(`${end?.detail.runId}/original`);
  expect(held?.body.toString()).toBe(textOf('in/large.txt'));
  await inUploads(['in/large.txt'], async (client, Bucket, Key) => {
    await expect(client.send(new GetObjectCommand({ Bucket, Key }))).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});

test('a result in place is the newest version, can be read, and is not scanned again; the original cannot', async () => {
  const uploaded = twin.deployment.bucket('Uploads');
  const [original, result, ...more] = uploaded.versions('swap/page.html') as StoredObject[];
  expect(more).toEqual([]);
  expect(original?.body.toString()).toBe(page);
  expect(result?.body.toString()).toContain('Hello');
  expect(result?.body.toString()).not.toContain('script');
  expect([original, result].map((version) => version?.tags['airlock-state'])).toEqual(['delivered', 'clean']);
  await inUploads(['swap/page.html'], async (client, Bucket, Key) => {
    await client.send(new GetObjectCommand({ Bucket, Key }));
    const first = client.send(new GetObjectCommand({ Bucket, Key, VersionId: original?.versionId }));
    await expect(first).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});

test('a mirrored result lies in the clean bucket, and one event names where each result was put', () => {
  const { deployment } = twin;
  const mirrored = deployment.bucket('BucketsClean').newest('clean/twin/page.html');
  expect(mirrored?.body.toString()).toContain('Hello');
  expect(mirrored?.body.toString()).not.toContain('script');
  const told = deployment.bus.events.filter((event) => event['detail-type'] === 'MessagePlaced');
  const placed = told.map(({ detail }) => RunEvent.parse(detail).placed);
  expect(placed.map((one) => [one?.form, one?.outcome, ...(one?.untrustedKeys ?? [])]).sort()).toEqual([
    ['in-place', 'written', 'swap/page.html'],
    ['mirrored', 'written', 'clean/twin/page.html'],
  ]);
});

test('mail that SES received is delivered with its verdicts, and its envelope lies beside it', () => {
  const { deployment } = twin;
  const [bucket, key] = [deployment.bucket('BucketsIntake').settings.name, received ?? ''];
  const end = deployment.bus.events.find(({ detail }) => intakeOf(detail).untrustedKey === key);
  expect(end?.['detail-type']).toBe('MessageDelivered');
  const delivered = deployment.bucket('BucketsClean').newest(`${end?.detail.runId}/message.eml`)?.body.toString() ?? '';
  for (const field of ['X-SES-Spam-Verdict: PASS', 'X-SES-Virus-Verdict: PASS', 'Received-SPF: pass'])
    expect(delivered).toContain(field);
  const note = deployment.bucket('BucketsWork').newest(keys.envelope(bucket, key))?.body.toString() ?? '{}';
  expect(MailEnvelope.parse(JSON.parse(note))).toMatchObject({
    via: 'ses',
    sender: 'bounces+1=bob@sender.example',
    recipients: ['bob@recipient.example', 'hidden@recipient.example'],
    untrustedVerdicts: { spam: 'PASS', virus: 'PASS', spf: 'PASS', dkim: 'GRAY', dmarc: 'GRAY' },
  });
});

test('SES takes no mail without TLS, for others, or over 40 MB', async () => {
  const tries = [
    { ...INCOMING, isOverTls: false },
    { ...INCOMING, recipients: ['bob@mail.recipient.example', 'bob@elsewhere.example'], isOverTls: true },
    { ...INCOMING, bytes: Buffer.alloc(40 * 1024 * 1024 + 1), isOverTls: true },
  ];
  for (const one of tries) expect(await receiveBySes(twin.deployment, one)).toBeNull();
});

test('each event comes as an OCSF finding, too', () => {
  const findings = twin.deployment.bus.events.filter((event) => event['detail-type'] === 'Detection Finding');
  expect(findings.map(({ detail }) => (detail as { class_uid?: number }).class_uid)).toEqual(Array(9).fill(2004));
});

test('only the clean upload can be read, by an administrator too, and nobody else sets tags', async () => {
  const { front, assembly, bucket } = twin.deployment;
  const Bucket = bucket('BucketsIntake').settings.name;
  const { region } = assembly.place;
  const client = new S3Client({ endpoint: front.url, forcePathStyle: true, region, credentials: CREDENTIALS });
  const read = ({ key }: Sent) => client.send(new GetObjectCommand({ Bucket, Key: key }));
  try {
    await expect(read(uploads.plain)).resolves.toBeDefined();
    for (const sent of [uploads.script, uploads.bad])
      await expect(read(sent)).rejects.toMatchObject({ name: 'AccessDenied' });
    const lie = { Bucket, Key: uploads.bad.key, Tagging: { TagSet: [{ Key: 'airlock-state', Value: 'clean' }] } };
    await expect(client.send(new PutObjectTaggingCommand(lie))).rejects.toMatchObject({ name: 'AccessDenied' });
    const tagged = { Bucket, Key: 'tagged', Body: 'x', Tagging: 'airlock-state=clean' };
    await expect(client.send(new PutObjectCommand(tagged))).rejects.toMatchObject({ name: 'AccessDenied' });
    expect(tagsOf(uploads.bad)['airlock-state']).toBe('quarantined');
  } finally {
    client.destroy();
  }
});

describe('the index of runs', () => {
  const asked = (...args: string[]) => onTwin(twin, ...args, '--stack', STACK);
  const ends = () =>
    twin.deployment.bus.events.filter((event) => /^Message(?:Delivered|Quarantined)$/.test(event['detail-type']))
      .length;
  const rowsOf = (stdout: string) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  test('has every run with its end, as the command line lists it', async () => {
    const { code, stdout } = await asked('runs', 'list', '--json');
    const states = new Map(rowsOf(stdout).map(({ runId, state }) => [runId, state]));
    expect([code, states.size]).toEqual([0, ends()]);
    const wanted = { plain: 'delivered', script: 'delivered', bad: 'quarantined' } as const;
    for (const [name, state] of Object.entries(wanted))
      expect(states.get(uploads[name as keyof typeof wanted].runId), name).toBe(state);
    const held = rowsOf((await asked('quarantine', 'list', '--reason', 'malicious', '--json')).stdout);
    expect(held.map(({ runId }) => runId)).toEqual([uploads.bad.runId]);
  });

  test('leads to the signed chain, of which the command line shows what was found', async () => {
    const [row] = rowsOf((await asked('quarantine', 'list', '--reason', 'malicious', '--json')).stdout);
    const { code, stdout } = await asked('quarantine', 'show', row.reference);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Held because of /);
    expect(stdout).toContain(`quarantine bucket: ${uploads.bad.runId}/original`);
    expect(stdout).toContain(`${row.reference}  ${uploads.bad.runId}`);
    const none = await asked('runs', 'show', 'ab'.repeat(16));
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining(`the stack ${STACK} has no run`)]);
  });

  test('is made anew from the chains, and is the same then', async () => {
    const before = await asked('runs', 'list', '--json');
    const rebuilt = await asked('index', 'rebuild', '--json');
    expect([rebuilt.code, rebuilt.stdout]).toEqual([0, `{"runs":${ends()},"unreadable":[]}\n`]);
    expect(await asked('runs', 'list', '--json')).toEqual(before);
  });
});

test('the roles beside the stages use every permission that they have', () => {
  const unused = twin.deployment.gate.unused().filter(({ where }) => /^(?:WaysOut|Doors)/.test(where));
  // Without the first one, S3 answers 403 where an entry is missing: here each event has the end that it says.
  // SES asks for the second one in its documents; nobody here knows for what.
  expect(unused.map(({ where, action }) => `${where} ${action}`)).toEqual([
    'WaysOutTagRole s3:ListBucket',
    'DoorsSesRole kms:Encrypt',
  ]);
});

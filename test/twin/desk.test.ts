/** The deployed thing with a desk: what people decide there goes through the synthesized functions, under the synthesized policies. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretOf } from '../../lib/desk/cloud/sign-in.tsx';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { CLIENT, type LocalIssuer, startIssuer } from '../desk/local-issuer.ts';
import { packed } from '../formats/archives/archives.ts';
import { STACK, synthesizeTo } from './assembly/synthesize.ts';
import { onTwin } from './run/command-line.ts';
import { badMail, type Mail, mailWithFile, mailWithPdf, plainMail } from './run/mails.ts';
import { type Sent, startTwin, type Twin } from './run/twin.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-desk-twin-'));
/** Bounds a run that hangs. It measures nothing. */
const NET_SECONDS = 500;
const ISSUER = 'https://login.example.org';
const HOST = 'desk.example.org';
const WHY = 'the sender called';
const [PAT, KIM] = [
  { sub: 'id-of-pat', email: 'pat@example.org', groups: ['admin'] },
  { sub: 'id-of-kim', email: 'kim@example.org', groups: ['admin'] },
];

let engines: EnginePool;
let issuer: LocalIssuer;
let twin: Twin;
let held: Readonly<
  Record<'released' | 'killed' | 'deleted' | 'rescanned' | 'original' | 'raced' | 'delivered' | 'large', Sent>
>;

beforeAll(async () => {
  const assembly = join(folder, 'cdk.out');
  const policyFile = join(folder, 'policy.json');
  writeFileSync(policyFile, '{"version":1,"release":{"malicious":"original"},"failures":{"encrypted":"quarantine"}}');
  const deskIssuer = `${ISSUER} ${CLIENT}`;
  const desk = { deskIssuer, deskDrop: true, deskUrl: `https://${HOST}` };
  synthesizeTo(assembly, { indexRuns: true, passwordMail: true, ...desk, policyFile });
  engines = createEnginePool({ threads: 1 });
  issuer = await startIssuer(afterAll);
  const instead = { [ISSUER]: issuer.url };
  twin = await startTwin({ assembly, folder, engines, analyst: 'engines', processes: 3, instead });
  held = {
    released: await twin.send(badMail()),
    killed: await twin.send(badMail()),
    deleted: await twin.send(badMail()),
    rescanned: await twin.send(badMail()),
    original: await twin.send(badMail()),
    raced: await twin.send(badMail()),
    delivered: await twin.send(mailWithPdf()),
    large: await twin.send(mailWithFile('large.bin', 'application/octet-stream', randomBytes(LARGE_BYTES), 'either')),
  };
  await twin.settled(NET_SECONDS);
});
afterAll(async () => {
  await twin.close();
  await engines.close();
  rmSync(folder, { recursive: true });
});

/** Sends a request to the desk as its HTTP API does, in the name of somebody who has signed in. */
async function desk(who: object, path: string, fields: Readonly<Record<string, string>> | null = null) {
  const now = Math.floor(twin.clock.now() / 1000);
  const token = await issuer.token({ iat: now, exp: now + 3_600, ...who });
  const body = fields === null ? null : new URLSearchParams({ csrf: secretOf(token), ...fields }).toString();
  const form = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body?.length ?? 0),
    origin: `https://${HOST}`,
  };
  const method = body === null ? 'GET' : 'POST';
  return asked(token, { method, path, body, headers: body === null ? {} : form });
}

const BOUNDARY = '----a-form-of-a-browser';

/** Drops a file at the desk, as a browser does: the HTTP API hands bytes over in base64. */
async function drop(who: object, name: string, file: Uint8Array) {
  const now = Math.floor(twin.clock.now() / 1000);
  const token = await issuer.token({ iat: now, exp: now + 3_600, ...who });
  const part = (about: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${about}\r\n\r\n`;
  const head = `${part('name="csrf"')}${secretOf(token)}\r\n${part(`name="file"; filename="${name}"`)}`;
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  const form = {
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': String(body.length),
    origin: `https://${HOST}`,
  };
  return asked(token, { method: 'POST', path: '/drop', body, headers: form });
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string | Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

async function asked(token: string, { method, path, body, headers }: Asked) {
  const isBytes = typeof body !== 'string' && body !== null;
  const [rawPath = '', rawQueryString = ''] = path.split('?');
  const event = {
    ...{ version: '2.0', routeKey: '$default', rawPath, rawQueryString },
    ...{ body: isBytes ? body.toString('base64') : body, isBase64Encoded: isBytes },
    cookies: [`__Host-airlock-desk=${token}`],
    headers: { host: HOST, ...headers },
    requestContext: { domainName: HOST, http: { method, path: rawPath } },
  };
  const { functions } = twin.deployment;
  const pages = functions.list().find(({ shortName }) => shortName === 'DeskPages')?.name ?? '';
  const answer = await twin.clock.work(() => functions.invoke(pages, event));
  if ('error' in answer) return { statusCode: FAILED, body: answer.error.errorMessage };
  return answer.result as {
    readonly statusCode: number;
    readonly body: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
}

const FAILED = 500;
/** More than an answer of a Lambda function can hold. */
const LARGE_BYTES = 4_500_000;
/** Far more than a busy machine needs. */
const MAX_TRIES = 10;

/**
 * Sends a request until the desk has answered. The desk waits for real seconds, which a busy machine may not have: whoever is told so asks again,
 * and decides nothing twice.
 */
async function sent(who: object, path: string, fields: Readonly<Record<string, string>> | null = null) {
  let answer = await desk(who, path, fields);
  const isUnknown = () => answer.statusCode === FAILED || answer.body.includes('The desk failed');
  for (let tries = 1; isUnknown() && tries < MAX_TRIES; tries += 1) answer = await desk(who, path, fields);
  return answer;
}

const decide = (who: object, { runId }: Sent, name: string, attempt = 1) =>
  sent(who, `/mails/${runId}/${name}`, { why: WHY, attempt: String(attempt) });

/** Changes the block list; when that was done before the desk could say so, it says that the list says so already. */
async function change(who: object, action: 'block' | 'unblock') {
  const { body } = await sent(who, '/blocks');
  const record = /name="record" value="(\d+)"/.exec(body)?.[1] ?? '';
  const what = action === 'block' ? { kind: 'sender', value: 'sender.example' } : { record };
  const fields = { ...what, why: 'phishing' };
  expect([303, 409]).toContain((await sent(who, `/blocks/${action}`, fields)).statusCode);
}
const clean = ({ runId }: Sent) => twin.deployment.bucket('BucketsClean').versions(keys.cleanMessage(runId));
const ledgerOf = async ({ runId }: Sent) =>
  JSON.parse((await onTwin(twin, 'runs', 'show', runId, '--json', '--stack', STACK)).stdout).ledger;
const stateIn = async ({ runId }: Sent) => {
  const { stdout } = await onTwin(twin, 'runs', 'list', '--json', '--stack', STACK);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return rows.find((row) => row.runId === runId)?.state;
};

describe('what people look at is read where no way leads out', () => {
  test('the header of held and of delivered mail', async () => {
    for (const { runId, mail } of [held.rescanned, held.delivered]) {
      let page = await sent(PAT, `/mails/${runId}`);
      // A page without its header says that the function that reads it took too long.
      for (let tries = 1; !page.body.includes('MIME-Version') && tries < MAX_TRIES; tries += 1)
        page = await sent(PAT, `/mails/${runId}`);
      expect([page.statusCode, page.body.includes('MIME-Version: 1.0')]).toEqual([200, true]);
      expect(page.body).not.toContain(mail.bytes.toString().split('\r\n\r\n').at(-1));
    }
  });

  test('a page of a PDF as it came and as it was disarmed, as pixels, and a text as it was delivered', async () => {
    const { runId, mail } = held.delivered;
    for (const side of ['before', 'after']) {
      const { body } = await sent(PAT, `/mails/${runId}/parts/1.2/${side}/1`);
      expect(Buffer.from(body, 'base64').subarray(1, 4).toString()).toBe('PNG');
    }
    expect((await sent(PAT, `/mails/${runId}/parts/1.1/after/text`)).body).toContain(mail.word);
  });

  test('the original, in a zip, for whoever says why', async () => {
    const { runId, mail } = held.rescanned;
    const { body } = await sent(PAT, `/mails/${runId}/original.zip`, { why: WHY });
    expect((await unpacked(Buffer.from(body, 'base64'))).equals(mail.bytes)).toBe(true);
    expect((await desk({ ...PAT, groups: ['reader'] }, `/mails/${runId}/original.zip`, { why: WHY })).statusCode).toBe(
      403,
    );
  });
});

test('an original that is too large for an answer lies in the work bucket, and the page has a link to it', async () => {
  const { runId, mail } = held.large;
  const { statusCode, body } = await sent(PAT, `/mails/${runId}/original.zip`, { why: WHY });
  expect([
    statusCode,
    body.includes('Bearer'),
    /href="https?:[^"]*\/takeouts\/[^"]*X-Amz-Expires=\d{1,3}&amp;/.test(body),
  ]).toEqual([200, false, true]);
  const [key = '', ...others] = twin.deployment
    .bucket('BucketsWork')
    .keys()
    .filter((each) => each.startsWith('takeouts/'));
  const [stored] = twin.deployment.bucket('BucketsWork').versions(key);
  if (stored === undefined) throw new Error('no zip is stored');
  expect([others, (await unpacked(stored.body)).equals(mail.bytes)]).toEqual([[], true]);
});

/** What is in a zip as the desk gives it away. */
async function unpacked(zip: Uint8Array): Promise<Buffer> {
  const reader = new ZipReader(new Uint8ArrayReader(zip), { password: 'infected', useWebWorkers: false });
  const [entry] = await reader.getEntries();
  if (entry === undefined || entry.directory) throw new Error('the zip has no entry');
  return Buffer.from(await entry.getData(new Uint8ArrayWriter()));
}

test('an analyst releases a held mail, and deliver delivers it', async () => {
  const page = await desk(PAT, `/mails/${held.released.runId}`);
  expect([page.statusCode, page.body.includes(`/mails/${held.released.runId}/release`)]).toEqual([200, true]);
  expect((await decide(PAT, held.released, 'release')).statusCode).toBe(303);
  await twin.settled(NET_SECONDS);
  expect([clean(held.released).length, await stateIn(held.released)]).toEqual([1, 'delivered']);
  expect((await ledgerOf(held.released)).attempt).toMatchObject({
    number: 2,
    reason: 'release',
    people: [{ name: 'pat@example.org', id: 'id-of-pat', why: WHY }],
  });
});

test('a decision whose process is killed before it starts the execution, or after, is done once', async () => {
  let kills: ('kill-before' | 'kill-after')[] = ['kill-before'];
  twin.deployment.interrupt = ({ caller, operation }) => {
    if (caller.name !== 'DeskReview' || operation !== 'StartExecution') return null;
    const [kill, ...rest] = kills;
    kills = rest;
    return kill === undefined ? null : { do: kill };
  };
  expect((await decide(PAT, held.killed, 'release')).statusCode).toBe(303);
  kills = ['kill-after'];
  expect((await decide(PAT, held.raced, 'rescan')).statusCode).toBe(303);
  twin.deployment.interrupt = () => null;
  await twin.settled(NET_SECONDS);
  expect([clean(held.killed).length, (await ledgerOf(held.killed)).attempt.number]).toEqual([1, 2]);
  expect([await stateIn(held.raced), (await ledgerOf(held.raced)).attempt.number]).toEqual(['quarantined', 2]);
});

test('of two who decide about the same mail at once, one does', async () => {
  const both = await Promise.all([PAT, KIM].map((who) => decide(who, held.raced, 'release', 2)));
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([303, 409]);
  await twin.settled(NET_SECONDS);
  expect([clean(held.raced).length, (await ledgerOf(held.raced)).attempt.number]).toEqual([1, 3]);
});

test('what is deleted is gone with every version, and listed as deleted', async () => {
  const of = (bucket: string, prefix: string) => twin.deployment.bucket(bucket).everything(prefix);
  expect(of('BucketsQuarantine', held.deleted.runId)).not.toEqual([]);
  const key = `${held.deleted.runId}/record.json`;
  const record = twin.deployment.bucket('BucketsQuarantine').newest(key);
  expect((await decide(PAT, held.deleted, 'delete')).statusCode).toBe(303);
  // What a function of quarantine that everybody has given up had sent before it was killed.
  if (record !== null) twin.deployment.bucket('BucketsQuarantine').put(key, record);
  expect(of('BucketsQuarantine', held.deleted.runId)).toHaveLength(1);
  await twin.settled(NET_SECONDS);
  expect([of('BucketsQuarantine', held.deleted.runId), of('BucketsIntake', held.deleted.key)]).toEqual([[], []]);
  expect(await stateIn(held.deleted)).toBe('deleted');
  expect(of('BucketsQuarantine', held.rescanned.runId)).not.toEqual([]);
});

test('a mail whose files are gone is read again', async () => {
  const work = twin.deployment.bucket('BucketsWork');
  for (const key of work.keys()) if (key.startsWith('artifacts/')) work.delete(key, null);
  const refused = await decide(PAT, held.rescanned, 'release');
  expect([refused.statusCode, refused.body.includes('rescan it first')]).toEqual([409, true]);
  expect((await decide(PAT, held.rescanned, 'rescan')).statusCode).toBe(303);
  await twin.settled(NET_SECONDS);
  const { attempt, terminal } = await ledgerOf(held.rescanned);
  expect([attempt.number, attempt.people[0].id, terminal.state]).toEqual([2, 'id-of-pat', 'quarantined']);
});

test('of a selection each is decided by itself', async () => {
  const run = `${held.original.runId}-1`;
  const answer = await sent(PAT, '/selected', { decision: 'rescan', why: WHY, run });
  expect([answer.statusCode, answer.body.includes('1 of 1')]).toEqual([200, true]);
  await twin.settled(NET_SECONDS);
  expect((await ledgerOf(held.original)).attempt.number).toBe(2);
});

test('the original is released by two sign-ins, and is the mail byte for byte', async () => {
  const first = await decide(PAT, held.original, 'original', 2);
  expect([first.statusCode, first.body.includes('second person')]).toEqual([409, true]);
  expect((await decide(PAT, held.original, 'original', 2)).statusCode).toBe(409);
  expect((await decide(KIM, held.original, 'original', 2)).statusCode).toBe(303);
  await twin.settled(NET_SECONDS);
  expect(clean(held.original).map(({ body }) => body.equals(held.original.mail.bytes))).toEqual([true]);
});

describe('what is blocked at the desk', () => {
  test('holds the mail that comes in from then on, until it is taken off the list', async () => {
    await change(PAT, 'block');
    expect((await sent(KIM, '/blocks')).body).toContain('sender[.]example');
    const blocked = await twin.send(plainMail());
    await twin.settled(NET_SECONDS);
    expect((await ledgerOf(blocked)).reasons.map(({ code }: { code: string }) => code)).toEqual(['blocked']);
    await change(PAT, 'unblock');
    const after = await twin.send(plainMail());
    await twin.settled(NET_SECONDS);
    expect(clean(after)).toHaveLength(1);
  });
});

test('views that are saved at once are all links of the list, until one is removed', async () => {
  const names = ['of ana', 'of bob', 'of eve'];
  const save = (name: string) => sent(PAT, '/views/save', { name, state: '', words: name });
  expect((await Promise.all(names.map(save))).map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
  const linked = async () => {
    const { body } = await sent({ ...KIM, groups: ['reader'] }, '/mails');
    return names.filter((name) => body.includes(`>${name}</a>`));
  };
  expect(await linked()).toEqual(names);
  expect((await sent(KIM, '/views/remove', { name: 'of bob' })).statusCode).toBe(303);
  expect(await linked()).toEqual(['of ana', 'of eve']);
  expect((await desk({ ...PAT, groups: ['reader'] }, '/views/save', { name: 'x' })).statusCode).toBe(403);
});

describe('a mail that is dropped at the desk', () => {
  test('is analysed as a copy, with who dropped it in the trail, and its page follows its stages', async () => {
    const before = twin.deployment.bucket('BucketsIntake').keys();
    const answer = await drop(PAT, 'copy.eml', badMail().bytes);
    const place = answer.headers?.location ?? '';
    const [, runId = ''] = /^\/drops\/([0-9a-f]{32})\?since=\d+$/.exec(place) ?? [];
    expect([answer.statusCode, runId]).toEqual([303, expect.stringMatching(/./)]);
    expect((await sent(PAT, place)).statusCode).toBe(200);
    await twin.settled(NET_SECONDS);
    const added = twin.deployment
      .bucket('BucketsIntake')
      .keys()
      .filter((key) => !before.includes(key));
    expect(added).toEqual([expect.stringMatching(/^dropped\/[0-9a-f]{32}\/copy\.eml$/)]);
    const copy = await ledgerOf({ runId } as Sent);
    expect([copy.intake.dropped, copy.intake.untrustedKey, copy.terminal.state]).toEqual([
      ...[true, added[0], 'quarantined'],
    ]);
    expect((await sent(KIM, `/drops/${runId}`)).body).toContain('class="done" data-stage="quarantine"');
    const { stdout } = await onTwin(twin, 'audit', 'list', '--json', '--stack', STACK);
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const of = records.filter((record) => record.runId === runId);
    expect(of).toMatchObject([{ action: 'drop', became: 'quarantined', people: [{ id: 'id-of-pat' }] }]);
    expect((await decide(PAT, { runId } as Sent, 'delete')).statusCode).toBe(303);
    expect(twin.deployment.bucket('BucketsIntake').everything(added[0] ?? '')).toEqual([]);
  });

  test('is taken from nobody who only reads, and nothing is stored', async () => {
    const before = twin.deployment.bucket('BucketsIntake').keys();
    expect((await drop({ ...PAT, groups: ['reader'] }, 'copy.eml', badMail().bytes)).statusCode).toBe(403);
    expect(twin.deployment.bucket('BucketsIntake').keys()).toEqual(before);
  });
});

test('the overview counts the mail, and says that no service has told a limit: here the engines look', async () => {
  const { statusCode, body } = await sent({ ...KIM, groups: ['reader'] }, '/overview');
  expect([statusCode, body.includes('no service has told a limit today')]).toEqual([200, true]);
});

describe('another policy', () => {
  const LAX = '{"message":{"quarantineVerdicts":[]},"failures":{"encrypted":"quarantine"}}';

  test('is tried on all mail, at the desk and on the command line with the same result, and changes nothing', async () => {
    const before = twin.deployment.bucket('BucketsWork').keys();
    const { body } = await sent({ ...KIM, groups: ['reader'] }, '/policy', { policy: LAX, days: '30' });
    const ofPage = (words: string) => Number(new RegExp(`${words}</th><td>(\\d+)<`).exec(body)?.[1]);
    const file = join(folder, 'lax.json');
    writeFileSync(file, LAX);
    const { code, stdout } = await onTwin(twin, 'policy', 'try', file, '--json', '--stack', STACK);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { counts } = lines.at(-1);
    // What people released, dropped or deleted was held by policy, and so was the mail of a sender who is no longer blocked.
    expect([code, counts.delivered, counts.unreadable]).toEqual([0, 8, 0]);
    const delivered = lines.filter(({ turn }) => turn === 'delivered').map(({ runId }) => runId);
    const { delivered: _, large: __, ...bad } = held;
    expect(delivered).toEqual(expect.arrayContaining(Object.values(bad).map(({ runId }) => runId)));
    expect([ofPage('would be delivered, and were held'), ofPage('would end the same way')]).toEqual([8, counts.same]);
    expect(twin.deployment.bucket('BucketsWork').keys()).toEqual(before);
    expect((await onTwin(twin, 'policy', 'try', file, '--stack', 'Other')).code).toBe(2);
  });
});

test('the page of the audit trail checks all of it, and shows the sign-ins to a reader, too', async () => {
  const { statusCode, body } = await sent({ ...KIM, groups: ['reader'] }, '/audit');
  expect([statusCode, /The trail holds \(all \d+ checked\)/.test(body)]).toEqual([200, true]);
  for (const said of ['id-of-pat', WHY, 'Released it: as rebuilt', `/mails/${held.released.runId}`])
    expect(body).toContain(said);
});

describe('the command line', () => {
  const asked = (...args: string[]) => onTwin(twin, ...args, '--stack', STACK);

  test('lists the audit trail of the deployment with the sign-ins, and finds it whole', async () => {
    const { code, stdout } = await asked('audit', 'list', '--json');
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, [...new Set(records.map(({ action }) => action))].sort()]).toEqual([
      0,
      ['ask', 'block', 'delete', 'download', 'drop', 'release', 'rescan', 'unblock'],
    ]);
    expect((await asked('audit', 'list')).stdout).toContain('pat@example.org [id-of-pat] (the sender called)');
    const all = `${records.length} records, all as they were signed\n`;
    expect(await asked('audit', 'verify')).toMatchObject({ code: 0, stdout: all });
  });

  test('finds a record that was taken out', async () => {
    const work = twin.deployment.bucket('BucketsWork');
    work.delete(keys.audit(5), null);
    expect(await asked('audit', 'verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('behind a gap at record 5'),
    });
    const other = work.everything(keys.audit(5)).find(({ isMark }) => isMark);
    work.delete(keys.audit(5), other?.versionId ?? null);
    expect((await asked('audit', 'verify')).code).toBe(0);
  });

  test('lists what is blocked, and delivered mail with it', async () => {
    expect((await asked('block', 'list')).stdout).toBe('Nothing is blocked.\n');
    expect((await asked('recall')).code).toBe(0);
    await change(PAT, 'block');
    expect((await asked('block', 'list')).stdout).toContain('sender[.]example');
    const { code, stdout } = await asked('recall', '--json');
    const found = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).runId);
    expect([code, found.length, found.includes(held.released.runId)]).toEqual([1, 7, true]);
    await change(PAT, 'unblock');
    expect((await asked('recall', '--new')).code).toBe(2);
  });
});

test('an archive that was held is opened by the password of a second mail of the same people', async () => {
  const zip = await packed('zip', { 'report.txt': 'All is well.' }, { password: 'Sonne#42' });
  const ofEva = (mail: Mail, text?: string) => {
    const written = mail.bytes.toString().replace('ana@', 'eva@');
    return { ...mail, bytes: Buffer.from(text === undefined ? written : written.replace(/^Dear Bob,[^-]*/m, text)) };
  };
  const closed = await twin.send(ofEva(mailWithFile('report.zip', 'application/zip', zip, 'either')));
  await twin.settled(NET_SECONDS);
  expect((await ledgerOf(closed)).terminal.state).toBe('quarantined');
  await twin.send(ofEva(plainMail(), 'The password is Sonne#42\r\n'));
  await twin.settled(NET_SECONDS);
  const { attempt, terminal } = await ledgerOf(closed);
  expect([attempt.reason, attempt.passwordsFrom.length, terminal.state]).toEqual(['password', 1, 'delivered']);
  expect(clean(closed)).toHaveLength(1);
});

test('nobody without a role decides', async () => {
  for (const groups of [['reader'], []])
    expect((await decide({ ...PAT, groups }, held.rescanned, 'delete', 2)).statusCode).toBe(403);
  expect((await ledgerOf(held.rescanned)).attempt.number).toBe(2);
});

/**
 * Permissions that this run has no use for: an object that is missing, a bucket without versions, requests of recipients, who get no digest,
 * delivered files that are worse now, for which nothing asks again here. A browser reads a large original with the rights of the pages.
 */
const UNUSED =
  /^WaysOutPasswordMailRole s3:ListBucket|^DeskPreviewRole s3:(?:ListBucket|GetObject .*intake)|^DeskPagesRole s3:GetObject .*(?:asks|worse|takeouts)\//i;

test('nothing was denied to a function, and each permission of the desk, of review and of preview was used', () => {
  expect(twin.deployment.gate.denials).toEqual([]);
  expect(twin.deployment.front.unknowns).toEqual([]);
  const unused = twin.deployment.gate.unused().filter(({ where }) => /^(?:WaysOut|Desk)/.test(where));
  const lines = unused.map(({ where, action, resource }) => `${where} ${action} ${resource}`);
  expect(lines.filter((line) => !UNUSED.test(line))).toEqual([]);
});

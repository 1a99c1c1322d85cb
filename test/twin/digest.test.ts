/** The deployed thing with digests: from a held mail over the daily mail and the page of its link to a request that the desk shows. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';
import { CLIENT, type LocalIssuer, startIssuer } from '../desk/local-issuer.ts';
import { secretIn, textOf } from '../desk/recipients-rig.ts';
import { synthesizeTo } from './assembly/synthesize.ts';
import { badMail, type Mail, plainMail } from './run/mails.ts';
import { type Sent, startTwin, type Twin } from './run/twin.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-digest-twin-'));
/** Bounds a run that hangs. It measures nothing. */
const NET_SECONDS = 500;
const ISSUER = 'https://login.example.org';
const [PAGES, DESK] = ['mail.example.org', 'desk.example.org'];
const DAY_SECONDS = 86_400;

let engines: EnginePool;
let issuer: LocalIssuer;
let twin: Twin;
let held: Sent;

beforeAll(async () => {
  const assembly = join(folder, 'cdk.out');
  const policyFile = join(folder, 'policy.json');
  const notices = { from: 'airlock@recipient.example', domains: ['recipient.example'] };
  writeFileSync(policyFile, JSON.stringify({ version: 1, notices }));
  const addresses = {
    recipientsUrl: `https://${PAGES}`,
    deskUrl: `https://${DESK}`,
    deskIssuer: `${ISSUER} ${CLIENT}`,
  };
  synthesizeTo(assembly, { indexRuns: true, digest: true, policyFile, ...addresses });
  engines = createEnginePool({ threads: 1 });
  issuer = await startIssuer(afterAll);
  const instead = { [ISSUER]: issuer.url };
  twin = await startTwin({ assembly, folder, engines, analyst: 'engines', processes: 2, instead });
  held = await twin.send(badMail());
  await twin.send(plainMail());
  await twin.send(to('kim@recipient.example'));
  await twin.send(to('eve@elsewhere.example'));
  await twin.settled(NET_SECONDS);
});
afterAll(async () => {
  await twin.close();
  await engines.close();
  rmSync(folder, { recursive: true });
});

function to(recipient: string): Mail {
  const mail = badMail();
  return { ...mail, bytes: Buffer.from(mail.bytes.toString().replace('bob@recipient.example', recipient)) };
}

/** By recipient, because their order is another one each day. */
const outbox = () => [...twin.deployment.outbox].sort((one, other) => (one.to.join() < other.to.join() ? -1 : 1));
const recipients = () => outbox().map((email) => email.to.join());

/** What EventBridge does on the next day. */
async function nextDay(): Promise<void> {
  await twin.pause(DAY_SECONDS);
  await digestAgain();
}

async function digestAgain(): Promise<void> {
  twin.deployment.bus.tick('Digest');
  await twin.settled(NET_SECONDS);
}

interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly origin: string;
}

/** A request as an HTTP API hands it to a function. */
async function ask(name: string, host: string, path: string, form: Form | null, cookies: readonly string[] = []) {
  const body = form === null ? null : new URLSearchParams(form.fields).toString();
  const headers = form === null ? {} : { origin: form.origin, 'content-length': String(body?.length ?? 0) };
  const method = body === null ? 'GET' : 'POST';
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const event = {
    ...{
      version: '2.0',
      routeKey: '$default',
      rawPath: path,
      rawQueryString: '',
      body,
      isBase64Encoded: false,
      cookies,
    },
    headers: { host, ...(form !== null && type), ...headers },
    requestContext: { domainName: host, http: { method, path } },
  };
  const { functions } = twin.deployment;
  const target = functions.list().find(({ shortName }) => shortName === name)?.name ?? '';
  const answer = await twin.clock.work(() => functions.invoke(target, event));
  if ('error' in answer) throw new Error(answer.error.errorMessage);
  return answer.result as { readonly statusCode: number; readonly body: string };
}

const page = (path: string, form: Form | null = null) => ask('DigestsRecipientsPages', PAGES, path, form);
const linkIn = (text: string) => /https:\/\/mail\.example\.org(\/r\/[\w-]+\.[\w-]{86})/.exec(textOf(text))?.[1] ?? '';
const requests = () =>
  twin.deployment
    .bucket('BucketsWork')
    .keys()
    .filter((key) => key.startsWith('asks/'));

describe('the digest of a day', () => {
  test('comes once to each recipient of ours, also when a process dies before it sends', async () => {
    let isKilled = false;
    twin.deployment.interrupt = ({ operation }) => {
      if (operation !== 'SendEmail' || isKilled) return null;
      isKilled = true;
      return { do: 'kill-before' };
    };
    await nextDay();
    twin.deployment.interrupt = () => null;
    expect([isKilled, recipients()]).toEqual([true, ['bob@recipient.example', 'kim@recipient.example']]);
    expect(outbox().map(({ from }) => from)).toEqual(['airlock@recipient.example', 'airlock@recipient.example']);
    expect(textOf(outbox()[0]?.text ?? '')).toContain(`Subject: Mail ${held.mail.word}`);
  });

  test('is not sent again when its schedule comes twice', async () => {
    await digestAgain();
    expect(outbox()).toHaveLength(2);
  });
});

describe('the page behind a link', () => {
  test('says what was done, and a scanner that opens it changes nothing', async () => {
    const path = linkIn(outbox()[0]?.text ?? '');
    for (const _ of [1, 2]) {
      const { statusCode, body } = await page(path);
      expect([statusCode, body.includes(held.mail.word), body.includes('Please run')]).toEqual([200, true, false]);
    }
    expect(requests()).toEqual([]);
  });

  test('is nobody’s whose link was changed, and takes no form from elsewhere', async () => {
    const path = linkIn(outbox()[0]?.text ?? '');
    const other = linkIn(outbox()[1]?.text ?? '');
    const mixed = `${path.split('.')[0]}.${other.split('.')[1]}`;
    expect([(await page(mixed)).statusCode, (await page('/')).statusCode]).toEqual([404, 404]);
    const form = secretIn((await page(path)).body);
    const origin = `https://${PAGES}`;
    const refused = [
      { fields: { form, why: 'x' }, origin: `https://${DESK}` },
      { fields: { form: secretIn((await page(other)).body), why: 'x' }, origin },
      { fields: { why: 'x' }, origin },
    ];
    for (const each of refused) expect((await page(path, each)).statusCode).toBe(403);
    expect(requests()).toEqual([]);
  });

  test('notes once that the recipient asks, and the desk shows it', async () => {
    const path = linkIn(outbox()[0]?.text ?? '');
    const fields = { form: secretIn((await page(path)).body), why: 'I wait for it' };
    for (const _ of [1, 2]) expect((await page(path, { fields, origin: `https://${PAGES}` })).statusCode).toBe(303);
    expect(requests()).toHaveLength(1);
    expect((await page(path)).body).toContain('You asked for this message');
    const now = Math.floor(twin.clock.now() / 1000);
    const pat = { sub: 'id-of-pat', email: 'pat@example.org', groups: ['analyst'] };
    const token = await issuer.token({ iat: now, exp: now + 3_600, ...pat });
    for (const shown of ['/asks', `/mails/${held.runId}`]) {
      const { body } = await ask('DeskPages', DESK, shown, null, [`__Host-airlock-desk=${token}`]);
      expect([body.includes('I wait for it'), body.includes('bob[@]recipient[.]example')]).toEqual([true, true]);
    }
  });

  test('has an end', async () => {
    await twin.pause(15 * DAY_SECONDS);
    expect((await page(linkIn(outbox()[0]?.text ?? ''))).statusCode).toBe(410);
  });
});

test('a recipient whom SES refuses keeps nobody else from his digest, and the day waits in the dead letters', async () => {
  await twin.send(to('refused@recipient.example'));
  await twin.send(to('zoe@recipient.example'));
  await twin.settled(NET_SECONDS);
  await nextDay();
  expect(recipients().slice(2)).toEqual(['zoe@recipient.example']);
  expect(twin.deployment.queue('DigestDeadLetters').messages).toHaveLength(1);
});

/** Permissions that this run has no use for: a rest for another round, the other form of the identity, and a missing object. */
const UNUSED = /sqs:SendMessage|identity\/airlock@|s3:ListBucket/;

test('nothing was denied, and each permission of digest and of the pages was used', () => {
  expect(twin.deployment.gate.denials).toEqual([]);
  expect(twin.deployment.front.unknowns).toEqual([]);
  const unused = twin.deployment.gate.unused().filter(({ where }) => where.startsWith('Digests'));
  const lines = unused.map(({ where, action, resource }) => `${where} ${action} ${resource}`);
  expect(lines.filter((line) => !UNUSED.test(line))).toEqual([]);
});

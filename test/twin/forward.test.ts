/** The deployed thing as a station of mail: SES receives a mail, and its delivered form goes on to a mail server of the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';
import type { MailAirlockStack } from '../../lib/infra/stack.ts';
import { EVENT_SOURCE } from '../../lib/pipeline/results/run-event.ts';
import { nextHopStub, type Received, type Stub } from '../gateway/next-hop-stub.ts';
import { synthesizeTo } from './assembly/synthesize.ts';
import { badMail, type Mail, mailWithPdf, plainMail } from './run/mails.ts';
import { startTwin, type Twin } from './run/twin.ts';
import { receiveBySes } from './servers/ses.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-forward-twin-'));
/** Bounds a run that hangs. It measures nothing. */
const NET_SECONDS = 500;
const RELAY = 'next-mail-server';
const SENDER = 'bounces+1=bob@sender.example';
const RECIPIENTS = ['bob@recipient.example', 'hidden@recipient.example', 'eve@elsewhere.example'];

let engines: EnginePool;
let twin: Twin;
let server: Stub;
/** So many times the server answers the end of a message with 451. */
let refusals = 0;

/** The secret that the owner of the stack makes for the next mail server, and sets. */
function withRelay(stack: MailAirlockStack): void {
  const secret = new secretsmanager.Secret(stack, 'Relay', { secretName: RELAY });
  const resource = secret.node.defaultChild;
  if (resource instanceof secretsmanager.CfnSecret) resource.generateSecretString = undefined;
}

beforeAll(async () => {
  const assembly = join(folder, 'cdk.out');
  synthesizeTo(assembly, { sesRecipients: 'recipient.example', forwardSecretName: RELAY }, withRelay);
  engines = createEnginePool({ threads: 1 });
  server = await nextHopStub({
    answer: (command) => (command === '.' && refusals-- > 0 ? '451 4.3.0 try later' : null),
  });
  twin = await startTwin({ assembly, folder, engines, analyst: 'engines', processes: 2 });
  const settings = { host: '127.0.0.1', port: server.port, tls: 'off', name: 'airlock.example' };
  for (const arn of twin.deployment.unsetSecrets) twin.deployment.secrets.set(arn, JSON.stringify(settings));
});
afterAll(async () => {
  await twin.close();
  await server.close();
  await engines.close();
  rmSync(folder, { recursive: true });
});

/** Has SES receive a mail, and waits until nothing is left to do. Returns what the mail server then has of it. */
async function receive({ bytes, word }: Mail): Promise<readonly Received[]> {
  const incoming = { sender: SENDER, recipients: RECIPIENTS, bytes, isOverTls: true };
  await twin.clock.work(() => receiveBySes(twin.deployment, incoming));
  await twin.settled(NET_SECONDS);
  return receivedOf(word);
}

const receivedOf = (word: string) => server.received.filter(({ data }) => data.includes(`Subject: Mail ${word}`));

test('a mail that SES received goes on as it was rebuilt, to each recipient of its envelope and to nobody else', async () => {
  const [sent, ...more] = await receive(mailWithPdf());
  expect(more).toEqual([]);
  expect(sent?.from).toMatch(/^MAIL FROM:<bounces\+1=bob@sender\.example>/);
  expect(sent?.to).toEqual(['RCPT TO:<bob@recipient.example>', 'RCPT TO:<hidden@recipient.example>']);
  const [delivered] = twin.deployment
    .bucket('BucketsClean')
    .keys()
    .filter((key) => key.endsWith('/message.eml'));
  const message =
    twin.deployment
      .bucket('BucketsClean')
      .newest(delivered ?? '')
      ?.body.toString('latin1') ?? '';
  expect(sent?.data.replace(/^\.\./gm, '.')).toBe(message);
});

test('the same event about its end a second time sends it to nobody twice', async () => {
  const { bus } = twin.deployment;
  const ends = bus.events.filter(
    (event) => event.source === EVENT_SOURCE && event['detail-type'] === 'MessageDelivered',
  );
  const before = server.received.length;
  for (const event of ends) bus.put(event);
  await twin.settled(NET_SECONDS);
  expect([ends.length, server.received.length]).toEqual([1, before]);
});

test('a mail that is held goes nowhere', async () => {
  expect(await receive(badMail())).toEqual([]);
});

test('a mail waits for a server that takes none now, and goes on once', async () => {
  // The function tries three times before it hands the mail back to its queue, for ten minutes.
  refusals = 3;
  const { clock } = twin;
  const begun = clock.now();
  expect(await receive(plainMail())).toHaveLength(1);
  expect(clock.now() - begun).toBeGreaterThanOrEqual(600_000);
});

test('a process that dies before it notes what the server took sends it once more, and no more', async () => {
  const { deployment } = twin;
  let notes = 0;
  deployment.interrupt = ({ operation, target }) => {
    // The first note of a mail says that it is being sent, and the second what the server answered.
    if (operation !== 'PutObject' || !target.includes('/forwarded/')) return null;
    notes += 1;
    return notes === 2 ? { do: 'kill-before' } : null;
  };
  const sent = await receive(plainMail());
  deployment.interrupt = () => null;
  expect({ notes, sent: sent.length }).toEqual({ notes: 4, sent: 2 });
});

/** It tells a missing message from a forbidden one, and none is missing here. */
const UNUSED = ['WaysOutForwardRole s3:ListBucket'];

test('nothing was denied, and the role of forward uses every permission that it has', () => {
  const { gate, front } = twin.deployment;
  expect(gate.denials).toEqual([]);
  expect(front.unknowns).toEqual([]);
  const unused = gate.unused().filter(({ where }) => /Forward/.test(where));
  expect(unused.map(({ where, action }) => `${where} ${action}`)).toEqual(UNUSED);
});

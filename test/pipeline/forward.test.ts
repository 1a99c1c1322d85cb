import { expect, test } from 'vitest';
import { MAIL_ENVELOPE_SCHEMA, noteEnvelope } from '../../lib/pipeline/contents/mail-envelope.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { ConfigError, TransientError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { ForwardRefusedError, forward, MAX_SENDING_MS } from '../../lib/pipeline/results/forward.ts';
import {
  FORWARD_SECONDS,
  type Relay,
  type RelayMessage,
  type RelayReply,
} from '../../lib/pipeline/results/relay-port.ts';
import type { RunEvent } from '../../lib/pipeline/results/run-event.ts';
import { createRig, type RigOptions } from './rig.ts';

const MAIL = ['From: Ana <ana@sender.example>', 'To: someone@else.example', 'Subject: Hello', '', 'Dear Bob', ''].join(
  '\r\n',
);
const KEY = 'ses/abc';
const [BOB, EVE] = ['bob@recipient.example', 'eve@recipient.example'];

type Outcome = RelayReply['outcome'];
/** What the next server does with the n-th message: an outcome for each recipient, or a process that dies. */
type Answers = readonly (Readonly<Record<string, Outcome>> | 'dies')[];

interface Delivered extends RigOptions {
  readonly key?: string;
  readonly recipients?: readonly string[] | null;
  readonly answers?: Answers;
  readonly relay?: Relay;
  /** A person dropped it at a desk. */
  readonly dropped?: boolean;
}

async function delivered({ key = KEY, recipients = [BOB, EVE], answers = [], dropped, ...options }: Delivered = {}) {
  let relay = options.relay ?? null;
  const told: RunEvent[] = [];
  const emit = async ({ detail }: { detail: RunEvent }) => void told.push(detail);
  const rig = createRig({
    ...options,
    overrides: (ctx: Context) => ({ ...options.overrides?.(ctx), events: { emit } }),
  });
  const { runId, ledger } = await rig.scan(MAIL, key, dropped ? { dropped } : {});
  const envelope = { schema: MAIL_ENVELOPE_SCHEMA, via: 'ses', receivedAt: '2026-11-20T12:00:00Z' } as const;
  if (recipients !== null)
    await noteEnvelope(
      rig.ctx,
      { bucket: 'intake', untrustedKey: key },
      { ...envelope, sender: 'ana@sender.example', recipients: [...recipients], untrustedVerdicts: {} },
    );
  const sent: RelayMessage[] = [];
  const warnings: string[] = [];
  const scripted: Relay = {
    async send(message) {
      const answer = answers[sent.length] ?? {};
      sent.push(message);
      if (answer === 'dies') throw new Error('the process was killed');
      return message.recipients.map(
        (recipient): RelayReply => ({ recipient, outcome: answer[recipient] ?? 'sent', text: '250' }),
      );
    },
  };
  const log = { ...rig.ctx.log, warn: (text: string) => void warnings.push(text) };
  const ctx = { ...rig.ctx, log, envelopesFor: 'ses/' };
  const again = (isFirstTry = false) => forward({ ...ctx, relay: relay ?? scripted }, told[0] as RunEvent, isFirstTry);
  const relayNow = (other: Relay) => {
    relay = other;
  };
  return { rig, runId, ledger, sent, warnings, again, relayNow, to: () => sent.map((one) => one.recipients) };
}

test('the very bytes that were delivered go to the recipients of the envelope, once', async () => {
  const { rig, runId, sent, again } = await delivered();
  await again(true);
  await again(true);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ sender: 'ana@sender.example', recipients: [BOB, EVE] });
  const clean = await rig.blobs.get('clean', keys.cleanMessage(runId), { maxBytes: 1_000_000 });
  expect(Buffer.from(sent[0]?.bytes ?? []).equals(Buffer.from(clean))).toBe(true);
});

test('a copy that a person dropped at a desk goes to nobody, whatever envelope is noted for it', async () => {
  for (const dropped of [true, false]) {
    const { rig, runId, ledger, again, to } = await delivered({ dropped });
    expect(ledger).toMatchObject({ kind: 'email', terminal: { state: 'delivered' } });
    await again(true);
    await again();
    expect(to()).toEqual(dropped ? [] : [[BOB, EVE]]);
    expect(await rig.blobs.has('work', keys.forwarded(runId))).toBe(!dropped);
  }
});

test('a copy waits for no envelope either', async () => {
  const { again, to } = await delivered({ dropped: true, recipients: null });
  await again(true);
  expect(to()).toEqual([]);
});

test('who has it gets it no second time when another has to wait', async () => {
  const { again, to } = await delivered({ answers: [{ [EVE]: 'later' }] });
  await expect(again(true)).rejects.toThrow(TransientError);
  await again();
  expect(to()).toEqual([[BOB, EVE], [EVE]]);
});

test('who is refused is tried again only when a person moves the message back', async () => {
  const { again, to } = await delivered({ answers: [{ [EVE]: 'refused' }] });
  await expect(again(true)).rejects.toThrow(ForwardRefusedError);
  await expect(again()).rejects.toThrow(ForwardRefusedError);
  expect(to()).toEqual([[BOB, EVE]]);
  await again(true);
  expect(to()).toEqual([[BOB, EVE], [EVE]]);
});

test('a process that died while it sent keeps others waiting for a while, and then it is said that mail may come twice', async () => {
  const { rig, again, to, warnings } = await delivered({ answers: ['dies'] });
  await expect(again(true)).rejects.toThrow('the process was killed');
  await expect(again()).rejects.toThrow('is being forwarded');
  expect(to()).toHaveLength(1);
  rig.advance(MAX_SENDING_MS);
  await again();
  expect(to()).toEqual([
    [BOB, EVE],
    [BOB, EVE],
  ]);
  expect(warnings).toEqual(['a message may arrive twice']);
});

/** A relay that answers when it is told to, its messages, and a promise of the first one. */
function slowRelay() {
  const sent: RelayMessage[] = [];
  const answers: (() => void)[] = [];
  let told = () => {};
  const asked = new Promise<void>((resolve) => {
    told = resolve;
  });
  const relay = {
    send: (message: RelayMessage) =>
      new Promise<RelayReply[]>((resolve) => {
        sent.push(message);
        told();
        answers.push(() =>
          resolve(message.recipients.map((recipient) => ({ recipient, outcome: 'sent', text: '250' }))),
        );
      }),
  };
  return { relay, sent, asked, answer: () => answers.shift()?.() };
}

test('a process that still sends keeps its claim for as long as its function may live, whatever the clock of another one says', async () => {
  const { relay, sent, asked, answer } = slowRelay();
  const { rig, again } = await delivered({ relay });
  const first = again(true);
  await asked;
  for (const seconds of [120, 60, FORWARD_SECONDS - 180, MAX_SENDING_MS / 1_000 - FORWARD_SECONDS - 1]) {
    rig.advance(1_000 * seconds);
    await expect(again()).rejects.toThrow('is being forwarded');
  }
  answer();
  await first;
  await again();
  expect(sent).toHaveLength(1);
});

test('of two processes that try again at once, one sends', async () => {
  const { relay, sent, asked, answer } = slowRelay();
  const { again, sent: before, relayNow } = await delivered({ answers: [{ [EVE]: 'later' }] });
  await expect(again(true)).rejects.toThrow(TransientError);
  expect(before).toHaveLength(1);
  relayNow(relay);
  const both = [again(), again()].map((one) => one.then(() => 'sent', String));
  await asked;
  const other = await Promise.race(both);
  expect(other).toContain('is being forwarded');
  answer();
  expect((await Promise.all(both)).sort()).toEqual([other, 'sent']);
  expect(sent.map(({ recipients }) => recipients)).toEqual([[EVE]]);
});

test('a relay without settings keeps no later try waiting', async () => {
  const { relayNow, again, sent, warnings } = await delivered();
  const { relay, asked, answer } = slowRelay();
  relayNow({ send: () => Promise.reject(new ConfigError('the secret of the relay', ['it is empty'])) });
  await expect(again(true)).rejects.toThrow('it is empty');
  relayNow(relay);
  const sending = again();
  await asked;
  answer();
  await sending;
  expect([sent, warnings]).toEqual([[], []]);
});

test('what waits for its envelope is not sent before, and what never had one stays', async () => {
  const early = await delivered({ recipients: null });
  await expect(early.again(true)).rejects.toThrow('the envelope of run');
  for (const key of ['inbox/a.eml', 'ses/AMAZON_SES_SETUP_NOTIFICATION']) {
    const other = await delivered({ key, recipients: null });
    await other.again(true);
    expect(other.sent).toEqual([]);
  }
});

test('held mail goes nowhere, also when an event calls it delivered', async () => {
  const script = { answer: () => ({ verdict: 'malicious' as const }) };
  const { rig, runId, sent, again } = await delivered({ script });
  const { terminal } = await rig.ledger(runId);
  if (terminal?.state !== 'quarantined') throw new Error('the mail of this test must be held');
  await again(true);
  expect(sent).toEqual([]);
});

test('a message that was changed in the clean bucket is not sent', async () => {
  const { rig, runId, sent, again } = await delivered();
  const key = keys.cleanMessage(runId);
  const bytes = Buffer.from(await rig.blobs.get('clean', key, { maxBytes: 1_000_000 }));
  bytes[bytes.length - 3] = 0x21;
  await rig.blobs.put('clean', key, bytes);
  await expect(again(true)).rejects.toThrow('is not what was delivered');
  expect(sent).toEqual([]);
});

import { expect, test } from 'vitest';
import { MAIL_ENVELOPE_SCHEMA, noteEnvelope } from '../../lib/pipeline/contents/mail-envelope.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { ForwardRefusedError, forward } from '../../lib/pipeline/results/forward.ts';
import type { RelayMessage, RelayReply } from '../../lib/pipeline/results/relay-port.ts';
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
  /** A person dropped it at a desk. */
  readonly dropped?: boolean;
}

async function delivered({ key = KEY, recipients = [BOB, EVE], answers = [], dropped, ...options }: Delivered = {}) {
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
  const relay = {
    async send(message: RelayMessage): Promise<RelayReply[]> {
      const answer = answers[sent.length] ?? {};
      sent.push(message);
      if (answer === 'dies') throw new Error('the process was killed');
      return message.recipients.map((recipient) => ({ recipient, outcome: answer[recipient] ?? 'sent', text: '250' }));
    },
  };
  const log = { ...rig.ctx.log, warn: (text: string) => void warnings.push(text) };
  const ctx = { ...rig.ctx, log, relay, envelopesFor: 'ses/' };
  const again = (isFirstTry = false) => forward(ctx, told[0] as RunEvent, isFirstTry);
  return { rig, runId, ledger, sent, warnings, again, to: () => sent.map((one) => one.recipients) };
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
  rig.advance(4 * 60_000);
  await again();
  expect(to()).toEqual([
    [BOB, EVE],
    [BOB, EVE],
  ]);
  expect(warnings).toEqual(['a message may arrive twice']);
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

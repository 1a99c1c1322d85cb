import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readLedger } from '../../lib/pipeline/chain/ledger-store.ts';
import type { Context } from '../../lib/pipeline/context.ts';
import { quarantine } from '../../lib/pipeline/quarantine.ts';
import { ocsfFinding } from '../../lib/pipeline/results/ocsf-finding.ts';
import { RUN_EVENT_SCHEMA, RunEvent, runEvent } from '../../lib/pipeline/results/run-event.ts';
import schema from '../../schema/run-event-1.json' with { type: 'json' };
import { buildPdf } from '../fixtures/build-pdf.ts';
import { createRig, type RigOptions } from './rig.ts';

const PDF = buildPdf({ text: 'hello' });
const mailWith = (...headers: string[]) =>
  ['From: Ana <ana@sender.example>', 'To: bob@recipient.example', ...headers, '', 'Dear Bob', ''].join('\r\n');

/** Formats are sentences of the pattern beside them. */
const validate = new Ajv2020({ strict: true, validateFormats: false }).compile(schema);

/** The events of one run, as whoever listens gets them. */
async function eventsOf(options: RigOptions, bytes: Uint8Array | string, name?: string): Promise<RunEvent[]> {
  const told: RunEvent[] = [];
  const overrides = (ctx: Context): Partial<Context> => ({
    ...options.overrides?.(ctx),
    events: { emit: async ({ detail }) => void told.push(JSON.parse(JSON.stringify(detail))) },
  });
  const rig = createRig({ ...options, overrides });
  await rig.scan(bytes, name);
  for (const event of told) expect(validate(event), JSON.stringify(validate.errors)).toBe(true);
  return told;
}

const malicious = { answer: () => ({ verdict: 'malicious' as const }) };

test('the schema that is published is the one of the code', async () => {
  const about = {
    $id: RUN_EVENT_SCHEMA,
    title: 'The end of a run of Mail Airlock: the detail of MessageDelivered, MessageQuarantined and MessagePlaced',
  };
  const json = `${JSON.stringify({ ...about, ...z.toJSONSchema(RunEvent, { io: 'input' }) }, null, 2)}\n`;
  await expect(json).toMatchFileSnapshot('../../schema/run-event-1.json');
});

describe('the event of', () => {
  test('a file in which nothing was found says that the object itself is clean', async () => {
    const [event, ...more] = await eventsOf({}, PDF, 'in/a.pdf');
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      state: 'clean',
      verdict: 'benign',
      reasons: [],
      attempt: 1,
      bucket: 'clean',
      intake: { bucket: 'intake', untrustedKey: 'in/a.pdf', size: PDF.length, etag: null },
      message: null,
    });
    expect(event?.keys).toHaveLength(1);
    expect(event?.reference).toMatch(/^[0-9A-Z]{2}-[0-9A-Z]{4}$/);
    expect(event?.dispositions.remove).toBe(0);
    // Transitions and requests alone: the clock of the rig stands still.
    expect(event?.costUsd).toBeGreaterThan(0.0001);
    expect(event?.costUsd).toBeLessThan(0.001);
  });

  test('a mail has its texts, marked as untrusted', async () => {
    const [event] = await eventsOf({}, mailWith('Subject: Hello', 'Message-ID: <1@sender.example>'));
    expect(event?.message).toEqual({
      untrustedMessageId: '<1@sender.example>',
      untrustedFrom: 'Ana <ana@sender.example>',
      untrustedTo: 'bob@recipient.example',
      untrustedSubject: 'Hello',
    });
  });

  test('a mail with texts that act or never end has them cut and made safe', async () => {
    const [event] = await eventsOf({}, mailWith(`Subject: \u001b[2J\u202efdp ${'x'.repeat(5_000)}`));
    expect(event?.message?.untrustedSubject.length).toBeLessThanOrEqual(200);
    for (const acting of ['\u001b', '\u202e']) expect(event?.message?.untrustedSubject).not.toContain(acting);
  });

  test('a bad file says that it is held, why, and where', async () => {
    const [event] = await eventsOf({ script: malicious }, PDF, 'a.pdf');
    expect(event).toMatchObject({ state: 'quarantined', verdict: 'malicious', bucket: 'quarantine' });
    expect(event?.reasons.length).toBeGreaterThan(0);
    expect(event?.keys.map((key) => key.split('/')[1])).toEqual(['original', 'record.json']);
  });

  test('a mail with thousands of files names as many keys as an event has room for, the first ones', async () => {
    const rig = createRig();
    const { runId } = await rig.scan(PDF, 'a.pdf');
    const ledger = await readLedger(rig.ctx, runId);
    const keys = Array.from({ length: 5_000 }, (_, at) => `${runId}/files/${String(at).padStart(64, '0')}.pdf`);
    const event = runEvent(rig.ctx, ledger, { bucket: 'clean', keys });
    expect(validate(JSON.parse(JSON.stringify(event)))).toBe(true);
    expect(event.keys).toEqual(keys.slice(0, event.keys.length));
    expect(event.keys.length).toBeGreaterThan(500);
    expect(event.keysLeftOut).toBe(5_000 - event.keys.length);
    // Less than half of what EventBridge takes: a copy for OCSF and the envelopes of EventBridge and SQS have room, too.
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(100 * 1024);
    expect(runEvent(rig.ctx, ledger, { bucket: 'clean', keys: keys.slice(0, 500) })).not.toHaveProperty('keysLeftOut');
  });

  test('an unknown part that was disarmed is no clean object', async () => {
    const unknown = { answer: () => ({ verdict: 'unknown' as const }) };
    const [event] = await eventsOf({ script: unknown }, PDF, 'a.pdf');
    expect(event?.verdict).toBe('unknown');
    expect(event?.state).not.toBe('clean');
  });

  test('an object that is too large to read', async () => {
    const [event] = await eventsOf({ limits: { emailBytes: 100 } }, PDF, 'a.pdf');
    expect(event).toMatchObject({ state: 'unreadable', verdict: 'unknown', intake: { sha256: null } });
  });

  test('a run that met a fault of ours', async () => {
    const told: RunEvent[] = [];
    const rig = createRig({ overrides: () => ({ events: { emit: async ({ detail }) => void told.push(detail) } }) });
    const { runId } = await rig.scan(PDF, 'a.pdf').catch(() => ({ runId: '' }));
    told.length = 0;
    const failure = { Error: 'TransientError', Cause: 'away' };
    const run = {
      runId: runId.replace(/./g, '0'),
      attempt: 1,
      last: 'parse',
      outstanding: 0,
      waitSeconds: 0,
      polls: 0,
    };
    await quarantine(rig.ctx, { ...run, disposition: 'undecided', failure });
    expect(told).toMatchObject([{ state: 'failed', verdict: 'unknown', reasons: ['ledger_lost', 'run_failed'] }]);
    expect(validate(told[0])).toBe(true);
  });
});

test('the schema refuses an event with a text that is too long, an unknown state or no run', async () => {
  const [event] = await eventsOf({}, mailWith('Subject: Hello'));
  const wrong = [
    { ...event, message: { ...event?.message, untrustedSubject: 'x'.repeat(201) } },
    { ...event, state: 'safe' },
    { ...event, runId: undefined },
    { ...event, schema: 'mail-airlock/run-event/2' },
  ];
  for (const one of wrong) expect(validate(JSON.parse(JSON.stringify(one)))).toBe(false);
});

/** The fields that OCSF 1.3.0 requires of a Detection Finding. */
const REQUIRED = [
  'activity_id',
  'category_uid',
  'class_uid',
  'finding_info',
  'metadata',
  'severity_id',
  'time',
  'type_uid',
];

test.each([
  ['held', malicious, { severity_id: 4, disposition_id: 3, action_id: 2, status_id: 1 }],
  ['clean', {}, { severity_id: 1, disposition_id: 1, action_id: 1, status_id: 4 }],
])('as a Detection Finding: an object that is %s', async (_, script, expected) => {
  const [event] = await eventsOf({ script }, PDF, 'in/a\u001b.pdf');
  const finding = ocsfFinding(event as RunEvent);
  expect(finding).toMatchObject({ class_uid: 2004, category_uid: 2, type_uid: 200401, ...expected });
  expect(Object.keys(finding)).toEqual(expect.arrayContaining(REQUIRED));
  expect(finding).toMatchObject({ finding_info: { uid: `${event?.runId}-1` }, metadata: { version: '1.3.0' } });
  expect(JSON.stringify(finding)).not.toMatch(/\\u001b/);
});

import { expect, test } from 'vitest';
import { deliver } from '../../lib/pipeline/deliver.ts';
import { NotFoundError, RebuildMismatchError, StageOrderError } from '../../lib/pipeline/errors.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { quarantine } from '../../lib/pipeline/quarantine.ts';
import { withoutEvidence } from './delivered-keys.ts';
import { createRig, emailWith, PDF, type RigOptions } from './rig.ts';
import { runUpTo } from './way.ts';

const MAIL = emailWith({ files: [{ name: 'a.pdf', type: 'application/pdf', bytes: PDF }] });

/** A run up to the stage deliver. */
async function rebuilt(options: RigOptions = {}) {
  const rig = createRig({ ...options, script: { polls: 0, ...options.script } });
  const run = await runUpTo(rig.ctx, await parse(rig.ctx, await rig.intake(MAIL)), 'deliver');
  return { rig, run };
}

test('writes the message, and each file under its hash with the extension of its type', async () => {
  const { rig, run } = await rebuilt();
  await deliver(rig.ctx, run);
  const { terminal, parts } = await rig.ledger(run.runId);
  expect(withoutEvidence(rig.blobs.list('clean'))).toEqual([
    `${run.runId}/files/${parts[2]?.sha256}.pdf`,
    `${run.runId}/message.eml`,
  ]);
  expect(terminal?.state).toBe('delivered');
  expect([...(terminal?.keys ?? [])].sort()).toEqual(withoutEvidence(rig.blobs.list('clean')));
  expect(rig.events).toEqual([{ type: 'MessageDelivered', runId: run.runId }]);
});

test('run twice, it writes the same keys with the same bytes', async () => {
  const { rig, run } = await rebuilt();
  await deliver(rig.ctx, run);
  const read = () => rig.blobs.get('clean', keys.cleanMessage(run.runId), { maxBytes: 1_000_000 });
  const before = [rig.blobs.list('clean'), await read()];
  await deliver(rig.ctx, run);
  expect([rig.blobs.list('clean'), await read()]).toEqual(before);
});

/** What deliver reads and writes, and with what options. */
async function delivering(content: string, name: string) {
  const rig = createRig({ script: { polls: 0 } });
  const run = await runUpTo(rig.ctx, await parse(rig.ctx, await rig.intake(content, name)), 'deliver');
  const reads: [string, number | undefined][] = [];
  const writes: [string, unknown][] = [];
  const told: unknown[] = [];
  const blobs: typeof rig.blobs = {
    ...rig.blobs,
    get: (...args) => {
      reads.push([args[1], args[2]?.maxBytes]);
      return rig.blobs.get(...args);
    },
    put: (...args) => {
      if (args[0] === 'clean') writes.push([args[1], args[3]]);
      return rig.blobs.put(...args);
    },
  };
  const events = { emit: async (event: unknown) => void told.push(event) };
  const after = await deliver({ ...rig.ctx, blobs, events }, run);
  const { rebuilt, parts } = await rig.ledger(run.runId);
  return { run, after, rebuilt, parts, reads, writes, told };
}
const CLEAN = { airlock: 'clean' };

test('reads only what was judged of a mail, and says what each object is and where it is', async () => {
  const { run, after, rebuilt, parts, reads, writes, told } = await delivering(MAIL, 'a.eml');
  const pdf = parts[2]?.sha256 ?? '';
  expect(reads).toContainEqual([keys.rebuilt(run.runId, rebuilt?.sha256 ?? ''), rebuilt?.size]);
  expect(reads).toContainEqual([keys.artifact(pdf), PDF.length]);
  expect(withoutEvidence(writes)).toEqual([
    [keys.cleanFile(run.runId, pdf, 'pdf'), { contentType: 'application/pdf', tags: CLEAN }],
    [keys.cleanMessage(run.runId), { contentType: 'message/rfc822', tags: CLEAN }],
  ]);
  expect(after).toEqual({ ...run, last: 'deliver', disposition: 'deliver' });
  expect(told).toMatchObject([
    {
      type: 'MessageDelivered',
      runId: run.runId,
      detail: { keys: [keys.cleanMessage(run.runId), keys.cleanFile(run.runId, pdf, 'pdf')] },
    },
  ]);
});

test('writes only the file for a bare file', async () => {
  const { run, parts, writes } = await delivering(PDF, 'a.pdf');
  const key = keys.cleanFile(run.runId, parts[0]?.sha256 ?? '', 'pdf');
  expect(withoutEvidence(writes)).toEqual([[key, { contentType: 'application/pdf', tags: CLEAN }]]);
});

test('a disarmed file is delivered as it was disarmed, and a removed one not at all', async () => {
  const disarmed = Buffer.from('%PDF-1.4 disarmed %%EOF');
  const files = [
    { name: 'a.pdf', type: 'application/pdf', bytes: PDF },
    { name: 'b.exe', bytes: 'MZ' },
  ];
  const answer = ({ kind }: { kind: string }) => (kind === 'cdr' ? { disarmed } : {});
  const rig = createRig({ script: { answer } });
  const { runId, ledger } = await rig.scan(emailWith({ files }));
  expect(ledger.parts.map(({ disposition }) => disposition)).toEqual([null, 'keep', 'disarm', 'remove']);
  const key = keys.cleanFile(runId, sha256Hex(disarmed), 'pdf');
  expect(withoutEvidence(rig.blobs.list('clean'))).toEqual([key, keys.cleanMessage(runId)]);
  expect(Buffer.from(await rig.blobs.get('clean', key, { maxBytes: 100 }))).toEqual(disarmed);
});

test('writes the message after its files', async () => {
  const { rig, run } = await rebuilt();
  const order: string[] = [];
  const blobs = {
    ...rig.blobs,
    put: (...args: Parameters<typeof rig.blobs.put>) => {
      order.push(`${args[0]} ${args[1]}`);
      return rig.blobs.put(...args);
    },
  };
  await deliver({ ...rig.ctx, blobs }, run);
  expect(order.filter((entry) => entry.startsWith('clean')).at(-1)).toBe(`clean ${keys.cleanMessage(run.runId)}`);
});

test('refuses what was quarantined, and writes nothing', async () => {
  const { rig, run } = await rebuilt();
  await quarantine(rig.ctx, { ...run, failure: { Error: 'States.Runtime', Cause: 'x' } });
  await expect(deliver(rig.ctx, run)).rejects.toThrow(StageOrderError);
  expect(rig.blobs.list('clean')).toEqual([]);
});

test('refuses rebuilt bytes that are not the ones that were checked', async () => {
  const { rig, run } = await rebuilt();
  const key = keys.rebuilt(run.runId, (await rig.ledger(run.runId)).rebuilt?.sha256 ?? '');
  const bytes = await rig.blobs.get('work', key, { maxBytes: 1_000_000 });
  bytes[bytes.length - 20] = 0x58;
  await rig.blobs.put('work', key, bytes);
  await expect(deliver(rig.ctx, run)).rejects.toThrow(RebuildMismatchError);
  expect(rig.blobs.list('clean')).toEqual([]);
});

test('refuses a run that was never rebuilt', async () => {
  const rig = createRig();
  const run = await parse(rig.ctx, await rig.intake(MAIL));
  await expect(deliver(rig.ctx, run)).rejects.toThrow(NotFoundError);
});

test('no key it writes holds anything that a sender chose', async () => {
  const rig = createRig();
  await rig.scan(
    emailWith({ subject: 'EVILSUBJECT', files: [{ name: '../EVILNAME.pdf', bytes: PDF }] }),
    'EVILKEY.eml',
  );
  const written = ['work', 'clean', 'quarantine'].flatMap((bucket) => rig.blobs.list(bucket as 'work'));
  expect(written.filter((key) => /EVIL|\.\./.test(key))).toEqual([]);
});

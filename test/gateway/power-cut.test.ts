/** The power is cut at every operation of the spool in turn: what was accepted is there whole, and what was not is no trouble. */
import { expect, test } from 'vitest';
import { ENVELOPE_SCHEMA, type Envelope } from '../../lib/gateway/envelope.ts';
import { openSpool } from '../../lib/gateway/spool.ts';
import { powerCutFiles } from './power-cut-files.ts';

const NOW = Date.parse('2026-11-23T09:00:00Z');
const now = () => NOW;
const MESSAGE = Buffer.from('Subject: x\r\n\r\nHello.\r\n');
const FACTS: Omit<Envelope, 'id' | 'message'> = {
  schema: ENVELOPE_SCHEMA,
  origin: 'smtp',
  receivedAt: new Date(NOW).toISOString(),
  sender: 'a@sender.example',
  recipients: [{ address: 'b@rcpt.example', notify: null, orcpt: null }],
  parameters: { body: null, size: null, smtpUtf8: false, ret: null, envid: null },
  peer: { address: '192.0.2.1', name: null, port: null, helo: null, protocol: null, source: null, ident: null },
  tls: null,
  user: null,
  passes: 0,
};

/** What the process was told before the power was cut. */
type Told = 'nothing' | 'accepted' | 'noted' | 'finished';

async function runUntil(last: number, kept: 'synced' | 'names') {
  const disk = powerCutFiles(last);
  let told: Told = 'nothing';
  const work = async () => {
    const spool = await openSpool(disk.files, now);
    const incoming = await spool.begin();
    await incoming.write(MESSAGE.subarray(0, 9));
    await incoming.write(MESSAGE.subarray(9));
    const { envelope, progress } = await incoming.commit(FACTS);
    told = 'accepted';
    await spool.mark(envelope.id);
    await spool.note(envelope.id, { ...progress, attempts: 7 });
    told = 'noted';
    await spool.finish(envelope.id, progress);
    told = 'finished';
  };
  // The disk has no delays, so all that can happen has happened when the event loop comes round.
  await Promise.race([work(), new Promise((resolve) => setImmediate(resolve))]);
  const spool = await openSpool(disk.after(kept).files, now);
  const found = await spool.recover();
  const bytes = await Promise.all(found.entries.map(({ envelope }) => spool.read(envelope)));
  return { told: told as Told, isOver: disk.count() <= last, found, bytes };
}

test.each(['synced', 'names'] as const)(
  'what was accepted is whole when only what is %s reached the disk',
  async (kept) => {
    const seen = new Set<string>();
    for (let last = 0, isOver = false; !isOver; last += 1) {
      const run = await runUntil(last, kept);
      isOver = run.isOver;
      const { entries, damaged } = run.found;
      expect([last, damaged]).toEqual([last, []]);
      for (const bytes of run.bytes) expect(bytes?.toString()).toBe(MESSAGE.toString());
      if (run.told === 'accepted') expect([last, entries.length]).toEqual([last, 1]);
      if (run.told === 'noted' && entries.length > 0) expect(entries[0]?.progress.attempts).toBe(7);
      if (run.told === 'finished') expect([last, entries]).toEqual([last, []]);
      seen.add(`${run.told} ${entries.length}`);
    }
    for (const each of ['nothing 0', 'accepted 1', 'noted 1', 'noted 0', 'finished 0'])
      expect([...seen]).toContain(each);
  },
);

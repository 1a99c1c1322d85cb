/** Guards that distrust another part of the system, each with a test in which that part lies. Lies have the size of the truth. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WarningCode } from '../../lib/message/model.ts';
import type { readMessage } from '../../lib/message/reading/read.ts';
import type { rebuildMessage } from '../../lib/message/rebuilding/rebuild.ts';
import { deliver } from '../../lib/pipeline/deliver.ts';
import {
  CorruptDataError,
  LimitExceededError,
  RebuildMismatchError,
  StageOrderError,
} from '../../lib/pipeline/errors.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { quarantine } from '../../lib/pipeline/quarantine.ts';
import { rebuild } from '../../lib/pipeline/rebuild.ts';
import { submit } from '../../lib/pipeline/submit.ts';
import { writeLedger } from './forge.ts';
import { createRig, emailWith, PDF, type Rig, type RigOptions } from './rig.ts';
import { runUpTo } from './way.ts';

type ErrorClass = abstract new (...args: never[]) => Error;

/** What the writer of the message makes of its own work before it hands it over. */
const writer = { lie: (bytes: Uint8Array): Uint8Array => bytes };
/** What the reader says of a mail beside what it found, at each of its readings. */
const reader = { doubts: [] as (WarningCode | null)[] };
const WRITER = '../../lib/message/rebuilding/rebuild.ts';
const READER = '../../lib/message/reading/read.ts';

/** The stage as it is, over a writer and a reader that lie. */
let deceived: typeof rebuild;
beforeAll(async () => {
  vi.resetModules();
  vi.doMock(WRITER, async (load) => {
    const actual = await load<{ rebuildMessage: typeof rebuildMessage }>();
    const lying: typeof rebuildMessage = (...args) => {
      const rebuilt = actual.rebuildMessage(...args);
      return { ...rebuilt, bytes: writer.lie(rebuilt.bytes) };
    };
    return { ...actual, rebuildMessage: lying };
  });
  vi.doMock(READER, async (load) => {
    const actual = await load<{ readMessage: typeof readMessage }>();
    const doubting: typeof readMessage = async (...args) => {
      const reading = await actual.readMessage(...args);
      const code = reader.doubts.shift() ?? null;
      if (code === null) return reading;
      return { ...reading, warnings: [{ code, path: null, detail: '' }, ...reading.warnings] };
    };
    return { ...actual, readMessage: doubting };
  });
  deceived = (await import('../../lib/pipeline/rebuild.ts')).rebuild;
});
// Other files share this process: what they load next must not lie.
afterAll(() => {
  vi.doUnmock(WRITER);
  vi.doUnmock(READER);
  vi.resetModules();
});
beforeEach(() => {
  writer.lie = (bytes) => bytes;
  reader.doubts = [];
});

const EVIL = PDF.replace('/Catalog', '/Evilism');
const NEW_PDF = '%PDF-1.4 disarmed %%EOF';
const MAIL = emailWith({ text: 'See https://good.example/ now', files: [{ name: 'a.pdf', bytes: PDF }] });
const failure = { Error: 'RebuildMismatchError', Cause: '{}' };
const DISARMS: RigOptions = {
  script: { answer: ({ kind }) => (kind === 'cdr' ? { disarmed: Buffer.from(NEW_PDF), removed: ['JavaScript'] } : {}) },
};

/** A run up to the door of `rebuild`. */
async function decided(content: string = MAIL, options: RigOptions = {}, name?: string) {
  const rig = createRig({ ...options, script: { polls: 0, ...options.script } });
  const run = await runUpTo(rig.ctx, await parse(rig.ctx, await rig.intake(content, name)), 'rebuild');
  return { rig, run };
}

/** A run up to the door of `deliver`. */
async function rebuilt(...args: Parameters<typeof decided>) {
  const { rig, run } = await decided(...args);
  return { rig, run: await rebuild(rig.ctx, run), ledger: await rig.ledger(run.runId) };
}

async function replaceInWork(rig: Rig, key: string, from: string, to: string): Promise<void> {
  const bytes = Buffer.from(await rig.blobs.get('work', key, { maxBytes: 1_000_000 }));
  expect(bytes.includes(from), `${key} holds ${from}`).toBe(true);
  await rig.blobs.put('work', key, Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1'));
}

describe('the writer of the message lies, and rebuild notices', () => {
  const changed = (from: string, to: string) => (bytes: Uint8Array) => {
    const text = Buffer.from(bytes).toString('latin1');
    expect(text, 'the lie says something').toContain(from);
    return Buffer.from(text.replace(from, to), 'latin1');
  };
  const base64 = (text: string) => Buffer.from(text).toString('base64').slice(0, 76);
  const part = '--b1\r\nContent-Type: text/plain\r\n\r\nmore\r\n';

  test.each<[string, (bytes: Uint8Array) => Uint8Array, string]>([
    ['a file of the same size', changed(base64(PDF), base64(EVIL)), 'does not have the 2 parts'],
    ['a word of the body', changed('See ', 'Sea '), 'does not have the 2 parts'],
    ['a part more', changed('--b1--', `${part}--b1--`), 'does not have the 2 parts'],
    ['a part less', changed('--b1\r\n', '--b2\r\n'), 'does not have the 2 parts'],
    [
      'the last part less',
      (bytes) => {
        const text = Buffer.from(bytes).toString('latin1');
        return Buffer.from(
          text.slice(0, text.lastIndexOf('--b1\r\n')) + text.slice(text.lastIndexOf('--b1--')),
          'latin1',
        );
      },
      'the rebuilt message, read again, does not have the 2 parts',
    ],
    ['a link in the header', changed('Subject: Files', 'Subject: https://bad.example/'), 'has 1 links'],
  ])('%s', async (_, lie, message) => {
    const { rig, run } = await decided();
    writer.lie = lie;
    await expect(deceived(rig.ctx, run)).rejects.toMatchObject({ name: 'RebuildMismatchError' });
    await expect(deceived(rig.ctx, run)).rejects.toThrow(message);
    expect(rig.blobs.list('work').filter((key) => key.includes('/rebuilt'))).toEqual([]);
    writer.lie = (bytes) => bytes;
    await deceived(rig.ctx, run);
  });
});

describe('the reader doubts, and rebuild heeds it', () => {
  test.each<[WarningCode, (WarningCode | null)[], string | null]>([
    ['readings_disagree', ['readings_disagree'], 'the original, read again,'],
    ['reading_skipped', ['reading_skipped'], 'the original, read again,'],
    ['readings_disagree', [null, 'readings_disagree'], 'the rebuilt message, read again,'],
    ['reading_skipped', [null, 'reading_skipped'], 'the rebuilt message, read again,'],
    ['odd_header', ['odd_header', 'odd_header'], null],
  ])('%s: %j', async (_, doubts, message) => {
    const { rig, run } = await decided();
    reader.doubts = doubts;
    if (message === null) await deceived(rig.ctx, run);
    else await expect(deceived(rig.ctx, run)).rejects.toThrow(message);
  });
});

describe('the ledger lies, and rebuild notices', () => {
  const pdf = (change: object) => (ledger: Ledger) => ({
    ...ledger,
    parts: ledger.parts.map((part) => (part.typeGroup === 'pdf' ? { ...part, ...change } : part)),
  });
  const artifactOfPdf = (change: object) => (ledger: Ledger) => ({
    ...ledger,
    artifacts: ledger.artifacts.map((artifact) =>
      artifact.typeGroup === 'pdf' ? { ...artifact, ...change } : artifact,
    ),
  });
  const again = (ledger: Ledger) => {
    const last = ledger.parts.at(-1) as Ledger['parts'][number];
    return { ...ledger, parts: [...ledger.parts, { ...last, path: '1.3' }] };
  };

  test.each<[string, string, string, (ledger: Ledger) => object, string]>([
    [
      'a part milder than its file',
      MAIL,
      'a.eml',
      artifactOfPdf({ disposition: 'remove' }),
      'more mildly than its file',
    ],
    ['a file that nobody decided', MAIL, 'a.eml', artifactOfPdf({ disposition: null }), 'has no disposition'],
    ['a part where none is', MAIL, 'a.eml', pdf({ path: '1.9' }), 'part 1.9 is not in the original'],
    ['a part that is not there', MAIL, 'a.eml', again, 'the original, read again, does not have the 3 parts'],
    ['no part of a bare file', PDF, 'a.pdf', (ledger) => ({ ...ledger, parts: [] }), 'has no part to deliver'],
  ])('%s', async (_, content, name, lie, message) => {
    const { rig, run } = await decided(content, {}, name);
    await writeLedger(rig, lie(await rig.ledger(run.runId)) as Ledger);
    await expect(rebuild(rig.ctx, run)).rejects.toThrow(RebuildMismatchError);
    await expect(rebuild(rig.ctx, run)).rejects.toThrow(message);
  });
});

describe('the service lies, and rebuild notices', () => {
  const calendar = (link: string) =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:a\r\nURL:${link}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
  const invitation = (link: string) =>
    emailWith({ files: [{ name: 'a.ics', type: 'text/calendar', bytes: calendar(link) }] });
  const disarmsAs = (link: string): RigOptions => ({
    script: { answer: ({ kind }) => (kind === 'cdr' ? { disarmed: Buffer.from(calendar(link)), removed: ['x'] } : {}) },
  });

  test('with a link in a disarmed appointment that was not judged', async () => {
    const honest = await decided(invitation('https://good.example/a'), disarmsAs('https://good.example/a'));
    await rebuild(honest.rig.ctx, honest.run);
    const { rig, run } = await decided(invitation('https://good.example/a'), disarmsAs('https://evil.example/a'));
    await expect(rebuild(rig.ctx, run)).rejects.toThrow(/the rebuilt message has 1 links that .*evil/);
  });
});

describe('the store lies', () => {
  test('about the bytes of an artifact, and they are not sent under its hash', async () => {
    const rig = createRig();
    const run = await parse(rig.ctx, await rig.intake(MAIL));
    await replaceInWork(rig, keys.artifact(sha256Hex(PDF)), '/Catalog', '/Evilism');
    await expect(submit(rig.ctx, run)).rejects.toThrow(
      `the stored bytes of artifact file:${sha256Hex(PDF)} have changed`,
    );
    expect(rig.analyzer.requests.map(({ id }) => id)).not.toContain(`file:${sha256Hex(PDF)}`);
  });

  test('about a disarmed file, and rebuild notices', async () => {
    const { rig, run } = await decided(MAIL, DISARMS);
    await replaceInWork(rig, keys.disarmed(sha256Hex(NEW_PDF)), 'disarmed', 'EvilEvil');
    await expect(rebuild(rig.ctx, run)).rejects.toThrow('has changed since it was fetched');
  });

  test.each([
    ['a mail', MAIL, 'a.eml', 'See', 'Sea'],
    ['a bare file', PDF, 'a.pdf', '/Catalog', '/Evilism'],
  ])('about the original, %s, and rebuild notices', async (_, content, name, from, to) => {
    const { rig, run } = await decided(content, {}, name);
    const { intake } = await rig.ledger(run.runId);
    const get: typeof rig.blobs.get = async (...args) => {
      const bytes = Buffer.from(await rig.blobs.get(...args));
      return args[1] === intake.untrustedKey ? Buffer.from(bytes.toString('latin1').replace(from, to)) : bytes;
    };
    const ctx = { ...rig.ctx, blobs: { ...rig.blobs, get } };
    await expect(rebuild(ctx, run)).rejects.toThrow('the intake object is not the one that was judged');
  });

  test.each<[string, RigOptions, string, string, string]>([
    ['kept', {}, keys.artifact(sha256Hex(PDF)), '/Catalog', '/Evilism'],
    ['disarmed', DISARMS, keys.disarmed(sha256Hex(NEW_PDF)), 'disarmed', 'EvilEvil'],
  ])('about an attachment that was %s, and deliver notices', async (_, options, key, from, to) => {
    const { rig, run } = await rebuilt(MAIL, options);
    await replaceInWork(rig, key, from, to);
    await expect(deliver(rig.ctx, run)).rejects.toThrow(RebuildMismatchError);
    expect(rig.blobs.list('clean')).toEqual([]);
    expect((await quarantine(rig.ctx, { ...run, failure })).disposition).toBe('quarantine');
  });

  test('about a bare file, and deliver notices', async () => {
    const { rig, run } = await rebuilt(PDF, {}, 'a.pdf');
    await replaceInWork(rig, keys.rebuilt(run.runId, sha256Hex(PDF)), '/Catalog', '/Evilism');
    await expect(deliver(rig.ctx, run)).rejects.toThrow('the rebuilt bytes have changed');
    expect(rig.blobs.list('clean')).toEqual([]);
  });
});

describe('the ledger lies, and deliver notices', () => {
  const evil = {
    sha256: sha256Hex(EVIL),
    size: EVIL.length,
    type: 'application/pdf',
    extension: 'pdf',
    hasOurWords: false,
  };

  async function lied(lie: (ledger: Ledger) => Ledger, content = MAIL, name?: string) {
    const { rig, run, ledger } = await rebuilt(content, {}, name);
    await rig.blobs.put('work', keys.artifact(evil.sha256), Buffer.from(EVIL));
    await writeLedger(rig, lie(ledger));
    const error: unknown = await deliver(rig.ctx, run).catch((thrown: unknown) => thrown);
    expect(rig.blobs.list('clean')).toEqual([]);
    expect(await rig.blobs.has('work', keys.terminal(run.runId, 1))).toBe(false);
    return error;
  }
  const withPart = (ledger: Ledger, change: object): Ledger => ({
    ...ledger,
    parts: ledger.parts.map((part) => (part.typeGroup === 'pdf' ? ({ ...part, ...change } as typeof part) : part)),
  });

  test.each<[string, (ledger: Ledger) => Ledger, ErrorClass, string]>([
    ['is not to be delivered', (ledger) => ({ ...ledger, disposition: 'quarantine' }), StageOrderError, 'nothing that'],
    ['was never rebuilt', (ledger) => ({ ...ledger, rebuilt: null }), StageOrderError, 'nothing that'],
    [
      'could not be read',
      (ledger) => ({ ...ledger, failure: { class: 'unreadable', detail: 'x' } }),
      StageOrderError,
      'nothing that',
    ],
    [
      'has a part that nothing stands for',
      (ledger) => withPart(ledger, { delivered: null }),
      StageOrderError,
      'without a disposition',
    ],
    [
      'has a part that nobody decided',
      (ledger) => withPart(ledger, { disposition: null }),
      StageOrderError,
      'without a disposition',
    ],
    [
      'has a part kept as what was not judged',
      (ledger) => withPart(ledger, { delivered: { ...evil, untrustedName: 'a.pdf' } }),
      RebuildMismatchError,
      'is not what was judged',
    ],
    [
      'keeps a file that was judged to go',
      (ledger) => ({
        ...ledger,
        artifacts: ledger.artifacts.map((one) => (one.typeGroup === 'pdf' ? { ...one, disposition: 'remove' } : one)),
      }),
      RebuildMismatchError,
      'more mildly than its file',
    ],
  ])('of a mail that %s', async (_, lie, type, message) => {
    const error = await lied(lie);
    expect(error).toBeInstanceOf(type);
    expect(String(error)).toContain(message);
  });

  test('of a bare file whose bytes are not what its key says', async () => {
    const error = await lied(
      (ledger) => withPart(ledger, { disposition: 'disarm', delivered: { ...evil, untrustedName: 'a.pdf' } }),
      PDF,
      'a.pdf',
    );
    expect(error).toBeInstanceOf(RebuildMismatchError);
    expect(String(error)).toContain('the rebuilt file is not the one that its part names');
  });
});

test('a bare file that was removed is not delivered, whatever the ledger says of the rest', async () => {
  const { rig, run, ledger } = await rebuilt(PDF, {}, 'a.pdf');
  const removed = (each: Ledger['parts'][number]) => ({ ...each, disposition: 'remove' as const });
  await writeLedger(rig, { ...ledger, parts: ledger.parts.map(removed) });
  await expect(deliver(rig.ctx, run)).rejects.toThrow('has no file to deliver');
  expect(await rig.blobs.has('work', keys.terminal(run.runId, 1))).toBe(false);
});

describe('the claim of an end', () => {
  const brokenClean = (rig: Rig) => ({
    ...rig.ctx,
    blobs: {
      ...rig.blobs,
      put: async (...args: Parameters<typeof rig.blobs.put>) => {
        if (args[0] === 'clean') throw new Error('the store is full');
        return rig.blobs.put(...args);
      },
    },
  });

  test('is not given back after quarantine took it over, so no delivery follows', async () => {
    const { rig, run } = await rebuilt();
    await expect(deliver(brokenClean(rig), run)).rejects.toThrow('the store is full');
    // The record cannot be filed at once, so the ledger does not say yet that the run has ended.
    const copy = async () => Promise.reject(new Error('the store is full'));
    const full = { ...rig.ctx, blobs: { ...rig.blobs, copy } };
    await expect(quarantine(full, { ...run, failure })).rejects.toThrow('the store is full');
    await expect(deliver(rig.ctx, run)).rejects.toThrow(StageOrderError);
    expect(rig.blobs.list('clean')).toEqual([]);
    expect((await quarantine(rig.ctx, { ...run, failure })).disposition).toBe('quarantine');
    expect((await rig.ledger(run.runId)).terminal?.state).toBe('quarantined');
  });

  test.each<[string, string, ErrorClass]>([
    ['another end', '{"state":"kept","at":"2026-11-20T12:00:00.000Z"}', CorruptDataError],
    ['no time', '{"state":"delivered"}', CorruptDataError],
    ['no JSON', 'delivered', CorruptDataError],
    [
      'no end of its own',
      `{"state":"delivered","at":"2026-11-20T12:00:00.000Z"}${' '.repeat(1_000)}`,
      LimitExceededError,
    ],
  ])('that was damaged (%s) lets nothing out', async (_, claim, type) => {
    const { rig, run } = await rebuilt();
    await rig.blobs.put('work', keys.terminal(run.runId, 1), Buffer.from(claim));
    await expect(deliver(rig.ctx, run)).rejects.toThrow(type);
    expect(rig.blobs.list('clean')).toEqual([]);
  });
});

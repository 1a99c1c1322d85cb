import { describe, expect, test } from 'vitest';
import { ledgerJson } from '../../lib/pipeline/chain/ledger-store.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys, runIdOf, sha256Hex } from '../../lib/pipeline/keys.ts';
import { urlIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import { checkConservation } from '../../lib/pipeline/ledger/conservation.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { createRig, emailWith, PDF, type RigOptions } from './rig.ts';

async function check(bytes: Uint8Array | string, options: RigOptions = {}, name?: string) {
  const rig = createRig(options);
  const run = await parse(rig.ctx, await rig.intake(bytes, name));
  return { rig, run, ledger: await rig.ledger(run.runId) };
}

const MAIL = emailWith({
  subject: 'Invoice',
  text: 'pay at https://pay.example/now',
  files: [{ name: 'a.pdf', bytes: PDF }],
});

test('lists every part with names, types, size and hash, and stores its bytes under the hash', async () => {
  const { rig, ledger } = await check(MAIL);
  expect(ledger.parts.map(({ path, role, typeGroup }) => [path, role, typeGroup])).toEqual([
    ['1', 'multipart', null],
    ['1.1', 'body', 'text'],
    ['1.2', 'attachment', 'pdf'],
  ]);
  const pdf = ledger.parts[2];
  expect(pdf).toMatchObject({
    untrustedNames: ['a.pdf'],
    declaredType: 'application/octet-stream',
    detectedType: 'application/pdf',
    sha256: sha256Hex(PDF),
    size: PDF.length,
  });
  for (const part of ledger.parts.slice(1)) {
    const stored = await rig.blobs.get('work', keys.artifact(part.sha256 ?? ''), { maxBytes: 10_000 });
    expect(sha256Hex(stored)).toBe(part.sha256);
  }
  expect(checkConservation(ledger, false)).toEqual([]);
});

test('lists every URL with where it was found, as an artifact of its own', async () => {
  const { ledger } = await check(MAIL);
  expect(ledger.urls).toEqual([
    {
      path: '1.1',
      untrustedRaw: 'https://pay.example/now',
      normalised: 'https://pay.example/now',
      where: 'text',
      unwrapped: [],
      untrustedShown: null,
      artifactId: urlIdOf('https://pay.example/now'),
    },
  ]);
});

test('keeps the facts of the message', async () => {
  const { ledger } = await check(MAIL);
  expect(ledger.message).toEqual({
    untrustedSubject: 'Invoice',
    untrustedFrom: 'Ana <ana@sender.example>',
    untrustedTo: 'bob@recipient.example',
    untrustedDate: 'Fri, 20 Nov 2026 12:00:00 +0000',
    untrustedMessageId: '<1@sender.example>',
  });
});

describe('a repeated event', () => {
  test('is the same run; ledger and artifacts stay as they are', async () => {
    const rig = createRig();
    const intake = await rig.intake(MAIL);
    const first = await parse(rig.ctx, intake);
    const before = await rig.ledger(first.runId);
    rig.advance(60_000);
    const second = await parse(rig.ctx, intake);
    expect(second).toEqual(first);
    expect(await rig.ledger(first.runId)).toEqual(before);
    expect(rig.started).toEqual([first.runId, first.runId]);
  });

  test('does not touch a run that has ended', async () => {
    const rig = createRig();
    const { runId, ledger } = await rig.scan(MAIL);
    await parse(rig.ctx, await rig.intake(MAIL));
    expect(await rig.ledger(runId)).toEqual(ledger);
  });

  test('another version of the object is another run', () => {
    const object = { bucket: 'intake', untrustedKey: 'a', versionId: '1' };
    expect(runIdOf(object)).not.toBe(runIdOf({ ...object, versionId: '2' }));
    expect(runIdOf({ bucket: 'in', untrustedKey: 'take/a', versionId: '1' })).not.toBe(
      runIdOf({ bucket: 'in/take', untrustedKey: 'a', versionId: '1' }),
    );
  });
});

describe('an object that cannot be read gets a ledger that says why', () => {
  test('an empty object', async () => {
    const { ledger } = await check('');
    expect(ledger.failure).toEqual({
      class: 'unreadable',
      detail: 'it is empty (0 bytes): there is nothing to deliver. Check how it was stored',
    });
  });

  test('an object over the limit, which is not held in memory', async () => {
    const { ledger } = await check(MAIL, { limits: { emailBytes: 100 } });
    const detail = 'it is larger than 100 bytes, the limit for one email. Nothing of it was read';
    expect(ledger).toMatchObject({ failure: { class: 'oversize', detail }, sha256: null, parts: [] });
  });

  test('more URLs than are judged: counted, and a warning', async () => {
    const text = Array.from({ length: 7 }, (_, index) => `https://u${index}.example/`).join(' ');
    const { ledger } = await check(emailWith({ text }), { limits: { urls: 5 } });
    expect(ledger.urlsOverLimit).toBe(2);
    expect(ledger.warnings.map(({ code, path }) => `${code} ${path}`)).toEqual(['links_not_analysed 1.1']);
  });
});

test('one link in a thousand spellings does not fill the ledger', async () => {
  const text = Array.from(
    { length: 1000 },
    (_, index) => `https://EXAMPLE.example/${'?'.repeat(0)} https://example.example/#${index}`,
  ).join('\r\n');
  const { ledger } = await check(emailWith({ text: text.replace(/#\d+/g, '') }), {});
  expect(ledger.urls.length).toBeLessThanOrEqual(5);
});

test('a bare file is one part and one artifact', async () => {
  const { ledger } = await check(PDF, {}, 'upload/report.pdf');
  expect(ledger.kind).toBe('file');
  expect(ledger.parts.map(({ path, untrustedNames, typeGroup }) => [path, untrustedNames, typeGroup])).toEqual([
    ['1', ['report.pdf'], 'pdf'],
  ]);
});

test('the part of a bare file is the file and nothing else', async () => {
  const { ledger } = await check(PDF, {}, 'upload/report.pdf');
  expect(ledger.parts).toEqual([
    {
      path: '1',
      parent: null,
      container: null,
      depth: 0,
      role: 'attachment',
      untrustedNames: ['report.pdf'],
      declaredType: 'application/octet-stream',
      detectedType: 'application/pdf',
      typeGroup: 'pdf',
      size: PDF.length,
      sha256: sha256Hex(PDF),
      header: { start: 0, end: 0 },
      body: { start: 0, end: PDF.length },
      readings: ['structure'],
      disposition: null,
      delivered: null,
    },
  ]);
  expect(ledger.artifacts).toMatchObject([
    {
      type: 'file',
      id: `file:${sha256Hex(PDF)}`,
      extension: 'pdf',
      origins: ['1'],
      verdict: 'unknown',
      submissions: [],
    },
  ]);
});

test('a member of an archive is below its archive, with a place of its own and no bytes in the mail', async () => {
  const { ledger, rig } = await check(emailWith({ files: [{ name: 'a.zip', bytes: await zipOf({ 'a.pdf': PDF }) }] }));
  const member = ledger.parts.find(({ role }) => role === 'member');
  expect(member).toEqual({
    path: '1.2!1',
    parent: '1.2',
    container: '1.2',
    depth: 2,
    role: 'member',
    untrustedNames: ['a.pdf'],
    declaredType: 'application/octet-stream',
    detectedType: 'application/pdf',
    typeGroup: 'pdf',
    size: PDF.length,
    sha256: sha256Hex(PDF),
    header: { start: 0, end: 0 },
    body: { start: 0, end: 0 },
    readings: ['structure'],
    disposition: null,
    delivered: null,
  });
  expect(await rig.blobs.has('work', keys.artifact(sha256Hex(PDF)))).toBe(true);
});

test('the first stage is noted with its time, in the ledger and in the log', async () => {
  const rig = createRig();
  const told: unknown[] = [];
  const log = { info: (...args: unknown[]) => void told.push(args), warn: () => {} };
  const get: typeof rig.blobs.get = async (...args) => {
    rig.advance(250);
    return rig.blobs.get(...args);
  };
  const run = await parse({ ...rig.ctx, log, blobs: { ...rig.blobs, get } }, await rig.intake(MAIL));
  const { stages, bornAt } = await rig.ledger(run.runId);
  expect(bornAt).toBe('2026-11-20T12:00:00.000Z');
  expect(stages).toEqual([{ stage: 'parse', startedAt: bornAt, durationMs: 250 }]);
  expect(told).toEqual([['stage done', { stage: 'parse', runId: run.runId, durationMs: 250, parts: 3 }]]);
});

test('a store that does not answer is no failure of the mail: nothing is noted, and the event comes again', async () => {
  const rig = createRig();
  const intake = await rig.intake(MAIL);
  const get = async () => Promise.reject(new TransientError('s3 get failed for now'));
  await expect(parse({ ...rig.ctx, blobs: { ...rig.blobs, get } }, intake)).rejects.toThrow(TransientError);
  expect(await rig.blobs.has('work', keys.entry(runIdOf(intake), 1, 'parse'))).toBe(false);
  expect(rig.started).toEqual([]);
});

test('a ledger that fills half of its limit holds no list, and says why', async () => {
  const { ledger, rig, run } = await check(MAIL);
  const { length } = ledgerJson({ ...(await rig.ledger(run.runId)), stages: [] });
  // The stage is added after the ledger was measured.
  const within = await check(MAIL, { limits: { ledgerBytes: 2 * length } });
  expect(within.ledger.parts).toEqual(ledger.parts);
  const over = await check(MAIL, { limits: { ledgerBytes: length } });
  expect(over.ledger).toMatchObject({
    parts: [],
    urls: [],
    artifacts: [],
    warnings: [],
    failure: { class: 'oversize' },
  });
  expect(over.ledger.failure?.detail).toMatch(/^the list of what it contains is too long: a ledger of \d+ bytes$/);
});

test('a file whose name is dangerous is not taken for the text that it looks like', async () => {
  const { ledger } = await check('echo hello', {}, 'run.bat');
  expect(ledger.parts[0]?.typeGroup).toBe('script');
});

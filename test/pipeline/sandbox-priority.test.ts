/** The reasons that give a file priority for the sandbox, also when senders and files were met before, and when a note is unreadable. */
import { describe, expect, test } from 'vitest';
import { priorityReasonsOf } from '../../lib/pipeline/analysis/sandbox-priority.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import { hashOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import type { Blobs } from '../../lib/pipeline/ports.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { createRig, emailWith } from './rig.ts';

const HOUR_MS = 3_600_000;

/** A rig that tells the reasons for the file of this name in a mail. */
function met(blobs: (real: Blobs) => Partial<Blobs> = () => ({})) {
  const rig = createRig();
  let came = 0;
  const read = async (mail: string, name: string) => {
    came += 1;
    const { ledger } = await rig.scan(mail, `${came}.eml`);
    const parts = ledger.parts.filter(({ untrustedNames }) => untrustedNames.includes(name));
    const file = ledger.artifacts.find(
      (one) => one.type === 'file' && parts.some(({ sha256 }) => one.id.endsWith(`${sha256}`)),
    );
    if (file?.type !== 'file') throw new Error(`${name} is no file of the mail`);
    const ask = async () =>
      (await priorityReasonsOf({ ...rig.ctx, blobs: { ...rig.blobs, ...blobs(rig.blobs) } }, ledger, [file])).get(file);
    return { ledger, file, ask };
  };
  return {
    rig,
    read,
    reasons: async (mail: string, name: string) => (await read(mail, name)).ask().then((said) => said ?? []),
  };
}

const mailWith = (name: string, bytes: Uint8Array | string) => emailWith({ files: [{ name, bytes }] });

describe('a program counts for what it is in', () => {
  test.each<[string, string, string, boolean]>([
    ['a program in an archive', mailWith('a.zip', zipOf({ 'run.exe': 'MZ inner' })), 'run.exe', true],
    ['a script in an archive', mailWith('a.zip', zipOf({ 'run.js': 'WScript.Echo(1)' })), 'run.js', true],
    ['a text in an archive', mailWith('a.zip', zipOf({ 'a.txt': 'some words' })), 'a.txt', false],
    ['a program that is attached, which policy sees at once', mailWith('run.exe', 'MZ inner'), 'run.exe', false],
  ])('%s', async (_, mail, name, isProgram) => {
    expect((await met().reasons(mail, name)).includes('program')).toBe(isProgram);
  });
});

describe('who and what was met before', () => {
  test('an hour later a file is still new and its sender is not; after a day the file is known, too', async () => {
    const { rig, reasons } = met();
    const mail = mailWith('a.txt', 'some words');
    expect(await reasons(mail, 'a.txt')).toEqual(['newSender', 'newFile']);
    rig.advance(HOUR_MS);
    expect(await reasons(mail, 'a.txt')).toEqual(['newFile']);
    rig.advance(24 * HOUR_MS);
    expect(await reasons(mail, 'a.txt')).toEqual([]);
  });

  test('a run that asks again days later is told what it was told', async () => {
    const { rig, read } = met();
    const { ask } = await read(mailWith('a.txt', 'some words'), 'a.txt');
    expect(await ask()).toEqual(['newSender', 'newFile']);
    rig.advance(48 * HOUR_MS);
    expect(await ask()).toEqual(['newSender', 'newFile']);
  });

  test('one new address beside known ones is new, and so is a mail without any', async () => {
    const { rig, reasons } = met();
    const mail = mailWith('a.txt', 'some words');
    await reasons(mail, 'a.txt');
    rig.advance(48 * HOUR_MS);
    const two = mail.replace('From: Ana <ana@sender.example>', 'From: ana@sender.example, eve@other.example');
    expect(await reasons(two, 'a.txt')).toEqual(['newSender']);
    expect(await reasons(mail.replace(/^From: .*\r\n/m, ''), 'a.txt')).toEqual(['newSender']);
  });

  test('of many addresses, five are looked up and noted', async () => {
    const { rig, reasons } = met();
    const many = Array.from({ length: 9 }, (_, index) => `a${index}@sender.example`).join(', ');
    await reasons(mailWith('a.txt', 'some words').replace('Ana <ana@sender.example>', many), 'a.txt');
    expect(rig.blobs.list('work').filter((key) => key.startsWith('seen/sender'))).toHaveLength(5);
  });
});

describe('a note that nobody can read', () => {
  const noted = async (text: string) => {
    const { rig, read } = met();
    const { file, ask } = await read(mailWith('a.txt', 'some words'), 'a.txt');
    await rig.blobs.put('work', keys.seen('file', hashOf(file.id)), Buffer.from(text));
    await rig.blobs.put('work', keys.seen('sender', sha256Hex('ana@sender.example')), Buffer.from(text));
    return ask();
  };

  test.each([
    ['is no JSON', '\u0000'],
    ['has other fields', '{"runId":7}'],
    ['has no time', '{"runId":"ab","at":"yesterday"}'],
  ])('because it %s leaves all as new', async (_, text) => {
    expect(await noted(text)).toEqual(['newSender', 'newFile']);
  });

  test('of another run and an earlier day is one that can be read', async () => {
    expect(await noted('{"runId":"ab","at":"2026-11-01T00:00:00Z"}')).toEqual([]);
  });

  test('is none when the store is away: the stage is tried again', async () => {
    const away = async () => Promise.reject(new TransientError('away'));
    const { rig, read } = met((real) => ({
      get: (bucket, key, options) => (key.startsWith('seen/') ? away() : real.get(bucket, key, options)),
    }));
    const mail = mailWith('a.txt', 'some words');
    const { ask } = await read(mail, 'a.txt');
    expect(await ask()).toEqual(['newSender', 'newFile']);
    rig.advance(1_000);
    await expect(ask()).rejects.toThrow(TransientError);
  });
});

test.each([
  ['office', 'docm', true],
  ['office', 'xlsb', true],
  ['office', 'xltm', true],
  ['office', 'ppsm', true],
  ['office', 'vsdm', true],
  ['office', 'doc', true],
  ['office', 'pot', true],
  ['office', 'docx', false],
  ['office', 'odt', false],
  ['text', 'doc', false],
] as const)('a file of the group %s with the extension %s may hold macros: %s', async (typeGroup, extension, may) => {
  const { rig, read } = met();
  const { ledger, file } = await read(mailWith('a.txt', 'some words'), 'a.txt');
  const other = { ...file, typeGroup, extension };
  expect((await priorityReasonsOf(rig.ctx, ledger, [other])).get(other)?.includes('macros')).toBe(may);
});

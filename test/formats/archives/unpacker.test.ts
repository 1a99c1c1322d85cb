import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createUnpacker } from '../../../lib/formats/archives/unpacker.ts';
import type { Allowance, ArchiveFormat } from '../../../lib/formats/archives/unpacking.ts';
import { zipOf } from '../../engines/zip-fixture.ts';
import { packed } from './archives.ts';

const ALLOWANCE: Allowance = {
  members: 100,
  bytes: 32 * 1024 * 1024,
  memberBytes: 16 * 1024 * 1024,
  ratio: 250,
  workMs: 20_000,
  passwordTries: 50,
};
const unpacker = createUnpacker();
afterAll(() => unpacker.close());

interface Options {
  readonly name?: string;
  readonly passwords?: readonly string[];
  readonly allowance?: Partial<Allowance>;
}

async function check(format: ArchiveFormat, bytes: Uint8Array, options: Options = {}) {
  const { name = `a.${format}`, passwords = [], allowance = {} } = options;
  const request = { format, bytes, untrustedName: name, passwords, allowance: { ...ALLOWANCE, ...allowance } };
  const { members, ...rest } = await unpacker.unpack(request);
  const files = Object.fromEntries(
    members.map((member) => [member.untrustedNames[0] ?? '', Buffer.from(member.bytes).toString('latin1')]),
  );
  return { ...rest, files, count: members.length };
}

const FILES = { 'a.txt': 'hello', 'deep/down/b.exe': 'MZ not really' };

describe('opens what archive programs write', () => {
  test.each(['7z', 'zip', 'tar'] as const)('%s, with the paths of its members as names', async (format) => {
    const { outcome, files } = await check(format, await packed(format, FILES));
    expect([outcome, files]).toEqual(['opened', FILES]);
  });

  test.each([
    ['bzip2', 'report.tbz2', 'report.tar'],
    ['xz', 'report.txt.xz', 'report.txt'],
  ] as const)(
    '%s, which holds no name: that of the archive without what packing added',
    async (format, name, inner) => {
      const { outcome, files } = await check(format, await packed(format, { content: 'hello' }), { name });
      expect([outcome, files]).toEqual(['opened', { [inner]: 'hello' }]);
    },
  );

  test('gzip, by the name in its header or that of the archive', async () => {
    expect((await check('gzip', await packed('gzip', { 'inner.js': 'x' }))).files).toEqual({ 'inner.js': 'x' });
    expect((await check('gzip', gzipSync('x'), { name: 'a.tgz' })).files).toEqual({ 'a.tar': 'x' });
  });

  test.each(['LZMA', 'BZip2', 'PPMd', 'Deflate64'])('a zip packed with %s', async (method) => {
    const zip = await packed('zip', FILES, { switches: [`-mm=${method}`] });
    expect((await check('zip', zip)).files).toEqual(FILES);
  });

  test('names of members that lead out of the folder, or name devices, are only data', async () => {
    const names = { '../../up.txt': '1', '/etc/passwd': '2', 'C:\\x.exe': '3', 'CON.txt': '4' };
    expect((await check('zip', zipOf(names))).files).toEqual(names);
  });

  test('a member keeps its name when it is the one that 7-Zip gives to files without a name', async () => {
    const names = { in: '1', archive: '2' };
    expect((await check('tar', await packed('tar', names))).files).toEqual(names);
  });

  test('an archive without files has no members and is opened', async () => {
    expect(await check('zip', zipOf({}))).toMatchObject({ outcome: 'opened', count: 0 });
  });
});

describe('passwords', () => {
  const closed: readonly (readonly [ArchiveFormat, '7z' | 'zip', readonly string[]])[] = [
    ['zip', 'zip', ['-mem=ZipCrypto']],
    ['zip', 'zip', ['-mem=AES256']],
    ['7z', '7z', []],
    ['7z', '7z', ['-mhe=on']],
  ];

  test.each(closed)('%s packed as %s %j: the one that fits is found and told', async (format, type, switches) => {
    const archive = await packed(type, FILES, { password: 'Zurich 8001', switches });
    const passwords = ['wrong', '1234', 'Zurich 8001', 'later'];
    const { outcome, files, untrustedPassword } = await check(format, archive, { passwords });
    expect([outcome, files, untrustedPassword]).toEqual(['opened', FILES, 'Zurich 8001']);
  });

  test.each(closed)(
    '%s packed as %s %j: without the right one it stays closed, and says so',
    async (format, type, switches) => {
      const archive = await packed(type, FILES, { password: 'secret', switches });
      const { outcome, untrustedPassword } = await check(format, archive, { passwords: ['wrong', ''] });
      expect([outcome, untrustedPassword]).toEqual(['encrypted', null]);
    },
  );

  test('the open members of a partly encrypted zip are found, and the outcome is encrypted', async () => {
    const archive = zipOf({ 'open.txt': 'open', 'closed.exe': { content: 'MZ', encrypted: true } });
    const { outcome, files } = await check('zip', archive, { passwords: ['nope'] });
    expect([outcome, files]).toEqual(['encrypted', { 'open.txt': 'open' }]);
  });

  test('no more passwords are tried than allowed', async () => {
    const archive = await packed('zip', FILES, { password: 'last' });
    const passwords = [...Array.from({ length: 50 }, (_, index) => `p${index}`), 'last'];
    expect((await check('zip', archive, { passwords })).outcome).toBe('encrypted');
  });
});

describe('the budget stops an archive that would not end', () => {
  const zeros = Buffer.alloc(24 * 1024 * 1024);

  test.each(['7z', 'zip', 'gzip', 'bzip2', 'xz'] as const)('a %s of zeros is over its ratio', async (format) => {
    const bomb = await packed(format, { zeros });
    expect(await check(format, bomb)).toMatchObject({ outcome: 'over_budget', count: 0 });
  });

  test('a zip that states a false small size is stopped when it unpacks to more', async () => {
    const liar = zipOf({ zeros: { content: zeros, claimedSize: 10 } });
    const { outcome, count } = await check('zip', liar);
    expect(['over_budget', 'damaged']).toContain(outcome);
    expect(count).toBe(0);
  });

  test('a member larger than the limit is over the budget', async () => {
    const archive = await packed('7z', { big: Buffer.alloc(70_000, 'ab1') });
    expect((await check('7z', archive, { allowance: { memberBytes: 60_000 } })).outcome).toBe('over_budget');
    expect((await check('7z', archive, { allowance: { memberBytes: 70_000 } })).outcome).toBe('opened');
  });

  test.each(['zip', '7z', 'tar'] as const)('a %s of more members than may be looked at', async (format) => {
    const archive = await packed(format, Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, 'x'])));
    expect((await check(format, archive, { allowance: { members: 11 } })).outcome).toBe('over_budget');
    expect(await check(format, archive, { allowance: { members: 12 } })).toMatchObject({
      outcome: 'opened',
      count: 12,
    });
  });

  test('an archive is not opened when no time is left', async () => {
    const { outcome } = await check('zip', zipOf({ a: 'x' }), { allowance: { workMs: 0 } });
    expect(outcome).toBe('over_budget');
  });

  test('a thread that does not answer is ended, and the next archive gets another', async () => {
    const deaf = createUnpacker({ workerFile: new URL('./deaf-worker.ts', import.meta.url), startMs: 50 });
    const request = {
      format: '7z' as const,
      bytes: await packed('7z', { a: 'x' }),
      untrustedName: null,
      passwords: [],
    };
    const ask = () => deaf.unpack({ ...request, allowance: { ...ALLOWANCE, workMs: 50 } });
    expect((await ask()).outcome).toBe('over_budget');
    expect((await ask()).outcome).toBe('over_budget');
    await deaf.close();
  });
});

describe('damage and absence', () => {
  test.each(['zip', '7z', 'rar', 'tar', 'gzip', 'bzip2', 'xz', 'iso', 'cab'] as const)(
    'junk called %s is damaged',
    async (format) => {
      expect(await check(format, Buffer.alloc(5_000, 'junk'))).toMatchObject({ outcome: 'damaged', count: 0 });
    },
  );

  test('an archive that is cut off gives the members it holds, and is damaged', async () => {
    const whole = await packed('7z', FILES, { switches: ['-mx=0', '-ms=off'] });
    expect((await check('7z', whole.subarray(0, -20))).outcome).toBe('damaged');
  });

  test('a zip that programs read in different ways is damaged, with its members', async () => {
    const doubled = zipOf({ 'a.txt': { content: 'x', localName: 'b.exe' } });
    expect(await check('zip', doubled)).toMatchObject({ outcome: 'damaged', files: { 'a.txt': 'x' } });
  });

  test('where no thread can start, archives are unsupported', async () => {
    const lost = createUnpacker({ workerFile: new URL('./no-such-worker.mjs', import.meta.url) });
    const request = {
      format: '7z' as const,
      bytes: await packed('7z', { a: 'x' }),
      untrustedName: null,
      passwords: [],
    };
    expect((await lost.unpack({ ...request, allowance: ALLOWANCE })).outcome).toBe('unsupported');
    await lost.close();
  });
});

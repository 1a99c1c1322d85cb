/** Which bytes are an archive, what the unpacker is asked, and what becomes of its answer. */
import { describe, expect, test } from 'vitest';
import type { Unpack, Unpacked, UnpackRequest } from '../../../lib/formats/archives/unpacking.ts';
import { zipOf } from '../../engines/zip-fixture.ts';
import { type Claims, filesOf, LIMITS, openAs } from './containers.ts';

/** First bytes as the formats define them, in hexadecimal digits, and where they stand. */
const STARTS: readonly (readonly [format: string, at: number, hex: string])[] = [
  ['zip', 0, '504b0304'],
  ['zip', 0, '504b0506'],
  ['zip', 0, '504b0708'],
  ['7z', 0, '377abcaf271c'],
  ['rar', 0, '526172211a07'],
  ['gzip', 0, '1f8b'],
  ['bzip2', 0, '425a6831'],
  ['bzip2', 0, '425a6839'],
  ['xz', 0, 'fd377a585a00'],
  ['cab', 0, '4d53434600000000'],
  ['tar', 257, '7573746172'],
  ['iso', 32_769, '4344303031'],
  ['iso', 32_769, '4245413031'],
];

function starting(at: number, hex: string): Buffer {
  return Buffer.concat([Buffer.alloc(at, 0x20), Buffer.from(hex, 'hex')]);
}

/** An unpacker that finds one file, and keeps what it was asked. */
function recorder(answers: readonly Partial<Unpacked>[] = [{}]): { unpack: Unpack; asked: UnpackRequest[] } {
  const asked: UnpackRequest[] = [];
  const found = { path: '1', untrustedNames: ['a.js'], bytes: Buffer.from('x') };
  const empty = { outcome: 'opened', detail: '', members: [found], untrustedPassword: null } as const;
  return { asked, unpack: async (request) => ({ ...empty, ...answers[asked.push(request) - 1] }) };
}

async function formatsAsked(bytes: Uint8Array, claims: Claims = {}) {
  const { unpack, asked } = recorder([{}, {}]);
  const { kind } = await openAs(bytes, { ...claims, unpack });
  return [kind, ...asked.map(({ format }) => format)];
}

describe.each(STARTS)('an archive of %s that has at %i the bytes %s', (format, at, hex) => {
  test('is opened as one', async () => {
    expect(await formatsAsked(starting(at, hex))).toEqual([format, format]);
    expect(await formatsAsked(starting(at, `${hex}00ff`), { role: 'file' })).toEqual([format, format]);
  });

  test('is none with one of these bytes changed, gone, or elsewhere', async () => {
    const bytes = starting(at, hex);
    for (let place = at; place < bytes.length; place++) {
      const changed = Buffer.from(bytes);
      changed[place] = 0x7f;
      expect(await formatsAsked(changed)).toEqual([null]);
    }
    expect(await formatsAsked(bytes.subarray(0, -1))).toEqual([null]);
    expect(await formatsAsked(Buffer.concat([Buffer.from(' '), bytes]))).toEqual([null]);
  });

  test('is none as the text of a mail', async () => {
    expect(await formatsAsked(starting(at, hex), { role: 'body' })).toEqual([null]);
  });
});

test.each(['0', ':', 'a'])('the block size %s of bzip2 is none', async (size) => {
  expect(await formatsAsked(Buffer.from(`BZh${size}`))).toEqual([null]);
});

test.each([
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.ms-excel.sheet.macroenabled.12',
  'application/vnd.oasis.opendocument.text',
  'application/java-archive',
  'application/vnd.android.package-archive',
  'application/epub+zip',
])('%s is a document and not opened as an archive', async (detectedType) => {
  expect(await formatsAsked(zipOf({ 'a.js': 'x' }), { detectedType })).toEqual([null]);
  expect(await formatsAsked(Buffer.concat([Buffer.from('MZ'), zipOf({ 'a.js': 'x' })]), { detectedType })).toEqual([
    null,
  ]);
});

describe('a zip behind something else', () => {
  const zip = zipOf({ 'a.js': 'x' });
  const withComment = Buffer.concat([zip, Buffer.from('note')]);
  withComment.writeUInt16LE(4, zip.length - 2);

  test('is opened: behind bytes of any kind, and with a comment', async () => {
    for (const end of [zip, withComment])
      expect(await formatsAsked(Buffer.concat([Buffer.from('MZ'), end]))).toEqual(['zip', 'zip']);
  });

  test('is none when its end is not the end of the file', async () => {
    for (const end of [Buffer.concat([zip, Buffer.from('x')]), withComment.subarray(0, -1)])
      expect(await formatsAsked(Buffer.concat([Buffer.from('MZ'), end]))).toEqual([null]);
  });

  test('is none in a body, nor at the end of a message', async () => {
    const bytes = Buffer.concat([Buffer.from('words'), zip]);
    expect(await formatsAsked(bytes, { role: 'body' })).toEqual([null]);
    expect(await formatsAsked(bytes, { detectedType: 'message/rfc822' })).toEqual([null]);
  });

  test('a zip alone is opened once', async () => {
    expect(await formatsAsked(withComment)).toEqual(['zip', 'zip']);
  });

  test('behind an archive is opened beside it, each with its own place', async () => {
    const bytes = Buffer.concat([Buffer.from('1f8b', 'hex'), zip]);
    expect(await formatsAsked(bytes)).toEqual(['gzip', 'gzip', 'zip']);
    const { unpack } = recorder([{}, {}]);
    const found = await openAs(bytes, { unpack });
    expect(found.members.map(({ path }) => path)).toEqual(['1', 'zip.1']);
    expect(found).toMatchObject({ outcome: 'opened', detail: '' });
  });

  test('what was found in the first counts for the second', async () => {
    const { unpack, asked } = recorder([{}, {}]);
    await openAs(Buffer.concat([Buffer.from('1f8b', 'hex'), zip]), { unpack });
    expect(asked.map(({ allowance }) => [allowance.members, allowance.bytes])).toEqual([
      [LIMITS.containerMembers, LIMITS.containerBytes],
      [LIMITS.containerMembers - 1, LIMITS.containerBytes - 1],
    ]);
  });

  const damaged = { outcome: 'damaged', detail: 'cut off', members: [] } as const;
  const encrypted = { outcome: 'encrypted', detail: 'closed', members: [] } as const;
  test.each([
    ['the first stays closed', [damaged, {}], { outcome: 'damaged', detail: 'cut off', paths: ['zip.1'] }],
    ['the second stays closed', [{}, encrypted], { outcome: 'encrypted', detail: 'closed', paths: ['1'] }],
    ['both stay closed', [damaged, encrypted], { outcome: 'damaged', detail: 'cut off', paths: [] }],
  ])('says so when %s', async (_, answers, { paths, ...said }) => {
    const found = await openAs(Buffer.concat([Buffer.from('1f8b', 'hex'), zip]), recorder(answers));
    expect(found).toMatchObject(said);
    expect(found.members.map(({ path }) => path)).toEqual(paths);
  });

  test.each([
    [['one', 'two'], 'one'],
    [[null, 'two'], 'two'],
    [['one', null], 'one'],
  ])('of the passwords %j the first is told', async (passwords, told) => {
    const answers = passwords.map((untrustedPassword) => ({ untrustedPassword }));
    const found = await openAs(Buffer.concat([Buffer.from('1f8b', 'hex'), zip]), recorder(answers));
    expect(found.untrustedPassword).toBe(told);
  });
});

describe('the unpacker', () => {
  test('is asked with the first name, the passwords and what is left', async () => {
    const { unpack, asked } = recorder();
    const bytes = zipOf({ 'a.js': 'x' });
    await openAs(bytes, { unpack, passwords: ['one', 'two'], untrustedNames: ['b.zip', 'c.zip'] });
    expect(asked).toEqual([
      {
        format: 'zip',
        bytes,
        untrustedName: 'b.zip',
        passwords: ['one', 'two'],
        allowance: {
          members: 100,
          bytes: 8 * 1024 * 1024,
          memberBytes: 4 * 1024 * 1024,
          ratio: 250,
          workMs: 20_000,
          passwordTries: 50,
        },
      },
    ]);
  });

  test('is told that a file has no name', async () => {
    const { unpack, asked } = recorder();
    await openAs(zipOf({}), { unpack });
    expect(asked[0]?.untrustedName).toBeNull();
  });

  test('finds files of no known type, charset or place in a message', async () => {
    const found = await openAs(zipOf({}), recorder([{ untrustedPassword: 'infected' }]));
    expect(found.members).toEqual([
      {
        path: '1',
        untrustedNames: ['a.js'],
        bytes: Buffer.from('x'),
        declaredType: 'application/octet-stream',
        charset: null,
        role: 'file',
      },
    ]);
    expect(found).toMatchObject({ untrustedPassword: 'infected', warnings: [], untrustedTexts: [] });
    expect(filesOf(found)).toEqual([['a.js', 'x']]);
  });
});

test('no bytes are no container, whatever they are called', async () => {
  expect((await openAs('', { untrustedNames: ['a.p7m', 'a.eml'], declaredType: 'message/rfc822' })).kind).toBeNull();
});

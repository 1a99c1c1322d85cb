import { createCipheriv, createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { buildDocm, buildMacroFreeDocx } from '../../fixtures/build-office.ts';
import { compoundFile } from '../office-fixture.ts';
import { officeParts } from './contents.ts';
import { disarmed, disarmReport, refusalCode } from './run-disarm.ts';

const AGILE_VERSION = Buffer.from('0400040040000000', 'hex');
const SALT = Buffer.alloc(16, 5);

const digest = (...parts: readonly Uint8Array[]) => createHash('sha512').update(Buffer.concat(parts)).digest();
const lock = (key: Buffer, iv: Buffer, value: Uint8Array) =>
  createCipheriv('aes-256-cbc', key.subarray(0, 32), iv.subarray(0, 16))
    .setAutoPadding(false)
    .update(Buffer.concat([value, Buffer.alloc((16 - (value.length % 16)) % 16)]));
const number = (value: number) => {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
};

/** Encrypts a document by the agile method of the format. */
function encrypt(content: Uint8Array, password: string, change: (xml: string) => string = (xml) => xml): Buffer {
  const spinCount = 1_000;
  let secret = digest(SALT, Buffer.from(password, 'utf16le'));
  for (let index = 0; index < spinCount; index++) secret = digest(number(index), secret);
  const seal = (purpose: string, value: Uint8Array) =>
    lock(digest(secret, Buffer.from(purpose, 'hex')), SALT, value).toString('base64');
  const key = Buffer.alloc(32, 9);
  const verifier = Buffer.alloc(16, 3);
  const cipher = `saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512" saltValue="${SALT.toString('base64')}"`;
  const xml =
    `<encryption><keyData ${cipher}/><keyEncryptors><keyEncryptor><p:encryptedKey spinCount="${spinCount}" ${cipher} ` +
    `encryptedVerifierHashInput="${seal('fea7d2763b4b9e79', verifier)}" encryptedVerifierHashValue="${seal('d7aa0f6d3061344e', digest(verifier))}" ` +
    `encryptedKeyValue="${seal('146e0be7abacd0d6', key)}"/></keyEncryptor></keyEncryptors></encryption>`;
  const segments = [];
  for (let at = 0; at < content.length; at += 4096)
    segments.push(lock(key, digest(SALT, number(at / 4096)), content.subarray(at, at + 4096)));
  const size = Buffer.alloc(8);
  size.writeUInt32LE(content.length);
  return compoundFile({
    EncryptionInfo: Buffer.concat([AGILE_VERSION, Buffer.from(change(xml))]),
    EncryptedPackage: Buffer.concat([size, ...segments]),
  });
}

describe('a document with a password', () => {
  test('needs the password, and comes out disarmed and without encryption', async () => {
    const input = encrypt(await buildDocm(), 'secret');
    expect(await refusalCode(input, 'a.docm')).toBe('encrypted');
    expect(await refusalCode(input, 'a.docm', { password: 'wrong' })).toBe('encrypted');
    const { extension, kinds, bytes } = await disarmed(input, 'a.docm', { password: 'secret' });
    expect(extension).toBe('docx');
    expect(kinds).toEqual(['encryption', 'macro file type', 'macro']);
    expect((await officeParts(bytes)).get('word/document.xml')).toContain('Invoice 2024-0117');
  });

  test('counts as disarmed when only its encryption is removed', async () => {
    const clean = await buildMacroFreeDocx();
    const report = await disarmed(encrypt(clean, 'secret'), 'a.docx', { password: 'secret' });
    expect(report).toMatchObject({ outcome: 'disarmed', kinds: ['encryption'] });
    expect(Buffer.compare(report.bytes, clean)).toBe(0);
  });

  test('opens with the password that Excel tries by itself', async () => {
    expect((await disarmed(encrypt(await buildMacroFreeDocx(), 'VelvetSweatshop'), 'a.xlsx')).kinds).toEqual([
      'encryption',
    ]);
  });

  test('opens when Office 2007 encrypted it', async () => {
    const { encrypt: write } = createRequire(import.meta.url)(
      'officecrypto-tool',
    ) as typeof import('officecrypto-tool');
    const input = write(Buffer.from(await buildDocm()), { password: 'secret', type: 'standard' });
    expect(await refusalCode(input, 'a.docm', { password: 'wrong' })).toBe('encrypted');
    expect((await disarmed(input, 'a.docm', { password: 'secret' })).kinds).toContain('macro');
  });
});

describe('a hostile description of the encryption', () => {
  test.each([
    [
      'asks for ten million rounds',
      (xml: string) => xml.replace(/spinCount="\d+"/, 'spinCount="10000000"'),
      'oversize',
    ],
    ['asks for no number of rounds', (xml: string) => xml.replace(/spinCount="\d+"/, 'spinCount="many"'), 'unreadable'],
    ['names another cipher', (xml: string) => xml.replaceAll('"AES"', '"RC2"'), 'unsupported'],
    ['names another hash', (xml: string) => xml.replaceAll('SHA512', 'MD4'), 'unsupported'],
    ['has two keys', (xml: string) => xml + xml, 'unreadable'],
    ['is megabytes long', (xml: string) => xml + ' '.repeat(1 << 20), 'oversize'],
    ['is empty', () => '', 'unreadable'],
    [
      'has values of a wrong length',
      (xml: string) => xml.replace(/encryptedKeyValue="[^"]*"/, 'encryptedKeyValue="AAAA"'),
      'unreadable',
    ],
  ])('that %s is refused', async (_what, change, code) => {
    expect(
      await refusalCode(encrypt(await buildMacroFreeDocx(), 'secret', change), 'a.docx', { password: 'secret' }),
    ).toBe(code);
  });

  test('that is not a description is refused', async () => {
    for (const info of [Buffer.alloc(0), Buffer.from('0400030000000000', 'hex')])
      expect(
        await refusalCode(compoundFile({ EncryptionInfo: info, EncryptedPackage: Buffer.alloc(16) }), 'a.docx'),
      ).toBe('unsupported');
    const short = Buffer.concat([Buffer.from('0300020024000000ffffffff', 'hex'), Buffer.alloc(20)]);
    expect(
      await refusalCode(compoundFile({ EncryptionInfo: short, EncryptedPackage: Buffer.alloc(16) }), 'a.docx'),
    ).toBe('unreadable');
  });
});

test.each([
  ['a program', Buffer.from('MZ'.padEnd(200, '\0'), 'latin1')],
  ['a zip', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
  ['a page', Buffer.from('<html><script>run()</script></html>')],
])('%s behind the encryption is refused', async (_what, content) => {
  const report = await disarmReport(encrypt(content, 'secret'), 'a.docx', { password: 'secret' });
  expect(report).toMatchObject({ outcome: 'failed', failure: { code: 'unreadable' } });
});

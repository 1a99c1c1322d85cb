import { describe, expect, test } from 'vitest';
import { openAs } from './containers.ts';

/** A packet in the new format, or with a body in pieces of 512 octets (RFC 9580 §4.2.1.4). */
function packet(tag: number, body: Buffer, isInPieces = false): Buffer {
  const pieces: Buffer[] = [Buffer.from([0xc0 | tag])];
  let at = 0;
  for (; isInPieces && body.length - at > 512; at += 512) pieces.push(Buffer.from([0xe9]), body.subarray(at, at + 512));
  const rest = body.subarray(at);
  const length = Buffer.from([0xff, 0, 0, rest.length >> 8, rest.length & 0xff]);
  return Buffer.concat([...pieces, length, rest]);
}
const oldPacket = (tag: number, body: Buffer) =>
  Buffer.concat([Buffer.from([0x80 | (tag << 2) | 1, body.length >> 8, body.length & 0xff]), body]);

const KEY = packet(1, Buffer.from(`03${'ab'.repeat(60)}`, 'hex'));
const DATA = packet(18, Buffer.from(`01${'cd'.repeat(900)}`, 'hex'), true);
const LITERAL = packet(11, Buffer.from('b\x05x.exe\0\0\0\0MZ'));
const ENCRYPTED = Buffer.concat([KEY, DATA]);

const armor = (bytes: Buffer, kind = 'MESSAGE') =>
  [`-----BEGIN PGP ${kind}-----`, '', bytes.toString('base64'), '=abcd', `-----END PGP ${kind}-----`, ''].join('\n');
const CALLED = { untrustedNames: ['a.gpg'] };

const CLOSED: Readonly<Record<string, Buffer>> = {
  'a session key and data in pieces': ENCRYPTED,
  'packets of the old format': Buffer.concat([oldPacket(1, Buffer.alloc(60, 3)), oldPacket(9, Buffer.alloc(200, 7))]),
  'two recipients': Buffer.concat([KEY, KEY, DATA]),
  'a marker in front': Buffer.concat([packet(10, Buffer.from('PGP')), ENCRYPTED]),
};
const WITH_PASSWORD: Readonly<Record<string, Buffer>> = {
  'a password': Buffer.concat([packet(3, Buffer.from('0409030803', 'hex')), DATA]),
  'a password and a recipient': Buffer.concat([KEY, packet(3, Buffer.from('0409030803', 'hex')), DATA]),
  'no session key': DATA,
};
const NOT_CLOSED: Readonly<Record<string, Buffer>> = {
  'literal data': LITERAL,
  'compressed data': packet(8, Buffer.from('0178', 'hex')),
  'a packet behind the encrypted one': Buffer.concat([ENCRYPTED, LITERAL]),
  'bytes behind the encrypted packet': Buffer.concat([ENCRYPTED, Buffer.from('MZ')]),
  'a session key without data': KEY,
  'data that is cut off': ENCRYPTED.subarray(0, -2),
  'data of a version that nobody knows': Buffer.concat([KEY, packet(18, Buffer.from('<html>'))]),
};

describe('a file that is one message', () => {
  test.each(Object.entries(CLOSED))('of %s is closed, as packets and as armor', async (_, bytes) => {
    for (const file of [await openAs(bytes, CALLED), await openAs(armor(bytes))])
      expect(file).toMatchObject({ kind: 'pgp', outcome: 'encrypted', needsPassword: false });
  });

  test.each(Object.entries(WITH_PASSWORD))('of %s needs a password, as packets and as armor', async (_, bytes) => {
    for (const file of [await openAs(bytes, CALLED), await openAs(armor(bytes)), await openAs(`x\n${armor(bytes)}`)])
      expect(file).toMatchObject({ outcome: 'encrypted', needsPassword: true });
  });

  test.each(Object.entries(NOT_CLOSED))('of %s is not closed', async (_, bytes) => {
    expect(await openAs(armor(bytes))).toMatchObject({ kind: 'pgp', outcome: 'unsupported' });
    expect((await openAs(bytes, CALLED)).outcome).not.toBe('encrypted');
  });
});

describe('a text in which messages stand', () => {
  const closed = armor(ENCRYPTED);
  test.each([
    ['behind other words', `Hello\n${closed}`],
    ['in front of other words', `${closed}-- \nAna`],
    ['quoted', `> Ana wrote\n${closed.replace(/^/gm, '> ')}`],
    ['twice', `${closed}\nand\n${closed}`],
  ])('is closed, %s', async (_, text) => {
    expect(await openAs(text, { role: 'body' })).toMatchObject({ kind: 'inline-pgp', outcome: 'encrypted' });
  });

  test('is closed wherever it begins in a long text', async () => {
    for (let place = 32 * 1024 - 24; place <= 32 * 1024; place += 1)
      for (const text of [closed, closed.replace(/^/gm, '> '), closed.replace('PGP', 'P&#71;P')])
        expect(await openAs(`${'a'.repeat(place)}\n${text}`, { role: 'body' }), `at ${place}`).toMatchObject({
          kind: 'inline-pgp',
          outcome: 'encrypted',
        });
  });

  test.each([
    ['one of them is not encrypted', `${closed}\n${armor(LITERAL)}`],
    ['one of them is not encrypted and quoted', `${closed}\n${armor(LITERAL).replace(/^/gm, '> ')}`],
    ['its armor does not end', `Hello\n${closed.slice(0, -30)}`],
    ['its armor holds other words', `Hello\n${closed.replace('=abcd', '<script>')}`],
    ['it is called a key', `Hello\n${armor(ENCRYPTED, 'PUBLIC KEY BLOCK')}`],
    ['it is a part of one', `Hello\n${armor(ENCRYPTED, 'MESSAGE, PART 1')}`],
  ])('is not closed when %s', async (_, text) => {
    expect(await openAs(text, { role: 'body' })).toMatchObject({ kind: 'inline-pgp', outcome: 'unsupported' });
  });

  test('many begin lines are read only once', async () => {
    const text = `${armor(ENCRYPTED).slice(0, -30)}\n`.repeat(400);
    expect(await openAs(text, { role: 'body' })).toMatchObject({ outcome: 'unsupported' });
  });

  test('text about PGP, and signed text, is open', async () => {
    expect((await openAs('look for -----BEGIN PGP MESSAGE----- in it', { role: 'body' })).kind).toBeNull();
    const signed = '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nhi\n-----BEGIN PGP SIGNATURE-----\n';
    expect((await openAs(signed, { role: 'body' })).kind).toBeNull();
  });
});

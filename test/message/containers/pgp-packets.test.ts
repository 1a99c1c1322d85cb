/** The packets of OpenPGP (RFC 9580): every way to write a length, every kind of packet, and what is called PGP. */
import { describe, expect, test } from 'vitest';
import { type Claims, openAs } from './containers.ts';

const CALLED = { untrustedNames: ['a.gpg'] };
const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');

/** The outcome of the packets as a file, which is null when it is not taken for one. */
async function outcomeOf(...packets: Buffer[]): Promise<string | null> {
  const { kind, outcome } = await openAs(Buffer.concat(packets), CALLED);
  return kind === null ? null : outcome;
}

const openingOf = (...packets: Buffer[]) => openAs(Buffer.concat(packets), CALLED);

/** A packet of the new format (§4.2.1) with a length of one octet. */
const packet = (tag: number, body: Buffer) => Buffer.concat([Buffer.from([0xc0 | tag, body.length]), body]);
const KEY = packet(1, hex('03 abcdef'));
const DATA = packet(18, hex('01 cdcdcd'));
const LITERAL_DATA = packet(11, Buffer.from('b\x05x.exe\0\0\0\0MZ'));

describe('lengths of the new format', () => {
  const withLength = (length: string, size: number, rest = '') =>
    Buffer.concat([hex('d2'), hex(length), Buffer.alloc(size, 1), hex(rest)]);

  test.each([
    ['one octet, smallest', '01', 1],
    ['one octet, largest', 'bf', 191],
    ['two octets, smallest', 'c000', 192],
    ['two octets, next', 'c001', 193],
    ['two octets, in the middle', 'c105', 453],
    ['two octets, largest', 'dfff', 8_383],
    ['five octets', 'ff00000102', 258],
    ['five octets, large', 'ff00010000', 65_536],
  ])('%s', async (_, length, size) => {
    expect(await outcomeOf(KEY, withLength(length, size))).toBe('encrypted');
    expect(await outcomeOf(KEY, withLength(length, size - 1))).toBe('unsupported');
    expect(await outcomeOf(KEY, withLength(length, size + 1))).toBe('unsupported');
  });

  test.each(['c1', 'ff', 'ff000001', ''])('that break off: %j', async (length) => {
    expect(await outcomeOf(KEY, withLength(length, 0))).toBe('unsupported');
  });

  test('in pieces, the last of which has a length of another form', async () => {
    const first = Buffer.concat([hex('d2 e1'), Buffer.alloc(2, 1)]);
    expect(await outcomeOf(KEY, first, hex('e0 01'), hex('02 0101'))).toBe('encrypted');
    expect(await outcomeOf(KEY, first, hex('fe'), hex('02 0101'))).toBe('unsupported');
    expect(await outcomeOf(KEY, first)).toBe('unsupported');
    expect(await outcomeOf(KEY, first, hex('e0 01'))).toBe('unsupported');
    expect(await outcomeOf(KEY, first, hex('00'))).toBe('encrypted');
    // The version is the first octet of the first piece.
    expect(await outcomeOf(KEY, hex('d2 e0 09'), hex('01 01'))).toBe('unsupported');
  });
});

describe('lengths of the old format', () => {
  const old = (tag: number, type: number, length: string, size: number) =>
    Buffer.concat([Buffer.from([0x80 | (tag << 2) | type]), hex(length), Buffer.alloc(size, 3)]);

  test.each([
    ['one octet', 0, '0a', 10],
    ['two octets', 1, '010a', 266],
    ['four octets', 2, '0000010a', 266],
  ])('%s', async (_, type, length, size) => {
    expect(await outcomeOf(old(1, type, length, size), DATA)).toBe('encrypted');
    expect(await outcomeOf(KEY, old(9, type, length, size))).toBe('encrypted');
    expect(await outcomeOf(KEY, old(9, type, length, size - 1))).toBe('unsupported');
    expect(await outcomeOf(KEY, old(9, type, length, size + 1))).toBe('unsupported');
  });

  test('none: to the end of the file', async () => {
    expect(await outcomeOf(KEY, old(9, 3, '', 50))).toBe('encrypted');
    expect(await outcomeOf(KEY, old(9, 3, '', 0))).toBe('unsupported');
  });

  test('that break off', async () => {
    expect(await outcomeOf(KEY, old(9, 2, '0000', 0))).toBe('unsupported');
    expect(await outcomeOf(KEY, old(9, 0, '', 0))).toBe('unsupported');
  });
});

describe('packets in front of the encrypted one', () => {
  test('of session keys to a public key have a version from 2 to 6', async () => {
    for (const version of [2, 3, 4, 5, 6])
      expect(await outcomeOf(packet(1, Buffer.from([version, 9])), DATA)).toBe('encrypted');
    for (const version of [0, 1, 7])
      expect(await outcomeOf(packet(1, Buffer.from([version, 9])), DATA)).toBe('unsupported');
    expect(await outcomeOf(packet(1, Buffer.alloc(0)), DATA)).toBe('unsupported');
  });

  test('that name a password need it, alone or beside a public key', async () => {
    for (const version of [4, 5, 6]) {
      const password = packet(3, Buffer.from([version, 9, 3, 8]));
      for (const packets of [[password], [password, KEY], [KEY, password]])
        expect(await openingOf(...packets, DATA)).toMatchObject({ outcome: 'encrypted', needsPassword: true });
      expect(await outcomeOf(password, LITERAL_DATA)).toBe('unsupported');
      expect(await outcomeOf(password, DATA, LITERAL_DATA)).toBe('unsupported');
    }
    expect(await openingOf(KEY, DATA)).toMatchObject({ needsPassword: false });
  });

  test.each([10, 21])('are skipped when they mean nothing: %i', async (tag) => {
    expect(await outcomeOf(KEY, packet(tag, Buffer.from('PGP')), DATA)).toBe('encrypted');
  });

  test.each([2, 4, 5, 6, 8, 11, 13, 14, 17, 19, 60, 63])('are of no other kind: %i', async (tag) => {
    expect(await outcomeOf(KEY, packet(tag, hex('03 01')), DATA)).toBe('unsupported');
  });

  test('may be missing when a password opens it (RFC 4880 §5.7)', async () => {
    for (const data of [DATA, packet(9, hex('01 cdcdcd'))])
      for (const packets of [[data], [packet(10, Buffer.from('PGP')), data]])
        expect(await openingOf(...packets)).toMatchObject({ outcome: 'encrypted', needsPassword: true });
  });

  test('encrypt nothing without encrypted data', async () => {
    expect(await outcomeOf(KEY)).toBe('unsupported');
    expect(await outcomeOf(packet(10, Buffer.from('PGP')))).toBe('unsupported');
    expect(await outcomeOf(KEY, hex('00'))).toBe('unsupported');
  });
});

describe('the encrypted packet', () => {
  test.each([
    [9, [0, 1, 2, 200], []],
    [18, [1, 2], [0, 3]],
    [20, [1], [0, 2, 3]],
  ])('of kind %i has one of its versions', async (tag, closed, open) => {
    for (const version of closed)
      expect(await outcomeOf(KEY, packet(tag, Buffer.from([version, 9])))).toBe('encrypted');
    for (const version of open)
      expect(await outcomeOf(KEY, packet(tag, Buffer.from([version, 9])))).toBe('unsupported');
    expect(await outcomeOf(KEY, packet(tag, Buffer.alloc(0)))).toBe('unsupported');
  });
});

describe('packets are looked for', () => {
  const kindOf = async (bytes: Buffer, claims: Claims) => (await openAs(bytes, claims)).kind;

  test.each(['a.gpg', 'a.PGP '])('in a file called %j', async (name) => {
    for (const tag of [1, 3, 9, 10, 18, 20])
      expect(await kindOf(packet(tag, hex('01')), { untrustedNames: ['x.txt', name] })).toBe('pgp');
    for (const tag of [0, 2, 4, 8, 11, 19, 21])
      expect(await kindOf(packet(tag, hex('01')), { untrustedNames: [name] })).toBeNull();
    expect(await kindOf(hex('01 01'), { untrustedNames: [name] })).toBeNull();
  });

  test('in a file that is declared to be one', async () => {
    expect(await kindOf(DATA, { declaredType: 'application/pgp-encrypted' })).toBe('pgp');
    expect(await kindOf(DATA, { declaredType: 'application/octet-stream' })).toBeNull();
    expect(await kindOf(DATA, { untrustedNames: ['a.gpg.txt', 'agpg'] })).toBeNull();
  });
});

describe('armor', () => {
  const data = Buffer.concat([KEY, DATA]).toString('base64');
  const LITERAL = LITERAL_DATA.toString('base64');
  const armor = (text: string, { kind = 'MESSAGE', headers = '', end = '\n' } = {}) =>
    `-----BEGIN PGP ${kind}-----${end}${headers}${end}${text}${end}-----END PGP ${kind}-----${end}`;
  const found = async (text: string) => {
    const { kind, outcome } = await openAs(text);
    return [kind, outcome];
  };
  const NOT_LOOKED_AT = [null, 'opened'];

  test.each([
    ['with headers', armor(data, { headers: 'Version: GnuPG\nComment: a b\n' })],
    ['with lines that end as in mail', armor(data, { end: '\r\n' })],
    ['with blanks behind its begin line', armor(data).replace('MESSAGE-----', 'MESSAGE----- \t')],
    ['without an empty line', armor(data).replace('\n\n', '\n')],
    ['in small letters', armor(data).replace('BEGIN PGP MESSAGE', 'begin pgp message')],
    ['between blanks', ` \n${armor(data)}\n `],
    ['behind the mark of UTF-8', `\xef\xbb\xbf${armor(data)}`],
    ['with lines that end with a bare CR', armor(data, { end: '\r' })],
    ['with a checksum', armor(`${data}\n=aB3+`)],
    ['in lines', armor(data.replace(/.{10}/g, '$&\n'))],
  ])('of one message is closed %s', async (_, text) => {
    expect(await found(text)).toEqual(['pgp', 'encrypted']);
  });

  test.each([
    ['a checksum of another length', armor(`${data}\n=aB3`)],
    ['two checksums', armor(`${data}\n=aB3+\n=aB3+`)],
    ['a sign that is no base64', armor(`${data}\n*`)],
    ['signs behind its padding', armor(`${data}====AAAA`)],
  ])('is not closed with %s', async (_, text) => {
    expect(await found(text)).toEqual(['pgp', 'unsupported']);
  });

  test('of a message with words around it is a text with a message', async () => {
    expect(await found(`x\n${armor(data)}`)).toEqual(['inline-pgp', 'encrypted']);
    expect(await found(`${armor(data)}x`)).toEqual(['inline-pgp', 'encrypted']);
    expect(await found(armor(data) + armor(data))).toEqual(['inline-pgp', 'encrypted']);
  });

  test.each([
    ['SIGNATURE', packet(2, hex('04'))],
    ['PUBLIC KEY BLOCK', packet(6, hex('04'))],
    ['PUBLIC KEY BLOCK', packet(14, hex('04'))],
    ['PRIVATE KEY BLOCK', packet(5, hex('04'))],
    ['PRIVATE KEY BLOCK', packet(7, hex('04'))],
  ])('of a %s is what it says', async (kind, bytes) => {
    const key = Buffer.concat([bytes, Buffer.alloc(20, 1)]).toString('base64');
    expect(await found(armor(key, { kind }))).toEqual(NOT_LOOKED_AT);
    expect(await found(armor(key, { kind: 'MESSAGE' }))).toEqual(['pgp', 'unsupported']);
  });

  test.each([
    ['SIGNATURE', 2],
    ['PUBLIC KEY BLOCK', 6],
    ['PRIVATE KEY BLOCK', 5],
  ])('of a %s that holds a message is one, also behind the first packet', async (kind, tag) => {
    const behind = Buffer.concat([packet(tag, hex('04')), Buffer.from(LITERAL, 'base64')]).toString('base64');
    expect((await found(armor(behind, { kind })))[1]).toBe('unsupported');
    expect((await found(armor(`${behind}\n=aB3+`, { kind })))[1]).toBe('unsupported');
  });

  test.each(['ARMORED FILE', 'SECRET KEY BLOCK', 'ANYTHING'])('is decoded also when it is called %s', async (kind) => {
    expect((await found(armor(LITERAL, { kind })))[1]).toBe('unsupported');
  });

  test.each(['SIGNATURE', 'PUBLIC KEY BLOCK', 'PRIVATE KEY BLOCK'])(
    'of a %s that holds a message is one',
    async (kind) => {
      expect((await found(armor(LITERAL, { kind })))[1]).toBe('unsupported');
      expect((await found(armor(data, { kind })))[1]).toBe('unsupported');
    },
  );

  test.each([
    ['nothing behind its begin line', '-----BEGIN PGP MESSAGE-----\n\nshort\n'],
    ['words in front of it on its line', armor(data).replace('-----BEGIN', 'the line -----BEGIN')],
    ['another word', armor(data).replaceAll('PGP', 'PGX')],
    ['a kind that is none', armor(data, { kind: 'SIGNED MESSAGE' })],
    ['four signs in front', armor(data).replace('-----BEGIN', '----BEGIN')],
    ['a line that is no header', armor(data).replace('\n\n', '\n***\n\n')],
    ['more than twenty headers', armor(data, { headers: 'A: b\n'.repeat(21) })],
  ])('is none with %s', async (_, text) => {
    expect(await found(text)).toEqual(NOT_LOOKED_AT);
  });

  test.each([
    ['quoted', armor(LITERAL).replace(/^/gm, '> ')],
    ['in a page', `<pre>${armor(LITERAL).replaceAll('\n', '<br>\n')}</pre>`],
    ['with its name in entities', `<pre>\n${armor(LITERAL).replaceAll('PGP', '&#80;&#x47;P')}</pre>`],
    ['with its name across a soft end of a line', armor(LITERAL).replaceAll('PGP', 'PG \nP')],
    ['behind the mark of UTF-8', `\xef\xbb\xbf${armor(LITERAL)}`],
    ['with lines that end with a bare CR', armor(LITERAL, { end: '\r', headers: 'A: b\r' })],
  ])('that is not encrypted is found %s', async (_, text) => {
    expect((await openAs(text, { role: 'body', detectedType: 'text/plain' })).outcome).toBe('unsupported');
  });

  test.each(['SIGNATURE', 'PUBLIC KEY BLOCK', 'PRIVATE KEY BLOCK'])(
    'of a %s that ends as a message is not closed',
    async (kind) => {
      const text = armor(data, { kind }).replace(`END PGP ${kind}`, 'END PGP MESSAGE');
      const { outcome, detail } = await openAs(`x\n${text}`);
      expect([outcome, detail]).toEqual(['unsupported', expect.stringMatching(/not encrypted/)]);
    },
  );

  test.each(['MESSAGE, PART 1/2', 'MESSAGE, PART 3'])('%s is a message that nobody can judge', async (kind) => {
    expect((await found(armor(data, { kind })))[1]).toBe('unsupported');
  });
});

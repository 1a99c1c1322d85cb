/** Which CMS is encrypted and nothing else, which is opened, and which elements of BER are read. */
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ber, CMS, cms, contentInfo, der, encryptedContent, oid, version } from './cms.ts';
import { type Claims, filesOf, openAs } from './containers.ts';

const NAMED = { untrustedNames: ['smime.p7m'] };
const outcomeOf = async (bytes: Buffer) => (await openAs(bytes, NAMED)).outcome;

const ORIGINATOR = der(0xa0, oid(CMS.data));
const RECIPIENTS = der(0x31, der(0x30, version));
const CONTENT = encryptedContent();
const ATTRIBUTES = der(0xa1, oid(CMS.data));
const MAC = der(0x04, Buffer.alloc(16, 7));
const MORE_ATTRIBUTES = der(0xa2, oid(CMS.data));
/** An element that none of the structures has. */
const STRANGER = der(0x0c, Buffer.from('<script>'));

/** The fields of each structure in their order, and which of them may be absent (RFC 5652 §6.1; RFC 5083 §2.1). */
const STRUCTURES: readonly (readonly [name: string, type: string, fields: Buffer[], optional: Buffer[]])[] = [
  ['EnvelopedData', CMS.enveloped, [version, ORIGINATOR, RECIPIENTS, CONTENT, ATTRIBUTES], [ORIGINATOR, ATTRIBUTES]],
  [
    'AuthEnvelopedData',
    CMS.authEnveloped,
    [version, ORIGINATOR, RECIPIENTS, CONTENT, ATTRIBUTES, MAC, MORE_ATTRIBUTES],
    [ORIGINATOR, ATTRIBUTES, MORE_ATTRIBUTES],
  ],
];

describe.each(STRUCTURES)('%s', (_, type, fields, optional) => {
  const outcome = (changed: readonly Buffer[]) => outcomeOf(contentInfo(type, der(0x30, ...changed)));

  test('is closed with all of its fields, and without each that may be absent', async () => {
    expect(await outcome(fields)).toBe('encrypted');
    expect(await outcome(fields.filter((field) => !optional.includes(field)))).toBe('encrypted');
    for (const absent of fields)
      expect(await outcome(fields.filter((field) => field !== absent))).toBe(
        optional.includes(absent) ? 'encrypted' : 'damaged',
      );
  });

  test('is damaged with a field twice, with a strange one, or with two in another order', async () => {
    for (const [at, field] of fields.entries()) {
      const [before, behind] = [fields.slice(0, at), fields.slice(at + 1)];
      expect(await outcome([...before, field, field, ...behind])).toBe('damaged');
      expect(await outcome([...before, STRANGER, field, ...behind])).toBe('damaged');
      const [next, ...rest] = behind;
      if (next !== undefined) expect(await outcome([...before, next, field, ...rest])).toBe('damaged');
    }
    expect(await outcome([...fields, STRANGER])).toBe('damaged');
  });

  test('is recognised by its bytes, and is damaged with anything beside it', async () => {
    const bytes = contentInfo(type, der(0x30, ...fields));
    expect((await openAs(bytes)).kind).toBe('smime');
    for (const broken of [
      Buffer.concat([bytes, Buffer.from('\n')]),
      der(0x30, oid(type), der(0xa0, der(0x30, ...fields)), STRANGER),
      der(0x30, oid(type), der(0xa0, der(0x30, ...fields), STRANGER)),
      der(0x30, oid(type), der(0xa0, der(0x31, ...fields))),
      der(0x30, oid(type), der(0xa0, der(0x30, ...fields), Buffer.from([0x30]))),
    ])
      expect(await outcomeOf(broken)).toBe('damaged');
  });
});

describe('recipients', () => {
  const outcome = (...recipients: Buffer[]) =>
    outcomeOf(contentInfo(CMS.enveloped, der(0x30, version, der(0x31, ...recipients), CONTENT)));
  const [KEY, AGREED, ENCAPSULATED] = [0x30, 0xa1, 0xa4].map((tag) => der(tag, version)) as [Buffer, Buffer, Buffer];
  const [KNOWN, PASSWORD] = [0xa2, 0xa3].map((tag) => der(tag, version)) as [Buffer, Buffer];

  test('have a public key, however many they are', async () => {
    expect(await outcome(KEY, AGREED, ENCAPSULATED)).toBe('encrypted');
    expect(await outcome(...Array.from({ length: 500 }, () => KEY))).toBe('encrypted');
  });

  test('with a password or a key that both sides know need it, alone or beside others', async () => {
    const opening = async (...recipients: Buffer[]) =>
      openAs(contentInfo(CMS.enveloped, der(0x30, version, der(0x31, ...recipients), CONTENT)), NAMED);
    const needsIt = { outcome: 'encrypted', needsPassword: true };
    for (const other of [KNOWN, PASSWORD]) {
      expect(await opening(other)).toMatchObject(needsIt);
      expect(await opening(KEY, other)).toMatchObject(needsIt);
      expect(await opening(...Array.from({ length: 100 }, () => KEY), other)).toMatchObject(needsIt);
    }
    expect(await opening(KEY)).toMatchObject({ outcome: 'encrypted', needsPassword: false });
    expect(await openAs(contentInfo(CMS.encrypted, der(0x30, version, CONTENT)), NAMED)).toMatchObject(needsIt);
  });

  test('of an unknown kind are damaged', async () => {
    expect(await outcome(STRANGER)).toBe('damaged');
    expect(await outcome(KEY, STRANGER)).toBe('damaged');
    expect(await outcome(PASSWORD, STRANGER)).toBe('damaged');
  });
});

describe('encrypted content', () => {
  const closed = (...parts: Buffer[]) =>
    outcomeOf(contentInfo(CMS.enveloped, der(0x30, version, RECIPIENTS, der(0x30, ...parts))));
  const ALGORITHM = der(0x30, oid('608648016503040102'));
  const OCTETS = der(0x80, Buffer.from('unreadable'));

  test('is octets in one piece or in many', async () => {
    expect(await closed(oid(CMS.data), ALGORITHM, OCTETS)).toBe('encrypted');
    const inPieces = der(0xa0, der(0x04, Buffer.from('un')), der(0x04, Buffer.from('readable')));
    expect(await closed(oid(CMS.data), ALGORITHM, inPieces)).toBe('encrypted');
  });

  test.each([
    ['that is empty', [oid(CMS.data), ALGORITHM, der(0x80)]],
    ['that is empty in pieces', [oid(CMS.data), ALGORITHM, der(0xa0)]],
    ['of another tag', [oid(CMS.data), ALGORITHM, der(0x04, Buffer.from('x'))]],
    ['without a type', [ALGORITHM, OCTETS]],
    ['with a type that is none', [der(0x0c, Buffer.from('x')), ALGORITHM, OCTETS]],
    ['without an algorithm', [oid(CMS.data), OCTETS]],
    ['with an algorithm that is none', [oid(CMS.data), version, OCTETS]],
    ['with something behind it', [oid(CMS.data), ALGORITHM, OCTETS, STRANGER]],
    ['with an octet behind it', [oid(CMS.data), ALGORITHM, OCTETS, Buffer.from([0x04])]],
    ['of nothing', []],
  ])('%s is damaged', async (_, parts) => {
    expect(await closed(...parts)).toBe('damaged');
  });

  test('for no recipient is damaged', async () => {
    const to = (recipients: Buffer) => outcomeOf(contentInfo(CMS.enveloped, der(0x30, version, recipients, CONTENT)));
    expect(await to(der(0x31))).toBe('damaged');
    expect(await to(der(0x31, der(0x30, version), der(0x30, version)))).toBe('encrypted');
  });
});

describe('what is called S/MIME', () => {
  const kindOf = async (bytes: Buffer | string, claims: Claims) => (await openAs(bytes, claims)).kind;

  test.each(['a.p7m', 'A.P7M ', 'a.p7z'])('by the name %j', async (name) => {
    expect(await kindOf('junk', { untrustedNames: ['a.txt', name] })).toBe('smime');
  });
  test.each(['application/pkcs7-mime', 'application/x-pkcs7-mime'])('by the type %s', async (declaredType) => {
    expect(await kindOf('junk', { declaredType })).toBe('smime');
  });
  test.each(['a.p7m.txt', 'ap7m', 'a.p7s', 'a.p7mm'])('not by the name %j', async (name) => {
    expect(await kindOf('junk', { untrustedNames: [name] })).toBeNull();
  });
  test.each(['application/pkcs7-mime2', 'xapplication/pkcs7-mime', 'application/pkcs7-signature'])(
    'not by the type %s',
    async (declaredType) => {
      expect(await kindOf('junk', { declaredType })).toBeNull();
    },
  );

  test.each([
    ['plain data', contentInfo(CMS.data, der(0x04, Buffer.from('x')))],
    ['an element in front', contentInfo(CMS.signed, der(0x30)).fill(0x31, 0, 1)],
    ['no type', der(0x30, der(0x0c, Buffer.from(CMS.signed, 'hex')), der(0xa0, der(0x30)))],
    ['no content', der(0x30, oid(CMS.signed))],
    ['content of another tag', der(0x30, oid(CMS.signed), der(0xa1, der(0x30)))],
    ['a length that lies', Buffer.from('3084000000ff06092a864886f70d010702a003020101', 'hex')],
  ])('without a name it is none with %s', async (_, bytes) => {
    expect(await kindOf(bytes, {})).toBeNull();
    expect(await openAs(bytes, NAMED)).toMatchObject({ kind: 'smime', outcome: 'damaged', members: [] });
  });
});

const ENTITY = Buffer.from('Content-Type: text/plain\r\n\r\nwords');
const textOf = async (bytes: Buffer | string) => filesOf(await openAs(bytes, NAMED)).map(([, text]) => text);

describe('base64 in place of the bytes', () => {
  const base64 = cms(CMS.signed, ENTITY).toString('base64');

  test.each([
    ['alone', base64],
    ['in lines', base64.replace(/.{20}/g, '$&\r\n')],
    ['as PEM', `-----BEGIN CMS-----\n${base64}\n-----END CMS-----`],
    ['as PEM of two words', `-----BEGIN PKCS7 MESSAGE-----\n${base64}\n-----END PKCS7 MESSAGE-----`],
    ['with one end of PEM', `-----BEGIN CMS-----\n${base64}`],
  ])('%s is read', async (_, text) => {
    expect(await textOf(text)).toEqual([ENTITY.toString()]);
  });

  test.each([
    ['with a word in front', `x-${base64}`],
    ['with a word behind', `${base64}==.`],
    ['with a sign in it', base64.replace(/.{20}/, '$&!')],
    ['of a label without letters', `-----BEGIN-----${base64}`],
    ['of a label that is too long', `-----BEGIN${'A'.repeat(21)}-----${base64}`],
  ])('%s is damaged', async (_, text) => {
    expect(await openAs(text, NAMED)).toMatchObject({ outcome: 'damaged', members: [] });
  });
});

describe('what is signed', () => {
  const signedInfo = (...info: Buffer[]) =>
    contentInfo(CMS.signed, der(0x30, version, der(0x31), der(0x30, ...info), der(0x31)));

  test('is a message of mail, at its own size', async () => {
    const { members, outcome, detail } = await openAs(cms(CMS.signed, ENTITY), NAMED);
    expect([outcome, detail]).toEqual(['opened', '']);
    expect(members.map(({ bytes: _, ...rest }) => rest)).toEqual([
      { path: '1', untrustedNames: [], declaredType: 'message/rfc822', charset: null, role: 'attachment' },
    ]);
  });

  test.each([
    ['content that is no octets', signedInfo(oid(CMS.data), der(0xa0, der(0x0c, ENTITY)))],
    ['content that is empty', signedInfo(oid(CMS.data), der(0xa0))],
    ['no description of its content', contentInfo(CMS.signed, der(0x30, version, der(0x31)))],
    ['a description that is none', contentInfo(CMS.signed, der(0x30, version, der(0x31), der(0x31)))],
    ['pieces that are no octets', signedInfo(oid(CMS.data), der(0xa0, der(0x24, der(0x0c, ENTITY))))],
    ['nothing in it', der(0x30, oid(CMS.signed), der(0xa0))],
  ])('with %s is damaged', async (_, bytes) => {
    expect(await openAs(bytes, NAMED)).toMatchObject({ outcome: 'damaged', members: [] });
  });

  test('within the limits for one file', async () => {
    const bytes = cms(CMS.signed, ENTITY);
    expect(await openAs(bytes, { ...NAMED, limits: { memberBytes: ENTITY.length } })).toMatchObject({
      outcome: 'opened',
    });
    expect(await openAs(bytes, { ...NAMED, limits: { memberBytes: ENTITY.length - 1 } })).toMatchObject({
      outcome: 'over_budget',
      members: [],
    });
  });
});

describe('what is compressed', () => {
  test.each([
    ['no deflated data', cms(CMS.compressed, ENTITY)],
    ['data that breaks off', cms(CMS.compressed, deflateSync(ENTITY).subarray(0, -6))],
    ['no data', cms(CMS.compressed, null)],
  ])('of %s is damaged', async (_, bytes) => {
    expect(await openAs(bytes, NAMED)).toMatchObject({ outcome: 'damaged', members: [] });
  });

  test('is inflated up to the limit for one file, and up to what is left', async () => {
    const bytes = cms(CMS.compressed, deflateSync(Buffer.alloc(1_000, 'a')));
    for (const limit of ['memberBytes', 'containerBytes'] as const) {
      expect((await openAs(bytes, { ...NAMED, limits: { [limit]: 1_000 } })).outcome).toBe('opened');
      expect((await openAs(bytes, { ...NAMED, limits: { [limit]: 999 } })).outcome).toBe('over_budget');
    }
  });
});

describe('the lengths of BER (X.690 §8.1.3)', () => {
  const octets = (length: string) => Buffer.concat([Buffer.from(`04${length}`, 'hex'), ENTITY]);
  const size = ENTITY.length.toString(16).padStart(2, '0');
  const signed = (string: Buffer) =>
    contentInfo(CMS.signed, der(0x30, version, der(0x31), der(0x30, oid(CMS.data), der(0xa0, string))));

  test.each([size, `81${size}`, `8200${size}`, `84000000${size}`, `860000000000${size}`])(
    'are read: %s',
    async (hex) => {
      expect(await textOf(signed(octets(hex)))).toEqual([ENTITY.toString()]);
    },
  );

  test.each([`87000000000000${size}`, '7f', '80', 'ff', '8201', '86ffffffffffff'])('are refused: %s', async (hex) => {
    expect(await outcomeOf(signed(octets(hex)))).toBe('damaged');
  });

  test('of two octets and more are read in their order', async () => {
    const long = Buffer.alloc(0x0123, 'a');
    const string = Buffer.concat([Buffer.from('04820123', 'hex'), long]);
    expect(await textOf(signed(string))).toEqual([long.toString()]);
  });

  test('tags of several octets are refused', async () => {
    expect(await outcomeOf(signed(Buffer.concat([Buffer.from('1f04', 'hex'), octets(size)])))).toBe('damaged');
  });

  test('strings in pieces of pieces are joined in their order, up to 16 levels', async () => {
    const [one, two] = [der(0x04, Buffer.from('Content-Type: ')), der(0x04, Buffer.from('a/b\r\n\r\n'))];
    expect(await textOf(signed(der(0x24, der(0x24, one), two)))).toEqual(['Content-Type: a/b\r\n\r\n']);
    const nested = (levels: number, make: typeof der) => {
      let string = der(0x04, ENTITY);
      for (let level = 0; level < levels; level++) string = make(0x24, string);
      return string;
    };
    expect(await textOf(signed(nested(16, der)))).toEqual([ENTITY.toString()]);
    expect(await outcomeOf(signed(nested(17, der)))).toBe('damaged');
    expect(await textOf(signed(nested(9, ber)))).toEqual([ENTITY.toString()]);
    expect(await outcomeOf(signed(nested(17, ber)))).toBe('damaged');
  });

  test('an element without an end is damaged', async () => {
    const open = Buffer.concat([Buffer.from('2480', 'hex'), der(0x04, ENTITY)]);
    expect(await outcomeOf(signed(open))).toBe('damaged');
    expect(await outcomeOf(signed(Buffer.concat([open, Buffer.from([0])])))).toBe('damaged');
    expect(await textOf(signed(Buffer.concat([open, Buffer.from([0, 0])])))).toEqual([ENTITY.toString()]);
  });
});

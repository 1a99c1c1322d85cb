/** What counts as a signature beside what it signs, and which signed files are opened as the message that they hold. */
import { describe, expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { isDetachedSignature } from '../../lib/message/signed/detached.ts';
import { canonical, entityBytes, signedEntities } from '../../lib/message/signed/entities.ts';
import { contentOf, openedMessage } from '../../lib/message/signed/opaque.ts';
import { CMS, contentInfo, der, oid, version } from './containers/cms.ts';

const LIMITS = { headerBytes: 1 << 21, headerLines: 5_000, parts: 1_000, depth: 20, untrustedTextLength: 1_000 };
const partsOf = async (mail: string) => (await readMessage(Buffer.from(mail, 'latin1'), LIMITS)).parts;

const DIGESTS = der(0x31, der(0x30, oid('608648016503040201')));
const INFO = der(0x30, oid(CMS.data));
const CERTIFICATES = der(0xa0, der(0x30, version));
const REVOKED = der(0xa1, der(0x30, version));
const SIGNERS = der(0x31, der(0x30, version));
const signedData = (...fields: Buffer[]) => contentInfo(CMS.signed, der(0x30, ...fields));
const SIGNATURE = signedData(version, DIGESTS, INFO, CERTIFICATES, SIGNERS);

describe('CMS is a signature and nothing else', () => {
  const isOne = (bytes: Uint8Array) => isDetachedSignature('smime', bytes);

  test.each([
    ['as mail programs write it', SIGNATURE],
    ['without certificates', signedData(version, DIGESTS, INFO, SIGNERS)],
    ['with lists of revoked ones', signedData(version, DIGESTS, INFO, CERTIFICATES, REVOKED, SIGNERS)],
    ['of two signers', signedData(version, DIGESTS, INFO, der(0x31, der(0x30, version), der(0x30, version)))],
  ])('%s', (_, bytes) => {
    expect(isOne(bytes)).toBe(true);
    expect(isDetachedSignature('pgp', bytes)).toBe(false);
  });

  test.each([
    ['of nobody', signedData(version, DIGESTS, INFO, CERTIFICATES, der(0x31))],
    ['without a version', signedData(DIGESTS, INFO, SIGNERS)],
    ['without digests', signedData(version, INFO, SIGNERS)],
    ['without a description', signedData(version, DIGESTS, SIGNERS)],
    ['without signers', signedData(version, DIGESTS, INFO)],
    ['with a field that it does not have', signedData(version, DIGESTS, INFO, der(0x0c, Buffer.from('MZ')), SIGNERS)],
    ['with a field behind it', signedData(version, DIGESTS, INFO, SIGNERS, der(0x0c, Buffer.from('MZ')))],
    ['with its fields in another order', signedData(version, DIGESTS, INFO, REVOKED, CERTIFICATES, SIGNERS)],
    [
      'with content',
      signedData(version, DIGESTS, der(0x30, oid(CMS.data), der(0xa0, der(0x04, Buffer.from('x')))), SIGNERS),
    ],
    ['with no type of content', signedData(version, DIGESTS, der(0x30), SIGNERS)],
    ['with another element as the type', signedData(version, DIGESTS, der(0x30, version), SIGNERS)],
    ['with bytes behind it', Buffer.concat([SIGNATURE, Buffer.from('MZ')])],
    ['of another type', contentInfo(CMS.enveloped, der(0x30, version, DIGESTS, INFO, SIGNERS))],
    ['of nothing', Buffer.alloc(0)],
    ['of a program', Buffer.from('MZ\x90')],
  ])('not %s', (_, bytes) => {
    expect(isOne(bytes)).toBe(false);
  });

  test('up to 128 KB', () => {
    const long = (size: number) =>
      signedData(version, DIGESTS, INFO, der(0xa0, der(0x04, Buffer.alloc(size))), SIGNERS);
    const rest = long(100_000).length - 100_000;
    expect(isOne(long(128 * 1024 - rest))).toBe(true);
    expect(isOne(long(128 * 1024 - rest + 1))).toBe(false);
  });
});

describe('armor is a signature and nothing else', () => {
  const packet = (tag: number) => Buffer.concat([Buffer.from([0xc0 | tag, 30]), Buffer.alloc(30, 4)]);
  const armor = (bytes: Buffer, headers = '', sum = '\n=aB3+') =>
    `-----BEGIN PGP SIGNATURE-----\n${headers}\n${bytes.toString('base64')}${sum}\n-----END PGP SIGNATURE-----\n`;
  const isOne = (text: string) => isDetachedSignature('pgp', Buffer.from(text, 'latin1'));

  test.each([
    ['with its checksum', armor(packet(2))],
    ['without a checksum', armor(packet(2), '', '')],
    ['with headers', armor(packet(2), 'Version: GnuPG v2\nComment: a b c\n')],
    ['of two signatures', armor(Buffer.concat([packet(2), packet(2)]))],
    ['with the line ends of mail', armor(packet(2), 'Version: x\n').replaceAll('\n', '\r\n')],
    ['between blanks', ` \n${armor(packet(2))}\n `],
  ])('%s', (_, text) => {
    expect(isOne(text)).toBe(true);
    expect(isDetachedSignature('smime', Buffer.from(text))).toBe(false);
  });

  test.each([
    ['with words in front', `x\n${armor(packet(2))}`],
    ['with words behind', `${armor(packet(2))}x`],
    ['of a file', armor(packet(11))],
    ['of a signature and a file', armor(Buffer.concat([packet(2), packet(11)]))],
    ['of a file and a signature', armor(Buffer.concat([packet(11), packet(2)]))],
    ['of a signature that is cut off', armor(packet(2).subarray(0, -1))],
    ['of nothing', armor(Buffer.alloc(0))],
    ['of a message', armor(packet(2)).replaceAll('SIGNATURE', 'MESSAGE')],
    ['with a header that is none', armor(packet(2), 'GnuPG v2\n')],
    ['with eleven headers', armor(packet(2), 'A: b\n'.repeat(11))],
    ['with other signs in its data', armor(packet(2)).replace('=aB3+', '<script>')],
    ['that is twice there', armor(packet(2)) + armor(packet(2))],
  ])('not %s', (_, text) => {
    expect(isOne(text)).toBe(false);
  });
});

const part = (type: string, body: string) => `Content-Type: ${type}\r\n\r\n${body}`;
function clearSigned({
  protocol = 'application/pkcs7-signature',
  type = 'application/pkcs7-signature',
  parts = [part('text/plain', 'words')],
  signature = SIGNATURE,
}: {
  protocol?: string;
  type?: string;
  parts?: string[];
  signature?: Buffer;
} = {}): string {
  const encoded = `Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${signature.toString('base64')}`;
  const head = `From: a@a.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/signed; protocol="${protocol}"; boundary=b\r\n\r\n`;
  return `${head}${[...parts, encoded].map((one) => `--b\r\n${one}\r\n`).join('')}--b--\r\n`;
}
const entitiesOf = async (mail: string) => signedEntities(Buffer.from(mail, 'latin1'), await partsOf(mail));
const FOUND = { kind: 'smime', path: '1', contentPath: '1.1', signaturePath: '1.2' };

describe('a signed multipart', () => {
  test.each(['application/pkcs7-signature', 'application/x-pkcs7-signature', 'Application/PKCS7-Signature'])(
    'is one with %s, also when its protocol is spelled in the other way',
    async (name) => {
      expect(await entitiesOf(clearSigned({ type: name }))).toEqual([FOUND]);
      expect(await entitiesOf(clearSigned({ protocol: name }))).toEqual([FOUND]);
    },
  );

  test.each([
    ['another protocol', clearSigned({ protocol: 'application/pgp-signature' })],
    ['no protocol', clearSigned().replace(/ protocol="[^"]*";/, '')],
    ['a protocol that nobody knows', clearSigned({ protocol: 'application/x' })],
    ['a second part of another type', clearSigned({ type: 'application/octet-stream' })],
    ['a second part that is no signature', clearSigned({ signature: Buffer.from('MZ') })],
    ['three parts', clearSigned({ parts: [part('text/plain', 'a'), part('text/plain', 'b')] })],
    ['one part', clearSigned({ parts: [] })],
    ['another name', clearSigned().replace('multipart/signed', 'multipart/mixed')],
  ])('is none with %s', async (_, mail) => {
    expect(await entitiesOf(mail)).toEqual([]);
  });

  test('signs its first part with the header, in the line ends of mail', async () => {
    const mail = clearSigned();
    const [, content] = await partsOf(mail);
    if (content === undefined) throw new Error('no part');
    const bytes = entityBytes(Buffer.from(mail, 'latin1'), content);
    expect(Buffer.from(bytes).toString()).toBe(part('text/plain', 'words'));
    expect(Buffer.from(canonical(Buffer.from('a\nb\r\nc\n\n'))).toString()).toBe('a\r\nb\r\nc\r\n\r\n');
    const whole = Buffer.from('a\r\nb\r\n');
    expect(canonical(whole)).toBe(whole);
  });
});

describe('an opaque-signed message', () => {
  const INNER = 'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n<p>signed</p>\r\n';
  const opaque = (
    inner: string,
    info = (text: string) => der(0x30, oid(CMS.data), der(0xa0, der(0x04, Buffer.from(text, 'latin1')))),
  ) => signedData(version, DIGESTS, info(inner), CERTIFICATES, SIGNERS);
  const mailOf = (
    bytes: Buffer,
    { type = 'application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"', name = 'smime.p7m' } = {},
  ) =>
    [
      'From: a@a.example',
      'Content-Type: '.concat(type),
      'Subject: Hello',
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment; filename="${name}"`,
      'MIME-Version: 1.0',
      '',
      bytes.toString('base64').replace(/.{76}/g, '$&\r\n'),
      '',
    ].join('\r\n');
  const opened = async (mail: string) => openedMessage(Buffer.from(mail, 'latin1'), await partsOf(mail));

  test('is read as the fields of the message in front of what is signed', async () => {
    const bytes = opaque(INNER);
    const found = await opened(mailOf(bytes));
    expect(found?.bytes.toString()).toBe(
      'From: a@a.example\r\nSubject: Hello\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n<p>signed</p>\r\n',
    );
    expect(Buffer.from(found?.signature ?? []).equals(bytes)).toBe(true);
    expect(Buffer.from(found?.content ?? []).toString()).toBe(INNER);
    expect(found?.isWhole).toBe(true);
  });

  test('whose content has other fields is not whole, and they are left out', async () => {
    const found = await opened(mailOf(opaque(`From: eve@b.example\r\n${INNER}`)));
    expect(found?.isWhole).toBe(false);
    expect(found?.bytes.toString()).not.toContain('eve');
  });

  test.each(['application/x-pkcs7-mime; name=a.p7m', 'APPLICATION/PKCS7-MIME'])(
    'may be declared as %s',
    async (type) => {
      expect(await opened(mailOf(opaque(INNER), { type }))).not.toBeNull();
    },
  );

  test.each<[string, () => string]>([
    ['another name', () => mailOf(opaque(INNER), { name: 'smime.exe' })],
    ['a name with an extension in it', () => mailOf(opaque(INNER), { name: 'a.exe.p7m' })],
    ['a name behind it', () => mailOf(opaque(INNER), { name: 'smime.p7m.exe' })],
    ['another type', () => mailOf(opaque(INNER), { type: 'application/octet-stream; name="smime.p7m"' })],
    ['a type that only begins like it', () => mailOf(opaque(INNER), { type: 'application/pkcs7-mimes' })],
    ['bytes behind it', () => mailOf(Buffer.concat([opaque(INNER), Buffer.from('MZ')]))],
    ['no content', () => mailOf(SIGNATURE)],
    [
      'content of another type',
      () => mailOf(opaque(INNER, (text) => der(0x30, oid(CMS.enveloped), der(0xa0, der(0x04, Buffer.from(text)))))),
    ],
    [
      'content under another tag',
      () => mailOf(opaque(INNER, (text) => der(0x30, oid(CMS.data), der(0xa1, der(0x04, Buffer.from(text)))))),
    ],
    [
      'something behind its content',
      () => mailOf(opaque(INNER, (text) => der(0x30, oid(CMS.data), der(0xa0, der(0x04, Buffer.from(text))), version))),
    ],
    [
      'two contents',
      () =>
        mailOf(
          opaque(INNER, (text) =>
            der(0x30, oid(CMS.data), der(0xa0, der(0x04, Buffer.from(text)), der(0x04, Buffer.from(text)))),
          ),
        ),
    ],
    [
      'content that is no octets',
      () => mailOf(opaque(INNER, (text) => der(0x30, oid(CMS.data), der(0xa0, der(0x0c, Buffer.from(text)))))),
    ],
    ['content without a header', () => mailOf(opaque('just words\r\n'))],
    ['content that is a header alone', () => mailOf(opaque('Content-Type: text/plain\r\n'))],
    [
      'content with a line in its header that is none',
      () => mailOf(opaque(`Content-Type: text/plain\r\nno field\r\n\r\nx`)),
    ],
  ])('is none with %s', async (_, mail) => {
    expect(await opened(mail())).toBeNull();
  });

  test('in a message of several parts is a file like any other', async () => {
    const inner = `Content-Type: application/pkcs7-mime; name=smime.p7m\r\nContent-Transfer-Encoding: base64\r\n\r\n${opaque(INNER).toString('base64')}`;
    expect(
      await opened(
        `From: a@a.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${inner}\r\n--b--\r\n`,
      ),
    ).toBeNull();
  });

  test('is compared by the fields that say what its content is, and its body', async () => {
    const mail = 'From: a@a.example\r\nContent-Type: text/plain\r\nX-A: b\r\nContent-Language: en\r\n\r\nwords\r\n';
    const [root] = await partsOf(mail);
    if (root === undefined) throw new Error('no part');
    expect(contentOf(Buffer.from(mail), root).toString()).toBe(
      'Content-Type: text/plain\r\nContent-Language: en\r\nwords\r\n',
    );
  });
});

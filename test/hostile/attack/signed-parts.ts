/** A file in the clothes of a signature or of an encrypted message, which are delivered although nobody can look into them. */
import { crc32, deflateSync } from 'node:zlib';
import PostalMime from 'postal-mime';
import { signedMail } from '../../ordinary/signed-mail.ts';
import { type MailCase, mailAttack } from './attack-class.ts';

const MARK = 'PAYLOAD-7f3a';

interface Payload {
  readonly name: string;
  readonly bytes: Buffer;
}
/** A stored member under a name (APPNOTE 4.3). */
function zipOf(name: string, bytes: Buffer): Buffer {
  const sums = Buffer.alloc(16);
  sums.writeUInt32LE(crc32(bytes), 4);
  sums.writeUInt32LE(bytes.length, 8);
  sums.writeUInt32LE(bytes.length, 12);
  const [lengths, label] = [Buffer.from([name.length, 0, 0, 0]), Buffer.from(name)];
  const local = Buffer.concat([Buffer.from('504b03040a0000000000', 'hex'), sums, lengths, label, bytes]);
  const central = Buffer.concat([
    Buffer.from('504b01020a000a0000000000', 'hex'),
    sums,
    lengths,
    Buffer.alloc(14),
    label,
  ]);
  const end = Buffer.from('504b0506000000000100010000000000000000000000', 'hex');
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

const PAYLOADS: readonly Payload[] = [
  { name: 'a.exe', bytes: Buffer.from(`MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0 ${MARK}`, 'latin1') },
  {
    name: 'a.hta',
    bytes: Buffer.from(`<html><body><script>/*${MARK}*/ new ActiveXObject("WScript.Shell")</script></body></html>`),
  },
  { name: 'a.zip', bytes: zipOf('a.exe', Buffer.from(`MZ\x90\0 ${MARK}`, 'latin1')) },
  {
    name: 'a.lnk',
    bytes: Buffer.from(`4c0000000114020000000000c000000000000046${Buffer.from(MARK).toString('hex')}`, 'hex'),
  },
];

const MAILS = new Map([...signedMail()].map(({ group, id, bytes }) => [`${group} ${id}`, bytes.toString('latin1')]));
const base64Of = (mail: string) => Buffer.from(mail.slice(mail.indexOf('\r\n\r\n')), 'base64');
const OPAQUE = base64Of(MAILS.get('signed smime-opaque-outlook') ?? '');
const ENVELOPE = base64Of(MAILS.get('encrypted smime-outlook') ?? '');
const ENCRYPTED_ARMOR =
  /-----BEGIN PGP MESSAGE-----[\s\S]*?-----END PGP MESSAGE-----/.exec(MAILS.get('encrypted pgp-mutt') ?? '')?.[0] ?? '';
const ENCRYPTED_PACKETS = Buffer.from(ENCRYPTED_ARMOR.replace(/-----[^-]*-----|^=.*$/gm, ''), 'base64');
const P7S = Buffer.from(
  /smime\.p7s"\r\n(?:[^\r]+\r\n)*\r\n([\s\S]*?)\r\n--/.exec(MAILS.get('signed smime-clear-outlook') ?? '')?.[1] ?? '',
  'base64',
);

const HEAD = 'From: alice@signed.example\r\nTo: b@example.org\r\nSubject: t\r\nMIME-Version: 1.0\r\n';
const TEXT = 'Content-Type: text/plain; charset=us-ascii\r\n\r\nhello';
const lines = (bytes: Buffer) => bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
const file = (type: string, name: string, bytes: Buffer) =>
  `Content-Type: ${type}; name="${name}"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${lines(bytes)}`;

function multipart(type: string, parts: readonly string[], before = '', behind = ''): string {
  const body = parts.map((part) => `--b1\r\n${part}\r\n`).join('');
  return `Content-Type: multipart/${type}; boundary="b1"\r\n\r\n${before}${body}--b1--\r\n${behind}`;
}
const signed = (kind: 'pkcs7' | 'pgp', parts: readonly string[], before = '', behind = '') =>
  multipart(`signed; protocol="application/${kind}-signature"; micalg=sha-256`, parts, before, behind);
const encrypted = (parts: readonly string[]) => multipart('encrypted; protocol="application/pgp-encrypted"', parts);

/** A DER element, and CMS with content: signed (2) or compressed. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  return Buffer.concat([Buffer.from([tag, 0x83, length >> 16, (length >> 8) & 0xff, length & 0xff]), content]);
}
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
function cms(type: string, content: Buffer, isSigned: boolean): Buffer {
  const info = der(0x30, oid('2a864886f70d010701'), der(0xa0, der(0x04, content)));
  const algorithm = isSigned ? der(0x31) : der(0x30, oid('2a864886f70d0109100308'));
  const rest = isSigned ? [der(0x31, der(0x30))] : [];
  return der(0x30, oid(type), der(0xa0, der(0x30, der(0x02, Buffer.from([1])), algorithm, info, ...rest)));
}
const opaque = (entity: string) => cms('2a864886f70d010702', Buffer.from(entity, 'latin1'), true);
const compressed = (entity: string) => cms('2a864886f70d0109100109', deflateSync(Buffer.from(entity, 'latin1')), false);
const p7m = (bytes: Buffer, type = 'enveloped-data') =>
  file(`application/pkcs7-mime; smime-type=${type}`, 'smime.p7m', bytes);

/** Literal data (RFC 9580 §5.9), which needs no key. */
const literal = ({ name, bytes }: Payload) =>
  Buffer.concat([
    Buffer.from([0xcb, 0xff, 0, 0, (bytes.length + name.length + 6) >> 8, (bytes.length + name.length + 6) & 0xff]),
    Buffer.from(`b${String.fromCharCode(name.length)}${name}\0\0\0\0`),
    bytes,
  ]);
const armor = (bytes: Buffer) => `-----BEGIN PGP MESSAGE-----\r\n\r\n${lines(bytes)}\r\n-----END PGP MESSAGE-----\r\n`;

const DISGUISES: Readonly<Record<string, (payload: Payload) => string>> = {
  'the signature of S/MIME': ({ bytes }) =>
    signed('pkcs7', [TEXT, file('application/pkcs7-signature', 'smime.p7s', bytes)]),
  'the signature of PGP': ({ bytes }) =>
    signed('pgp', [TEXT, file('application/pgp-signature', 'signature.asc', bytes)]),
  'the signature, under its own name': ({ name }) =>
    signed('pkcs7', [TEXT, file('application/pkcs7-signature', name, Buffer.concat([P7S, Buffer.from(MARK)]))]),
  'behind the signature': ({ bytes }) =>
    signed('pkcs7', [TEXT, file('application/pkcs7-signature', 'smime.p7s', Buffer.concat([P7S, bytes]))]),
  'a third part': ({ name, bytes }) =>
    signed('pkcs7', [
      TEXT,
      file('application/octet-stream', name, bytes),
      file('application/pkcs7-signature', 'smime.p7s', P7S),
    ]),
  'a part behind the signature': ({ name, bytes }) =>
    signed('pkcs7', [
      TEXT,
      file('application/pkcs7-signature', 'smime.p7s', P7S),
      file('application/octet-stream', name, bytes),
    ]),
  'in front of the parts': ({ name, bytes }) =>
    signed(
      'pkcs7',
      [TEXT, file('application/pkcs7-signature', 'smime.p7s', P7S)],
      `${file('application/octet-stream', name, bytes)}\r\n`,
    ),
  'behind the parts': ({ name, bytes }) =>
    signed(
      'pkcs7',
      [TEXT, file('application/pkcs7-signature', 'smime.p7s', P7S)],
      '',
      `${file('application/octet-stream', name, bytes)}\r\n`,
    ),
  'a signed attachment': ({ name, bytes }) =>
    signed('pkcs7', [
      multipart('mixed', [TEXT, file('application/octet-stream', name, bytes)]).replaceAll('b1', 'b2'),
      file('application/pkcs7-signature', 'smime.p7s', P7S),
    ]),
  'an encrypted message of S/MIME': ({ bytes }) => p7m(bytes),
  'behind an encrypted message of S/MIME': ({ bytes }) => p7m(Buffer.concat([ENVELOPE, bytes])),
  'an encrypted message of PGP': ({ bytes }) =>
    encrypted([
      'Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1',
      file('application/octet-stream', 'encrypted.asc', bytes),
    ]),
  'the control part of PGP': ({ bytes }) =>
    encrypted([
      file('application/pgp-encrypted', 'version.txt', bytes),
      `Content-Type: application/octet-stream\r\n\r\n${ENCRYPTED_ARMOR}`,
    ]),
  'behind the armor of PGP': ({ bytes }) =>
    encrypted([
      'Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1',
      file('application/octet-stream', 'encrypted.asc', Buffer.concat([Buffer.from(`${ENCRYPTED_ARMOR}\r\n`), bytes])),
    ]),
  'behind the packets of PGP': (payload) =>
    encrypted([
      'Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1',
      `Content-Type: application/octet-stream; name="encrypted.asc"\r\n\r\n${armor(Buffer.concat([ENCRYPTED_PACKETS, literal(payload)]))}`,
    ]),
  'a message of PGP that needs no key': (payload) => `Content-Type: text/plain\r\n\r\n${armor(literal(payload))}`,
  'an opaque-signed message': ({ bytes }) => p7m(cms('2a864886f70d010702', bytes, true), 'signed-data'),
  'an attachment of an opaque-signed message': ({ name, bytes }) =>
    p7m(opaque(multipart('mixed', [TEXT, file('application/octet-stream', name, bytes)])), 'signed-data'),
  'behind an opaque-signed message': ({ bytes }) => p7m(Buffer.concat([OPAQUE, bytes]), 'signed-data'),
  'an opaque-signed message in another': ({ name, bytes }) =>
    p7m(
      opaque(p7m(opaque(multipart('mixed', [TEXT, file('application/octet-stream', name, bytes)])), 'signed-data')),
      'signed-data',
    ),
  'a compressed message': ({ name, bytes }) =>
    p7m(compressed(multipart('mixed', [TEXT, file('application/octet-stream', name, bytes)])), 'compressed-data'),
};

export const signedParts = mailAttack<MailCase>({
  name: 'signed-parts',
  title: 'a file in the clothes of a signature or of an encrypted message',
  *cases() {
    for (const [disguise, mailOf] of Object.entries(DISGUISES))
      for (const payload of PAYLOADS) yield { id: `${payload.name} as ${disguise}`, email: HEAD + mailOf(payload) };
  },
  async judge(_, { message }) {
    const { text = '', html = '', attachments } = await PostalMime.parse(message);
    const contents = attachments.map(({ content }) =>
      typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('latin1'),
    );
    const decoded = contents.flatMap((content) => [
      content,
      Buffer.from(content.replace(/-----[^-]*-----/g, ''), 'base64').toString('latin1'),
    ]);
    return [Buffer.from(message).toString('latin1'), text, html, ...decoded].some((each) => each.includes(MARK))
      ? 'the file is still in it'
      : null;
  },
  *ordinary() {
    // Where nobody is trusted, a picture is made anew, and a signature over one goes.
    for (const { group, id, bytes } of signedMail())
      if (!id.endsWith('-logo')) yield { id: `${group} ${id}`, email: bytes };
  },
  judgeOrdinary: (_, { ledger }) => {
    if (ledger?.parts.some(({ disposition }) => disposition === 'remove')) return 'a part was removed';
    return ledger?.signatures.every(({ isDelivered }) => isDelivered) ? null : 'its signature was removed';
  },
});

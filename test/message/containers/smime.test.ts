import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { filesOf, openAs } from './containers.ts';

const CMS = { signed: '2a864886f70d010702', enveloped: '2a864886f70d010703', data: '2a864886f70d010701' };
const COMPRESSED = '2a864886f70d0109100109';

function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
/** The same with a length that only its end tells. */
const ber = (tag: number, ...contents: Uint8Array[]) =>
  Buffer.concat([Buffer.from([tag, 0x80]), ...contents, Buffer.from([0, 0])]);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const version = der(0x02, Buffer.from([1]));

function cms(type: string, payload: Buffer | null, make = der): Buffer {
  const content = payload === null ? [] : [make(0xa0, make === der ? der(0x04, payload) : pieces(payload))];
  const data = make(0x30, version, der(0x31), make(0x30, oid(CMS.data), ...content), der(0x31));
  return make(0x30, oid(type), make(0xa0, data));
}
/** An OCTET STRING in pieces, as signers write while they read. */
const pieces = (payload: Buffer) =>
  ber(0x24, ...[0, 7].map((at) => der(0x04, payload.subarray(at, at === 0 ? 7 : payload.length))));

/** EnvelopedData (RFC 5652 §6.1) of which parts are left out or added. */
function enveloped({
  make = der,
  recipients = [der(0x30, version)],
  content = [der(0x80, Buffer.from('no one can read this'))],
  more = [],
}: {
  make?: typeof der;
  recipients?: Buffer[];
  content?: Buffer[];
  more?: Buffer[];
}): Buffer {
  const info = make(0x30, oid(CMS.data), der(0x30, oid('608648016503040102')), ...content);
  return make(0x30, oid(CMS.enveloped), make(0xa0, make(0x30, version, der(0x31, ...recipients), info, ...more)));
}

const ENTITY = Buffer.from('Content-Type: text/plain\r\n\r\nsigned words');
const NAMED = { untrustedNames: ['smime.p7m'] };

describe('S/MIME', () => {
  test.each([
    ['definite lengths', der],
    ['indefinite lengths and strings in pieces', ber],
  ])('unwraps what is only signed, with %s', async (_, make) => {
    const found = await openAs(cms(CMS.signed, ENTITY, make), NAMED);
    expect([found.kind, found.outcome]).toEqual(['smime', 'opened']);
    expect(filesOf(found)).toEqual([['', ENTITY.toString()]]);
    expect(found.members[0]?.declaredType).toBe('message/rfc822');
  });

  test('is recognised by its bytes, whatever its name is', async () => {
    expect((await openAs(cms(CMS.signed, ENTITY), { untrustedNames: ['notes.bin'] })).kind).toBe('smime');
  });

  test('also as the base64 text that some programs leave', async () => {
    const text = `-----BEGIN PKCS7-----\n${cms(CMS.signed, ENTITY).toString('base64')}\n-----END PKCS7-----\n`;
    expect(filesOf(await openAs(text, NAMED))).toEqual([['', ENTITY.toString()]]);
  });

  test('unpacks what is compressed, within the budget', async () => {
    const packed = cms(COMPRESSED, deflateSync(ENTITY));
    expect(filesOf(await openAs(packed, NAMED))).toEqual([['', ENTITY.toString()]]);
    const bomb = cms(COMPRESSED, deflateSync(Buffer.alloc(9 * 1024 * 1024)));
    expect(await openAs(bomb, NAMED)).toMatchObject({ outcome: 'over_budget', members: [] });
  });

  test('reports an encrypted message as encrypted', async () => {
    for (const make of [der, ber])
      expect(await openAs(enveloped({ make }), NAMED)).toMatchObject({ outcome: 'encrypted', members: [] });
  });

  test.each([
    ['with bytes behind it', () => Buffer.concat([enveloped({}), Buffer.from('MZ')])],
    ['with a field that it does not have', () => enveloped({ more: [der(0x0c, Buffer.from('<script>'))] })],
    ['without a recipient', () => enveloped({ recipients: [] })],
    ['without content', () => enveloped({ content: [] })],
    ['in the form of a signed message', () => cms(CMS.enveloped, ENTITY)],
    ['as base64 with other words in it', () => Buffer.from(`<b>${enveloped({}).toString('base64')}`)],
  ])('says that an encrypted message %s is damaged', async (_, make) => {
    expect(await openAs(make(), NAMED)).toMatchObject({ kind: 'smime', outcome: 'damaged', members: [] });
  });

  test('a signature without content holds nothing', async () => {
    expect(await openAs(cms(CMS.signed, null), NAMED)).toMatchObject({ outcome: 'opened', members: [] });
  });

  test.each([
    ['junk', Buffer.from('no CMS at all')],
    ['a cut message', cms(CMS.signed, ENTITY).subarray(0, 30)],
    ['lengths that lie', Buffer.from('30847fffffff06092a864886f70d010702a080', 'hex')],
    ['nesting without end', Buffer.from('3080'.repeat(5_000), 'hex')],
  ])('%s called smime.p7m is damaged', async (_, bytes) => {
    expect(await openAs(bytes, NAMED)).toMatchObject({ kind: 'smime', outcome: 'damaged' });
  });
});

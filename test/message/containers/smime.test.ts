import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ber, CMS, cms, der, enveloped } from './cms.ts';
import { filesOf, openAs } from './containers.ts';

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
    const packed = cms(CMS.compressed, deflateSync(ENTITY));
    expect(filesOf(await openAs(packed, NAMED))).toEqual([['', ENTITY.toString()]]);
    const bomb = cms(CMS.compressed, deflateSync(Buffer.alloc(9 * 1024 * 1024)));
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

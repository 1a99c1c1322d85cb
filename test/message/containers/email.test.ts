/** Messages as files: what is taken for one, and what is found in it. */
import { describe, expect, test } from 'vitest';
import { type Claims, filesOf, openAs } from './containers.ts';

const MAIL = [
  'From: a@sender.example',
  'Subject: Inner words',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=FC=DFe',
  '--b',
  'Content-Type: Application/X-Thing; name="one.exe"',
  'Content-Disposition: attachment; filename="two.exe"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('MZ inner').toString('base64'),
  '--b--',
  '',
].join('\r\n');
const HEADER = MAIL.slice(0, MAIL.indexOf('\r\n\r\n') + 2);
const DETECTED = { detectedType: 'message/rfc822' };
const kindOf = async (bytes: string, claims: Claims) => (await openAs(bytes, claims)).kind;

describe('a message is what', () => {
  test('reads as one and is not the text of a mail', async () => {
    expect(await kindOf(MAIL, DETECTED)).toBe('email');
    expect(await kindOf(MAIL, { ...DETECTED, role: 'file' })).toBe('email');
    expect(await kindOf(MAIL, { ...DETECTED, role: 'body' })).toBeNull();
    expect(await kindOf(MAIL, {})).toBeNull();
  });

  test.each(['message/rfc822', 'message/global', 'message/news', 'text/rfc822-headers'])(
    'is declared as %s',
    async (declaredType) => {
      expect(await kindOf(MAIL, { declaredType })).toBe('email');
      expect(await kindOf('no header at all', { declaredType })).toBeNull();
    },
  );

  test.each(['a.eml', 'a.mht', 'a.mhtml', 'a.emlx', 'A.NWS '])('is called %j', async (name) => {
    expect(await kindOf(MAIL, { untrustedNames: ['x.txt', name] })).toBe('email');
  });
  test.each(['a.eml.txt', 'aeml', 'a.emlxx'])('is not called %j', async (name) => {
    expect(await kindOf(MAIL, { untrustedNames: [name] })).toBeNull();
  });
});

describe('the header of a returned message', () => {
  const RETURNED = { declaredType: 'text/rfc822-headers' };

  test('without a body is no message, also with blank lines behind it', async () => {
    expect(await kindOf(HEADER, RETURNED)).toBeNull();
    expect(await kindOf(`${HEADER}\r\n`, RETURNED)).toBeNull();
    expect(await kindOf(`${HEADER}\r\n \r\n\t\r\n`, RETURNED)).toBeNull();
  });

  test('with any word behind it is one', async () => {
    expect(await kindOf(`${HEADER}\r\nx`, RETURNED)).toBe('email');
  });

  test('that is declared as a message is one', async () => {
    expect(await kindOf(HEADER, { declaredType: 'message/rfc822' })).toBe('email');
  });

  test('is read up to its limits, and as a message over them', async () => {
    const long = (lines: number) => `${HEADER}${'X-A: b\r\n'.repeat(lines)}`;
    expect(await kindOf(long(4_900), RETURNED)).toBeNull();
    expect(await kindOf(long(5_000), RETURNED)).toBe('email');
    const wide = (bytes: number) => `${HEADER}X-A: ${'b'.repeat(bytes)}\r\n`;
    expect(await kindOf(wide(261_000), RETURNED)).toBeNull();
    expect(await kindOf(wide(263_000), RETURNED)).toBe('email');
  });
});

describe('in a message', () => {
  test('are its parts, decoded, with their own paths, names, types and charsets', async () => {
    const { members, outcome, untrustedTexts, warnings } = await openAs(MAIL, DETECTED);
    expect([outcome, untrustedTexts, warnings]).toEqual(['opened', ['Inner words'], []]);
    expect(members.map(({ bytes, ...rest }) => ({ ...rest, text: Buffer.from(bytes).toString('latin1') }))).toEqual([
      {
        path: '1.1',
        untrustedNames: [],
        declaredType: 'text/plain',
        charset: 'iso-8859-1',
        role: 'body',
        wasRead: true,
        text: 'Grüße',
      },
      {
        path: '1.2',
        untrustedNames: ['two.exe', 'one.exe'],
        declaredType: 'application/x-thing',
        charset: null,
        role: 'attachment',
        wasRead: false,
        text: 'MZ inner',
      },
    ]);
  });

  test('what the reader warns of is told', async () => {
    const { warnings } = await openAs(MAIL.replace('--b--\r\n', ''), DETECTED);
    expect(warnings).not.toEqual([]);
  });

  test('are no more parts than are left', async () => {
    const found = await openAs(MAIL, { ...DETECTED, limits: { containerMembers: 1 } });
    expect([found.outcome, filesOf(found)]).toEqual(['over_budget', [['', 'Grüße']]]);
    expect(found.untrustedTexts).toEqual(['Inner words']);
  });

  test('it is read only within the limits for messages in messages', async () => {
    const outcome = async (claims: Claims) => {
      const { members, ...found } = await openAs(MAIL, { ...DETECTED, ...claims });
      return [found.outcome, members.length];
    };
    expect(await outcome({ depth: 19 })).toEqual(['opened', 2]);
    expect(await outcome({ depth: 20 })).toEqual(['over_budget', 0]);
    expect(await outcome({ limits: { nestedEmailBytes: MAIL.length } })).toEqual(['opened', 2]);
    expect(await outcome({ limits: { nestedEmailBytes: MAIL.length - 1 } })).toEqual(['over_budget', 0]);
  });
});

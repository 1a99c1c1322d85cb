import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ListEntry } from '../../lib/pipeline/ledger/list-entry.ts';
import type { LookedUp } from '../../lib/pipeline/policy/operator-lists.ts';
import type { Policy } from '../../lib/pipeline/policy/policy.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { isEncryptedMail } from '../../lib/pipeline/signatures/encrypted-mail.ts';
import { CMS, contentInfo, der, encryptedContent, version } from '../message/containers/cms.ts';
import { signedMail } from '../ordinary/signed-mail.ts';
import { createRig, emailWith, type RigOptions } from './rig.ts';

const MAILS = [...signedMail()].filter(({ group }) => group === 'encrypted');
/** Our engines know no such files: what is no text is unknown to them. */
const script: RigOptions['script'] = {
  answer: (request) =>
    request.kind !== 'url_analysis' && /\.bin$/.test(request.filename) ? { verdict: 'unknown' } : {},
};
const scan = (mail: Uint8Array | string, policy: Policy = DEFAULT_POLICY) => createRig({ script, policy }).scan(mail);
const scanUnder = (mail: Uint8Array | string, encrypted: object) =>
  scan(mail, parsePolicy(JSON.stringify({ encrypted })));
const fixture = (id: string) => MAILS.find((mail) => mail.id === id)?.bytes.toString('latin1') ?? '';
const SMIME = fixture('smime-outlook');

/** The mail without what we add in front, and without the note in front of its first part, which is shown by no program of today. */
const bare = (mail: string) =>
  mail.replace(/^(?:X-Airlock-[^\r]*\r\n)*/, '').replace(/\r\n\r\nThis is an OpenPGP[^\r]*\r\n(?=\r\n)/, '\r\n');

describe.each(MAILS)('$id', ({ bytes }) => {
  test('is delivered byte for byte, with a header that nobody could look inside', async () => {
    const { ledger, clean } = await scan(bytes);
    expect(ledger.reasons).toEqual([]);
    expect(bare(clean ?? '')).toBe(bare(bytes.toString('latin1')));
    expect(clean).toMatch(/^X-Airlock-Encrypted: nobody could look inside before delivery/m);
    expect(ledger.warnings.map(({ code }) => code)).toContain('container_encrypted');
  });

  test('is removed with a note when policy says so', async () => {
    const { ledger, clean } = await scanUnder(bytes, { mail: 'remove' });
    expect(ledger.terminal?.state).toBe('delivered');
    expect(clean).not.toMatch(/X-Airlock-Encrypted|BEGIN PGP MESSAGE|pkcs7-mime/);
    expect(ledger.artifacts.flatMap(({ reasons }) => reasons)).toContain('policy removes encrypted mail');
  });

  test('is held when policy says so', async () => {
    expect((await scanUnder(bytes, { mail: 'hold' })).ledger.reasons.map(({ code }) => code)).toEqual([
      'encrypted_mail',
    ]);
  });
});

describe('a message that a password opens', () => {
  const data = Buffer.from(`c30d${'04090308'.padEnd(26, '0')}d23c01${'cd'.repeat(59)}`, 'hex').toString('base64');
  const armor = `-----BEGIN PGP MESSAGE-----\r\n\r\n${data}\r\n-----END PGP MESSAGE-----\r\n`;
  const cms = contentInfo(CMS.encrypted, der(0x30, version, encryptedContent()));

  test.each([
    ['as text', emailWith({ files: [{ type: 'text/plain', name: 'a.asc', bytes: armor }] })],
    ['as the text of the mail', `From: a@example.com\r\nTo: b@example.org\r\nSubject: t\r\n\r\n${armor}`],
    ['as S/MIME', emailWith({ files: [{ type: 'application/pkcs7-mime', name: 'smime.p7m', bytes: cms }] })],
  ])('is no mail to a private key, and has the reason of a closed archive, %s', async (_, mail) => {
    const { ledger } = await scan(mail);
    expect(ledger.artifacts.filter(isEncryptedMail)).toEqual([]);
    expect(ledger.artifacts.flatMap(({ removedFor }) => removedFor ?? [])).toEqual(['encrypted']);
    expect(ledger.artifacts.flatMap(({ reasons }) => reasons).join()).toMatch(/needs a password/);
    expect(JSON.stringify(ledger.reasons)).not.toMatch(/unsupported|unreadable/);
  });
});

describe('encrypted data that is on a list of the operator', () => {
  const listed = async (verdict: 'malicious' | 'allow', encrypted: object) => {
    const policy = parsePolicy(JSON.stringify({ encrypted, message: { quarantineVerdicts: [] } }));
    const entry = {
      kind: 'sha256',
      value: '',
      verdict,
      source: 'a',
      since: '2026-11-01',
      reason: 'b',
      list: 'c',
      line: 1,
    };
    const lists: LookedUp = (artifact) => (artifact.type === 'file' ? (entry as ListEntry) : null);
    const { ledger } = await createRig({ script, policy, overrides: () => ({ lists }) }).scan(SMIME);
    return ledger.artifacts.filter(isEncryptedMail).map(({ verdict, disposition }) => [verdict, disposition]);
  };

  test('goes when the list speaks against it', async () => {
    expect(await listed('malicious', {})).toEqual([['malicious', 'remove']]);
  });

  test('is judged by the rule for encrypted mail alone when the list allows it', async () => {
    expect(await listed('allow', {})).toEqual([['unknown', 'keep']]);
    expect(await listed('allow', { mail: 'remove' })).toEqual([['unknown', 'remove']]);
  });
});

describe('the sender', () => {
  const from = (value: string) => SMIME.replace(/^From: .*$/m, `From: ${value}`);
  const held = async (value: string, encrypted: object) => {
    const { ledger } = await scanUnder(from(value), encrypted);
    return ledger.reasons.some(({ code }) => code === 'encrypted_mail');
  };

  test.each([
    ['of the domain', 'Ann <ann@held.example>', true],
    ['of a domain below it', 'Ann <ann@Mail.HELD.example>', true],
    ['of another domain', 'Ann <ann@not-held.example>', false],
    ['of a nearer domain with another rule', 'Ann <ann@free.held.example>', false],
    ['with the domain in the name only', '"ann@held.example" <ann@other.example>', true],
    ['with an address that nobody can read', 'Ann', true],
  ])('%s', async (_, value, isHeld) => {
    expect(await held(value, { senders: { 'held.example': 'hold', 'free.held.example': 'deliver' } })).toBe(isHeld);
  });

  test('of one domain is let through where policy holds the others', async () => {
    const encrypted = { mail: 'hold', senders: { 'partner.example': 'deliver' } };
    expect(await held('a@partner.example', encrypted)).toBe(false);
    expect(await held('a@partner.example, b@other.example', encrypted)).toBe(true);
  });

  test('is a domain in small letters in the policy', () => {
    for (const senders of [{ 'Held.Example': 'hold' }, { '@held.example': 'hold' }, { 'held.example': 'keep' }])
      expect(() => parsePolicy(JSON.stringify({ encrypted: { senders } }))).toThrow(/encrypted\.senders/);
  });
});

const PROGRAM = readFileSync(process.execPath).subarray(0, 4_000);
const closed = (name: string, type: string, bytes: Buffer) =>
  emailWith({ text: 'see the file', files: [{ name, type, bytes }] });
const ENVELOPE = Buffer.from(/\r\n\r\n([\s\S]*)$/.exec(SMIME)?.[1] ?? '', 'base64');
const ARMOR = /-----BEGIN PGP MESSAGE[\s\S]*END PGP MESSAGE-----/.exec(fixture('pgp-mutt'))?.[0] ?? '';

describe('what only claims to be encrypted is judged as what it is', () => {
  const hostile: Readonly<Record<string, string>> = {
    'a program called smime.p7m': closed('smime.p7m', 'application/pkcs7-mime', PROGRAM),
    'a program as application/pgp-encrypted': closed('encrypted.asc', 'application/pgp-encrypted', PROGRAM),
    'a page as application/pgp-encrypted': closed(
      'encrypted.asc',
      'application/pgp-encrypted',
      Buffer.from('<html><body><script>alert(1)</script></body></html>'),
    ),
    'a program behind an encrypted message': closed(
      'smime.p7m',
      'application/pkcs7-mime',
      Buffer.concat([ENVELOPE, PROGRAM]),
    ),
    'an encrypted message called a program': closed('smime.exe', 'application/pkcs7-mime', ENVELOPE),
    'armor in front of a program': closed(
      'a.pgp',
      'application/octet-stream',
      Buffer.concat([Buffer.from(`${ARMOR}\r\n`), PROGRAM]),
    ),
    'armor in a file of a type that nobody knows': closed(
      'a.hta',
      'application/octet-stream',
      Buffer.from(`<b>\n${ARMOR}\n`),
    ),
  };

  test.each(Object.entries(hostile))('%s', async (_, mail) => {
    const { ledger } = await scan(mail);
    expect(ledger.parts.find(({ role }) => role === 'attachment')?.disposition).toBe('remove');
  });

  test('what an analysis says against encrypted bytes counts', async () => {
    const rig = createRig({ script: { answer: ({ kind }) => (kind === 'static' ? { verdict: 'suspicious' } : {}) } });
    expect((await rig.scan(SMIME)).ledger.parts[0]?.disposition).toBe('remove');
  });

  test('an encrypted message in a message that is attached as a file stays closed', async () => {
    const mail = emailWith({
      text: 'x',
      files: [{ name: 'a.eml', type: 'application/octet-stream', bytes: Buffer.from(SMIME) }],
    });
    const { ledger } = await scan(mail);
    expect(ledger.parts.find(({ path }) => path === '1.2')?.disposition).toBe('remove');
  });
});

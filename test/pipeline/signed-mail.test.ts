import { afterAll, describe, expect, test } from 'vitest';
import type { SignatureRequest } from '../../lib/formats/signed/signature-check.ts';
import { createSignatureReader } from '../../lib/formats/signed/signature-reader.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import type { OnWork } from '../../lib/pipeline/ports.ts';
import { committed, makeSignedMail, signedMail } from '../ordinary/signed-mail.ts';
import { createSigningTools, HAS_SIGNING_TOOLS } from '../ordinary/signing-tools.ts';
import { testWith } from '../programs.ts';
import { createRig, type RigOptions, type Script } from './rig.ts';

const signatures = createSignatureReader();
afterAll(() => signatures.close());

const TRUSTED = { authorities: [committed('authority.pem')], keys: [committed('key.asc')] };
const policyWith = (signed: object) => parsePolicy(JSON.stringify({ signed }));
/** Our engines know no signatures: what is no text is unknown to them. */
const UNKNOWN: Script = {
  answer: (request) =>
    request.kind !== 'url_analysis' && /\.bin$/.test(request.filename) ? { verdict: 'unknown' } : {},
};

/** When the certificates of the committed mail are valid. */
const NOW = Date.UTC(2026, 11, 1);

interface ScanOptions extends RigOptions {
  readonly signed?: object;
  readonly nowMs?: number;
}

async function scan(mail: Uint8Array | string, { signed = TRUSTED, nowMs = NOW, ...options }: ScanOptions = {}) {
  const rig = createRig({ script: UNKNOWN, policy: policyWith(signed), overrides: () => ({ signatures }), ...options });
  rig.advance(nowMs - rig.ctx.clock.now());
  return rig.scan(typeof mail === 'string' ? Buffer.from(mail, 'latin1') : mail);
}

const MAILS = [...signedMail()].filter(({ group, id }) => group === 'signed' && id.includes('-clear-'));
const fixture = (id: string) => MAILS.find((mail) => mail.id === id)?.bytes.toString('latin1') ?? '';
const SMIME = fixture('smime-clear-thunderbird');
const PGP = fixture('pgp-clear-mutt');

/** The first part of the signed multipart, with its header, and its signature. */
function partsOf(mail: string): readonly [string, string] {
  const boundary = /boundary="([^"]*)"/.exec(mail)?.[1] ?? '';
  const [, content = '', signature = ''] = mail.split(`\r\n--${boundary}`);
  return [content, signature];
}
const dispositionOf = ({ parts }: Ledger, path: string) => parts.find((part) => part.path === path)?.disposition;

describe.each(MAILS)('$id', ({ bytes }) => {
  test('is delivered byte for byte with its signature, which is verified', async () => {
    const { ledger, clean } = await scan(bytes);
    expect(ledger.reasons).toEqual([]);
    expect(ledger.signatures).toMatchObject([
      { result: 'verified', untrustedSigner: 'alice@signed.example', detail: '', isDelivered: true },
    ]);
    expect(partsOf(clean ?? '')).toEqual(partsOf(bytes.toString('latin1')));
    expect(clean).toMatch(/^X-Airlock-Signature: verified; by=alice@signed\.example; part=1\.1; delivered\r$/m);
  });

  test('is of an unknown signer where nobody is trusted', async () => {
    const { ledger } = await scan(bytes, { signed: {} });
    expect(ledger.signatures).toMatchObject([{ result: 'unknown_signer', isDelivered: true }]);
  });

  test('comes without its signature when policy says so, with a notice of who signed', async () => {
    const { ledger, clean } = await scan(bytes, { signed: { ...TRUSTED, mail: 'content' } });
    expect(ledger.signatures).toMatchObject([{ result: 'verified', isDelivered: false }]);
    expect(partsOf(clean ?? '')[0]).toBe(partsOf(bytes.toString('latin1'))[0]);
    expect(noticeIn(clean)).toContain('This message was signed by alice[@]signed[.]example.');
  });
});

/** The text of the notice in the place of the signature. */
function noticeIn(clean: string | null): string {
  const [, text = ''] = /signature \(removed\)\.txt"\r\n\r\n([\s\S]*?)\r\n--/.exec(clean ?? '') ?? [];
  return Buffer.from(text, 'base64').toString();
}

describe('when something in it must go', () => {
  test('it is delivered without its signature, and the notice says who had signed', async () => {
    const suspicious: Script = {
      answer: ({ kind }) => (kind === 'static' ? { verdict: 'suspicious' } : {}),
    };
    const { ledger, clean } = await scan(fixture('smime-clear-attachment'), { script: suspicious });
    expect(ledger.signatures).toMatchObject([{ result: 'verified', isDelivered: false }]);
    expect(clean).not.toMatch(/pkcs7-signature"?\r\n|MII/);
    expect(clean).toMatch(/^X-Airlock-Signature: verified; by=alice@signed\.example; part=1\.1; removed\r$/m);
  });

  test.each([
    ['smime', SMIME],
    ['pgp', PGP],
  ])('a blocked link takes the signature with it (%s)', async (_, mail) => {
    const linked = mail.replace('Dear Bob,', 'See https://bad.example/x');
    const script: Script = {
      answer: (request) =>
        request.kind === 'url_analysis' ? { verdict: 'suspicious' } : (UNKNOWN.answer?.(request) ?? {}),
    };
    const { ledger, clean } = await scan(linked, { script });
    expect(ledger.signatures).toMatchObject([{ result: 'broken', isDelivered: false }]);
    expect(clean).not.toMatch(/https:\/\/bad|BEGIN PGP SIGNATURE|MII/);
    expect(noticeIn(clean)).toContain('The signature was not valid when the message came in');
  });

  test('a signature around another goes with it', async () => {
    const [content] = partsOf(SMIME);
    const inner = `Content-Type: multipart/signed; protocol="application/pgp-signature"; boundary="in"\r\n\r\n--in${partsOf(PGP)[0].replace('Dear Bob,', 'See https://bad.example/x')}\r\n--in${partsOf(PGP)[1]}\r\n--in--\r\n`;
    const mail = SMIME.replace(content, `\r\n${inner}`);
    const script: Script = {
      answer: (request) =>
        request.kind === 'url_analysis' ? { verdict: 'suspicious' } : (UNKNOWN.answer?.(request) ?? {}),
    };
    const { ledger } = await scan(mail, { script });
    expect(ledger.signatures.map(({ path, isDelivered }) => [path, isDelivered])).toEqual([
      ['1', false],
      ['1.1', false],
    ]);
    expect(ledger.terminal?.state).toBe('delivered');
  });
});

describe('what was changed or does not fit', () => {
  test('a changed message is delivered with its signature, and said to be broken', async () => {
    const { ledger } = await scan(SMIME.replace('Tuesday', 'Sunday'));
    expect(ledger.signatures).toMatchObject([{ result: 'broken', isDelivered: true }]);
  });

  test.each([
    ['another sender', SMIME.replace(/^From: .*$/m, 'From: Eve <eve@other.example>')],
    ['two senders', SMIME.replace(/^From: .*$/m, 'From: alice@signed.example, eve@other.example')],
    [
      'the signer in the name of another',
      SMIME.replace(/^From: .*$/m, 'From: "alice@signed.example" <eve@other.example>'),
    ],
  ])('%s is never verified', async (_, mail) => {
    expect((await scan(mail)).ledger.signatures).toMatchObject([
      { result: 'unknown_signer', untrustedSigner: 'alice@signed.example' },
    ]);
  });

  test('a message that is attached is compared with its own sender', async () => {
    const attached = (inner: string) =>
      `From: eve@other.example\r\nTo: b@b.example\r\nSubject: Fwd\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="out"\r\n\r\n--out\r\nContent-Type: text/plain\r\n\r\nsee\r\n--out\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--out--\r\n`;
    expect((await scan(attached(SMIME))).ledger.signatures).toMatchObject([{ path: '1.2.1', result: 'verified' }]);
  });
});

const [CONTENT, SIGNATURE] = partsOf(SMIME);
const DER = Buffer.from(SIGNATURE.slice(SIGNATURE.indexOf('\r\n\r\n')), 'base64');
const withSignature = (bytes: Uint8Array) =>
  SMIME.replace(
    SIGNATURE,
    SIGNATURE.replace(/\r\n\r\n[\s\S]*$/, `\r\n\r\n${Buffer.from(bytes).toString('base64')}\r\n`),
  );
const OPAQUE = [...signedMail()].find(({ id }) => id === 'smime-opaque-outlook')?.bytes.toString('latin1') ?? '';

describe('a signature that is none is a file like any other', () => {
  test.each([
    ['a program', withSignature(Buffer.from('MZ\x90\0 a program'))],
    ['a page', withSignature(Buffer.from('<html><script>alert(1)</script></html>'))],
    ['a signature with a program behind it', withSignature(Buffer.concat([DER, Buffer.from('MZ\x90\0')]))],
    [
      'a signature with content of its own',
      withSignature(Buffer.from(OPAQUE.slice(OPAQUE.indexOf('\r\n\r\n')), 'base64')),
    ],
    ['a signature called a program', SMIME.replaceAll('smime.p7s', 'smime.exe')],
    [
      'a signature of another protocol',
      SMIME.replace('protocol="application/pkcs7-signature"', 'protocol="application/pgp-signature"'),
    ],
    ['a signature that nothing says is one', SMIME.replace('multipart/signed', 'multipart/mixed')],
  ])('%s', async (_, mail) => {
    const { ledger, clean } = await scan(mail);
    expect(ledger.signatures.filter(({ isDelivered }) => isDelivered)).toEqual([]);
    expect(dispositionOf(ledger, '1.2') ?? 'remove').toBe('remove');
    expect(clean ?? '').not.toMatch(/TVqQ|MII/);
  });

  test('three parts: programs do not agree on what is signed', async () => {
    const [boundary] = /------------ms\d+/.exec(SMIME) ?? [''];
    const mail = SMIME.replace(
      `--${boundary}\r\nContent-Type: application`,
      `--${boundary}\r\nContent-Type: text/plain\r\n\r\nmore\r\n--${boundary}\r\nContent-Type: application`,
    );
    const { ledger } = await scan(mail);
    expect(ledger.signatures).toEqual([]);
    expect(dispositionOf(ledger, '1.3')).toBe('remove');
  });

  test('what an analysis says against a signature counts', async () => {
    const script: Script = {
      answer: (request) =>
        request.kind === 'static' && request.filename.endsWith('.bin') ? { verdict: 'suspicious' } : {},
    };
    const { ledger } = await scan(SMIME, { script });
    expect(ledger.signatures).toMatchObject([{ isDelivered: false }]);
  });

  test('text around the parts is not delivered, however well the signature fits', async () => {
    const around = SMIME.replace(
      'This is a cryptographically signed message in MIME format.',
      '<a href="https://bad.example/x">pay</a>',
    );
    const { ledger, clean } = await scan(`${around}<b>and more</b>\r\n`);
    expect(clean ?? '').not.toMatch(/bad\.example|and more/);
    if (clean !== null) expect(ledger.signatures).toMatchObject([{ result: 'verified', isDelivered: true }]);
  });
});

const OPAQUES = [...signedMail()].filter(({ id }) => id.startsWith('smime-opaque-'));
const DER_OF_OPAQUE = Buffer.from(OPAQUE.slice(OPAQUE.indexOf('\r\n\r\n')), 'base64');
const opaqueWith = (bytes: Uint8Array) =>
  OPAQUE.slice(0, OPAQUE.indexOf('\r\n\r\n') + 4) + Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n');
const bare = (clean: string | null) => (clean ?? '').replace(/^(?:X-Airlock-[^\r]*\r\n)*/, '');

/** A DER element, and SignedData without a signer that anybody knows, as far as its content. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([
    Buffer.from([tag, 0x83, content.length >> 16, (content.length >> 8) & 0xff, content.length & 0xff]),
    content,
  ]);
}
function opaqueOf(entity: string, ...more: Buffer[]): string {
  const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
  const info = der(0x30, oid('2a864886f70d010701'), der(0xa0, der(0x04, Buffer.from(entity)), ...more));
  const data = der(0x30, der(0x02, Buffer.from([1])), der(0x31), info, der(0x31, der(0x30)));
  return opaqueWith(der(0x30, oid('2a864886f70d010702'), der(0xa0, data)));
}

describe.each(OPAQUES)('$id', ({ bytes }) => {
  test('is opened, judged and delivered as it came', async () => {
    const { ledger, clean } = await scan(bytes);
    expect(ledger.signatures).toMatchObject([{ result: 'verified', signaturePath: null, isDelivered: true }]);
    expect(ledger.parts.filter(({ role }) => role === 'body').length).toBeGreaterThan(0);
    expect(bare(clean)).toBe(bytes.toString('latin1'));
    expect(clean).toMatch(/^X-Airlock-Signature: verified; by=alice@signed\.example; part=1; delivered\r$/m);
  });

  test('is delivered as its content when policy says so', async () => {
    const { ledger, clean } = await scan(bytes, { signed: { ...TRUSTED, mail: 'content' } });
    expect(ledger.signatures).toMatchObject([{ result: 'verified', isDelivered: false }]);
    expect(clean).toMatch(/the meeting/);
    expect(clean).not.toMatch(/pkcs7|MII/);
    expect(clean).toMatch(/^Subject: Opaque/m);
  });
});

describe('an opaque-signed message', () => {
  const LINKED = 'Content-Type: text/plain\r\n\r\nSee https://bad.example/x now\r\n';
  const blocking: Script = { answer: ({ kind }) => (kind === 'url_analysis' ? { verdict: 'suspicious' } : {}) };

  test('with a blocked link is delivered as its content, without the link', async () => {
    const { ledger, clean } = await scan(opaqueOf(LINKED), { script: blocking });
    expect(ledger.terminal?.state).toBe('delivered');
    expect(ledger.signatures).toMatchObject([{ isDelivered: false }]);
    const [, body = ''] = /\r\n\r\n([\s\S]*)$/.exec(clean ?? '') ?? [];
    expect(Buffer.from(body, 'base64').toString()).toMatch(/^See (?!https:\/\/bad\.example)/m);
  });

  test('with a program in it is delivered without the program', async () => {
    const mixed = `Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b\r\nContent-Type: application/octet-stream; name="a.exe"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from('MZ\x90\0 program').toString('base64')}\r\n--b--\r\n`;
    const { ledger, clean } = await scan(opaqueOf(mixed));
    expect(ledger.parts.map(({ path, disposition }) => [path, disposition])).toEqual([
      ['1', null],
      ['1.1', 'keep'],
      ['1.2', 'remove'],
    ]);
    expect(clean).not.toMatch(/pkcs7|MII|TVq/);
  });

  test.each([
    ['whose signature cannot be checked', opaqueOf('Content-Type: text/plain\r\n\r\nhello\r\n')],
    ['with a subject of its own', opaqueOf('Subject: other\r\nContent-Type: text/plain\r\n\r\nhello\r\n')],
  ])('%s is delivered as its content', async (_, mail) => {
    const { ledger, clean } = await scan(mail);
    expect(ledger.signatures).toMatchObject([{ isDelivered: false }]);
    expect(clean).toMatch(/\r\n\r\nhello/);
    expect(clean).not.toMatch(/pkcs7|Subject: other/);
  });

  test('is never delivered as it came when two readers do not read the same content in it', async () => {
    const other = {
      check: async (request: Parameters<typeof signatures.check>[0]) => ({
        ...(await signatures.check(request)),
        contentSha256: 'ab'.repeat(32),
      }),
    };
    const { ledger, clean } = await scan(OPAQUE, { overrides: () => ({ signatures: other }) });
    expect(ledger.signatures).toMatchObject([{ result: 'verified', isDelivered: false }]);
    expect(clean).not.toMatch(/pkcs7|MII/);
  });

  test.each([
    ['bytes behind it', opaqueWith(Buffer.concat([DER_OF_OPAQUE, Buffer.from('MZ\x90\0')]))],
    ['a second content', opaqueOf('Content-Type: text/plain\r\n\r\nhello\r\n', der(0x04, Buffer.from('<script>')))],
    ['a name of a program', OPAQUE.replaceAll('smime.p7m', 'smime.exe')],
    ['a content without a header', opaqueOf('MZ\x90 a program')],
  ])('with %s is a file like any other', async (_, mail) => {
    const { ledger, clean } = await scan(mail);
    expect(ledger.signatures).toEqual([]);
    expect(clean ?? '').not.toMatch(/MII|pkcs7-mime/);
  });

  test('in another is a file in the message that is signed', async () => {
    const inner = OPAQUE.slice(OPAQUE.search(/^Content-/m));
    const { ledger, clean } = await scan(opaqueOf(inner));
    expect(ledger.parts[0]).toMatchObject({ path: '1', declaredType: 'application/pkcs7-mime', disposition: 'remove' });
    expect(clean ?? '').not.toMatch(/MII/);
  });

  test('run twice, it is rebuilt to the same bytes', async () => {
    const [one, two] = [await scan(OPAQUE), await scan(OPAQUE)];
    expect(one.clean).toBe(two.clean);
  });
});

describe('limits', () => {
  test('of signatures: the next one is unchecked', async () => {
    const two = `From: a@a.example\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="out"\r\n\r\n--out\r\nContent-Type: message/rfc822\r\n\r\n${SMIME}\r\n--out\r\nContent-Type: message/rfc822\r\n\r\n${PGP}\r\n--out--\r\n`;
    const results = async (count: number) =>
      (await scan(two, { limits: { signatures: count } })).ledger.signatures.map(({ result }) => result);
    expect(await results(2)).toEqual(['verified', 'verified']);
    expect(await results(1)).toEqual(['verified', 'unchecked']);
  });

  test('of work (signatureWorkSeconds): what comes too late is unchecked', async () => {
    const slow = {
      check: async (request: SignatureRequest, onWork: OnWork) => {
        onWork(11_000);
        return signatures.check(request);
      },
    };
    const overrides: RigOptions['overrides'] = () => ({ signatures: slow, clock: { now: () => NOW } });
    const inner = `Content-Type: multipart/signed; protocol="application/pgp-signature"; boundary="in"\r\n\r\n--in${partsOf(PGP)[0]}\r\n--in${partsOf(PGP)[1]}\r\n--in--\r\n`;
    const { ledger } = await scan(SMIME.replace(CONTENT, `\r\n${inner}`), {
      overrides,
      limits: { signatureWorkSeconds: 10 },
    });
    expect(ledger.signatures[1]).toMatchObject({
      result: 'unchecked',
      detail: 'it took longer to check than is allowed',
    });
  });
});

describe('programs of others', () => {
  testWith('openssl and gpg', HAS_SIGNING_TOOLS)('OpenSSL and GnuPG verify what is delivered', async () => {
    const tools = createSigningTools();
    for (const { group, id, bytes } of makeSignedMail(tools)) {
      if (group !== 'signed' || id.includes('inline')) continue;
      // The keys were made a moment ago, so they are valid now and not yet at NOW.
      const signed = { authorities: [tools.authority], keys: [tools.publicKey] };
      const { clean } = await scan(bytes, { signed, nowMs: Date.now() });
      expect(clean, id).toMatch(/^X-Airlock-Signature: verified;/m);
      const [content, signature] = partsOf(clean ?? '');
      if (id.startsWith('smime')) tools.check.smime(Buffer.from(clean ?? '', 'latin1'));
      else tools.check.pgp(Buffer.from(content.slice(2), 'latin1'), signature.slice(signature.indexOf('-----BEGIN')));
    }
    tools.close();
  });
});

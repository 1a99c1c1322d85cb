/** Pictures and PDFs in signed mail: when one stays as it came, and when it is made anew and the signature over it goes. */
import { afterAll, describe, expect, test } from 'vitest';
import type { SignatureRequest, SignatureResult } from '../../lib/formats/signed/signature-check.ts';
import { createSignatureReader } from '../../lib/formats/signed/signature-reader.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { buildPng } from '../fixtures/build-image.ts';
import { packedStream, plainPdf } from '../fixtures/pdf-file.ts';
import { committed, signedMail } from '../ordinary/signed-mail.ts';
import { type Answer, createRig, type SentRequest } from './rig.ts';

const MAILS = new Map([...signedMail()].map(({ id, bytes }) => [id, bytes.toString('latin1')]));
const [CLEAR, OPAQUE, PGP] = ['smime-clear-logo', 'smime-opaque-logo', 'pgp-clear-logo'].map(
  (id) => MAILS.get(id) ?? '',
) as [string, string, string];
/** What the disarm makes of the logo. */
const ANEW = buildPng({ width: 24, height: 16, seed: 1 });
const LOGO = Buffer.from(buildPng({ width: 24, height: 16 })).toString('base64');
/** When the certificate of the committed mail is valid. */
const NOW = Date.UTC(2026, 11, 1);

const reader = createSignatureReader();
afterAll(() => reader.close());

interface Options {
  /** @default what the reader finds */
  readonly result?: SignatureResult;
  readonly signed?: object;
  readonly types?: object;
  /** What the disarm says of a picture or a PDF. */
  readonly picture?: (request: SentRequest) => Answer;
}

const PLAIN = { disarmed: ANEW, isPlain: true } as const;

async function scan(mail: string, { result, signed = {}, types = {}, picture = () => PLAIN }: Options = {}) {
  const answer = (request: SentRequest): Answer => {
    if (request.kind === 'url_analysis') return {};
    if (/\.(?:png|pdf)$/.test(request.filename)) return request.kind === 'cdr' ? picture(request) : {};
    return request.filename.endsWith('.bin') ? { verdict: 'unknown' } : {};
  };
  const check = async (request: SignatureRequest) => ({ ...(await reader.check(request)), ...(result && { result }) });
  const trusted = { authorities: [committed('authority.pem')], keys: [committed('key.asc')] };
  const policy = parsePolicy(JSON.stringify({ signed: { ...trusted, ...signed }, types }));
  const rig = createRig({ script: { answer }, policy, overrides: () => ({ signatures: { check } }) });
  rig.advance(NOW - rig.ctx.clock.now());
  const { ledger, clean } = await rig.scan(Buffer.from(mail, 'latin1'));
  const pictures = ledger.parts.filter(({ detectedType }) =>
    /^(?:image\/png|application\/pdf)$/.test(detectedType ?? ''),
  );
  return {
    ledger,
    clean: clean ?? '',
    pictures: pictures.map(({ disposition }) => disposition),
    isSigned: ledger.signatures.map(({ isDelivered }) => isDelivered),
  };
}

/** The message without the fields that the airlock adds. */
const bare = (clean: string) => clean.replace(/^(?:X-Airlock-[^\r]*\r\n)*/, '');

describe.each([
  ['S/MIME', CLEAR],
  ['opaque S/MIME', OPAQUE],
  ['OpenPGP', PGP],
])('%s with a logo in which there is nothing but the logo', (_, mail) => {
  test('is delivered byte for byte with its signature', async () => {
    const { clean, pictures, isSigned } = await scan(mail);
    expect([pictures, isSigned]).toEqual([['keep'], [true]]);
    expect(bare(clean)).toBe(mail);
  });

  test.each(['broken', 'unchecked'] as const)('is made anew when the signature is %s', async (result) => {
    const { clean, pictures, isSigned } = await scan(mail, { signed: { pictures: 'any_signer' }, result });
    expect([pictures, isSigned]).toEqual([['disarm'], [false]]);
    expect(clean.replace(/\r\n/g, '')).not.toContain(LOGO);
  });

  test('stays for a signer whom policy trusts only, unless policy says otherwise', async () => {
    const result = 'unknown_signer';
    expect(await scan(mail, { result })).toMatchObject({ pictures: ['disarm'], isSigned: [false] });
    const signed = { pictures: 'any_signer' };
    expect(await scan(mail, { signed, result })).toMatchObject({ pictures: ['keep'], isSigned: [true] });
  });

  test('stays with what its signer says of it', async () => {
    const picture = () => ({ ...PLAIN, removed: ['metadata'] });
    expect(await scan(mail, { picture })).toMatchObject({ pictures: ['keep'], isSigned: [true] });
  });

  test.each([{ pictures: 'none' }, { mail: 'content' }])('is made anew under the policy %j', async (signed) => {
    expect(await scan(mail, { signed })).toMatchObject({ pictures: ['disarm'], isSigned: [false] });
  });
});

describe('is made anew, and the signature goes, when', () => {
  test.each(['a.png.pdf', 'a.zip', 'a.eml', 'a.txt'])('it is called %s', async (name) => {
    const called = CLEAR.replace('name="image001.png"', `name="${name}"`);
    expect(called).not.toBe(CLEAR);
    expect(await scan(called, { result: 'verified' })).toMatchObject({ isSigned: [false] });
  });

  test.each<readonly [string, Answer]>([
    ['nobody says that there is nothing else in it', { disarmed: ANEW }],
    ['the disarm took something out of it', { ...PLAIN, removed: ['metadata', 'appended data'] }],
    ['the disarm mended it', { ...PLAIN, sanitized: ['damaged structure'] }],
    ['the disarm calls it suspicious', { ...PLAIN, verdict: 'suspicious' }],
    ['the disarm does not say as what it read it', { ...PLAIN, readAs: null }],
  ])('%s', async (_, answer) => {
    expect(await scan(CLEAR, { picture: () => answer })).toMatchObject({ pictures: ['disarm'], isSigned: [false] });
  });

  test('another part of what is signed must go', async () => {
    const second = CLEAR.replace(
      /(------=_NextPart_002[^\r-]*--)/,
      `${/------=_NextPart_002_[0-9A-F._]+/.exec(CLEAR)?.[0]}\r\nContent-Type: application/octet-stream; name="a.exe"\r\nContent-Transfer-Encoding: base64\r\n\r\nTVqQAAMA\r\n$1`,
    );
    const { clean, pictures, isSigned } = await scan(second, { result: 'verified' });
    expect([pictures, isSigned]).toEqual([['disarm'], [false]]);
    expect(clean.replace(/\r\n/g, '')).not.toContain(LOGO);
  });

  test('the header of a part must be written anew, which only the rebuild finds', async () => {
    const { clean, pictures, isSigned, ledger } = await scan(
      CLEAR.replace('Content-ID: <image', 'X-Odd: 1\r\nContent-ID: <image'),
      {
        result: 'verified',
      },
    );
    expect([pictures, isSigned]).toEqual([['disarm'], [false]]);
    expect(clean.replace(/\r\n/g, '')).not.toContain(LOGO);
    expect(ledger.terminal?.state).toBe('delivered');
  });

  test('the same picture is outside of what is signed, too', async () => {
    const [head = '', body = ''] = [
      CLEAR.slice(0, CLEAR.search(/^Content-Type/m)),
      CLEAR.slice(CLEAR.search(/^Content-Type/m)),
    ];
    const picture = /Content-Type: image\/png;[\s\S]*?\r\n\r\n[\s\S]*?\r\n\r\n/.exec(CLEAR)?.[0] ?? '';
    const around = `${head}Content-Type: multipart/mixed; boundary="out"\r\n\r\n--out\r\n${body}\r\n--out\r\n${picture}\r\n--out--\r\n`;
    expect(await scan(around, { result: 'verified' })).toMatchObject({
      pictures: ['disarm', 'disarm'],
      isSigned: [false],
    });
  });
});

test('a policy that keeps pictures keeps them without a signature, too', async () => {
  const types = { image: { verdicts: { benign: 'keep' } } };
  const odd = CLEAR.replace('Content-ID: <image', 'X-Odd: 1\r\nContent-ID: <image');
  expect(await scan(odd, { result: 'verified', types })).toMatchObject({ pictures: ['keep'], isSigned: [false] });
});

const DOCUMENT = Buffer.from(
  plainPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
    packedStream('0 0 m 10 10 l S'),
  ]),
);
/** The mail with a PDF in the place of the logo. */
const WITH_PDF = CLEAR.replace(
  /Content-Type: image\/png;[\s\S]*?name="image001.png"([\s\S]*?\r\n\r\n)[\s\S]*?(?=\r\n\r\n?--)/,
  (_, head: string) =>
    `Content-Type: application/pdf;\r\n\tname="terms.pdf"${head}${DOCUMENT.toString('base64').replace(/.{76}/g, '$&\r\n')}`,
);

describe('a PDF that holds the same objects as its disarmed form', () => {
  const picture = () => ({
    disarmed: Buffer.from('%PDF-1.7 written anew'),
    isPlain: true as const,
    removed: ['document properties'],
  });
  const result = 'verified';

  test('stays under the signature of a signer whom policy trusts', async () => {
    const { clean, pictures, isSigned } = await scan(WITH_PDF, { picture, result });
    expect([pictures, isSigned]).toEqual([['keep'], [true]]);
    expect(bare(clean)).toBe(WITH_PDF);
  });

  test.each<readonly [string, Options]>([
    ['nobody trusts the signer', { result: 'unknown_signer', signed: { pictures: 'any_signer' } }],
    ['policy says so', { signed: { pdf: 'none' } }],
    ['the disarm took a script out of it', { picture: () => ({ ...picture(), removed: ['JavaScript'] }) }],
    ['the second look found more in it', { picture: () => ({ disarmed: picture().disarmed }) }],
  ])('is made anew when %s', async (_, options) => {
    expect(await scan(WITH_PDF, { picture, result, ...options })).toMatchObject({
      pictures: ['disarm'],
      isSigned: [false],
    });
  });

  test('is made anew when it is called a picture', async () => {
    const called = WITH_PDF.replace('name="terms.pdf"', 'name="terms.png"');
    expect(await scan(called, { picture, result })).toMatchObject({ isSigned: [false] });
  });
});

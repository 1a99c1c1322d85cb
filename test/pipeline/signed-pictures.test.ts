/** Pictures in signed mail: when one stays as it came, and when it is made anew and the signature over it goes. */
import { afterAll, describe, expect, test } from 'vitest';
import type { SignatureRequest, SignatureResult } from '../../lib/formats/signed/signature-check.ts';
import { createSignatureReader } from '../../lib/formats/signed/signature-reader.ts';
import { parsePolicy } from '../../lib/pipeline/policy.ts';
import type { AnalysisRequest } from '../../lib/pipeline/ports.ts';
import { buildPng } from '../fixtures/build-image.ts';
import { committed, signedMail } from '../ordinary/signed-mail.ts';
import { type Answer, createRig } from './rig.ts';

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
  /** What an analysis says of a picture. */
  readonly picture?: (request: AnalysisRequest) => Answer;
}

const PLAIN = { disarmed: ANEW, isPlain: true } as const;

async function scan(mail: string, { result, signed = {}, types = {}, picture = () => PLAIN }: Options = {}) {
  const answer = (request: AnalysisRequest): Answer => {
    if (request.kind === 'url_analysis') return {};
    if (request.filename.endsWith('.png')) return request.kind === 'cdr' ? picture(request) : {};
    return request.filename.endsWith('.bin') ? { verdict: 'unknown' } : {};
  };
  const check = async (request: SignatureRequest) => ({ ...(await reader.check(request)), ...(result && { result }) });
  const trusted = { authorities: [committed('authority.pem')], keys: [committed('key.asc')] };
  const policy = parsePolicy(JSON.stringify({ signed: { ...trusted, ...signed }, types }));
  const rig = createRig({ script: { answer }, policy, overrides: () => ({ signatures: { check } }) });
  rig.advance(NOW - rig.ctx.clock.now());
  const { ledger, clean } = await rig.scan(Buffer.from(mail, 'latin1'));
  const pictures = ledger.parts.filter(({ detectedType }) => detectedType === 'image/png');
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

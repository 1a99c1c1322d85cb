/** Which signers the operator trusts: chains of certificates that are made here, each with one thing that is wrong. */
import { webcrypto } from 'node:crypto';
import { BitString, IA5String, Integer, Utf8String } from 'asn1js';
import {
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  CryptoEngine,
  Extension,
  ExtKeyUsage,
  GeneralName,
  GeneralNames,
} from 'pkijs';
import { beforeAll, describe, expect, test } from 'vitest';
import { addressesOf, doubtOfSigner } from '../../../lib/formats/signed/certificates.ts';

const engine = new CryptoEngine({ name: 'test', crypto: webcrypto as never });
const DAY = 24 * 3600 * 1000;
const NOW = Date.UTC(2026, 11, 1);
const KEY_USAGE = '2.5.29.15';
const [SIGNATURE, NON_REPUDIATION, ENCIPHER, CERT_SIGN] = [0x80, 0x40, 0x20, 0x04];

interface Shape {
  readonly name: string;
  readonly isAuthority?: boolean;
  readonly pathLength?: number;
  readonly usage?: number;
  readonly purposes?: readonly string[];
  readonly addresses?: readonly string[];
  readonly subjectAddress?: string;
  readonly from?: number;
  readonly until?: number;
  /** An extension that nobody knows. */
  readonly odd?: { readonly id: string; readonly critical: boolean };
  readonly hash?: string;
}

interface Made {
  readonly certificate: Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

const attribute = (type: string, value: Utf8String | IA5String) => new AttributeTypeAndValue({ type, value });

/** A certificate that `by` signed, or that signed itself. */
async function made(shape: Shape, by?: Made, claimed?: Made): Promise<Made> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ value: 7 });
  certificate.subject.typesAndValues.push(attribute('2.5.4.3', new Utf8String({ value: shape.name })));
  if (shape.subjectAddress !== undefined)
    certificate.subject.typesAndValues.push(
      attribute('1.2.840.113549.1.9.1', new IA5String({ value: shape.subjectAddress })),
    );
  certificate.issuer = (claimed ?? by)?.certificate.subject ?? certificate.subject;
  certificate.notBefore.value = new Date(shape.from ?? NOW - DAY);
  certificate.notAfter.value = new Date(shape.until ?? NOW + DAY);
  certificate.extensions = extensionsOf(shape);
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey as never, engine);
  await certificate.sign((by ?? { keys }).keys.privateKey as never, shape.hash ?? 'SHA-256', engine);
  return { certificate: Certificate.fromBER(certificate.toSchema(true).toBER(false)), keys };
}

function extensionsOf({ isAuthority, pathLength, usage, purposes, addresses, odd }: Shape): Extension[] {
  const found: Extension[] = [];
  const add = (extnID: string, critical: boolean, value: { toBER(): ArrayBuffer }) =>
    found.push(new Extension({ extnID, critical, extnValue: value.toBER() }));
  const length = pathLength === undefined ? {} : { pathLenConstraint: pathLength };
  if (isAuthority !== undefined)
    add('2.5.29.19', true, new BasicConstraints({ cA: isAuthority, ...length }).toSchema());
  if (usage !== undefined) add(KEY_USAGE, true, new BitString({ valueHex: Uint8Array.of(usage).buffer }));
  if (purposes !== undefined) add('2.5.29.37', false, new ExtKeyUsage({ keyPurposes: [...purposes] }).toSchema());
  if (addresses !== undefined) {
    const names = addresses.map((value) => new GeneralName({ type: 1, value }));
    add('2.5.29.17', false, new GeneralNames({ names }).toSchema());
  }
  if (odd !== undefined) add(odd.id, odd.critical, new Utf8String({ value: 'x' }));
  return found;
}

const ROOT = { name: 'root', isAuthority: true, usage: CERT_SIGN } as const;
const MIDDLE = { name: 'middle', isAuthority: true, usage: CERT_SIGN } as const;
const ANA = { name: 'ana', isAuthority: false, usage: SIGNATURE, addresses: ['ana@a.example'] } as const;

const doubt = (signer: Made, { others = [] as Made[], authorities = [] as Made[], nowMs = NOW } = {}) =>
  doubtOfSigner({
    signer: signer.certificate,
    others: others.map(({ certificate }) => certificate),
    authorities: authorities.map(({ certificate }) => certificate),
    nowMs,
    engine,
  });

let root: Made;
let middle: Made;
beforeAll(async () => {
  root = await made(ROOT);
  middle = await made(MIDDLE, root);
});

describe('a signer is trusted', () => {
  test('when an authority of the operator stands behind it, at once or through another', async () => {
    expect(await doubt(await made(ANA, root), { authorities: [root] })).toBeNull();
    expect(await doubt(await made(ANA, middle), { authorities: [root], others: [middle] })).toBeNull();
    expect(await doubt(await made(ANA, middle), { authorities: [middle] })).toBeNull();
  });

  test('when the operator named its own certificate', async () => {
    const own = await made({ name: 'ana' });
    expect(await doubt(own, { authorities: [own] })).toBeNull();
  });

  test.each<[string, Partial<Shape>]>([
    ['that says nothing of its use', { usage: undefined as never }],
    ['for signatures that cannot be denied', { usage: NON_REPUDIATION }],
    ['for signing and enciphering', { usage: SIGNATURE | ENCIPHER }],
    ['for mail', { purposes: ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.4'] }],
    ['for any purpose', { purposes: ['2.5.29.37.0'] }],
    ['with an extension that need not be understood', { odd: { id: '1.2.3.4', critical: false } }],
    ['signed over SHA-384', { hash: 'SHA-384' }],
  ])('with a certificate %s', async (_, change) => {
    const { usage, ...rest } = { ...ANA, ...change };
    const shape = usage === undefined ? rest : { ...rest, usage };
    expect(await doubt(await made(shape, root), { authorities: [root] })).toBeNull();
  });
});

const NO_AUTHORITY = 'no authority that is trusted here stands behind its certificate';
const LIMITS = 'a certificate behind it has limits that are not checked here';

describe('a signer is not trusted', () => {
  test.each<[string, Partial<Shape>, string]>([
    ['before its time', { from: NOW + 1_000 }, 'a certificate behind it is not valid yet'],
    ['after its time', { until: NOW - 1_000 }, 'a certificate behind it has expired'],
    ['with a certificate for enciphering', { usage: ENCIPHER }, 'its certificate is not for signing mail'],
    ['with a certificate of a server', { purposes: ['1.3.6.1.5.5.7.3.1'] }, 'its certificate is not for signing mail'],
    ['with limits that nobody knows', { odd: { id: '1.2.3.4', critical: true } }, LIMITS],
    ['with limits of names', { odd: { id: '2.5.29.30', critical: false } }, LIMITS],
    [
      'with a certificate that is signed over SHA-1',
      { hash: 'SHA-1' },
      'a certificate behind it is signed in a weak way',
    ],
  ])('%s', async (_, change, text) => {
    expect(await doubt(await made({ ...ANA, ...change }, root), { authorities: [root] })).toBe(text);
  });

  test('when nobody stands behind it', async () => {
    const ana = await made(ANA, root);
    expect(await doubt(ana)).toBe(NO_AUTHORITY);
    // It stands behind itself, which leads nowhere.
    expect(await doubt(ana, { others: [root] })).toBe(NO_AUTHORITY);
    expect(await doubt(ana, { authorities: [middle] })).toBe(NO_AUTHORITY);
    expect(await doubt(await made(ANA, middle), { authorities: [root] })).toBe(NO_AUTHORITY);
  });

  test('when another key signed it in the name of an authority', async () => {
    const forger = await made({ ...ROOT });
    expect(await doubt(await made(ANA, forger), { authorities: [root] })).toBe(NO_AUTHORITY);
    expect(await doubt(await made(ANA, forger, root), { authorities: [root], others: [forger] })).not.toBeNull();
  });

  test.each<[string, Partial<Shape>, string]>([
    ['is of no authority', { isAuthority: false }, 'a certificate behind it is of no authority'],
    ['does not say that it is one', { isAuthority: undefined as never }, 'a certificate behind it is of no authority'],
    ['may not certify', { usage: SIGNATURE }, 'a certificate behind it is of no authority'],
    ['has expired', { until: NOW - 1_000 }, 'a certificate behind it has expired'],
    ['is not valid yet', { from: NOW + 1_000 }, 'a certificate behind it is not valid yet'],
    ['has limits of names', { odd: { id: '2.5.29.30', critical: true } }, LIMITS],
    ['is signed over SHA-1', { hash: 'SHA-1' }, 'a certificate behind it is signed in a weak way'],
  ])('when one behind it %s', async (_, change, text) => {
    const { isAuthority, ...rest } = { ...MIDDLE, ...change };
    const between = await made(isAuthority === undefined ? rest : { ...rest, isAuthority }, root);
    expect(await doubt(await made(ANA, between), { authorities: [root], others: [between] })).toBe(text);
  });

  test('when more authorities stand behind it than one of them allows', async () => {
    const strict = await made({ ...ROOT, pathLength: 0 });
    expect(await doubt(await made(ANA, strict), { authorities: [strict] })).toBeNull();
    const below = await made(MIDDLE, strict);
    expect(await doubt(await made(ANA, below), { authorities: [strict], others: [below] })).toBe(
      'a certificate behind it is of no authority',
    );
    const one = await made({ ...ROOT, pathLength: 1 });
    const belowOne = await made(MIDDLE, one);
    expect(await doubt(await made(ANA, belowOne), { authorities: [one], others: [belowOne] })).toBeNull();
  });

  test('when too many stand behind it', async () => {
    const chain = [root];
    const next = async (at: number) => made({ ...MIDDLE, name: `m${at}` }, chain.at(-1));
    for (let at = 0; at < 5; at++) chain.push(await next(at));
    const trusts = async () => doubt(await made(ANA, chain.at(-1)), { authorities: [root], others: chain });
    // The root is the sixth that is looked at, with the signer.
    expect(await trusts()).toBe('too many authorities stand behind its certificate');
    chain.pop();
    expect(await trusts()).toBeNull();
  });
});

test('the addresses of a certificate are those that it names in both of its places', async () => {
  const addresses = async (shape: Shape) => addressesOf((await made(shape)).certificate);
  expect(await addresses({ name: 'a' })).toEqual([]);
  expect(await addresses({ name: 'a', addresses: ['a@a.example', 'b@a.example'] })).toEqual([
    'a@a.example',
    'b@a.example',
  ]);
  expect(await addresses({ name: 'a', subjectAddress: 'c@a.example' })).toEqual(['c@a.example']);
  expect(await addresses({ name: 'a', addresses: ['a@a.example'], subjectAddress: 'c@a.example' })).toEqual([
    'a@a.example',
    'c@a.example',
  ]);
});

/** Clients that show a certificate, and those that do not. */
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { authoritiesIn, revocationListsIn } from '../../lib/gateway/certificates.ts';
import type { Judgement } from '../../lib/gateway/judge.ts';
import { makeAuthority, makeCertificate, type TestAuthority, type TestCertificate } from './certificate.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, type RawClient, sendWith } from './raw-client.ts';
import { openRig, type Rig } from './rig.ts';
import type { JudgeScript } from './scripted-judge.ts';

let folder: string;
let server: TestCertificate;
let ours: TestAuthority;
let theirs: TestAuthority;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-certified-'));
  server = makeCertificate(folder);
  [ours, theirs] = [makeAuthority(folder, 'ours'), makeAuthority(folder, 'theirs')];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of toClose.splice(0).reverse()) await each.close();
});

interface Door {
  readonly isRequired?: boolean;
  readonly caFile?: string;
  readonly crlFile?: string;
  readonly domains?: readonly string[];
  readonly clients?: readonly string[];
  readonly judge?: JudgeScript['judge'];
}

const HELD: Judgement = { state: 'quarantined', runId: '0'.repeat(32), reasons: ['type_blocked'], isPassing: false };

async function behind({
  isRequired = false,
  caFile = ours.certFile,
  crlFile,
  domains = [],
  clients = [],
  judge,
}: Door = {}): Promise<{
  stub: Stub;
  rig: Rig;
}> {
  const stub = await nextHopStub();
  const tls = { ...server, isRequired: false, clients: { caFile, isRequired, ...(crlFile && { crlFile }) } };
  const rig = await openRig({
    nextPort: stub.port,
    door: { tls, domains, clients, authenticate: async () => true },
    ...(judge && { judge }),
  });
  toClose.push(stub, rig);
  return { stub, rig };
}

async function overTls(rig: Rig, own: ConnectionOptions = {}): Promise<RawClient> {
  const client = await greeted(rig.gateway.port);
  expect(await client.ask('STARTTLS')).toMatch(/^220/);
  await client.startTls(own);
  expect(await client.ask('EHLO client.example')).toMatch(/^250/);
  return client;
}

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('by %s', (maxVersion) => {
  test('a client with a certificate of the authority may send to any recipient', async () => {
    const { rig, stub } = await behind();
    const client = await overTls(rig, { ...ours.issue('good'), maxVersion });
    expect(await sendWith(client)).toMatch(/^250/);
    client.end();
    await stub.until(1);
    expect((await rig.event('accepted')).fields.certificate).toBe('CN=good');
  });

  test('a certificate that was revoked does not count, from the next connection on, also for a session that is resumed', async () => {
    const crlFile = join(folder, `revoked-${maxVersion}.pem`);
    await writeFile(crlFile, ours.revoked([]));
    const { rig } = await behind({ crlFile });
    const own = { ...ours.issue(`lost-${maxVersion}`), maxVersion };
    const other = { ...ours.issue(`kept-${maxVersion}`), maxVersion };
    const before = await overTls(rig, own);
    expect(await sendWith(before)).toMatch(/^250/);
    const session = before.session();
    before.end();
    await writeFile(crlFile, ours.revoked([`lost-${maxVersion}`]));
    for (const resumed of [{}, { ...(session && { session }) }]) {
      const client = await overTls(rig, { ...own, ...resumed });
      expect(await sendWith(client)).toMatch(/^550 5\.7\.1/);
      client.end();
    }
    const client = await overTls(rig, other);
    expect(await sendWith(client)).toMatch(/^250/);
    client.end();
  });

  test.each<[string, () => ConnectionOptions]>([
    ['none', () => ({})],
    ['one of another authority', () => theirs.issue('foreign')],
    ['one that has expired', () => ours.issue('expired', { days: -1 })],
    ['one that is for servers', () => ours.issue('server', { usage: 'serverAuth' })],
    ['one that it signed itself', () => ({ key: server.key, cert: server.cert })],
  ])('one that shows %s may do what everybody may', async (_name, own) => {
    const { rig } = await behind({ domains: ['ours.example'] });
    const client = await overTls(rig, { ...own(), maxVersion });
    expect(await sendWith(client)).toMatch(/^550 5\.7\.1/);
    await client.ask('RSET');
    expect(await sendWith(client, { to: ['b@ours.example'] })).toMatch(/^250/);
    client.end();
  });

  test('a session that is resumed is as good as its certificate', async () => {
    const { rig } = await behind();
    const good = { ...ours.issue('resumed'), maxVersion };
    for (const [own, answer] of [
      [good, /^250/],
      [{ maxVersion }, /^550 5\.7\.1/],
    ] as const) {
      const first = await overTls(rig, own);
      expect(await sendWith(first)).toMatch(answer);
      const session = first.session();
      first.end();
      const second = await overTls(rig, { ...own, ...(session && { session }) });
      expect(second.isResumed()).toBe(true);
      expect(await sendWith(second)).toMatch(answer);
      second.end();
    }
  });
});

describe('where it is required', () => {
  test('a client without one sends nothing, from whatever address, with whatever password', async () => {
    const { rig } = await behind({ isRequired: true, domains: ['rcpt.example'], clients: ['127.0.0.1'] });
    const plain = await greeted(rig.gateway.port);
    expect(await sendWith(plain)).toMatch(/^530 5\.7\.0/);
    plain.end();
    const client = await overTls(rig, theirs.issue('refused'));
    expect(await client.ask(`AUTH PLAIN ${Buffer.from('\0bob\0secret').toString('base64')}`)).toMatch(/^235/);
    expect(await sendWith(client)).toMatch(/^530 5\.7\.0/);
    client.end();
  });

  test('a client with one does', async () => {
    const { rig } = await behind({ isRequired: true });
    const client = await overTls(rig, ours.issue('let-in'));
    expect(await sendWith(client)).toMatch(/^250/);
    client.end();
  });
});

test('another authority in the file counts from the next connection on; a file that is half written changes nothing', async () => {
  const caFile = join(folder, 'changing.pem');
  await copyFile(ours.certFile, caFile);
  const { rig } = await behind({ caFile });
  const answers = async () => {
    const found: string[] = [];
    for (const own of [ours.issue('before'), theirs.issue('after')]) {
      const client = await overTls(rig, own);
      found.push((await sendWith(client)).slice(0, 3));
      client.end();
    }
    return found;
  };
  expect(await answers()).toEqual(['250', '550']);
  await writeFile(caFile, '-----BEGIN CERTIFICATE-----\nMIIB');
  expect(await answers()).toEqual(['250', '550']);
  await copyFile(theirs.certFile, caFile);
  expect(await answers()).toEqual(['550', '250']);
});

test.each<[string, () => string]>([
  ['of another authority', () => theirs.revoked([])],
  ['that is out of date', () => ours.revoked([], { isOld: true })],
])('with a list %s, no certificate counts', async (name, list) => {
  const crlFile = join(folder, `${name}.pem`);
  await writeFile(crlFile, list());
  const { rig } = await behind({ crlFile });
  const client = await overTls(rig, ours.issue('unlisted'));
  expect(await sendWith(client)).toMatch(/^550 5\.7\.1/);
  client.end();
});

test('the kept envelope has the subject of a certificate that counts, and of no other', async () => {
  const { rig } = await behind({ domains: ['ours.example'], judge: () => HELD });
  for (const own of [ours.issue('kept'), theirs.issue('unknown')]) {
    const client = await overTls(rig, own);
    expect(await sendWith(client, { to: ['b@ours.example'] })).toMatch(/^250/);
    client.end();
  }
  await rig.event('held', 2);
  const names = await rig.list('intake/envelopes');
  const texts = await Promise.all(names.map((name) => readFile(join(rig.root, 'intake/envelopes', name), 'utf8')));
  expect(new Set(texts.map((text) => JSON.parse(text).certificate))).toEqual(new Set(['CN=kept', undefined]));
  expect((await rig.event('accepted', 2)).fields.certificate).toBeUndefined();
});

test('a file of authorities has each as a certificate of an authority', () => {
  const { cert } = ours.issue('leaf');
  expect(() => authoritiesIn('')).toThrow(/no certificate/);
  expect(() => authoritiesIn(cert)).toThrow(/certificate 1 .*not of an authority/);
  expect(() => authoritiesIn('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----')).toThrow(/certificate 1/);
});

test('a file of revoked certificates has a list at least, and each can be read', () => {
  expect(() => revocationListsIn(ours.issue('no-list').cert)).toThrow(/no list/);
  const broken = '-----BEGIN X509 CRL-----\nMIIB\n-----END X509 CRL-----\n';
  expect(() => revocationListsIn(`${ours.revoked([])}${broken}`)).toThrow(/list 2 cannot be used/);
  expect(revocationListsIn(`${ours.revoked([])}${theirs.revoked([])}`)).toHaveLength(2);
});

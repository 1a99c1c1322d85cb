/** Clients that show a certificate, and those that do not. */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { authoritiesIn } from '../../lib/gateway/certificates.ts';
import { makeAuthority, makeCertificate, type TestAuthority, type TestCertificate } from './certificate.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, type RawClient, sendWith } from './raw-client.ts';
import { openRig, type Rig } from './rig.ts';

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
  readonly domains?: readonly string[];
  readonly clients?: readonly string[];
}

async function behind({ isRequired = false, caFile = ours.certFile, domains = [], clients = [] }: Door = {}): Promise<{
  stub: Stub;
  rig: Rig;
}> {
  const stub = await nextHopStub();
  const tls = { ...server, isRequired: false, clients: { caFile, isRequired } };
  const rig = await openRig({ nextPort: stub.port, door: { tls, domains, clients, authenticate: async () => true } });
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

test('a file of authorities has each as a certificate of an authority', () => {
  const { cert } = ours.issue('leaf');
  expect(() => authoritiesIn('')).toThrow(/no certificate/);
  expect(() => authoritiesIn(cert)).toThrow(/certificate 1 .*not of an authority/);
  expect(() => authoritiesIn('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----')).toThrow(/certificate 1/);
});

/** The certificate that the gateway shows to the next hop. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeAuthority, makeCertificate, type TestAuthority, type TestCertificate } from './certificate.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, sendWith } from './raw-client.ts';
import { openRig, type Rig } from './rig.ts';

let folder: string;
let server: TestCertificate;
let authority: TestAuthority;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-next-'));
  server = makeCertificate(folder);
  authority = makeAuthority(folder, 'ours');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of toClose.splice(0).reverse()) await each.close();
});

const own = () => ({ keyFile: join(folder, 'own.key'), certFile: join(folder, 'own.pem') });

/** Writes a certificate as ours. */
async function renew(name: string): Promise<void> {
  const { key, cert } = authority.issue(name);
  await writeFile(own().keyFile, key);
  await writeFile(own().certFile, cert);
}

async function behind(): Promise<{ stub: Stub; rig: Rig }> {
  const ca = await readFile(authority.certFile, 'utf8');
  const stub = await nextHopStub({ tls: { ...server, ca } });
  const next = { tls: 'required' as const, ca: server.cert, certificate: own() };
  const rig = await openRig({ nextPort: stub.port, next });
  toClose.push(stub, rig);
  return { stub, rig };
}

async function send(rig: Rig): Promise<void> {
  const client = await greeted(rig.gateway.port);
  expect(await sendWith(client)).toMatch(/^250/);
  client.end();
}

test('a next hop that asks for a certificate sees ours', async () => {
  await renew('airlock');
  const { rig, stub } = await behind();
  await send(rig);
  await stub.until(1);
  expect(stub.received).toMatchObject([{ isSecure: true, client: 'CN=airlock' }]);
});

test('a renewed certificate is shown at the next connection', async () => {
  await renew('old');
  const first = await behind();
  await send(first.rig);
  await first.stub.until(1);
  await renew('new');
  const { rig, stub } = await behind();
  await send(rig);
  await stub.until(1);
  expect([first.stub.received[0]?.client, stub.received[0]?.client]).toEqual(['CN=old', 'CN=new']);
});

test('mail waits while the files cannot be read, and goes on when they can', async () => {
  await renew('airlock');
  const { rig, stub } = await behind();
  await rm(own().certFile);
  await send(rig);
  const { fields } = await rig.event('sending', 2);
  expect(JSON.stringify(fields)).toContain('ENOENT');
  expect(stub.received).toEqual([]);
  await renew('back');
  rig.time.advance(rig.time.next() ?? 0);
  await stub.until(1);
  expect(stub.received[0]?.client).toBe('CN=back');
});

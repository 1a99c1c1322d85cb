/** STARTTLS at the door and towards the next hop, and AUTH. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { passwordCheck, passwordLine } from '../../lib/gateway/passwords.ts';
import { makeCertificate, type TestCertificate } from './certificate.ts';
import { nextHopStub, type Stub, type StubOptions } from './next-hop-stub.ts';
import { greeted, type RawClient, rawClient, sendWith } from './raw-client.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';

let folder: string;
let certificate: TestCertificate;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-tls-'));
  certificate = makeCertificate(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of toClose.splice(0).reverse()) await each.close();
});

async function behind(
  options: Partial<RigOptions> = {},
  stubOptions: StubOptions = {},
): Promise<{ stub: Stub; rig: Rig }> {
  const stub = await nextHopStub(stubOptions);
  const rig = await openRig({ nextPort: stub.port, ...options });
  toClose.push(stub, rig);
  return { stub, rig };
}

const tlsDoor = (isRequired = false) => ({ tls: { ...certificate, isRequired } });

async function overTls(rig: Rig): Promise<RawClient> {
  const client = await greeted(rig.gateway.port);
  expect(await client.ask('STARTTLS')).toMatch(/^220/);
  await client.startTls();
  return client;
}

describe('STARTTLS', () => {
  test('commands behind it in the same segment are not heard', async () => {
    const { rig, stub } = await behind({ door: tlsDoor() });
    const client = await greeted(rig.gateway.port);
    await client.say('STARTTLS\r\nEHLO evil.example\r\nMAIL FROM:<x@evil.example>\r\n');
    const reply = await client.reply();
    // Either nothing is heard of them, or the connection ends: both are safe.
    if (reply.startsWith('220')) {
      await client.startTls();
      expect(await client.ask('RCPT TO:<b@rcpt.example>')).toMatch(/^503/);
    }
    client.end();
    expect(stub.received).toEqual([]);
  });

  test('what was said before it is forgotten', async () => {
    const { rig } = await behind({ door: tlsDoor() });
    const client = await greeted(rig.gateway.port);
    await client.ask('MAIL FROM:<a@sender.example>');
    await client.ask('RCPT TO:<b@rcpt.example>');
    await client.ask('STARTTLS');
    await client.startTls();
    expect(await client.ask('DATA')).toMatch(/^503/);
    expect(await client.ask('MAIL FROM:<a@sender.example>')).toMatch(/^503 5\.5\.1 Send EHLO/);
    expect(await client.ask('EHLO client.example')).not.toMatch(/STARTTLS/);
    expect(await sendWith(client)).toMatch(/^250/);
    client.end();
  });

  test('what is no TLS behind it is logged as a handshake that was cut', async () => {
    const { rig } = await behind({ door: tlsDoor() });
    const client = await greeted(rig.gateway.port);
    await client.ask('STARTTLS');
    await client.say('MAIL FROM:<a@sender.example>\r\n');
    expect(await client.reply()).toBe('closed');
    expect((await rig.event('cut')).fields).toMatchObject({ during: 'handshake', peer: '127.0.0.1' });
    expect(await rig.metric('faults_total')).toBe(0);
    client.end();
  });

  test('a connection is counted until it ends, and no longer', async () => {
    const { rig } = await behind({ door: tlsDoor(), limits: { connectionsPerPeer: 1 } });
    const client = await overTls(rig);
    expect(await (await rawClient(rig.gateway.port)).reply()).toMatch(/^421 4\.7\.0/);
    await client.ask('QUIT');
    expect(await client.reply()).toBe('closed');
    // The gateway hears of the end a moment later than its client.
    const replies: string[] = [];
    while (replies.length < 100 && !replies.at(-1)?.startsWith('220'))
      replies.push(await (await rawClient(rig.gateway.port)).reply());
    expect(replies.at(-1)).toMatch(/^220/);
  });

  test('where TLS is required, nothing is taken without it', async () => {
    const { rig } = await behind({ door: tlsDoor(true) });
    const client = await greeted(rig.gateway.port);
    expect(await sendWith(client)).toMatch(/^530 5\.7\.0/);
    client.end();
  });

  test('a renewed certificate is used for the next connection; half a pair is not', async () => {
    const own = await mkdtemp(join(tmpdir(), 'airlock-renewed-'));
    const first = makeCertificate(own);
    const { rig } = await behind({ door: { tls: { ...first, isRequired: false } } });
    const prints: string[] = [];
    const look = async () => {
      const client = await overTls(rig);
      prints.push(client.fingerprint());
      client.end();
    };
    await look();
    await rm(first.certFile);
    await look();
    makeCertificate(own);
    await look();
    expect(prints[0]).toMatch(/^[0-9A-F:]{95}$/);
    expect(prints[1]).toBe(prints[0]);
    expect(prints[2]).not.toBe(prints[0]);
    await rm(own, { recursive: true, force: true });
  });
});

describe('TLS to the next hop', () => {
  const required = (extra = {}) => ({ next: { tls: 'required' as const, ...extra } });
  const waits = async (rig: Rig) => {
    const client = await greeted(rig.gateway.port);
    expect(await sendWith(client)).toMatch(/^250/);
    client.end();
    await rig.event('sending', 2);
  };

  test('required, and its certificate is known: it gets the mail encrypted', async () => {
    const { rig, stub } = await behind(required({ ca: certificate.cert }), { tls: certificate });
    const client = await greeted(rig.gateway.port);
    await sendWith(client);
    client.end();
    await rig.event('done');
    expect(stub.received[0]?.isSecure).toBe(true);
  });

  test.each<[string, StubOptions]>([
    ['does not offer it', {}],
    ['refuses it', { answer: (command) => (command === 'STARTTLS' ? '454 4.7.0 not now' : null) }],
    ['cuts the connection at it', { answer: (command) => (command === 'STARTTLS' ? 'drop' : null) }],
  ])('required, and the next hop %s: the mail waits', async (_name, options) => {
    const { rig, stub } = await behind(required({ ca: certificate.cert }), options);
    await waits(rig);
    expect(stub.received).toEqual([]);
  });

  test('answers in the clear behind that to STARTTLS, which somebody on the way may have added, are not heard', async () => {
    const added = ['220 go ahead', '250-evil.example', '250 SIZE 10', '550 5.7.1 no', '550 5.7.1 no'].join('\r\n');
    const answer = (command: string) => (command === 'STARTTLS' ? added : null);
    const { rig, stub } = await behind(required({ ca: certificate.cert }), { tls: certificate, answer });
    const client = await greeted(rig.gateway.port);
    await sendWith(client);
    client.end();
    await Promise.race([rig.event('done'), rig.event('undelivered')]);
    expect(stub.received).toMatchObject([{ isSecure: true, to: ['RCPT TO:<b@rcpt.example>'] }]);
    expect(stub.received[0]?.commands.join()).toContain('XFORWARD');
  });

  test('required, and its certificate is trusted, and that of another server: the mail waits', async () => {
    const own = await mkdtemp(join(tmpdir(), 'airlock-other-'));
    const other = makeCertificate(own, ['DNS:other.example', 'IP:192.0.2.1']);
    await rm(own, { recursive: true, force: true });
    const { rig, stub } = await behind(required({ ca: other.cert }), { tls: other });
    await waits(rig);
    expect(stub.received).toEqual([]);
    expect(JSON.stringify(rig.log)).toMatch(/does not match certificate|not in the cert/);
  });

  test('required, and nobody knows its certificate: the mail waits', async () => {
    const { rig, stub } = await behind(required(), { tls: certificate });
    await waits(rig);
    expect(stub.received).toEqual([]);
  });
});

describe('AUTH', () => {
  const PASSWORD = 'correct horse battery';
  const plain = (name: string, password: string) =>
    `AUTH PLAIN ${Buffer.from(`\0${name}\0${password}`).toString('base64')}`;
  const withPasswords = async () => ({
    door: { ...tlsDoor(), clients: [], authenticate: passwordCheck(await passwordLine('bob', PASSWORD)) },
  });

  test('is neither offered nor taken without TLS', async () => {
    const { rig } = await behind(await withPasswords());
    const client = await rawClient(rig.gateway.port);
    await client.reply();
    expect(await client.ask('EHLO client.example')).not.toMatch(/AUTH/);
    expect(await client.ask(plain('bob', PASSWORD))).toMatch(/^5/);
    expect(await sendWith(client)).toMatch(/^550 5\.7\.1/);
    client.end();
  });

  test.each([
    ['of another', 'alice', /^535 5\.7\.8/],
    ['that is the own name', 'bob', /^235/],
  ])('PLAIN with an authorisation identity %s: it is refused, or has no effect', async (_name, identity, answer) => {
    const { rig } = await behind(await withPasswords());
    const client = await overTls(rig);
    await client.ask('EHLO client.example');
    const token = Buffer.from(`${identity}\0bob\0${PASSWORD}`).toString('base64');
    expect(await client.ask(`AUTH PLAIN ${token}`)).toMatch(answer);
    expect(await sendWith(client)).toMatch(identity === 'bob' ? /^250/ : /^550 5\.7\.1/);
    client.end();
  });

  test('the right password may relay, a wrong one and an unknown name may not', async () => {
    const { rig } = await behind(await withPasswords());
    const client = await overTls(rig);
    expect(await client.ask('EHLO client.example')).toMatch(/AUTH PLAIN LOGIN/);
    expect(await client.ask(plain('bob', 'wrong'))).toMatch(/^535/);
    expect(await client.ask(plain('alice', PASSWORD))).toMatch(/^535/);
    expect(await sendWith(client)).toMatch(/^550 5\.7\.1/);
    await client.ask('RSET');
    expect(await client.ask(plain('bob', PASSWORD))).toMatch(/^235/);
    expect(await sendWith(client)).toMatch(/^250/);
    client.end();
  });

  test.each(['PLAIN', 'LOGIN'])(
    '%s: the third wrong password ends the connection, and all are counted',
    async (method) => {
      const { rig } = await behind(await withPasswords());
      const client = await overTls(rig);
      await client.ask('EHLO client.example');
      const wrong = async (): Promise<string> => {
        if (method === 'PLAIN') return client.ask(plain('bob', 'wrong'));
        for (const line of ['AUTH LOGIN', Buffer.from('bob').toString('base64')])
          expect(await client.ask(line)).toMatch(/^334/);
        return client.ask(Buffer.from('wrong').toString('base64'));
      };
      for (const expected of [/^535 5\.7\.8/, /^535 5\.7\.8/, /^421 4\.7\.0 Too many wrong passwords/])
        expect(await wrong()).toMatch(expected);
      expect(await client.reply()).toBe('closed');
      expect(await rig.metric('refused_total{status="5.7.8"}')).toBe(3);
      expect(await rig.metric('refused_total{status="4.7.0"}')).toBe(1);
    },
  );

  test('a bare LF behind an answer to a challenge ends the connection', async () => {
    const { rig } = await behind(await withPasswords());
    const client = await overTls(rig);
    await client.ask('EHLO client.example');
    expect(await client.ask('AUTH LOGIN')).toMatch(/^334/);
    await client.say(`${Buffer.from('bob').toString('base64')}\n`);
    expect([await client.reply(), await client.reply()]).toEqual([expect.stringMatching(/^550 5\.5\.2/), 'closed']);
  });
});

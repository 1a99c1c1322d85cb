/** Clients that say everything at once and close their half of the connection behind it. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeCertificate, type TestCertificate } from './certificate.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { PLAIN } from './raw-client.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';

let folder: string;
let certificate: TestCertificate;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-half-'));
  certificate = makeCertificate(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of toClose.splice(0).reverse()) await each.close();
});

async function behind(options: Partial<RigOptions> = {}): Promise<{ stub: Stub; rig: Rig }> {
  const stub = await nextHopStub();
  const rig = await openRig({ nextPort: stub.port, ...options });
  toClose.push(stub, rig);
  return { stub, rig };
}

/** A mail to some recipients, as a client pipelines it. */
const mail = (count = 1, data = PLAIN) =>
  [
    'MAIL FROM:<a@sender.example>',
    ...Array.from({ length: count }, (_, index) => `RCPT TO:<b${index}@rcpt.example>`),
    'DATA',
    `${data}.`,
  ].join('\r\n');

const codes = (answers: string) =>
  answers
    .split('\r\n')
    .filter((line) => /^\d{3} /.test(line))
    .map((line) => line.slice(0, 3));

/** Says all of it, closes the own half at once, and returns all answers until the gateway has closed its own. */
async function sayAll(socket: Socket, text: string): Promise<string> {
  let answers = '';
  socket.on('data', (chunk: Buffer) => {
    answers += chunk.toString('latin1');
  });
  socket.end(text);
  await once(socket, 'close');
  return answers;
}

/** A connection behind its greeting that can be closed by halves. */
async function connected(rig: Rig): Promise<Socket> {
  const socket = connect({ port: rig.gateway.port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'data');
  return socket;
}

async function secured(rig: Rig, maxVersion: 'TLSv1.2' | 'TLSv1.3', hello = 'EHLO'): Promise<Socket> {
  const socket = await connected(rig);
  for (const line of [`${hello} client.example`, 'STARTTLS']) {
    socket.write(`${line}\r\n`);
    await once(socket, 'data');
  }
  const secure = connectTls({ socket, rejectUnauthorized: false, maxVersion });
  await once(secure, 'secureConnect');
  return secure;
}

const DOORS = [
  ['SMTP', 'smtp', 'EHLO'],
  ['LMTP', 'lmtp', 'LHLO'],
] as const;
const WAYS = [
  ['in the clear', null],
  ['over TLS 1.2', 'TLSv1.2'],
  ['over TLS 1.3', 'TLSv1.3'],
] as const;
const CASES = DOORS.flatMap((door) => WAYS.map((way) => [door[0], way[0], door, way] as const));

describe.each(CASES)('by %s, %s', (_door, _way, [, protocol, hello], [, version]) => {
  const open = async () => {
    const { rig, stub } = await behind({ door: { protocol, tls: { ...certificate, isRequired: false } } });
    const socket = version === null ? await connected(rig) : await secured(rig, version, hello);
    return {
      rig,
      stub,
      say: (...lines: string[]) => sayAll(socket, `${hello} c.example\r\n${lines.join('\r\n')}\r\n`),
    };
  };
  const perMail = (recipients: number) => (protocol === 'lmtp' ? recipients : 1);
  const answered = (recipients: number) => [
    '250',
    ...Array.from({ length: recipients }, () => '250'),
    '354',
    ...Array.from({ length: perMail(recipients) }, () => '250'),
  ];

  test('a mail is answered though its client closed its half behind the final dot', async () => {
    const { rig, stub, say } = await open();
    const answers = await say(mail());
    expect(codes(answers)).toEqual(['250', ...answered(1)]);
    expect(answers).toMatch(/250 2\.0\.0 Accepted as \w+\r\n$/);
    await stub.until(1);
    expect(rig.log.filter(({ event }) => event === 'fault')).toEqual([]);
  });

  test('several mails, one of them refused, and QUIT are answered in order', async () => {
    const { rig, stub, say } = await open();
    const answers = await say(mail(2), mail(1, 'Subject: x\n\r\n\r\nBare LF.\r\n'), mail(3), 'QUIT');
    const refused = answered(1).map((code, index) => (index < 3 ? code : '550'));
    expect(codes(answers)).toEqual(['250', ...answered(2), ...refused, ...answered(3), '221']);
    await stub.until(2);
    expect(stub.received.map(({ to }) => to.length).sort()).toEqual([2, 3]);
    expect(rig.log.filter(({ event }) => event === 'fault')).toEqual([]);
  });

  test('a large mail is answered', async () => {
    const { stub, say } = await open();
    const body = `${'Lines that do not end with a piece of the network.\r\n'.repeat(20_000)}..\r\n`;
    expect(codes(await say(mail(1, `${PLAIN}${body}`), mail(), 'QUIT')).at(-1)).toBe('221');
    await stub.until(2);
  });

  test('in the middle of a mail it is told that nothing was taken', async () => {
    const { rig, stub, say } = await open();
    expect(await say('MAIL FROM:<a@sender.example>', 'RCPT TO:<b@rcpt.example>', 'DATA', PLAIN)).toMatch(
      /421 4\.4\.2 [^\r]*\r\n$/,
    );
    expect((await rig.event('cut')).fields).toMatchObject({ during: 'message' });
    for (const name of ['incoming', 'intake/gateway', 'intake/envelopes']) expect(await rig.list(name)).toEqual([]);
    expect(stub.received).toEqual([]);
  });
});

test('a line without its end is no command', async () => {
  const { rig } = await behind();
  const answers = await sayAll(await connected(rig), `EHLO c.example\r\n${mail()}\r\nMAIL FROM:<c@sender.example>`);
  expect(codes(answers)).toEqual(['250', '250', '250', '354', '250']);
});

test('a client that closes its half at once is let go', async () => {
  const { rig } = await behind();
  expect(await sayAll(await connected(rig), '')).toBe('');
});

test('BDAT, which was not offered, is refused behind the answers to what came before it, and its bytes are no commands', async () => {
  const { rig, stub } = await behind();
  const bytes = `${mail()}\r\n`;
  const answers = await sayAll(
    await connected(rig),
    `EHLO c.example\r\nMAIL FROM:<a@sender.example>\r\nRCPT TO:<b@rcpt.example>\r\nBDAT ${bytes.length} LAST\r\n${bytes}QUIT\r\n`,
  );
  expect(codes(answers)).toEqual(['250', '250', '250', '421']);
  expect(answers).toMatch(/421 4\.7\.0 BDAT is not known here\r\n$/);
  expect(stub.received).toEqual([]);
});

test('AUTH in the middle of a message is refused, and the message goes on', async () => {
  const { rig, stub } = await behind({
    door: { tls: { ...certificate, isRequired: false }, authenticate: async () => true },
  });
  const [from, ...rest] = mail().split('\r\n');
  const auth = `AUTH PLAIN ${Buffer.from('\0bob\0secret').toString('base64')}`;
  const answers = await sayAll(
    await secured(rig, 'TLSv1.3'),
    ['EHLO c.example', from, auth, ...rest, auth, 'QUIT', ''].join('\r\n'),
  );
  expect(codes(answers)).toEqual(['250', '250', '503', '250', '354', '250', '235', '221']);
  expect(answers).toContain('503 5.5.1 AUTH');
  await stub.until(1);
});

test.each([
  ['behind STARTTLS', ''],
  ['in the handshake', '\x16\x03\x01\x02\x00\x01'],
])('a client that closes its half %s is let go', async (_name, begin) => {
  const { rig } = await behind({ door: { tls: { ...certificate, isRequired: false } } });
  const socket = await connected(rig);
  socket.write('EHLO c.example\r\nSTARTTLS\r\n');
  if (begin !== '') await once(socket, 'data');
  // It would wait for ever otherwise.
  await sayAll(socket, begin);
  expect(rig.log).toEqual([]);
});

/** Peers that send commands without an end, stand still at any point of the dialogue, or send a message by BDAT, which is not announced. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayLimits } from '../../lib/gateway/limits.ts';
import { passwordCheck } from '../../lib/gateway/passwords.ts';
import { makeCertificate, type TestCertificate } from './certificate.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, PLAIN, type RawClient, rawClient, sendWith } from './raw-client.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';

let stub: Stub;
let folder: string;
let certificate: TestCertificate;
beforeAll(async () => {
  stub = await nextHopStub();
  folder = await mkdtemp(join(tmpdir(), 'airlock-floods-'));
  certificate = makeCertificate(folder);
});
afterAll(async () => {
  await stub.close();
  await rm(folder, { recursive: true, force: true });
});

async function within(
  limits: Partial<GatewayLimits>,
  work: (client: RawClient, rig: Rig) => Promise<void>,
  door: RigOptions['door'] = {},
): Promise<void> {
  const rig = await openRig({ nextPort: stub.port, limits, door });
  const client = await rawClient(rig.gateway.port);
  try {
    expect(await client.reply()).toMatch(/^220/);
    await work(client, rig);
    // Others are served all the while.
    const other = await greeted(rig.gateway.port);
    expect(await sendWith(other)).toMatch(/^250/);
    other.end();
  } finally {
    client.end();
    await rig.close();
  }
}

const ENVELOPE = ['EHLO client.example', 'MAIL FROM:<a@sender.example>', 'RCPT TO:<b@rcpt.example>'];

describe('BDAT', () => {
  test.each<[string, readonly string[], string]>([
    ['in front of an envelope', [], 'BDAT 5 LAST\r\nhello'],
    ['in the place of DATA', ENVELOPE, `BDAT ${PLAIN.length} LAST\r\n${PLAIN}`],
    ['twice with LAST', ENVELOPE, 'BDAT 3 LAST\r\nx\r\nBDAT 3 LAST\r\ny\r\n'],
    ['with a size beyond all numbers', ENVELOPE, 'BDAT 9223372036854775808 LAST\r\n'],
    ['with a negative size', ENVELOPE, 'BDAT -1 LAST\r\n'],
    [
      'with a message in it that has another dialogue',
      ENVELOPE,
      'BDAT 9\r\nx\r\nRSET\r\nMAIL FROM:<x@evil.example>\r\nRCPT TO:<y@rcpt.example>\r\nDATA\r\nSubject: smuggled\r\n\r\nx\r\n.\r\n',
    ],
  ])('%s ends the connection, and nothing of it is taken', (_name, before, said) =>
    within({}, async (client, rig) => {
      for (const line of before) expect(await client.ask(line)).toMatch(/^250/);
      await client.say(said);
      expect(await client.reply()).toBe('421 4.7.0 BDAT is not known here');
      expect(await client.reply()).toBe('closed');
      expect(rig.judge.judged).toEqual([]);
      expect(await rig.list('incoming')).toEqual([]);
    }),
  );

  test('behind DATA is text of the message', () =>
    within({}, async (client, rig) => {
      await client.ask('EHLO client.example');
      expect(await sendWith(client, { data: `${PLAIN}BDAT 5 LAST\r\nhello\r\n` })).toMatch(/^250/);
      await rig.event('done');
      expect(rig.judge.judged).toHaveLength(1);
    }));
});

test('a message that is longer than its SIZE said is refused where it is longer than any may be', () =>
  within({ messageBytes: 1_000 }, async (client, rig) => {
    await client.ask('EHLO client.example');
    for (const line of ['MAIL FROM:<a@sender.example> SIZE=1', 'RCPT TO:<b@rcpt.example>', 'DATA'])
      expect(await client.ask(line)).toMatch(/^[23]/);
    await client.say(`${PLAIN}${'x\r\n'.repeat(1_000)}.\r\n`);
    expect(await client.reply()).toMatch(/^552 5\.3\.4/);
    for (const name of ['incoming', 'intake/gateway', 'intake/envelopes']) expect(await rig.list(name)).toEqual([]);
  }));

test.each(['EHLO client.example', 'HELO client.example', 'RSET', 'NOOP', 'VRFY bob', 'HELP', 'WHAT'])(
  '%s without an end ends the connection',
  (line) =>
    within({ idleCommands: 20, refusedCommands: 20 }, async (client) => {
      const replies: string[] = [];
      for (let count = 0; count < 30 && replies.at(-1) !== 'closed'; count += 1) replies.push(await client.ask(line));
      expect(replies.length).toBeLessThanOrEqual(23);
      expect(replies.at(-2)).toMatch(/^421 4\.7\.0 Too many/);
    }),
);

test('a hundred thousand recipients end the connection, of whom a thousand were taken', () =>
  within({}, async (client) => {
    for (const line of ENVELOPE.slice(0, 2)) await client.ask(line);
    await client.say('RCPT TO:<b@rcpt.example>\r\n'.repeat(100_000));
    const replies: string[] = [];
    while (replies.at(-1) !== 'closed') replies.push(await client.reply());
    const codes = replies.map((reply) => reply.slice(0, 9));
    expect(codes.filter((code) => code === '250 2.1.5')).toHaveLength(1_000);
    expect(codes.filter((code) => code === '452 4.5.3')).toHaveLength(10_000);
    expect(codes.slice(-2)).toEqual(['421 4.7.0', 'closed']);
  }));

test('of ten thousand idle connections of one peer a hundred stay, the others are told to come back, and other peers are served', () =>
  within({}, async (_client, { gateway: { port } }) => {
    const idle: Socket[] = [];
    const greetings = new Map<string, number>();
    for (let begun = 0; begun < 10_000; begun += 200) {
      const opened = Array.from({ length: 200 }, async () => {
        const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
        idle.push(socket);
        const [greeting] = (await once(socket, 'data')) as [Buffer];
        const code = greeting.toString('latin1', 0, 9).replace(/^220 .*/, '220');
        greetings.set(code, (greetings.get(code) ?? 0) + 1);
      });
      await Promise.all(opened);
    }
    expect([...greetings].sort()).toEqual([
      ['220', 100],
      ['421 4.7.0', 9_900],
    ]);
    const other = await greeted(port);
    expect(await sendWith(other)).toMatch(/^250/);
    other.end();
    for (const socket of idle) socket.destroy();
  }));

test('messages of one peer that are judged for long delay the mail of another by one turn', async () => {
  const order: string[] = [];
  let goOn: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const rig = await openRig({
    ...{ nextPort: stub.port, limits: { concurrentJudgements: 1 } },
    judge: async (text) => {
      order.push(/^Subject: (.*)\r$/m.exec(text)?.[1] ?? '');
      await begun;
      return null;
    },
  });
  const client = await greeted(rig.gateway.port);
  const send = async (address: string, subject: string) => {
    expect(await client.ask(`XFORWARD ADDR=${address}`)).toMatch(/^250/);
    expect(await sendWith(client, { data: `Subject: ${subject}\r\n\r\nx\r\n` })).toMatch(/^250/);
  };
  for (const subject of ['flood 1', 'flood 2', 'flood 3', 'flood 4']) await send('192.0.2.1', subject);
  for (const subject of ['letter 1', 'letter 2']) await send('192.0.2.2', subject);
  goOn();
  await rig.event('done', 6);
  expect(order).toEqual(['flood 1', 'flood 2', 'letter 1', 'flood 3', 'letter 2', 'flood 4']);
  client.end();
  await rig.close();
});

describe('a peer that says nothing more', () => {
  const PASSWORD = passwordCheck(`bob:${'0'.repeat(32)}:${'0'.repeat(64)}`);
  const door = () => ({ tls: { ...certificate, isRequired: false }, authenticate: PASSWORD });
  const behindTls = async (client: RawClient) => {
    await client.ask('EHLO client.example');
    await client.ask('STARTTLS');
    await client.startTls();
    await client.ask('EHLO client.example');
  };
  test.each<[string, (client: RawClient) => Promise<unknown>]>([
    ['behind the greeting', async () => undefined],
    ['behind half a command', (client) => client.say('EHLO cli')],
    ['behind EHLO', (client) => client.ask('EHLO client.example')],
    ['behind TLS', behindTls],
    ['while a password is asked for', (client) => behindTls(client).then(() => client.ask('AUTH LOGIN'))],
    [
      'behind MAIL',
      async (client) => {
        for (const line of ENVELOPE.slice(0, 2)) await client.ask(line);
      },
    ],
    [
      'behind RCPT',
      async (client) => {
        for (const line of ENVELOPE) await client.ask(line);
      },
    ],
    [
      'behind DATA',
      async (client) => {
        for (const line of [...ENVELOPE, 'DATA']) await client.ask(line);
      },
    ],
    [
      'behind the dot that may end the message',
      async (client) => {
        for (const line of [...ENVELOPE, 'DATA']) await client.ask(line);
        await client.say(`${PLAIN}.`);
      },
    ],
  ])('%s is told so after its time, and let go', (_name, before) =>
    within(
      { commandSeconds: 60, dataSeconds: 60 },
      async (client, rig) => {
        await before(client);
        rig.time.advance(60_001);
        await rig.gateway.lookAround();
        expect(await client.reply()).toMatch(/^421 4\.4\.2 /);
        expect(await client.reply()).toBe('closed');
        expect(rig.judge.judged).toEqual([]);
      },
      door(),
    ),
  );

  test('in the middle of the handshake of TLS is let go', () =>
    within(
      { commandSeconds: 60 },
      async (client, rig) => {
        await client.ask('EHLO client.example');
        await client.ask('STARTTLS');
        rig.time.advance(60_001);
        await rig.gateway.lookAround();
        for (let reply = ''; reply !== 'closed'; ) reply = await client.reply();
      },
      door(),
    ));
});

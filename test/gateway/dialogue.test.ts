/** XFORWARD, XCLIENT, LMTP, loops, and connections that end in the middle of a message. */
import { afterEach, describe, expect, test } from 'vitest';
import { passField } from '../../lib/gateway/loop.ts';
import { nextHopStub, type Stub, type StubOptions } from './next-hop-stub.ts';
import { greeted, PLAIN, type RawClient, rawClient, sendWith } from './raw-client.ts';
import { KEY, openRig, type Rig, type RigOptions } from './rig.ts';

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

describe('XFORWARD and XCLIENT', () => {
  const XFORWARD = 'XFORWARD NAME=real.example ADDR=192.0.2.7 PROTO=ESMTP HELO=real.example SOURCE=REMOTE';

  test('a named peer is believed, and the next hop is told', async () => {
    const { rig, stub } = await behind();
    const client = await rawClient(rig.gateway.port);
    await client.reply();
    expect(await client.ask('EHLO client.example')).toMatch(/XFORWARD NAME/);
    expect(await client.ask(XFORWARD)).toMatch(/^250/);
    expect(await sendWith(client)).toMatch(/^250/);
    client.end();
    await rig.event('done');
    const told = stub.received[0]?.commands.filter((line) => line.startsWith('XFORWARD')).join(' ');
    expect(told).toContain('ADDR=192.0.2.7');
    expect(told).toContain('NAME=real.example');
    expect(stub.received[0]?.data).toContain('Received: from real.example (real.example [192.0.2.7])');
  });

  test.each([
    ['XFORWARD', XFORWARD],
    ['XCLIENT', 'XCLIENT ADDR=192.0.2.7 NAME=real.example'],
  ])('%s of a peer that is not named is refused, and changes nothing', async (verb, line) => {
    const { rig, stub } = await behind({ door: { xforward: ['192.0.2.1'], xclient: ['192.0.2.1'] } });
    const client = await rawClient(rig.gateway.port);
    await client.reply();
    expect(await client.ask('EHLO client.example')).not.toContain(verb);
    expect(await client.ask(line)).toMatch(/^5/);
    await client.ask('EHLO client.example');
    expect(await sendWith(client)).toMatch(/^250/);
    client.end();
    await rig.event('done');
    expect(JSON.stringify(stub.received)).not.toContain('192.0.2.7');
  });

  test.each([
    ['PORT=99999', 'PORT', '[UNAVAILABLE]'],
    ['PORT=2525', 'PORT', '2525'],
    ['PROTO=ESMTP+2FX', 'PROTO', '[UNAVAILABLE]'],
    [`PROTO=${'E'.repeat(65)}`, 'PROTO', '[UNAVAILABLE]'],
    ['PROTO=ESMTPSA', 'PROTO', 'ESMTPSA'],
    ['SOURCE=ELSEWHERE', 'SOURCE', '[UNAVAILABLE]'],
    ['SOURCE=local', 'SOURCE', 'local'],
    ['HELO=a+3Cb', 'HELO', '[UNAVAILABLE]'],
    ['HELO=[IPv6:2001:db8::1]', 'HELO', '[ipv6:2001:db8::1]'],
    ['IDENT=4F+22x', 'IDENT', '[UNAVAILABLE]'],
    ['IDENT=4FzR8x1Kp2z', 'IDENT', '4FzR8x1Kp2z'],
  ])('%s is passed on only when it fits its grammar', async (word, name, told) => {
    const { rig, stub } = await behind();
    const client = await greeted(rig.gateway.port);
    expect(await client.ask(`XFORWARD ADDR=192.0.2.7 ${word}`)).toMatch(/^250/);
    expect(await sendWith(client)).toMatch(/^250/);
    client.end();
    await rig.event('done');
    const lines = stub.received[0]?.commands.filter((line) => line.startsWith('XFORWARD')).join(' ');
    expect(lines).toContain(` ${name}=${told}`);
  });

  test.each([
    'XFORWARD PORT=1e3',
    'XFORWARD NAME=a PORT=0x19',
    'XCLIENT PORT=-1',
    'XFORWARD PORT=',
    'XFORWARD port=+32+35',
  ])('%s is refused', async (line) => {
    const { rig } = await behind({ door: { xforward: ['127.0.0.1'], xclient: ['127.0.0.1'] } });
    const client = await greeted(rig.gateway.port);
    expect(await client.ask(line)).toMatch(/^501 5\.5\.4 Bad PORT/);
    client.end();
  });

  test('what a named peer says of its client lets nobody relay who may not', async () => {
    const { rig } = await behind({ door: { clients: ['192.0.2.7'], xforward: ['127.0.0.1'], xclient: ['127.0.0.1'] } });
    const client = await greeted(rig.gateway.port);
    await client.ask('XFORWARD ADDR=192.0.2.7');
    expect(await sendWith(client)).toMatch(/^550 5\.7\.1/);
    client.end();
  });
});

describe('lines that end in a bare LF', () => {
  test.each([
    'EHLO client.example\n',
    'NOOP\n',
    'NOOP\nNOOP\r\n',
    'MAIL FROM:<a@sender.example>\n',
    '\n',
    '\r\nNOOP\n',
    'NOOP\r\r\n\n',
  ])('%j are no commands, and nothing behind them is read', async (text) => {
    const { rig, stub } = await behind();
    const client = await greeted(rig.gateway.port);
    await client.say(`${text}MAIL FROM:<x@evil.example>\r\nRCPT TO:<y@rcpt.example>\r\nDATA\r\n${PLAIN}.\r\nQUIT\r\n`);
    const replies: string[] = [];
    while (replies.at(-1) !== 'closed') replies.push(await client.reply());
    expect(replies.slice(-2)).toEqual(['550 5.5.2 A line ends in a bare LF: only CR LF ends a line', 'closed']);
    expect(replies.slice(0, -2).filter((reply) => !/^(?:250 2\.0\.0|500 5\.5\.2)/.test(reply))).toEqual([]);
    expect(stub.received).toEqual([]);
    expect(await rig.metric('refused_total{status="5.5.2"}')).toBeGreaterThan(0);
  });

  test('a line end in two segments is one', async () => {
    const { rig } = await behind();
    const client = await greeted(rig.gateway.port);
    for (const piece of ['NO', 'OP\r', '\nNOOP\r', '\n']) await client.say(piece);
    expect([await client.reply(), await client.reply()].map((reply) => reply.slice(0, 3))).toEqual(['250', '250']);
    client.end();
  });
});

describe('a hello and STARTTLS in the middle of a message', () => {
  const ENVELOPE = ['MAIL FROM:<a@sender.example>', 'RCPT TO:<b@rcpt.example>'];

  test.each(['EHLO', 'HELO', 'EHLO two words', `EHLO ${'x'.repeat(600)}`, 'LHLO client.example', 'STARTTLS now'])(
    'that are refused (%s) change nothing',
    async (line) => {
      const { rig } = await behind();
      const client = await greeted(rig.gateway.port);
      for (const before of ENVELOPE) await client.ask(before);
      expect(await client.ask(line)).toMatch(/^50[0-4] /);
      expect(await client.ask('DATA')).toMatch(/^354/);
      expect(await client.ask(`${PLAIN}.`)).toMatch(/^250/);
      client.end();
    },
  );

  test.each(['EHLO client.example', 'HELO client.example', 'RSET'])('%s begins anew', async (line) => {
    const { rig } = await behind();
    const client = await greeted(rig.gateway.port);
    for (const before of ENVELOPE) await client.ask(before);
    expect(await client.ask(line)).toMatch(/^250/);
    expect(await client.ask('DATA')).toMatch(/^503 5\.5\.1/);
    client.end();
  });
});

test.each([
  'BDAT 9',
  'GET / HTTP/1.1',
  'POST / HTTP/1.1',
  'LHLO x',
  'FOO',
  'RSET\0',
  'DATA x',
  'MAIL',
  'RCPT',
  'AUTH x',
])('the answer to %j has a status code of the class of its reply code (RFC 2034)', async (line) => {
  const { rig } = await behind();
  const client = await greeted(rig.gateway.port);
  expect(await client.ask(line)).toMatch(/^(?:4\d\d 4|5\d\d 5)\.\d+\.\d+ /);
  client.end();
});

describe('LMTP', () => {
  test('in: an answer for each recipient', async () => {
    const { rig, stub } = await behind({ door: { protocol: 'lmtp' } });
    const client = await rawClient(rig.gateway.port);
    await client.reply();
    expect(await client.ask('EHLO client.example')).toMatch(/^5/);
    expect(await client.ask('LHLO client.example')).toMatch(/^250/);
    expect(await sendWith(client, { to: ['b@rcpt.example', 'c@rcpt.example', 'b@rcpt.example'] })).toMatch(/^250/);
    expect([await client.reply(), await client.reply()]).toEqual([
      expect.stringMatching(/^250/),
      expect.stringMatching(/^250/),
    ]);
    expect(await client.ask('NOOP')).toMatch(/^250/);
    client.end();
    await rig.event('done');
    expect(stub.received[0]?.to).toHaveLength(2);
  });

  test('in: a refused message is refused for each recipient', async () => {
    const { rig } = await behind({ door: { protocol: 'lmtp' } });
    const client = await greeted(rig.gateway.port, 'LHLO client.example');
    expect(await sendWith(client, { to: ['b@rcpt.example', 'c@rcpt.example'], data: 'x\n\r\n' })).toMatch(
      /^550 5\.6\.11/,
    );
    expect(await client.reply()).toMatch(/^550 5\.6\.11/);
    expect(await client.ask('NOOP')).toMatch(/^250/);
    client.end();
  });

  test('out: a connection that ends behind the first of two answers: only the other recipient gets it again', async () => {
    let isFirst = true;
    const answer = (command: string) => {
      if (command !== '.' || !isFirst) return null;
      isFirst = false;
      return '250 2.0.0 ok\r\ndrop';
    };
    const { rig, stub } = await behind({ next: { protocol: 'lmtp' } }, { isLmtp: true, answer });
    const client = await greeted(rig.gateway.port);
    expect(await sendWith(client, { to: ['b@rcpt.example', 'c@rcpt.example'] })).toMatch(/^250/);
    client.end();
    await rig.event('sending', 2);
    rig.time.advance(60_000);
    await rig.event('done');
    expect(stub.received.at(-1)?.to).toEqual(['RCPT TO:<c@rcpt.example>']);
  });

  test("out: an answer too many ends the connection, and is nobody's of the next message", async () => {
    const { rig, stub } = await behind(
      { next: { protocol: 'lmtp' } },
      {
        isLmtp: true,
        answer: (command, received) => (command === '.' && received.length === 0 ? '250 ok\r\n550 no\r\n250 ok' : null),
      },
    );
    const client = await greeted(rig.gateway.port);
    for (let sent = 0; sent < 2; sent += 1) expect(await sendWith(client)).toMatch(/^250/);
    client.end();
    await rig.event('sending', 2);
    for (let tries = 3; rig.log.filter(({ event }) => event === 'done').length < 2; tries += 1) {
      await Promise.race([rig.event('done', 2), rig.event('sending', tries)]);
      rig.time.advance(60_000);
    }
    expect(stub.received.length).toBeGreaterThanOrEqual(2);
  });

  test('out: each recipient has its own answer', async () => {
    let isFirst = true;
    const answer = (command: string) => {
      if (command !== '.' || !isFirst) return null;
      isFirst = false;
      return '250 2.0.0 ok\r\n452 4.2.2 full';
    };
    const { rig, stub } = await behind({ next: { protocol: 'lmtp' } }, { isLmtp: true, answer });
    const client = await greeted(rig.gateway.port);
    expect(await sendWith(client, { to: ['b@rcpt.example', 'c@rcpt.example'] })).toMatch(/^250/);
    client.end();
    await rig.event('sending', 2);
    rig.time.advance(60_000);
    await rig.event('done');
    expect(stub.received.map(({ to }) => to)).toEqual([
      ['RCPT TO:<b@rcpt.example>', 'RCPT TO:<c@rcpt.example>'],
      ['RCPT TO:<c@rcpt.example>'],
    ]);
  });
});

describe('loops', () => {
  test('a message that comes back is taken twice more, and then refused', async () => {
    const { rig, stub } = await behind();
    const client = await greeted(rig.gateway.port);
    const replies: string[] = [];
    let data = PLAIN;
    for (let pass = 1; pass <= 4; pass += 1) {
      const reply = await sendWith(client, { data });
      replies.push(reply.slice(0, 9));
      if (!reply.startsWith('250')) break;
      await stub.until(pass);
      data = stub.received[pass - 1]?.data ?? '';
    }
    client.end();
    expect(replies).toEqual(['250 2.0.0', '250 2.0.0', '250 2.0.0', '554 5.4.6']);
  });

  test('a field that somebody else wrote counts nothing', async () => {
    const { rig } = await behind();
    const client = await greeted(rig.gateway.port);
    const forged = passField(Buffer.alloc(32, 8), 9);
    expect(await sendWith(client, { data: `${forged}\r\n${PLAIN}` })).toMatch(/^250/);
    expect(await sendWith(client, { data: `${passField(KEY, 3)}\r\n${PLAIN}` })).toMatch(/^554 5\.4\.6/);
    client.end();
  });
});

test.each([
  ['cut', (client: RawClient) => client.end()],
  ['reset', (client: RawClient) => client.reset()],
  ['ended by its sender', (client: RawClient) => client.finish()],
])(
  'a connection that is %s in the middle of a message leaves nothing, and is logged as what it is',
  async (_name, end) => {
    const { rig, stub } = await behind();
    const client = await greeted(rig.gateway.port);
    for (const line of ['MAIL FROM:<a@sender.example>', 'RCPT TO:<b@rcpt.example>', 'DATA']) await client.ask(line);
    await client.say(PLAIN);
    end(client);
    expect((await rig.event('cut')).fields).toMatchObject({ during: 'message', peer: '127.0.0.1' });
    expect(await rig.metric('cut_total{during="message"}')).toBe(1);
    expect(await rig.metric('faults_total')).toBe(0);
    for (const name of ['incoming', 'intake/gateway', 'intake/envelopes']) expect(await rig.list(name)).toEqual([]);
    expect(stub.received).toEqual([]);
  },
);

test('a connection that is reset behind MAIL is no fault', async () => {
  const { rig } = await behind();
  const client = await greeted(rig.gateway.port);
  await client.ask('MAIL FROM:<a@sender.example>');
  client.reset();
  expect((await rig.event('cut')).fields).toMatchObject({ during: 'envelope', bytes: null, code: 'ECONNRESET' });
  expect(await rig.metric('faults_total')).toBe(0);
});

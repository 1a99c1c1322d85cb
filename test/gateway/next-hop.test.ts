/** Next hops that refuse, wait, stall, drop and lie: every message reaches an end, and no sender is told anything. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { nextHopStub, type Stub, type StubOptions } from './next-hop-stub.ts';
import { greeted, type Sending, sendWith } from './raw-client.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';

const ADMIN = { from: 'airlock@gateway.example', to: 'admin@gateway.example' };
const HOUR_MS = 3_600_000;
const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of toClose.splice(0).reverse()) await each.close();
});

async function behind(stubOptions: StubOptions, options: Partial<RigOptions> = {}): Promise<{ stub: Stub; rig: Rig }> {
  const stub = await nextHopStub(stubOptions);
  const rig = await openRig({ nextPort: stub.port, notices: ADMIN, ...options });
  toClose.push(stub, rig);
  return { stub, rig };
}

async function send(rig: Rig, sending: Sending = {}): Promise<void> {
  const client = await greeted(rig.gateway.port);
  expect(await sendWith(client, sending)).toMatch(/^250 2\.0\.0/);
  client.end();
}

/** An answer that is given once, to the first command that begins so. */
function firstly(begin: string, reply: string): NonNullable<StubOptions['answer']> {
  let isGiven = false;
  return (command) => {
    if (isGiven || !command.startsWith(begin)) return null;
    isGiven = true;
    return reply;
  };
}

/** Waits until the first try is noted, and lets the time for the second one come. */
async function tryAgain(rig: Rig): Promise<void> {
  await rig.event('sending', 2);
  rig.time.advance(60_000);
}

describe('answers', () => {
  test('4xx for one recipient: the others get it at once, and this one gets it alone later', async () => {
    const { stub, rig } = await behind({ answer: firstly('RCPT TO:<later@', '450 4.2.1 mailbox busy') });
    await send(rig, { to: ['b@rcpt.example', 'later@rcpt.example', 'c@rcpt.example'] });
    await tryAgain(rig);
    await rig.event('done');
    expect(stub.received.map(({ to }) => to.map((line) => line.slice(0, 26)))).toEqual([
      ['RCPT TO:<b@rcpt.example>', 'RCPT TO:<c@rcpt.example>'],
      ['RCPT TO:<later@rcpt.exampl'],
    ]);
    expect(stub.received[1]?.data).toBe(stub.received[0]?.data);
  });

  test('5xx for one recipient: the others get it, the administrator is told, the sender is not', async () => {
    const answer = (command: string) => (command.startsWith('RCPT TO:<gone@') ? '550 5.1.1 no such user' : null);
    const { stub, rig } = await behind({ answer });
    await send(rig, { to: ['b@rcpt.example', 'gone@rcpt.example'] });
    await rig.event('undelivered');
    await stub.until(2);
    const [mail, notice] = stub.received;
    expect(mail?.to).toEqual(['RCPT TO:<b@rcpt.example>']);
    expect(notice?.from).toMatch(/^MAIL FROM:<>/);
    expect(notice?.to).toEqual(['RCPT TO:<admin@gateway.example>']);
    expect(notice?.data).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(notice?.data).toContain('refused: gone@rcpt.example 550 5.1.1 no such user');
  });

  test.each([
    ['MAIL', 'MAIL FROM:<a@'],
    ['DATA', 'DATA'],
    ['the final dot', '.'],
  ])('5xx to %s: it is not tried again, and stays in the spool', async (_name, begin) => {
    const { rig } = await behind({ answer: firstly(begin, '554 5.7.1 not wanted') });
    await send(rig);
    expect((await rig.event('undelivered')).fields.untrustedDetail).toBe('554 5.7.1 not wanted');
    expect((await rig.list('intake/gateway')).length).toBeGreaterThan(0);
  });

  test.each([
    ['MAIL', 'MAIL FROM:<a@'],
    ['RCPT, as greylisting does', 'RCPT'],
    ['DATA', 'DATA'],
    ['the final dot', '.'],
    ['the connection', 'CONNECT'],
  ])('4xx to %s: it is sent a minute later, once', async (_name, begin) => {
    const { stub, rig } = await behind({ answer: firstly(begin, '451 4.7.1 come back later') });
    await send(rig);
    await tryAgain(rig);
    await rig.event('done');
    expect(stub.received).toHaveLength(1);
  });

  test('a connection is reset behind a message that was refused, and behind no other', async () => {
    const { stub, rig } = await behind({ answer: firstly('RCPT TO:<gone@', '550 5.1.1 no such user') });
    await send(rig);
    await rig.event('done');
    await send(rig);
    await rig.event('done', 2);
    expect(stub.received[1]?.commands).not.toContain('RSET');
    await send(rig, { to: ['gone@rcpt.example'] });
    await rig.event('undelivered');
    await send(rig);
    // The administrator is told of the refused one by a message of its own.
    await stub.until(4);
    expect(stub.received.filter(({ from }) => from.startsWith('MAIL FROM:<a@'))).toHaveLength(3);
  });

  test.each(['250 2.0.0 ok', '220 go ahead', '334 go ahead'])(
    '%s to DATA: no line of the message is sent as a command, and it is tried again',
    async (reply) => {
      const said: string[] = [];
      const once = firstly('DATA', reply);
      const answer: typeof once = (command, received) => {
        said.push(command);
        return once(command, received);
      };
      const { stub, rig } = await behind({ answer });
      await send(rig, { data: 'Subject: x\r\n\r\nMAIL FROM:<evil@evil.example>\r\n' });
      await tryAgain(rig);
      await rig.event('done');
      expect(stub.received).toHaveLength(1);
      expect(said.filter((line) => line.startsWith('MAIL FROM:<evil'))).toEqual([]);
      expect(said).not.toContain('Subject: x');
    },
  );

  test.each([
    ['MAIL', '250-2.1.0 ok\r\n550 5.7.1 no'],
    ['RCPT', '550-5.1.1 no such user\r\n250 2.1.5 ok'],
    ['RCPT', '250-2.1.5 ok\r\nok'],
    ['RCPT', '25 ok'],
    ['RCPT', '2500 ok'],
    ['RCPT', 'ok'],
    ['DATA', '354-go\r\n250 go'],
    ['DATA', '354 go ahead\r\n250 2.0.0 taken'],
    ['DATA', '354 go ahead\r\n552 5.3.4 too large'],
    ['.', '250-2.0.0 taken\r\n550 5.7.1 no'],
    ['.', '550-5.7.1 no\r\n250 2.0.0 taken'],
    ['EHLO', '250-stub.example\r\n251 SIZE 1'],
    ['CONNECT', '220-stub.example\r\n554 5.7.1 no'],
  ])(
    '%s is answered with %j, which has no clear meaning: the message waits, and is sent again',
    async (begin, reply) => {
      const { stub, rig } = await behind({ answer: firstly(begin, reply) });
      await send(rig);
      await tryAgain(rig);
      await rig.event('done');
      expect(stub.connections()).toBe(2);
      expect(rig.log.some(({ event }) => event === 'undelivered')).toBe(false);
      expect(await rig.metric('possible_duplicates_total')).toBe(begin === '.' ? 1 : 0);
    },
  );

  test.each([
    ['250 2.0.0 taken', 'sending'],
    ['552 5.3.4 too large', 'undelivered'],
  ])('%s in the middle of the message: the connection ends, and only a refusal counts', async (reply, next) => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      let [isData, isFirst] = [false, sockets.push(socket) === 1];
      socket.on('error', () => undefined);
      socket.write('220 early.example\r\n');
      socket.on('data', (chunk: Buffer) => {
        const text = chunk.toString('latin1');
        if (isData && isFirst) {
          // Nothing more is read, so the end of the message cannot have been sent.
          isFirst = false;
          socket.pause();
          socket.write(`${reply}\r\n`);
        }
        if (isData) return;
        isData = text.includes('DATA');
        for (const line of text.split('\r\n').slice(0, -1)) socket.write(line === 'DATA' ? '354 go\r\n' : '250 ok\r\n');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const rig = await openRig({ nextPort: (server.address() as { port: number }).port });
    await send(rig, { data: `Subject: x\r\n\r\n${`${'x'.repeat(900)}\r\n`.repeat(20_000)}` });
    const event = await rig.event(next, next === 'sending' ? 2 : 1);
    expect(JSON.stringify(event.fields)).toContain(next === 'sending' ? 'before the end of the message' : '552');
    expect(await rig.metric('possible_duplicates_total')).toBe(0);
    await rig.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  test('552 for one recipient means too many: this one gets it in a message of its own', async () => {
    const { stub, rig } = await behind({ answer: firstly('RCPT TO:<c@', '552 5.5.3 too many recipients') });
    await send(rig, { to: ['b@rcpt.example', 'c@rcpt.example'] });
    await tryAgain(rig);
    await rig.event('done');
    expect(stub.received.map(({ to }) => to)).toEqual([['RCPT TO:<b@rcpt.example>'], ['RCPT TO:<c@rcpt.example>']]);
  });

  test('the null sender passes as it came', async () => {
    const { stub, rig } = await behind({});
    await send(rig, { from: '' });
    await rig.event('done');
    expect(stub.received[0]?.from).toMatch(/^MAIL FROM:<>/);
  });
});

describe('a header beyond ASCII', () => {
  const data = 'Subject: Gr\u00fc\u00dfe\r\n\r\nx\r\n';
  const EXTENSIONS = ['PIPELINING', '8BITMIME'];

  test.each([
    ['does not know SMTPUTF8', EXTENSIONS],
    ['knows SMTPUTF8', [...EXTENSIONS, 'SMTPUTF8']],
  ])(
    'of a sender who did not ask for SMTPUTF8, and a next hop that %s: it goes on as it came',
    async (_, extensions) => {
      const { stub, rig } = await behind({ extensions });
      await send(rig, { data });
      await rig.event('done');
      expect(stub.received[0]?.from).toBe('MAIL FROM:<a@sender.example> BODY=8BITMIME');
      expect(Buffer.from(stub.received[0]?.data ?? '', 'latin1').toString()).toContain('Subject: Gr\u00fc\u00dfe\r\n');
    },
  );

  test('of a sender who asked for SMTPUTF8, and a next hop that does not know it: it is not sent', async () => {
    const { rig } = await behind({ extensions: EXTENSIONS });
    const client = await greeted(rig.gateway.port);
    await client.ask('MAIL FROM:<a@sender.example> SMTPUTF8');
    for (const line of ['RCPT TO:<b@rcpt.example>', 'DATA']) await client.ask(line);
    expect(await client.ask(`${data}.`)).toMatch(/^250/);
    client.end();
    expect((await rig.event('undelivered')).fields.untrustedDetail).toContain('5.6.7');
  });
});

describe('next hops that do not answer', () => {
  test.each(['CONNECT', 'EHLO', 'MAIL', 'DATA', '.'])(
    'one that stalls at %s holds no place for ever',
    async (begin) => {
      const { stub, rig } = await behind({ answer: firstly(begin, 'stall') }, { limits: { concurrentSends: 1 } });
      const stalled = stub.command(begin);
      await send(rig);
      await stalled;
      rig.time.advance(HOUR_MS);
      await tryAgain(rig);
      await rig.event('done');
      expect(stub.received).toHaveLength(1);
      expect(await rig.metric('possible_duplicates_total')).toBe(begin === '.' ? 1 : 0);
    },
  );

  test.each(['CONNECT', 'EHLO', 'RCPT', 'DATA', '.'])(
    'one that cuts the connection at %s gets it again',
    async (begin) => {
      const { stub, rig } = await behind({ answer: firstly(begin, 'drop') });
      await send(rig);
      await tryAgain(rig);
      await rig.event('done');
      expect(stub.received).toHaveLength(1);
      expect(await rig.metric('possible_duplicates_total')).toBe(begin === '.' ? 1 : 0);
    },
  );

  test('one that took a message and cut the connection before it said so gets it twice, and that is counted', async () => {
    let taken = 0;
    const answer = (command: string) => {
      if (command !== '.') return null;
      taken += 1;
      return taken === 1 ? 'drop' : null;
    };
    const { rig } = await behind({ answer });
    await send(rig);
    await tryAgain(rig);
    await rig.event('done');
    expect([taken, await rig.metric('possible_duplicates_total')]).toEqual([2, 1]);
  });

  test('no more than concurrentSends connections are made to it', async () => {
    const { stub, rig } = await behind(
      { answer: (line) => (line === '.' ? 'stall' : null) },
      { limits: { concurrentSends: 2 } },
    );
    const client = await greeted(rig.gateway.port);
    for (let count = 1; count <= 6; count += 1) expect(await sendWith(client)).toMatch(/^250/);
    await rig.event('sending', 6);
    client.end();
    expect(stub.connections()).toBe(2);
    rig.time.advance(HOUR_MS);
  });

  test('one that says nothing for replySeconds is left', async () => {
    const { stub, rig } = await behind({ answer: firstly('MAIL', 'stall') }, { limits: { replySeconds: 1 } });
    await send(rig);
    await tryAgain(rig);
    // On a busy machine a later reply may take a second, too: then it is tried once more.
    for (let tries = 3; !rig.log.some(({ event }) => event === 'done'); tries += 1) {
      await Promise.race([rig.event('done'), rig.event('sending', tries)]);
      rig.time.advance(HOUR_MS);
    }
    expect(stub.received).toHaveLength(1);
  });

  test('one that answers byte by byte without an end is left after sendSeconds', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      const timer = setInterval(() => socket.write('2'), 20);
      socket.on('close', () => clearInterval(timer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const rig = await openRig({ nextPort: (server.address() as { port: number }).port });
    const connected = once(server, 'connection');
    await send(rig);
    await connected;
    rig.time.advance(HOUR_MS);
    expect((await rig.event('sending', 2)).fields.attempts).toBe(1);
    await rig.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  test('after five days it is given up: one notice to the administrator, none to the sender', async () => {
    const answer = (command: string) => (command.startsWith('RCPT TO:<b@') ? '450 4.2.1 busy' : null);
    const longestRetrySeconds = 6 * 3_600;
    const { stub, rig } = await behind({ answer }, { limits: { longestRetrySeconds } });
    const begin = rig.time.now();
    await send(rig);
    const isOver = () => rig.log.some(({ event }) => event === 'undelivered');
    for (let tries = 2; !isOver(); tries += 1) {
      await Promise.race([rig.event('sending', tries), rig.event('undelivered')]);
      if (!isOver()) rig.time.advance(6 * HOUR_MS);
    }
    await stub.until(1);
    await rig.event('done');
    const days = (rig.time.now() - begin) / 86_400_000;
    expect(days).toBeGreaterThan(5);
    expect(days).toBeLessThan(5.5);
    expect(stub.received.map(({ to }) => to)).toEqual([['RCPT TO:<admin@gateway.example>']]);
  });
});

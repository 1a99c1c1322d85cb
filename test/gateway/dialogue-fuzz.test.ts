/**
 * Dialogues made at random, the same in every run: commands in any order, some of them spoilt, cut into any segments and sent without a wait for an
 * answer. Whatever is said, each answer is one of RFC 5321, and exactly those messages go on whose final dot was answered with 250.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pick, roll } from '../simulation/random.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted } from './raw-client.ts';
import { openRig, type Rig } from './rig.ts';

const DIALOGUES = 400;
const COMMANDS: readonly [string, ...string[]] = [
  ...(['EHLO client.example', 'ehlo [127.0.0.1]', 'HELO client.example', 'EHLO', 'LHLO x'] as const),
  ...['MAIL FROM:<a@sender.example>', 'MAIL FROM:<>', 'mail from:<a@sender.example> SIZE=100 BODY=8BITMIME'],
  ...['MAIL FROM:a@sender.example', 'MAIL FROM: <a@sender.example>', 'MAIL FROM:<a@sender.example> X=1'],
  ...['RCPT TO:<b@rcpt.example>', 'rcpt to:<c@rcpt.example> NOTIFY=NEVER', 'RCPT TO:<>', 'RCPT b@rcpt.example'],
  ...[
    'RSET',
    'NOOP',
    'NOOP x',
    'VRFY bob',
    'HELP',
    'WHAT',
    '',
    ' ',
    'STARTTLS',
    'AUTH PLAIN AGEAYg==',
    'XCLIENT ADDR=::1',
  ],
  ...['XFORWARD ADDR=192.0.2.7', 'XFORWARD ADDR', 'DATA x', `NOOP ${'x'.repeat(20_000)}`, 'BDAT 3 LAST', 'QUIT'],
];
const BODIES: readonly [string, ...string[]] = [
  ...(['One line.\r\n', '..\r\n..dots\r\n', '', `${'long '.repeat(4_000)}\r\n`, 'no header\r\n\r\n'] as const),
  ...['a\nb\r\n', 'a\rb\r\n', 'nul \0\r\n', `${'x'.repeat(200_000)}\r\n`],
  ...['\n', '\r', '\r\r\n', '\r\n\0'].map(
    (end) => `x${end}.${end}MAIL FROM:<x@evil.example>\r\nRCPT TO:<y@rcpt.example>\r\nDATA\r\nSubject: x\r\n\r\nx\r\n`,
  ),
];
const SPOILS: readonly [string, ...string[]] = ['\0', '\r', '\n', '\x7f', '\xff', '\x1b', '\t', '\r\n', '.\r\n', ''];
/** Ends a message that was not ended, and then the connection, which the gateway closes. */
const END = '\r\n.\r\nQUIT\r\n';
const GOOD = 'MAIL FROM:<a@sender.example>\r\nRCPT TO:<b@rcpt.example>\r\n';

let stub: Stub;
let rig: Rig;
beforeAll(async () => {
  stub = await nextHopStub();
  rig = await openRig({ nextPort: stub.port });
});
afterAll(async () => {
  await rig.close();
  await stub.close();
});

/** Everything that one client says. */
function said(seed: number): string {
  const at = (name: string) => roll(seed, name);
  const turns = Array.from({ length: 3 + Math.floor(at('turns') * 12) }, (_, turn) => {
    const command = `${pick(seed, `command ${turn}`, COMMANDS)}\r\n`;
    const message = `DATA\r\nSubject: ${seed}-${turn}\r\n\r\n${pick(seed, `body ${turn}`, BODIES)}.\r\n`;
    const text = at(`kind ${turn}`) < 0.5 ? command : `${at(`good ${turn}`) < 0.8 ? GOOD : ''}${message}`;
    if (at(`spoilt ${turn}`) > 0.15) return text;
    const place = Math.floor(at(`place ${turn}`) * text.length);
    return text.slice(0, place) + pick(seed, `spoil ${turn}`, SPOILS) + text.slice(place + 1);
  });
  return `${at('greets') < 0.9 ? 'EHLO client.example\r\n' : ''}${turns.join('')}${END}`;
}

/** Says it in segments, and returns every answer. */
async function answersTo(seed: number): Promise<string> {
  const bytes = Buffer.from(said(seed), 'latin1');
  const socket = connect(rig.gateway.port, '127.0.0.1').setNoDelay(true);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  // A server that closes behind an error may leave bytes unread, which resets the connection.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect');
  // Who talks before the greeting is sent away, which is tried, too.
  if (roll(seed, 'waits') < 0.95) await once(socket, 'data');
  for (let from = 0, segment = 0; from < bytes.length && !socket.destroyed; segment += 1) {
    // A message is not cut into a hundred thousand segments.
    const size = segment > 200 ? bytes.length : pick(seed, `segment ${segment}`, [1, 7, 60, 1_000, 50_000]);
    await new Promise<void>((resolve) => socket.write(bytes.subarray(from, from + size), () => resolve()));
    from += size;
  }
  await closed;
  return text;
}

const LINE = /^[2-5]\d\d(?:[ -][\x20-\x7e]*)?$/;
const ACCEPTED = /^250 2\.0\.0 Accepted as ([0-9a-z]{21})$/;

test(`${DIALOGUES} dialogues get answers of the protocol and nothing else, and no message that was not accepted goes on`, async () => {
  const accepted: string[] = [];
  for (let seed = 1; seed <= DIALOGUES; seed += 1) {
    const lines = (await answersTo(seed)).split('\r\n');
    expect([seed, lines.pop()]).toEqual([seed, '']);
    expect([seed, lines.filter((line) => !LINE.test(line))]).toEqual([seed, []]);
    accepted.push(...lines.flatMap((line) => ACCEPTED.exec(line)?.[1] ?? []));
  }
  expect(accepted.length).toBeGreaterThan(DIALOGUES / 4);
  await rig.event('accepted', accepted.length);
  const taken = rig.log.flatMap(({ event, fields }) => (event === 'accepted' ? [String(fields.id)] : []));
  await rig.event('done', taken.length);
  const ids = stub.received.map(({ data }) => / id ([0-9a-z]{21});\r\n/.exec(data)?.[1] ?? '');
  // Whom we could not tell any more that a message was taken has it taken all the same (RFC 5321, 4.5.5).
  expect(ids.sort()).toEqual(taken.sort());
  expect(accepted.filter((id) => !taken.includes(id))).toEqual([]);
  expect(stub.received.filter(({ data }) => /\0|\r(?!\n)|(?<!\r)\n/.test(data))).toEqual([]);
  const client = await greeted(rig.gateway.port);
  expect(await client.ask('NOOP')).toMatch(/^250/);
  client.end();
});

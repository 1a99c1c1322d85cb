/** Two hundred addresses written to act in a command, a header, a path or a shell. Each is refused, or goes on byte for byte and does nothing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, rawClient } from './raw-client.ts';
import { openRig, type Rig } from './rig.ts';

const LOCALS = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell of Exim expands it
  ...['${run{/bin/sh -c id}}', '$(id)', '`id`', '|id', ';id;', '&&id', '>x', '<x', '../../etc/passwd', '/etc/passwd'],
  ...[
    'a b',
    'a\tb',
    'a\\',
    '\\',
    '"',
    '"a',
    'a"b',
    '"a b"',
    '"a\\"b"',
    '"a@b"',
    '"a>b"',
    '"<x>"',
    '"|id"',
    '" "',
    '""',
  ],
  ...[
    'a\0',
    'a\x7f',
    'a\x1b[2J',
    'a\u0085',
    'a\u2028b',
    'a\u202eb',
    '\u00e9',
    '%s%n',
    'a%b.example',
    'a!b',
    'a@b',
    'a,b',
  ],
  ...[
    'a:b',
    'a;b',
    '.a',
    'a.',
    'a..b',
    '(a)b',
    'a(b)',
    '-oX',
    '--help',
    '{{7*7}}',
    '__proto__',
    'x'.repeat(64),
    'x'.repeat(65),
  ],
];
const DOMAINS = ['rcpt.example', 'rcpt.example\u0000.evil.example', 'rcpt.example> SIZE=1', '[127.0.0.1]'];
const WHOLE = [
  ...[
    '@a.example:b@rcpt.example',
    '@a.example,@b.example:c@rcpt.example',
    '@a.example',
    'b',
    '',
    ' ',
    '.',
    '@',
    '<>',
    '<<a@b.example>>',
  ],
  ...[
    'a@b.example\r\nRCPT TO:<x@evil.example>',
    'a@b.example\nDATA',
    'a@b.example\rX',
    `${'x'.repeat(65_536)}@b.example`,
  ],
  ...[
    'a@-b.example',
    'a@b-.example',
    'a@b..example',
    'a@.example',
    'a@b.example.',
    'a@[IPv6:::1]',
    'a@[id]',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell expands it
    'a@${id}',
    'a@`id`',
  ],
  ...[
    `a@${'b'.repeat(64)}.example`,
    `a@${'b.'.repeat(130)}example`,
    'a@b.example> NOTIFY=NEVER\tX=1',
    'a@\u00fc.example',
  ],
];
const ADDRESSES = [...LOCALS.flatMap((local) => DOMAINS.map((domain) => `${local}@${domain}`)), ...WHOLE];

let stub: Stub;
let rig: Rig;
beforeAll(async () => {
  stub = await nextHopStub();
  rig = await openRig({ nextPort: stub.port, limits: { refusedCommands: 1_000_000, idleCommands: 1_000_000 } });
});
afterAll(async () => {
  await rig.close();
  await stub.close();
});

test('there are two hundred', () => expect(new Set(ADDRESSES).size).toBeGreaterThanOrEqual(200));

test.each(['MAIL FROM', 'RCPT TO'])('in %s, each is refused or goes on as it came', async (verb) => {
  const before = stub.received.length;
  const accepted: string[] = [];
  for (const address of ADDRESSES) {
    const client = await greeted(rig.gateway.port);
    const isSender = verb === 'MAIL FROM';
    if (!isSender) await client.ask('MAIL FROM:<a@sender.example> SMTPUTF8');
    const reply = await client.ask(`${verb}:<${address}>${isSender ? ' SMTPUTF8' : ''}`);
    expect([address, reply]).toEqual([address, expect.stringMatching(/^(?:250 2\.1|4\d\d |5\d\d |closed)/)]);
    // Lines behind a line end in an address are commands of this peer, which may say what it wants; none of it is in the address.
    if (reply.startsWith('250') && !/[\r\n]/.test(address)) {
      accepted.push(address);
      if (isSender) await client.ask('RCPT TO:<b@rcpt.example>');
      await client.ask('DATA');
      expect(await client.ask('Subject: x\r\n\r\nx\r\n.')).toMatch(/^250/);
    }
    client.end();
  }
  await stub.until(before + accepted.length);
  const lines = stub.received.slice(before).map(({ from, to }) => (verb === 'MAIL FROM' ? from : (to[0] ?? '')));
  const wire = (address: string) =>
    Buffer.from(address.replace(/^@[^:]*:/, ''))
      .toString('latin1')
      .split('> ')[0];
  expect(lines.map((line) => line.slice(line.indexOf('<') + 1, line.lastIndexOf('>'))).sort()).toEqual(
    accepted.map(wire).sort(),
  );
  expect(accepted.length).toBeGreaterThan(20);
  for (const { data, commands } of stub.received) {
    // Our own header names no address, and no command came that we did not mean.
    expect(data.slice(0, data.indexOf('Subject: x'))).not.toMatch(/rcpt\.example|evil|id\b.*\$/);
    for (const line of commands) expect(line).toMatch(/^(?:EHLO|XFORWARD|MAIL|RCPT|DATA|RSET|QUIT)\b/);
  }
  for (const { fields } of rig.log)
    for (const value of Object.values(fields)) expect(String(value)).not.toMatch(/\p{Cc}/u);
});

/** RFC 5321 (3.9), and tricks that lead on to another host: only the domains of the operator are open to everybody. */
test.each([
  ['a@ours.example', true],
  ['a@OURS.Example', true],
  ['postmaster', true],
  ['a@sub.ours.example', false],
  ['a@ours.example.', false],
  ['a@ours.example.evil.example', false],
  ['a@notours.example', false],
  ['a%evil.example@ours.example', false],
  ['evil.example!a@ours.example', false],
  ['"a@evil.example"@ours.example', false],
  ['@ours.example:a@evil.example', false],
  ['a@[127.0.0.1]', false],
  ['a@evil.example', false],
])('a stranger may send to %s: %s', async (address, isTaken) => {
  const door = { clients: [], domains: ['ours.example'] };
  const own = await openRig({ nextPort: stub.port, door });
  const client = await greeted(own.gateway.port);
  await client.ask('MAIL FROM:<a@sender.example>');
  expect(await client.ask(`RCPT TO:<${address}>`)).toMatch(isTaken ? /^250/ : /^5/);
  client.end();
  await own.close();
});

test('a line of a megabyte ends the connection or is refused, and others are served', async () => {
  const client = await rawClient(rig.gateway.port);
  await client.reply();
  await client.say(`MAIL FROM:<${'x'.repeat(1024 * 1024)}`);
  expect(await client.reply()).toMatch(/^(?:5\d\d|421|closed)/);
  client.end();
  const other = await greeted(rig.gateway.port);
  expect(await other.ask('NOOP')).toMatch(/^250/);
  other.end();
});

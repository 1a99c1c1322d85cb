/** The relay against a mail server of others: smtp-server, and a stub that says what a test wants. */
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { createSmtpRelay, relaySettings } from '../../lib/gateway/relay.ts';
import { ConfigError } from '../../lib/pipeline/errors.ts';
import { nextHopStub } from './next-hop-stub.ts';

const BYTES = Buffer.from('Subject: Hello\r\n\r\n.Dear Bob\r\n.\r\n..\r\n');
const RECIPIENTS = ['bob@recipient.example', 'Eve+1@recipient.example'];
const MESSAGE = { sender: 'bounces+1=bob@sender.example', recipients: RECIPIENTS, bytes: BYTES };
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Got {
  readonly from: string;
  readonly to: readonly string[];
  readonly bytes: Buffer;
}

async function mailServer(options: SMTPServerOptions = {}) {
  const got: Got[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    ...options,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        got.push({ from, to: envelope.rcptTo.map(({ address }) => address), bytes: Buffer.concat(chunks) });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { got, port };
}

const relayTo = (port: number, more: object = {}) =>
  createSmtpRelay(async () => relaySettings(JSON.stringify({ host: '127.0.0.1', port, tls: 'off', ...more })));

describe('a mail server', () => {
  test('gets exactly the message, from the sender of the envelope, for its recipients', async () => {
    const { got, port } = await mailServer();
    const replies = await relayTo(port).send(MESSAGE);
    expect(replies.map(({ recipient, outcome }) => [recipient, outcome])).toEqual(RECIPIENTS.map((to) => [to, 'sent']));
    expect(got).toEqual([{ from: MESSAGE.sender, to: RECIPIENTS, bytes: BYTES }]);
  });

  test('gets the null sender as it is', async () => {
    const { got, port } = await mailServer();
    await relayTo(port).send({ ...MESSAGE, sender: '' });
    expect(got.map(({ from }) => from)).toEqual(['']);
  });

  test('is logged in to with the user of the secret, and a wrong password waits for a person', async () => {
    const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _, done) =>
      username === 'airlock' && password === 'right' ? done(null, { user: username }) : done(new Error('no'));
    const { got, port } = await mailServer({ authOptional: false, onAuth });
    const wrong = await relayTo(port, { user: 'airlock', password: 'wrong' }).send(MESSAGE);
    expect(wrong.map(({ outcome }) => outcome)).toEqual(['later', 'later']);
    const right = await relayTo(port, { user: 'airlock', password: 'right' }).send(MESSAGE);
    expect(right.map(({ outcome }) => outcome)).toEqual(['sent', 'sent']);
    expect(got).toHaveLength(1);
  });

  test('that does not speak TLS gets nothing where TLS is required, as it is by default', async () => {
    const { got, port } = await mailServer();
    const secret = JSON.stringify({ host: '127.0.0.1', port });
    const replies = await createSmtpRelay(async () => relaySettings(secret)).send(MESSAGE);
    expect(replies.map(({ outcome }) => outcome)).toEqual(['later', 'later']);
    expect(got).toEqual([]);
  });
});

test('each recipient has the answer of its own', async () => {
  const answer = (command: string) => {
    if (command.startsWith('RCPT TO:<bob')) return '550 5.1.1 no such user';
    return null;
  };
  const stub = await nextHopStub({ answer });
  closers.push(() => stub.close());
  const replies = await relayTo(stub.port).send(MESSAGE);
  expect(replies.map(({ outcome }) => outcome)).toEqual(['refused', 'sent']);
  expect(replies[0]?.text).toBe('550 5.1.1 no such user');
});

test.each([
  ['asks to come back', '451 4.7.1 greylisted'],
  ['is not there any more', 'drop' as const],
])('a server that %s behind the message is tried later', async (_, said) => {
  const stub = await nextHopStub({ answer: (command) => (command === '.' ? said : null) });
  closers.push(() => stub.close());
  const replies = await relayTo(stub.port).send(MESSAGE);
  expect(replies.map(({ outcome }) => outcome)).toEqual(['later', 'later']);
});

test('nobody there: later', async () => {
  const { port } = await mailServer();
  await closers.pop()?.();
  expect((await relayTo(port).send(MESSAGE)).map(({ outcome }) => outcome)).toEqual(['later', 'later']);
});

test.each(['Subject: a\r\n\r\nx\n.\r\nMAIL FROM:<x@y.example>\r\n', 'Subject: a\r\n\r\nx\r.\r\n'])(
  'a message with a bare line end is never sent: %j',
  async (text) => {
    const { got, port } = await mailServer();
    const replies = await relayTo(port).send({ ...MESSAGE, bytes: Buffer.from(text) });
    expect(replies.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    expect(got).toEqual([]);
  },
);

test.each([
  ['not JSON', 'it is not JSON'],
  ['{}', 'host'],
  ['{"host":"a","port":0}', 'port'],
  ['{"host":"a","tls":"try"}', 'tls'],
  ['{"host":"a","user":"b"}', 'one of them is missing'],
  ['{"host":"a","key":"b"}', 'the secret'],
])('a secret that says %s is told of', (secret, says) => {
  expect(() => relaySettings(secret)).toThrow(ConfigError);
  expect(() => relaySettings(secret)).toThrow(says);
});

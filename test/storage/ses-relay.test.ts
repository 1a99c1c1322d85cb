/** The relay by SES against a server on loopback that answers as SES does. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createSesRelay } from '../../lib/storage/ses-relay.ts';

const MESSAGE = {
  sender: 'bounces+1=bob@example.com',
  recipients: ['bob@recipient.example', 'Eve+1@recipient.example'],
  bytes: Buffer.from(
    'From: ana@example.com\r\nTo: list@example.com\r\nSubject: H\xe9llo\r\n\r\n.Dear Bob\r\n',
    'latin1',
  ),
};
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Sent {
  readonly FromEmailAddress?: string;
  readonly Destination: { readonly ToAddresses: readonly string[] };
  readonly Content: { readonly Raw: { readonly Data: string } };
}
/** An answer of SES, a connection that ends without one, or no answer until the time of the message is over. */
type Answer = readonly [status: number, name: string] | 'taken' | 'gone' | 'silent';

async function ses(answers: readonly Answer[] = []) {
  const time = new AbortController();
  const got: { readonly path: string; readonly sent: Sent }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answers[got.length] ?? 'taken';
      got.push({ path: `${request.method} ${request.url}`, sent: JSON.parse(Buffer.concat(chunks).toString()) });
      if (answer === 'silent') return time.abort();
      if (answer === 'gone') return request.socket.destroy();
      const [status, name] = answer === 'taken' ? [200, ''] : answer;
      const body = status === 200 ? { MessageId: `id-${got.length}` } : { message: `says ${name}` };
      response.writeHead(status, { 'content-type': 'application/json', ...(name && { 'x-amzn-errortype': name }) });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
  return { got, relay: createSesRelay({ endpoint, credentials, region: 'eu-central-1' }, () => time.signal) };
}

test('SES gets exactly the message, from the sender of the envelope, for its recipients', async () => {
  const { got, relay } = await ses();
  const replies = await relay.send(MESSAGE);
  expect(replies.map(({ recipient, outcome }) => [recipient, outcome])).toEqual(
    MESSAGE.recipients.map((to) => [to, 'sent']),
  );
  expect(got.map(({ path }) => path)).toEqual(['POST /v2/email/outbound-emails']);
  const [{ sent } = { sent: undefined }] = got;
  expect(sent?.FromEmailAddress).toBe(MESSAGE.sender);
  expect(sent?.Destination).toEqual({ ToAddresses: MESSAGE.recipients });
  expect(Buffer.from(sent?.Content.Raw.Data ?? '', 'base64').equals(MESSAGE.bytes)).toBe(true);
});

test('a message with the null sender goes out for the sender in its header', async () => {
  const { got, relay } = await ses();
  await relay.send({ ...MESSAGE, sender: '' });
  expect(got[0]?.sent).not.toHaveProperty('FromEmailAddress');
});

test('requests that SES does not answer take no longer together than one message may, and nobody is asked twice', async () => {
  const recipients = Array.from({ length: 101 }, (_, index) => `r${index}@recipient.example`);
  const { got, relay } = await ses(['taken', 'silent', 'taken']);
  const replies = await relay.send({ ...MESSAGE, recipients });
  expect(got).toHaveLength(2);
  expect(replies.map(({ recipient }) => recipient)).toEqual(recipients);
  const outcomes = replies.map(({ outcome }) => outcome);
  expect(outcomes).toEqual([...Array(50).fill('sent'), ...Array(51).fill('later')]);
  expect(replies[60]?.text).toContain('may have taken it');
  expect(replies[100]?.text).toBe('no time was left for them');
});

test('more recipients than SES takes are several requests, and each recipient has the answer of its own', async () => {
  const recipients = Array.from({ length: 101 }, (_, index) => `r${index}@recipient.example`);
  const { got, relay } = await ses(['taken', [429, 'TooManyRequestsException'], [400, 'MessageRejected']]);
  const replies = await relay.send({ ...MESSAGE, recipients });
  expect(got.map(({ sent }) => sent.Destination.ToAddresses.length)).toEqual([50, 50, 1]);
  expect(replies.map(({ recipient }) => recipient)).toEqual(recipients);
  expect([0, 49, 50, 99, 100].map((at) => replies[at]?.outcome)).toEqual(['sent', 'sent', 'later', 'later', 'refused']);
});

describe('SES answers', () => {
  test.each<[Answer, string, string]>([
    [[429, 'TooManyRequestsException'], 'later', 'TooManyRequestsException'],
    [[400, 'ThrottlingException'], 'later', 'ThrottlingException'],
    [[400, 'LimitExceededException'], 'later', 'LimitExceededException'],
    [[503, 'ServiceUnavailable'], 'later', 'ServiceUnavailable'],
    [[400, 'SendingPausedException'], 'later', 'SendingPausedException'],
    [[403, 'AccessDeniedException'], 'later', 'AccessDeniedException'],
    [[400, 'MessageRejected'], 'refused', 'says MessageRejected'],
    [[400, 'BadRequestException'], 'refused', 'BadRequestException'],
    [[400, 'MailFromDomainNotVerifiedException'], 'refused', 'MailFromDomainNotVerifiedException'],
    [[400, 'AccountSuspendedException'], 'refused', 'AccountSuspendedException'],
    ['gone', 'later', 'may have taken it'],
  ])('%j: one request, and the message is %s', async (answer, outcome, text) => {
    const { got, relay } = await ses([answer]);
    const replies = await relay.send(MESSAGE);
    expect(replies.map((reply) => reply.outcome)).toEqual([outcome, outcome]);
    expect(replies[0]?.text).toContain(text);
    expect(got).toHaveLength(1);
  });
});

test('a message over the limit of SES is refused and not sent', async () => {
  const { got, relay } = await ses();
  const replies = await relay.send({ ...MESSAGE, bytes: new Uint8Array(40 * 1024 * 1024 + 1) });
  expect(replies.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
  expect(got).toEqual([]);
});

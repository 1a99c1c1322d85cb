import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, PLAIN, sendWith } from './raw-client.ts';
import { openRig, type Rig } from './rig.ts';

const SMUGGLED =
  'MAIL FROM:<x@evil.example>\r\nRCPT TO:<y@rcpt.example>\r\nDATA\r\nSubject: smuggled\r\n\r\nx\r\n.\r\n';
const ENDS = [
  '\n.\n',
  '\n.\r\n',
  '\r.\r',
  '\r.\r\n',
  '\r\n.\n',
  '\r\n.\r',
  '\r\r\n.\r\r\n',
  '\r\n\0.\r\n',
  '\r\n.\0\r\n',
  '\n\n.\r\n',
  '\r\n.\r\r\n',
];

let stub: Stub;
let rig: Rig;
beforeAll(async () => {
  stub = await nextHopStub({ isLenient: true });
  rig = await openRig({ nextPort: stub.port });
});
afterAll(async () => {
  await rig.close();
  await stub.close();
});

describe.each([
  ['in one segment', (text: string) => [text]],
  ['byte by byte', (text: string) => [...text]],
])('a false end of data %s', (_, cut) => {
  test.each(ENDS.map((end) => [JSON.stringify(end), end]))('%s ends nothing and is refused', async (_name, end) => {
    const client = await greeted(rig.gateway.port);
    for (const line of ['MAIL FROM:<a@sender.example>', 'RCPT TO:<b@rcpt.example>', 'DATA']) await client.ask(line);
    for (const piece of cut(`${PLAIN}${end}${SMUGGLED}`)) await client.say(piece);
    expect(await client.reply()).toMatch(/^550 5\.6\./);
    expect(await client.ask('NOOP')).toMatch(/^250/);
    client.end();
    expect(await rig.list('intake/gateway')).toEqual([]);
  });
});

test('lines of dots arrive as they were sent, once, also at a careless next hop', async () => {
  const client = await greeted(rig.gateway.port);
  const before = stub.received.length;
  expect(await sendWith(client, { data: `${PLAIN}..\r\n...\r\n..x\r\n` })).toMatch(/^250 2\.0\.0/);
  await stub.until(before + 1);
  expect(stub.received.at(-1)?.data.endsWith('Hello.\r\n..\r\n...\r\n..x\r\n')).toBe(true);
  expect(stub.received).toHaveLength(before + 1);
  client.end();
});

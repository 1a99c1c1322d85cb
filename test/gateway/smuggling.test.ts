/** False ends of data: programs that take them for the end of a message would see a second message in the first one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, PLAIN, sendWith } from './raw-client.ts';
import { openRig, type Rig } from './rig.ts';

const SMUGGLED =
  'MAIL FROM:<x@evil.example>\r\nRCPT TO:<y@rcpt.example>\r\nDATA\r\nSubject: smuggled\r\n\r\nx\r\n.\r\n';
/** What some program takes for a line end, and we do not. */
const BREAKS = ['\n', '\r', '\r\r\n', '\n\r', '\r\n\0', '\0\r\n', '\n\n', '\r\r', '\r\0\n', '\n\r\n', '\r\n\r', '\0\n'];
/** Each false break in front of the dot, behind it, and on both sides; and dots that are not alone in bytes. */
const FALSE_ENDS = [
  ...BREAKS.map((end) => `${end}.\r\n`),
  ...BREAKS.map((end) => `\r\n.${end}`),
  ...BREAKS.map((end) => `${end}.${end}`),
  '\n.\r',
  '\r.\n',
  '\r\n\0.\r\n',
  '\r\n.\0\r\n',
  '\r\n.\r\r\n',
  '\r\n.\r\0\n',
].filter((end) => !end.includes('\r\n.\r\n'));
/** Ends with other characters of Unicode that break lines, and dots with something beside them: a message like any other. */
const HARMLESS = [
  '\r\n\u2028.\u2028\r\n',
  '\r\n\x85.\x85\r\n',
  '\r\n\x0b.\x0b\r\n',
  '\r\n\x0c.\r\n',
  '\r\n .\r\n',
  '\r\n\t.\r\n',
  '\r\n. \r\n',
];
const SEGMENTATIONS: readonly (readonly [string, (text: string) => string[]])[] = [
  ['at once', (text) => [text]],
  ['byte by byte', (text) => [...text]],
  ['split at each line end', (text) => text.split(/(?<=[\r\n])/)],
];

describe.each([['strict', false] as const, ['careless', true] as const])('before a %s next hop', (_kind, isLenient) => {
  let stub: Stub;
  let rig: Rig;
  beforeAll(async () => {
    stub = await nextHopStub({ isLenient });
    rig = await openRig({ nextPort: stub.port });
  });
  afterAll(async () => {
    await rig.close();
    await stub.close();
  });

  const replyTo = async (pieces: readonly string[]): Promise<string> => {
    const client = await greeted(rig.gateway.port);
    for (const line of ['MAIL FROM:<a@sender.example>', 'RCPT TO:<b@rcpt.example>', 'DATA']) await client.ask(line);
    for (const piece of pieces) await client.say(Buffer.from(piece, 'utf8'));
    const reply = await client.reply();
    expect(await client.ask('NOOP')).toMatch(/^250/);
    client.end();
    return reply;
  };

  describe.each(SEGMENTATIONS)('sent %s', (_name, cut) => {
    test.each(FALSE_ENDS.map((end) => [JSON.stringify(end), end]))(
      '%s ends nothing and is refused',
      async (_text, end) => {
        const before = stub.received.length;
        expect(await replyTo(cut(`${PLAIN}x${end}${SMUGGLED}`))).toMatch(/^550 5\.6\./);
        expect(await rig.list('intake/gateway')).toEqual([]);
        expect(stub.received).toHaveLength(before);
      },
    );
    test.each(HARMLESS.map((end) => [JSON.stringify(end), end]))('%s stays in its message', async (_text, end) => {
      const before = stub.received.length;
      expect(await replyTo(cut(`${PLAIN}x${end}${SMUGGLED}`))).toMatch(/^250 2\.0\.0/);
      await stub.until(before + 1);
      expect(stub.received).toHaveLength(before + 1);
      expect(stub.received.at(-1)?.from).toMatch(/^MAIL FROM:<a@sender\.example>/);
      expect(stub.received.at(-1)?.data).toContain('Subject: smuggled');
      await rig.event('done', before + 1);
    });
  });

  test('lines of dots arrive as they were sent, once', async () => {
    const client = await greeted(rig.gateway.port);
    const before = stub.received.length;
    expect(await sendWith(client, { data: `${PLAIN}..\r\n...\r\n..x\r\n` })).toMatch(/^250 2\.0\.0/);
    await stub.until(before + 1);
    expect(stub.received.at(-1)?.data.endsWith('Hello.\r\n..\r\n...\r\n..x\r\n')).toBe(true);
    expect(stub.received).toHaveLength(before + 1);
    client.end();
    await rig.event('done', before + 1);
  });

  test('a clean message in which our own flow left a bare line end is held, and never sent', async () => {
    const lying = await openRig({ nextPort: stub.port, judge: () => `Subject: x\r\n\r\nx\n.\r\n${SMUGGLED}` });
    const before = stub.received.length;
    const client = await greeted(lying.gateway.port);
    expect(await sendWith(client)).toMatch(/^250/);
    await lying.event('held');
    expect(stub.received).toHaveLength(before);
    client.end();
    await lying.close();
  });
});

test('false ends: thirty spellings and more', () => expect(new Set(FALSE_ENDS).size).toBeGreaterThanOrEqual(30));

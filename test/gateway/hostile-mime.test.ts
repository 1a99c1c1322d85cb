/**
 * Mail that is written so that two programs read it in two ways, through the gateway: each is refused, or judged and sent on exactly as it came. What
 * is read into those bytes is tested in test/hostile, and the gateway reads none of it.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messagePath } from '../../lib/gateway/spool-reading.ts';
import { ATTACKS } from '../hostile/attacks.ts';
import { hostileMail } from '../hostile/compose.ts';
import { singles } from '../hostile/mime/grammar-score.ts';
import { nextHopStub, type Stub } from './next-hop-stub.ts';
import { greeted, type RawClient } from './raw-client.ts';
import { openRig, type Rig } from './rig.ts';

const FLOOD_BYTES = 5_000;
const MAILS = 60;
/** Of twenty thousand deviations one in so many: they differ in what is read into the bytes, and the gateway reads nothing into them. */
const EVERY = 50;

let stub: Stub;
let rig: Rig;
let client: RawClient;
const judged = new Map<string, string>();
beforeAll(async () => {
  stub = await nextHopStub();
  const limits = { messagesPerConnection: 100_000, refusedCommands: 100_000, receivedFields: 100_000 };
  rig = await openRig({
    ...{ nextPort: stub.port, limits },
    judge: async (_text, { id }) => {
      judged.set(id, await readFile(join(rig.root, messagePath(id)), 'latin1'));
      return null;
    },
  });
  client = await greeted(rig.gateway.port);
});
afterAll(async () => {
  client.end();
  await rig.close();
  await stub.close();
});

const isPlain = (text: string) => !/\0|\r(?!\n)|(?<!\r)\n/.test(text);
const dotted = (text: string) => text.replace(/^\./gm, '..');
const OUR_OWN = /^(?:X-Airlock-Pass: [^\r\n]*\r\n)?Received: from [^\r\n]*\r\n\t[^\r\n]*\r\n\t[^\r\n]*\r\n/;

async function reply(text: string): Promise<string> {
  for (const line of ['MAIL FROM:<a@sender.example>', 'RCPT TO:<b@rcpt.example>', 'DATA']) await client.ask(line);
  await client.say(Buffer.from(`${dotted(text)}.\r\n`, 'latin1'));
  return client.reply();
}

/** Sends it, and expects what must follow. */
async function through(email: Buffer): Promise<void> {
  const text = email.toString('latin1');
  const before = stub.received.length;
  if (!isPlain(text)) {
    expect(await reply(`${text}\r\n`)).toMatch(/^550 5\.6\.(?:0|11) /);
    return;
  }
  const whole = text.endsWith('\r\n') ? text : `${text}\r\n`;
  const said = await reply(whole);
  expect(said).toMatch(/^250 2\.0\.0 /);
  await stub.until(before + 1);
  expect(judged.get(said.slice(-21))?.replace(OUR_OWN, '')).toBe(whole);
  const sent = stub.received.at(-1)?.data ?? '';
  expect(sent.replace(/^\.\./gm, '.').replace(OUR_OWN, '')).toBe(whole);
}

test.each(ATTACKS.map(({ name, build }) => [name, build] as const))('%s', (_name, build) =>
  through(build(FLOOD_BYTES)),
);

test('mails that hide a file by several tricks at once', async () => {
  for (let number = 1; number <= MAILS; number += 1) await through(hostileMail(number).email);
});

test('mails that deviate from the grammar of MIME in one token', async () => {
  let number = 0;
  for (const { email } of singles()) if (number++ % EVERY === 0) await through(email);
  expect(number).toBeGreaterThan(10_000);
});

/** A mail is read in few turns of the event loop, and other work gets its turn while a mail of many parts is read. */
import { expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';

/** Turns of the event loop until a mail is read. mailparser does no I/O, so they are the same each time. */
async function turnsOf(email: string): Promise<number> {
  let [turns, isRead] = [0, false];
  const count = () => {
    turns += 1;
    if (!isRead) setImmediate(count);
  };
  count();
  const { parts } = await readMessage(Buffer.from(email), DEFAULT_LIMITS);
  isRead = true;
  expect(parts.length).toBeGreaterThan(1);
  return turns;
}

function mailOf(parts: number): string {
  const head = 'From: a@sender.example\r\nTo: b@rcpt.example\r\nSubject: Parts\r\nMIME-Version: 1.0\r\n';
  const part = '--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHello.\r\n';
  return `${head}Content-Type: multipart/mixed; boundary=x\r\n\r\n${part.repeat(parts)}--x--\r\n`;
}

test('a mail of three parts takes a third of the turns that mailparser takes for its pieces', async () => {
  expect(await turnsOf(mailOf(3))).toBeLessThanOrEqual(14);
});

test('the reading of many parts leaves turns to other work', async () => {
  expect(await turnsOf(mailOf(200))).toBeGreaterThan(200);
});

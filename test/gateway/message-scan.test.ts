/** The look at the bytes of an arriving message: however they are cut into pieces, the same is found. */
import { expect, test } from 'vitest';
import { DEFAULT_GATEWAY_LIMITS } from '../../lib/gateway/limits.ts';
import { hasPlainLines, openScan } from '../../lib/gateway/message-scan.ts';

const KEY = Buffer.alloc(32, 7);
const LIMITS = { ...DEFAULT_GATEWAY_LIMITS, lineBytes: 12, receivedFields: 2 };
const MESSAGES = 3_000;
/** Nearly all of the words are lines as they should be. */
const WORDS = [
  '\r\n',
  '\r\n',
  'ab\r\n',
  'ab\r\n',
  'received: x\r\n',
  '.\r\n',
  '.',
  'abcdef',
  '\r\n\r\n',
  '\r',
  '\n',
  '\0',
];

/** Numbers from 0 to 1, the same in each run (a 32-bit linear congruence). */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function messageOf(next: () => number): string {
  const odd = next() < 0.5 ? WORDS.length : WORDS.length - 3;
  return Array.from({ length: 1 + Math.floor(next() * 9) }, () => WORDS[Math.floor(next() * odd)]).join('');
}

/** What a scan says of a message in pieces of at most so many bytes. */
function scanned(message: string, most: number, next: () => number) {
  const scan = openScan(LIMITS, KEY);
  const bytes = Buffer.from(message, 'latin1');
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + Math.floor(next() * most);
    scan.feed(bytes.subarray(at, at + size));
    at += size;
  }
  return { refusal: scan.end()?.text ?? null, ...(scan.end() === null && scan.loop()) };
}

/** The rule in words of regular expressions. */
const isPlain = (message: string) => !/\0|\r(?!\n)|(?<!\r)\n/.test(message);
const isTaken = (message: string) =>
  isPlain(message) &&
  message.endsWith('\r\n') &&
  message.split('\r\n').every((line) => line.length < LIMITS.lineBytes) &&
  ((message.split('\r\n\r\n', 1)[0] ?? '').match(/^received:/gim) ?? []).length <= LIMITS.receivedFields;

test('however a message is cut into pieces, it is refused for the same, and only when its lines are odd', () => {
  const next = sequence(1);
  const taken = new Set<boolean>();
  for (let number = 0; number < MESSAGES; number += 1) {
    const message = messageOf(next);
    const whole = scanned(message, Number.POSITIVE_INFINITY, () => 1);
    for (const most of [1, 2, 5]) expect([message, scanned(message, most, next)]).toEqual([message, whole]);
    expect([message, whole.refusal === null]).toEqual([
      message,
      message.startsWith('\r\n') ? whole.refusal === null : isTaken(message),
    ]);
    expect([message, hasPlainLines(Buffer.from(message, 'latin1'))]).toEqual([message, isPlain(message)]);
    taken.add(whole.refusal === null);
  }
  expect(taken.size).toBe(2);
});

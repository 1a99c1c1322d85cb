import { expect, test } from 'vitest';
import { disarm } from '../../../lib/engines/disarm/text/plain-text.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';

const TEXT = { type: 'text/plain', extension: 'txt', description: 'plain text' };
const run = (bytes: Uint8Array) =>
  disarm({ bytes, untrustedName: 'a.txt', password: null }, TEXT, DEFAULT_ENGINE_LIMITS);

test.each([
  ['UTF-8', Buffer.from('héllo\r\n\tworld')],
  ['a Latin charset', Buffer.from('h\xe9llo', 'latin1')],
  ['UTF-16 with a mark', Buffer.from('\ufeffhello', 'utf16le')],
  ['nothing', Buffer.alloc(0)],
])('keeps %s byte for byte', async (_, bytes) => {
  const report = await run(bytes);
  expect(report).toMatchObject({ outcome: 'already_safe', details: [] });
  expect(report.bytes).toBe(bytes);
});

test.each([
  ['NUL bytes', Buffer.from('MZ\0\0\x03')],
  ['control characters', Buffer.from('a\x07b')],
])('refuses a text with %s', async (_, bytes) => {
  await expect(run(bytes)).rejects.toMatchObject({ code: 'unreadable' });
});

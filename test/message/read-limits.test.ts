import { describe, expect, test } from 'vitest';
import type { ReadingLimits } from '../../lib/message/model.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { lines, mail, multipart, TEXT } from './mail-builder.ts';

const read = (email: Uint8Array | string, limits: Partial<ReadingLimits> = {}) =>
  readMessage(Buffer.from(email as Buffer), { ...DEFAULT_LIMITS, ...limits });

async function summary(email: Uint8Array | string, limits: Partial<ReadingLimits> = {}) {
  const { parts: all, warnings } = await read(email, limits);
  const parts = all.filter(({ recovered }) => recovered === null);
  return { parts, codes: warnings.map(({ code }) => code), details: warnings.map(({ detail }) => detail).join(' | ') };
}

/** Messages inside messages, `depth` of them, around a text. */
const nested = (depth: number, text = 'hello\r\n') =>
  `${'From: a@example.com\r\nContent-Type: message/rfc822\r\n\r\n'.repeat(depth)}From: a@example.com\r\n\r\n${text}`;

describe('beyond a limit the bytes become one attachment, with a warning:', () => {
  test('messages nested deeper than the limit', async () => {
    const { parts, codes } = await summary(nested(5), { depth: 3 });
    expect(codes).toContain('limit_exceeded');
    expect(parts.at(-1)).toMatchObject({
      path: '1.1.1.1',
      depth: 3,
      role: 'attachment',
      declaredType: 'message/rfc822',
    });
    expect(parts.at(-1)?.body.end).toBe(Buffer.byteLength(nested(5)));
  });

  test('multiparts nested deeper than the limit', async () => {
    let inner = TEXT;
    for (let level = 0; level < 6; level++) inner = multipart('mixed', `b${level}`, [inner]);
    const { parts, codes } = await summary(mail(inner), { depth: 4 });
    expect(codes).toContain('limit_exceeded');
    expect(parts.at(-1)).toMatchObject({ depth: 4, role: 'attachment', declaredType: 'multipart/mixed' });
  });

  test('more parts than the limit', async () => {
    const email = mail(
      multipart(
        'mixed',
        'b',
        Array.from({ length: 50 }, () => TEXT),
      ),
    );
    const { parts, codes } = await summary(email, { parts: 10 });
    expect(codes).toContain('limit_exceeded');
    expect(parts).toHaveLength(11);
    expect(parts.at(-1)).toMatchObject({ role: 'attachment', body: { end: email.length } });
  });

  test.each([
    ['header lines', { headerLines: 100 }, 'A: b\r\n'.repeat(200)],
    ['header bytes', { headerBytes: 1_000 }, `A: ${'b'.repeat(2_000)}\r\n`],
    ['header bytes in a line without an end', { headerBytes: 1_000 }, `A: ${'b'.repeat(2_000)}`],
  ])('more %s than the limit', async (_, limits, header) => {
    const { parts, codes } = await summary(header, limits);
    expect(codes).toEqual(['limit_exceeded']);
    expect(parts).toMatchObject([{ role: 'attachment', body: { start: 0, end: header.length } }]);
  });

  test('headers are counted over all parts', async () => {
    const part = `${'A: b\r\n'.repeat(20)}\r\nx`;
    expect((await summary(mail(multipart('mixed', 'b', [part, part, part])), { headerLines: 70 })).codes).toContain(
      'limit_exceeded',
    );
  });
});

describe('what would cost mailparser minutes or gigabytes is not given to it, with a warning:', () => {
  const qp = (body: string) => lines('Content-Transfer-Encoding: quoted-printable', '', body);
  test.each([
    ['runs of spaces in quoted-printable', qp(`${' '.repeat(100_000)}x`), 'its quoted-printable text'],
    [
      'the same behind a comment',
      qp(`${' '.repeat(100_000)}x`).replace('quoted', '(x)quoted'),
      'its quoted-printable text',
    ],
    ['millions of escapes', qp('=41'.repeat(3_100_000)), 'its quoted-printable text'],
    ['a million addresses', `To: ${'a,'.repeat(900_000)}\r\n\r\nx`, 'so much in it could be header'],
    [
      'headers behind what may be a boundary',
      `Subject: x\r\n\r\n--b\r\n${'A:b\n'.repeat(200_000)}`,
      'so much in it could be header',
    ],
    [
      'a message in a message in a message, all of it long',
      nested(15, 'x\r\n'.repeat(100_000)),
      'messages inside each other',
    ],
  ])('%s', async (_, email, reason) => {
    const { codes, details, parts } = await summary(email);
    expect(codes.some((code) => code === 'reading_skipped' || code === 'readings_disagree')).toBe(true);
    expect(details).toContain(reason);
    expect(parts.every(({ readings }) => readings.length === 1)).toBe(true);
  });

  test('while a long text of spaces and a long quoted-printable text are read', async () => {
    expect((await summary(`Subject: x\r\n\r\n${' '.repeat(100_000)}x`)).codes).toEqual([]);
    expect((await summary(qp('a line of=20text, not too long=\r\n'.repeat(50_000)))).codes).toEqual([]);
  });
});

test('a message has few warnings of one code, however odd it is', async () => {
  const part = 'Content-Type: x\r\nContent-Transfer-Encoding: y\r\n\r\nz';
  const { codes } = await summary(
    mail(
      multipart(
        'mixed',
        'b',
        Array.from({ length: 200 }, () => part),
      ),
    ),
  );
  expect(codes.filter((code) => code === 'odd_header')).toHaveLength(20);
  expect(codes.filter((code) => code === 'odd_encoding')).toHaveLength(20);
});

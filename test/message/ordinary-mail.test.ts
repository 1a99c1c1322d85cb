import { describe, expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { base64, lines, mail, multipart, TEXT } from './mail-builder.ts';
import { ORDINARY_MAIL } from './ordinary-mail.ts';

const read = (email: Uint8Array) => readMessage(email, DEFAULT_LIMITS);
const isLeaf = (part: { readonly sha256: string | null }) => part.sha256 !== null;

describe('ordinary mail gives no warning, and both readings list the same leaves:', () => {
  test.each(ORDINARY_MAIL)('$name', async ({ email, leaves }) => {
    const { parts, warnings } = await read(email);
    expect(warnings).toEqual([]);
    const found = parts.filter(isLeaf);
    expect(found.map(({ role, declaredType }) => `${role} ${declaredType}`)).toEqual(leaves);
    for (const part of found) expect(part.readings).toEqual(['structure', 'stream']);
  });
});

test('agrees wherever the 64 KiB chunks that mailparser is fed happen to end', async () => {
  const tail = multipart('mixed', 'bb', [
    TEXT,
    lines(
      'Content-Type: application/zip; name=a.zip',
      'Content-Transfer-Encoding: base64',
      '',
      base64('PK not really'),
    ),
  ]);
  const size = mail(tail).length;
  for (let offset = 0; offset <= size; offset += 1) {
    const filler = 'x'.repeat(64 * 1024 - size + offset);
    const email = mail(multipart('mixed', 'aa', [lines('Content-Type: text/plain', '', filler), tail]));
    const { warnings } = await read(email);
    expect({ offset, warnings }).toEqual({ offset, warnings: [] });
  }
});

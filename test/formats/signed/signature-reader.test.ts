import { afterAll, describe, expect, test } from 'vitest';
import type { SignatureRequest } from '../../../lib/formats/signed/signature-check.ts';
import { createSignatureReader } from '../../../lib/formats/signed/signature-reader.ts';
import { committed, signedMail } from '../../ordinary/signed-mail.ts';

const reader = createSignatureReader();
afterAll(() => reader.close());

const DAY = 24 * 3600 * 1000;
const NOW = Date.UTC(2026, 11, 1);

/** A request about a committed mail, as its sender sent it. */
function requestFor(id: string, changes: Partial<SignatureRequest> = {}): SignatureRequest {
  const mail = [...signedMail()].find((each) => each.id === id)?.bytes.toString('latin1') ?? '';
  const boundary = /boundary="([^"]*)"/.exec(mail)?.[1] ?? '';
  const [, content = '', part = ''] = mail.split(`\r\n--${boundary}`);
  const text = part.slice(part.indexOf('\r\n\r\n') + 4);
  const kind = id.startsWith('pgp') ? 'pgp' : 'smime';
  return {
    kind,
    bytes: Buffer.from(text, kind === 'pgp' ? 'latin1' : 'base64'),
    content: Buffer.from(content.slice(2), 'latin1'),
    trusted: [committed(kind === 'pgp' ? 'key.asc' : 'authority.pem')],
    sender: 'alice@signed.example',
    nowMs: NOW,
    workMs: 20_000,
    ...changes,
  };
}

describe.each(['smime-clear-outlook', 'pgp-clear-mutt'])('%s', (id) => {
  test('is verified for its sender, by a trusted signer', async () => {
    expect(await reader.check(requestFor(id))).toEqual({
      result: 'verified',
      untrustedSigner: 'alice@signed.example',
      detail: '',
      contentSha256: null,
    });
  });

  test.each([
    ['nobody is trusted', { trusted: [] }],
    ['the sender is another', { sender: 'eve@signed.example' }],
    ['nobody can say who the sender is', { sender: null }],
    ['it was not valid yet', { nowMs: NOW - 400 * DAY }],
  ])('is of an unknown signer when %s', async (_, changes) => {
    expect(await reader.check(requestFor(id, changes))).toMatchObject({
      result: 'unknown_signer',
      detail: expect.stringMatching(/./),
    });
  });

  test('is broken when one octet is another', async () => {
    const { content } = requestFor(id);
    const changed = Buffer.from(content ?? []);
    changed[40] = (changed[40] ?? 0) ^ 1;
    expect(await reader.check(requestFor(id, { content: changed }))).toMatchObject({
      result: 'broken',
      untrustedSigner: 'alice@signed.example',
    });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['nesting without end', Buffer.from('3080'.repeat(20_000), 'hex')],
    ['half of it', requestFor(id).bytes.subarray(0, 200)],
    ['another kind of file', Buffer.from('-----BEGIN PGP SIGNATURE-----\n\nhello\n-----END PGP SIGNATURE-----')],
  ])('is unchecked when it is %s', async (_, bytes) => {
    expect((await reader.check(requestFor(id, { bytes }))).result).toBe('unchecked');
  });
});

test('a certificate that has expired is not trusted', async () => {
  const late = requestFor('smime-clear-outlook', { nowMs: NOW + 101 * 365 * DAY });
  expect(await reader.check(late)).toMatchObject({
    result: 'unknown_signer',
    detail: 'a certificate behind it has expired',
  });
});

test('a certificate of the signer itself can be trusted only when the operator names it', async () => {
  const forged = requestFor('smime-clear-outlook', { trusted: [committed('key.asc')] });
  expect((await reader.check(forged)).result).toBe('unknown_signer');
});

test('what is in the signature itself is named by its hash, as the library reads it', async () => {
  const mail = [...signedMail()].find(({ id }) => id === 'smime-opaque-outlook')?.bytes.toString('latin1') ?? '';
  const bytes = Buffer.from(mail.slice(mail.indexOf('\r\n\r\n')), 'base64');
  const { result, contentSha256 } = await reader.check(requestFor('smime-clear-outlook', { bytes, content: null }));
  expect([result, contentSha256?.length]).toEqual(['verified', 64]);
});

test('what has no time left is unchecked', async () => {
  expect((await reader.check(requestFor('pgp-clear-mutt', { workMs: 0 }))).result).toBe('unchecked');
});

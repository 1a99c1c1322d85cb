/** Links of recipients: the pages can check them, and cannot make any. */
import { describe, expect, test, vi } from 'vitest';
import { linkReader, linkSigner, publishedReader, publishLinkKey } from '../../lib/desk/recipients/links.ts';
import { signingKey } from '../../lib/pipeline/chain/ed25519.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { createRig } from '../pipeline/rig.ts';

const plain = { runId: 'ab'.repeat(16), recipient: 'kim@recipient.example', expiresAtSeconds: 2_000_000_000 };

test('says what was signed until it ends, and is no longer than the address of a page may be', () => {
  const { sign, document } = linkSigner('a secret');
  const read = linkReader(document);
  const token = sign(plain);
  expect(read?.(token, 2_000_000_000_000 - 1)).toEqual(plain);
  expect(read?.(token, 2_000_000_000_000)).toBe('expired');
  expect(token.length).toBeLessThan(150);
  expect(sign(plain)).toBe(token);
});

test('has one spelling: bits that base64url leaves over are none of its own', () => {
  const { sign, document } = linkSigner('a secret');
  const token = sign(plain);
  const last = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_').indexOf(token.slice(-1));
  const other = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.charAt(last + 1);
  expect(Buffer.from(token.slice(-86), 'base64url')).toEqual(Buffer.from(token.slice(-86, -1) + other, 'base64url'));
  expect(linkReader(document)?.(token.slice(0, -1) + other, 0)).toBe('invalid');
});

test.each(['kim@recipient.example\r\nX: y', 'kim', '"a b"@recipient.example', 'ü@recipient.example'])(
  'is none for %j, whoever signed it',
  (recipient) => {
    const { sign, document } = linkSigner('a secret');
    expect(linkReader(document)?.(sign({ ...plain, recipient }), 0)).toBe('invalid');
  },
);

describe('what the pages read', () => {
  test('is written once as long as it stays the same', async () => {
    const { blobs } = createRig();
    const put = vi.spyOn(blobs, 'put');
    for (const secret of ['a secret', 'a secret', 'another secret']) await publishLinkKey(blobs, linkSigner(secret));
    expect(put).toHaveBeenCalledTimes(2);
  });

  test('is not taken for missing while the store is away', async () => {
    const away = { get: () => Promise.reject(new TransientError('away')) };
    await expect(publishedReader(away)).rejects.toThrow(TransientError);
  });

  test('is a public key, from which nobody makes the secret or a link', async () => {
    const { blobs } = createRig();
    const signer = linkSigner('a secret');
    await publishLinkKey(blobs, signer);
    const document = await blobs.get('work', keys.linkKey(), { maxBytes: 1_000 });
    const { publicKey } = JSON.parse(Buffer.from(document).toString());
    for (const guess of [publicKey, Buffer.from(document).toString(), 'links'])
      expect((await publishedReader(blobs))(linkSigner(guess).sign(plain), 0)).toBe('invalid');
    expect((await publishedReader(blobs))(signer.sign(plain), 0)).toEqual(plain);
  });

  test('lets nobody in before a key is published, and ends earlier links with another one', async () => {
    const { blobs } = createRig();
    const [earlier, later] = [linkSigner('a secret'), linkSigner('another secret')];
    expect((await publishedReader(blobs))(earlier.sign(plain), 0)).toBe('invalid');
    for (const signer of [earlier, later]) await publishLinkKey(blobs, signer);
    const read = await publishedReader(blobs);
    expect([read(earlier.sign(plain), 0), read(later.sign(plain), 0)]).toEqual(['invalid', plain]);
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a key of a stage', Buffer.from(signingKey('a secret').documentFor('decide')).toString()],
    [
      'a key under another name',
      Buffer.from(linkSigner('a').document)
        .toString()
        .replace(/"keyId":"./, '"keyId":"g'),
    ],
  ])('is no key when it is %s', async (_, document) => {
    const { blobs } = createRig();
    await blobs.put('work', keys.linkKey(), Buffer.from(document));
    expect((await publishedReader(blobs))(linkSigner('a secret').sign(plain), 0)).toBe('invalid');
  });
});

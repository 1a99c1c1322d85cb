import { afterAll, expect, test } from 'vitest';
import { createUnpacker } from '../../../lib/formats/archives/unpacker.ts';
import type { ArchiveFormat } from '../../../lib/formats/archives/unpacking.ts';
import { fileCase } from '../../fixtures/cases.ts';

const unpacker = createUnpacker();
afterAll(() => unpacker.close());

test.each<[ArchiveFormat, string, string, number]>([
  ['zip', 'benign.zip', 'opened', 2],
  ['zip', 'zipcrypto.zip', 'opened', 2],
  ['zip', 'mixed-encryption.zip', 'opened', 2],
  ['zip', 'data-descriptor.zip', 'opened', 1],
  ['zip', 'zip-symlink-slip.zip', 'opened', 5],
  ['zip', 'lzma.zip', 'opened', 3],
  ['zip', 'polyglot-jpg-zip.jpg', 'damaged', 1],
  ['zip', 'bomb-overlap.zip', 'over_budget', 0],
  ['7z', 'lzma2.7z', 'opened', 3],
  ['7z', 'header-encrypted.7z', 'opened', 3],
  ['rar', 'stored.rar', 'opened', 2],
  ['rar', 'header-encrypted.rar', 'encrypted', 0],
  ['gzip', 't.tar.gz', 'opened', 1],
  ['xz', 't.tar.xz', 'opened', 1],
  ['bzip2', 't.tar.bz2', 'opened', 1],
  ['tar', 't.tar', 'opened', 2],
  ['iso', 'disk.iso', 'opened', 2],
])('%s %s: %s, with %i members', async (format, name, outcome, count) => {
  const allowance = {
    members: 1_000,
    bytes: 1 << 27,
    memberBytes: 1 << 26,
    ratio: 250,
    workMs: 20_000,
    passwordTries: 20,
  };
  const bytes = fileCase(name);
  const found = await unpacker.unpack({
    format,
    bytes,
    untrustedName: name,
    passwords: ['wrong', 'infected'],
    allowance,
  });
  expect([found.outcome, found.members.length]).toEqual([outcome, count]);
});

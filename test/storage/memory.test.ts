import { expect, test } from 'vitest';
import { memoryBlobs, memorySubmissions } from '../../lib/storage/memory.ts';
import { describeBlobs } from './blobs-contract.ts';
import { describeSubmissions } from './submissions-contract.ts';

describeBlobs('memory', async () => memoryBlobs());
describeSubmissions('memory', async () => memorySubmissions());

test('the keys of one bucket are listed in order', async () => {
  const blobs = memoryBlobs();
  for (const key of ['b', 'a/c', 'a']) await blobs.put('work', key, new Uint8Array(1));
  await blobs.put('clean', 'other', new Uint8Array(1));
  expect(blobs.list('work')).toEqual(['a', 'a/c', 'b']);
  expect(blobs.list('intake')).toEqual([]);
});

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { BlobContent } from '../../lib/service/server/store/blobs.ts';
import { sampleZip } from '../../lib/service/server/v3/sample-zip.ts';

/** More bytes than a stream holds in advance. */
const SAMPLE = randomBytes(1_000_000);

function sampleThatCounts(): BlobContent & { readonly opened: () => number } {
  let count = 0;
  return {
    size: SAMPLE.length,
    stream() {
      count++;
      return ReadableStream.from([SAMPLE]);
    },
    opened: () => count,
  };
}

async function sizeOf(zip: ReadableStream<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const piece of zip) size += piece.length;
  return size;
}

test('downloads that nobody reads to the end do not keep another one waiting', async () => {
  const slow = Array.from({ length: 8 }, () => sampleZip('slow.bin', sampleThatCounts()).getReader());
  for (const reader of slow) expect((await reader.read()).done).toBe(false);
  expect(await sizeOf(sampleZip('quick.bin', sampleThatCounts()))).toBeGreaterThan(SAMPLE.length);
  for (const reader of slow) await reader.cancel();
});

test('a download that is never read does not open its sample', async () => {
  const sample = sampleThatCounts();
  const zip = sampleZip('unread.bin', sample);
  expect(sample.opened()).toBe(0);
  expect(await sizeOf(zip)).toBeGreaterThan(SAMPLE.length);
  expect(sample.opened()).toBe(1);
});

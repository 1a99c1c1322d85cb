import { expect, test } from 'vitest';
import { openAnalysis } from '../../lib/local/session/analysis.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Blobs } from '../../lib/pipeline/ports.ts';
import { memoryBlobs } from '../../lib/storage/memory.ts';
import { analysed, requestOf, submitted } from '../pipeline/analyzer-contract.ts';

const outside = { url: 'http://127.0.0.1:9', secret: 'key' };

test.each([
  ['the engines of this process', null, null, true],
  ['a service', outside, null, false],
  ['a CDR service beside the engines of this process', null, outside, false],
  ['two services', outside, outside, false],
])(
  'the disarm counts as part of the installation only when it runs in this process: %s',
  async (_, service, cdr, isOwn) => {
    const analysis = await openAnalysis(service, cdr, new AbortController().signal);
    expect(analysis.isOwnDisarm).toBe(isOwn);
    await analysis.close();
  },
);

test('a report that the disk had no room for fails its mail, and the same question of a later mail is answered', async () => {
  const analysis = await openAnalysis(null, null, new AbortController().signal);
  const disk = memoryBlobs();
  let isFull = true;
  const blobs: Blobs = {
    ...disk,
    put: async (...args) => {
      if (isFull) throw new Error('ENOSPC: no space left on device');
      return disk.put(...args);
    },
  };
  const rig = {
    analyzer: analysis.analyzerFor(blobs),
    store: (sha256: string, bytes: Uint8Array) => disk.put('work', keys.artifact(sha256), bytes),
  };
  const request = requestOf('static', 'just a few words');
  const id = await submitted(rig, request);
  const progress = () =>
    rig.analyzer.progress('static', id).then(
      ({ state }) => state,
      (error: Error) => error.message,
    );
  await expect.poll(progress, { interval: 1 }).toContain('ENOSPC');
  isFull = false;
  expect((await analysed(rig, request)).report.verdict).toBe('benign');
  await analysis.close();
});

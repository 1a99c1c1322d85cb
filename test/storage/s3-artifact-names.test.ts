/** Whether artifacts are there is seen without the permission to read them. */
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { keys } from '../../lib/pipeline/keys.ts';
import { withArtifactNames } from '../../lib/storage/s3/artifact-names.ts';
import { createS3Blobs } from '../../lib/storage/s3/s3.ts';
import { fakeS3 } from './fake-s3.ts';

const HASH = 'ab'.repeat(32);

test('an artifact is looked for by its name, and everything else as before', async () => {
  const { client, mock } = fakeS3();
  const blobs = withArtifactNames(createS3Blobs({ client, buckets: { work: 'w' } }), { client, workBucket: 'w' });
  for (const [found, isThere] of [
    [[{ Key: keys.artifact(HASH) }], true],
    [[{ Key: `${keys.artifact(HASH)}.more` }], false],
    [undefined, false],
  ] as const) {
    mock.on(ListObjectsV2Command).resolves({ Contents: found as never });
    expect(await blobs.has('work', keys.artifact(HASH))).toBe(isThere);
  }
  expect(mock.commandCalls(ListObjectsV2Command)[0]?.args[0].input).toEqual({
    ...{ Bucket: 'w', Prefix: keys.artifact(HASH), MaxKeys: 1 },
  });
  await blobs.put('work', keys.audit(1), Buffer.from('x'));
  expect([await blobs.has('work', keys.audit(1)), await blobs.has('work', keys.audit(2))]).toEqual([true, false]);
  expect(mock.commandCalls(ListObjectsV2Command)).toHaveLength(3);
});
